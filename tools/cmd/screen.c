// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd/screen.h"
#include "util/memory_file.h"
#include "util/util.h"

/* Another screen, without a cursor; and back. */
#define ENTER	"\033[?1049h\033[?25l\033[2J"
#define LEAVE	"\033[0m\033[?25h\033[?1049l"

/* A key that is more than a byte comes at once. */
enum { SEQUENCE_MS = 50 };

static const char *const looks[] = {
	[SCREEN_NORMAL]		= "\033[0m",
	[SCREEN_BOLD]		= "\033[0;1m",
	[SCREEN_REVERSE]	= "\033[0;7m",
	[SCREEN_ALERT]		= "\033[0;31m",
};

static const char *look_of(int look)
{
	const char *no = getenv("NO_COLOR");

	return looks[look == SCREEN_ALERT && no && *no ? SCREEN_BOLD : look];
}

/* Those that end the view, and those that it survives. */
static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static const int others[] = { SIGWINCH, SIGTSTP };

/* Without locks, so a handler may write them. */
static atomic_int ended, resized, stopped;
static struct sigaction ends_before[ARRAY_SIZE(ends)], others_before[ARRAY_SIZE(others)];

static void on_signal(int signal)
{
	if (signal == SIGWINCH)
		resized = 1;
	else if (signal == SIGTSTP)
		stopped = 1;
	else
		ended = signal;
}

bool screen_is_possible(void)
{
	const char *term = getenv("TERM");

	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term && *term &&
	       strcmp(term, "dumb");
}

/* Whether it works shows in the next read. Nobody may read what is written: a signal ends that. */
static void put(const char *bytes, size_t size)
{
	int before = ended;
	ssize_t n;

	while (size && ended == before) {
		n = write(STDOUT_FILENO, bytes, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		bytes += n;
		size -= (size_t)n;
	}
}

static int set_modes(const struct termios *modes)
{
	int ret;

	do {
		ret = tcsetattr(STDIN_FILENO, TCSADRAIN, modes);
	} while (ret && errno == EINTR);
	return ret ? -errno : 0;
}

static int clamp(int value, int most, int if_none)
{
	return value <= 0 ? if_none : value < most ? value : most;
}

static void measure(struct screen *screen)
{
	struct winsize size = { 0 };

	ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	screen->lines = clamp(size.ws_row, SCREEN_LINES, 24);
	screen->columns = clamp(size.ws_col, SCREEN_COLUMNS, 80);
}

static int take(struct screen *screen)
{
	struct termios raw = screen->before;
	int ret;

	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	ret = set_modes(&raw);
	if (ret)
		return ret;
	put(ENTER, strlen(ENTER));
	memset(screen->shown, 0, sizeof(screen->shown));
	measure(screen);
	return 0;
}

static void give_back(const struct screen *screen)
{
	put(LEAVE, strlen(LEAVE));
	set_modes(&screen->before);
}

/* @flags: SA_* */
static void catch(const int *signals, struct sigaction *before, size_t nr, int flags)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = flags };
	size_t i;

	for (i = 0; i < nr; i++) {
		sigaction(signals[i], NULL, &before[i]);
		/* As nohup(1) wants it. */
		if (before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

static void restore(const int *signals, const struct sigaction *before, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		sigaction(signals[i], &before[i], NULL);
}

int screen_begin(struct screen *screen, struct kmprof_error *err)
{
	int ret;

	ended = 0;
	if (tcgetattr(STDIN_FILENO, &screen->before))
		return kmprof_error_set(err, -errno, NULL, "terminal: %s", strerror(errno));
	memset(screen->next, 0, sizeof(screen->next));
	/* If the first one has no effect, the second one has. */
	catch(ends, ends_before, ARRAY_SIZE(ends), (int)SA_RESETHAND);
	catch(others, others_before, ARRAY_SIZE(others), 0);
	ret = take(screen);
	if (!ret)
		return 0;
	restore(ends, ends_before, ARRAY_SIZE(ends));
	restore(others, others_before, ARRAY_SIZE(others));
	return kmprof_error_set(err, ret, NULL, "terminal: %s", strerror(-ret));
}

void screen_end(struct screen *screen)
{
	int signal = ended;

	give_back(screen);
	restore(others, others_before, ARRAY_SIZE(others));
	restore(ends, ends_before, ARRAY_SIZE(ends));
	/* ^C is a usual way to leave; of other signals the caller's shell is to learn. */
	if (signal && signal != SIGINT)
		raise(signal);
}

void screen_put(struct screen *screen, int line, enum screen_look look, const char *fmt, ...)
{
	va_list ap;
	char *text;

	if (line < 0 || line >= screen->lines)
		return;
	text = screen->next[line];
	text[0] = (char)(1 + look);
	va_start(ap, fmt);
	vsnprintf(text + 1, (size_t)screen->columns + 1, fmt, ap);
	va_end(ap);
}

void screen_clear_from(struct screen *screen, int line)
{
	for (; line < screen->lines; line++)
		screen_put(screen, line, SCREEN_NORMAL, "%s", "");
}

/* At once, so that no half of it is seen. If there is no memory for that, the next one has it. */
void screen_show(struct screen *screen)
{
	char *bytes = NULL;
	size_t size = 0;
	FILE *file;
	int line;

	file = open_memstream(&bytes, &size);
	if (!file)
		return;
	for (line = 0; line < screen->lines; line++) {
		const char *text = screen->next[line];

		if (!strcmp(text, screen->shown[line]))
			continue;
		strcpy(screen->shown[line], text);
		fprintf(file, "\033[%d;1H%s%s\033[0m", line + 1,
			*text ? look_of(*text - 1) : "", *text ? text + 1 : "");
		/* Behind the last column there is nothing, and the cursor may still be on it. */
		if (!*text || strlen(text + 1) < (size_t)screen->columns)
			fputs("\033[K", file);
	}
	if (kmprof_memory_file_close(file, &bytes))
		memset(screen->shown, 0, sizeof(screen->shown));
	else
		put(bytes, size);
	free(bytes);
}

/* A byte, or -1 if there is none in time. */
static int read_byte(int ms)
{
	struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };
	unsigned char byte;
	ssize_t n;

	if (poll(&fd, 1, ms) <= 0)
		return -1;
	n = read(STDIN_FILENO, &byte, 1);
	if (n == 1)
		return byte;
	/* The terminal is gone. */
	if (!n || errno != EINTR)
		ended = SIGHUP;
	return -1;
}

/* Behind ESC: what terminals send for keys that move the cursor. */
static int read_sequence(void)
{
	static const struct {
		char byte;
		int key;
	} letters[] = {
		{ 'A', SCREEN_UP }, { 'B', SCREEN_DOWN }, { 'C', SCREEN_RIGHT },
		{ 'D', SCREEN_LEFT }, { 'H', SCREEN_HOME }, { 'F', SCREEN_END },
	}, numbers[] = {
		{ '1', SCREEN_HOME }, { '4', SCREEN_END }, { '5', SCREEN_PAGE_UP },
		{ '6', SCREEN_PAGE_DOWN }, { '7', SCREEN_HOME }, { '8', SCREEN_END },
	};
	int byte = read_byte(SEQUENCE_MS), first;
	size_t i;

	if (byte != '[' && byte != 'O')
		return SCREEN_ESCAPE;
	first = read_byte(SEQUENCE_MS);
	for (i = 0; i < ARRAY_SIZE(letters); i++)
		if (first == letters[i].byte)
			return letters[i].key;
	/* The rest of a sequence that is not known is no key either. */
	for (byte = first; byte >= 0 && byte < '@';)
		byte = read_byte(SEQUENCE_MS);
	for (i = 0; byte == '~' && i < ARRAY_SIZE(numbers); i++)
		if (first == numbers[i].byte)
			return numbers[i].key;
	return SCREEN_TIME;
}

/* Until somebody continues it; where nobody could do that, the kernel does not stop it. */
static void stop_here(void)
{
	struct sigaction ours;

	sigaction(SIGTSTP, &others_before[ARRAY_SIZE(others) - 1], &ours);
	raise(SIGTSTP);
	sigaction(SIGTSTP, &ours, NULL);
}

int screen_key(struct screen *screen, int ms)
{
	int byte;

	if (!ended && !resized && !stopped) {
		byte = read_byte(ms);
		if (byte == SCREEN_ESCAPE)
			return read_sequence();
		if (byte == '\r')
			return SCREEN_ENTER;
		if (byte == '\b')
			return SCREEN_ERASE;
		if (byte >= 0)
			return byte;
	}
	if (ended)
		return SCREEN_ENDED;
	if (stopped) {
		stopped = 0;
		give_back(screen);
		stop_here();
		if (take(screen))
			return SCREEN_ENDED;
		return SCREEN_RESIZED;
	}
	if (resized) {
		resized = 0;
		measure(screen);
		put("\033[2J", 4);
		memset(screen->shown, 0, sizeof(screen->shown));
		memset(screen->next, 0, sizeof(screen->next));
		return SCREEN_RESIZED;
	}
	return SCREEN_TIME;
}
