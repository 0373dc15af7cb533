// SPDX-License-Identifier: GPL-2.0
/*
 * Interrupts in the execution trace, against what the kernel counts of them in /proc/softirqs and
 * /proc/interrupts; and each begin has its end.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "trace/session.h"

enum {
	EVENTS	= 1 << KMPROF_TRACE_IRQ_ENTRY | 1 << KMPROF_TRACE_IRQ_EXIT |
		  1 << KMPROF_TRACE_SOFTIRQ_ENTRY | 1 << KMPROF_TRACE_SOFTIRQ_EXIT,
	CPUS	= 8,	/* more than any guest has */
	LINES	= 512,	/* interrupts of a guest have lower numbers */
	NAME	= 256,
	SOFTIRQS = 10,
	NET_RX	= 3,
	ROUNDS	= 100,
};

FIXTURE(interrupts) {
	int dev;
	struct session s;
};

FIXTURE_SETUP(interrupts)
{
	ASSERT_EQ(0, guest_load("kprobe", "heap_rate=0"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->s.fd = -1;
	ASSERT_GE(CPUS, sysconf(_SC_NPROCESSORS_CONF));
}

FIXTURE_TEARDOWN(interrupts)
{
	session_free(&self->s);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

static void start(struct __test_metadata *_metadata, FIXTURE_DATA(interrupts) *self)
{
	ASSERT_EQ(0, session_start(self->dev, &self->s, EVENTS, 0));
}

static void finish(struct __test_metadata *_metadata, FIXTURE_DATA(interrupts) *self)
{
	ASSERT_EQ(0, session_stop(self->dev, &self->s));
	ASSERT_EQ(0, session_read_rest(&self->s));
	ASSERT_EQ(0, session_lost(&self->s));
}

/* Packets of the loopback device come in a softirq. */
static void send_packets(struct __test_metadata *_metadata)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	socklen_t size = sizeof(to);
	int i, s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	char byte = 0;

	ASSERT_LE(0, s);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ASSERT_EQ(0, bind(s, (const struct sockaddr *)&to, sizeof(to)));
	ASSERT_EQ(0, getsockname(s, (struct sockaddr *)&to, &size));
	for (i = 0; i < ROUNDS; i++) {
		ASSERT_EQ(1, sendto(s, &byte, 1, 0, (const struct sockaddr *)&to, sizeof(to)));
		ASSERT_EQ(1, recv(s, &byte, 1, 0));
	}
	close(s);
}

/* The results are on the host: each question is answered by an interrupt. */
static void ask_host(struct __test_metadata *_metadata)
{
	const char *results = getenv("KMPROF_RESULTS");
	char path[4096];
	struct stat st;
	int i;

	ASSERT_NE(NULL, results);
	snprintf(path, sizeof(path), "%s/not there", results);
	for (i = 0; i < ROUNDS; i++) {
		ASSERT_EQ(-1, stat(path, &st));
		ASSERT_EQ(ENOENT, errno);
	}
}

/**
 * struct counts - interrupts of each CPU
 * @nr: by number
 * @name: by number: behind the counts
 */
struct counts {
	uint64_t nr[LINES][CPUS];
	char name[LINES][NAME];
};

/* The first line has a word for each CPU that the others tell of. */
static int count_columns(const char *text)
{
	int columns = 0;

	for (; *text != '\n'; text++)
		columns += *text == 'C';
	return columns < CPUS ? columns : CPUS;
}

/* A line of numbers, one for each CPU, and what follows. */
static void take_line(const char *line, int columns, uint64_t nr[CPUS], char *rest)
{
	char *end;
	int cpu;

	for (cpu = 0; cpu < columns; cpu++) {
		nr[cpu] = strtoull(line, &end, 10);
		line = end;
	}
	snprintf(rest, NAME, "%.*s", (int)strcspn(line, "\n"), line);
}

/*
 * An interrupt is counted just before it is traced. Once this task has run on a CPU, that CPU is
 * through with those that it had begun.
 */
static void visit_cpus(struct __test_metadata *_metadata)
{
	int cpu;

	for (cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); cpu++)
		ASSERT_EQ(0, guest_pin_cpu(cpu));
}

static void count_softirqs(struct __test_metadata *_metadata, struct counts *counts)
{
	char *text, *line;
	int columns, i;

	ASSERT_EQ(0, guest_read_file("/proc/softirqs", &text, NULL));
	columns = count_columns(text);
	line = strchr(text, '\n');
	for (i = 0; i < SOFTIRQS; i++) {
		line = strchr(line, ':');
		ASSERT_NE(NULL, line);
		take_line(++line, columns, counts->nr[i], counts->name[i]);
	}
	free(text);
	visit_cpus(_metadata);
}

static void count_irqs(struct __test_metadata *_metadata, struct counts *counts)
{
	char *text, *line, *end;
	unsigned long irq;
	int columns;

	ASSERT_EQ(0, guest_read_file("/proc/interrupts", &text, NULL));
	columns = count_columns(text);
	for (line = text; line; line = strchr(line + 1, '\n')) {
		irq = strtoul(line, &end, 10);
		if (*end == ':' && irq < LINES)
			take_line(end + 1, columns, counts->nr[irq], counts->name[irq]);
	}
	free(text);
	visit_cpus(_metadata);
}

/**
 * struct seen - what a trace has
 * @softirqs: begins, by number and CPU
 * @irqs: the same, of devices
 * @counts: those of the kernel, for the names
 * @wrong: names that the kernel does not have there, and numbers that are too great
 */
struct seen {
	uint64_t softirqs[SOFTIRQS][CPUS];
	uint64_t irqs[LINES][CPUS];
	const struct counts *counts;
	unsigned int wrong;
};

/* With others on the line, the name is one of several. */
static bool has_name(const char *line, const struct record *r)
{
	char name[NAME];

	snprintf(name, sizeof(name), "%.*s", r->len, r->text);
	return r->len && strstr(line, name);
}

static int see(const struct record *r, void *data)
{
	struct seen *seen = data;

	if (r->type == KMPROF_TRACE_SOFTIRQ_ENTRY && r->args[0] < SOFTIRQS)
		seen->softirqs[r->args[0]][r->cpu]++;
	else if (r->type == KMPROF_TRACE_IRQ_ENTRY && r->args[0] < LINES &&
		 has_name(seen->counts->name[r->args[0]], r))
		seen->irqs[r->args[0]][r->cpu]++;
	else if (r->type == KMPROF_TRACE_SOFTIRQ_ENTRY || r->type == KMPROF_TRACE_IRQ_ENTRY)
		seen->wrong++;
	return 0;
}

/* The kernel counts no less than the trace between two moments in it, and no more around it. */
TEST_F(interrupts, has_all_softirqs)
{
	static struct counts outer[2], inner[2], irqs;
	struct seen seen = { .counts = &irqs };
	uint64_t of_net = 0;
	int i, cpu;

	count_softirqs(_metadata, &outer[0]);
	start(_metadata, self);
	count_softirqs(_metadata, &inner[0]);
	send_packets(_metadata);
	count_softirqs(_metadata, &inner[1]);
	finish(_metadata, self);
	count_softirqs(_metadata, &outer[1]);

	count_irqs(_metadata, &irqs);
	ASSERT_EQ(0, session_walk(&self->s, see, &seen));
	EXPECT_EQ(0, seen.wrong);
	for (i = 0; i < SOFTIRQS; i++) {
		for (cpu = 0; cpu < CPUS; cpu++) {
			EXPECT_LE(inner[1].nr[i][cpu] - inner[0].nr[i][cpu],
				  seen.softirqs[i][cpu]);
			EXPECT_GE(outer[1].nr[i][cpu] - outer[0].nr[i][cpu],
				  seen.softirqs[i][cpu]);
		}
	}
	for (cpu = 0; cpu < CPUS; cpu++)
		of_net += seen.softirqs[NET_RX][cpu];
	EXPECT_LE(ROUNDS / 2, of_net);
}

/* A handler may run more often than its interrupt is counted: again for one that comes early. */
TEST_F(interrupts, has_all_of_devices)
{
	static struct counts inner[2];
	struct seen seen = { .counts = inner };
	uint64_t all = 0;
	int i, cpu;

	start(_metadata, self);
	count_irqs(_metadata, &inner[0]);
	ask_host(_metadata);
	count_irqs(_metadata, &inner[1]);
	finish(_metadata, self);

	ASSERT_EQ(0, session_walk(&self->s, see, &seen));
	EXPECT_EQ(0, seen.wrong);
	for (i = 0; i < LINES; i++) {
		/* Nobody listens to it. */
		if (!inner[0].name[i][0])
			continue;
		for (cpu = 0; cpu < CPUS; cpu++) {
			EXPECT_LE(inner[1].nr[i][cpu] - inner[0].nr[i][cpu], seen.irqs[i][cpu])
				TH_LOG("interrupt %d, CPU %d:%s", i, cpu, inner[0].name[i]);
			all += seen.irqs[i][cpu];
		}
	}
	EXPECT_LE(ROUNDS / 2, all);
}

/**
 * struct stack - what a CPU does
 * @irq: interrupt whose handler runs
 * @softirq: softirq that runs, or is interrupted
 * @has_irq: there is one
 * @has_softirq: the same
 * @is_known: a softirq or a switch was seen: what ends now has begun in the trace
 */
struct stack {
	uint64_t irq;
	uint64_t softirq;
	bool has_irq;
	bool has_softirq;
	bool is_known;
};

/**
 * struct nesting - what all CPUs do
 * @stack: by CPU
 * @begins: handlers and softirqs
 * @wrong: what cannot be
 * @is_rt: the kernel has PREEMPT_RT
 */
struct nesting {
	struct stack stack[CPUS];
	unsigned int begins;
	unsigned int wrong;
	bool is_rt;
};

/* Returns whether that can be. With PREEMPT_RT, softirqs are preempted: they are not followed. */
static bool follow(struct nesting *n, const struct record *r)
{
	bool is_softirq = r->type == KMPROF_TRACE_SOFTIRQ_ENTRY ||
			  r->type == KMPROF_TRACE_SOFTIRQ_EXIT;
	struct stack *stack = &n->stack[r->cpu];
	bool could_be;

	if (is_softirq && n->is_rt)
		return true;
	switch (r->type) {
	case KMPROF_TRACE_IRQ_ENTRY:
		could_be = !stack->has_irq && r->context == KMPROF_TRACE_IN_HARDIRQ;
		stack->irq = r->args[0];
		stack->has_irq = true;
		break;
	case KMPROF_TRACE_IRQ_EXIT:
		could_be = (!stack->is_known && !stack->has_irq) ||
			   (stack->has_irq && stack->irq == r->args[0] &&
			    r->context == KMPROF_TRACE_IN_HARDIRQ && r->args[1] <= 3);
		stack->has_irq = false;
		break;
	case KMPROF_TRACE_SOFTIRQ_ENTRY:
		could_be = !stack->has_irq && !stack->has_softirq &&
			   r->context == KMPROF_TRACE_IN_SOFTIRQ;
		stack->softirq = r->args[0];
		stack->has_softirq = true;
		stack->is_known = true;
		break;
	case KMPROF_TRACE_SOFTIRQ_EXIT:
		could_be = !stack->is_known ||
			   (!stack->has_irq && stack->has_softirq &&
			    stack->softirq == r->args[0] && r->context == KMPROF_TRACE_IN_SOFTIRQ);
		stack->has_softirq = false;
		break;
	case KMPROF_TRACE_SWITCH:
		could_be = !stack->has_irq && !stack->has_softirq;
		stack->is_known = true;
		break;
	default:
		return true;
	}
	return could_be;
}

static int follow_all(const struct record *r, void *data)
{
	struct nesting *n = data;

	n->begins += r->type == KMPROF_TRACE_IRQ_ENTRY || r->type == KMPROF_TRACE_SOFTIRQ_ENTRY;
	n->wrong += !follow(n, r);
	return 0;
}

/* No switch comes before an end. */
TEST_F(interrupts, begin_and_end)
{
	struct nesting nesting = { .is_rt = guest_is_rt() };

	start(_metadata, self);
	send_packets(_metadata);
	ask_host(_metadata);
	send_packets(_metadata);
	finish(_metadata, self);
	ASSERT_EQ(0, session_walk(&self->s, follow_all, &nesting));
	EXPECT_EQ(0, nesting.wrong);
	EXPECT_LE(2 * ROUNDS, nesting.begins);
}

TEST_HARNESS_MAIN
