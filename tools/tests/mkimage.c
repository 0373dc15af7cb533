// SPDX-License-Identifier: GPL-2.0
/*
 * Makes an image out of a description on standard input, for tests:
 *
 *	rate BYTES | source NUMBER | cycle NUMBER | start NS | time NS
 *	totals ALLOC_CALLS ALLOC_BYTES FREE_CALLS
 *	sampled NUMBER			else what the ledger makes of it
 *	block RATE WAITS WAIT_NS
 *	waits_counted NUMBER
 *	waits_sampled NUMBER		else what the ledger makes of it
 *	mutex FRACTION RELEASES BLAMED_NS UNBLAMED_NS
 *	delays_counted NUMBER
 *	delays_sampled NUMBER		else what the ledger makes of it
 *	noaddresses
 *	old block|mutex|labels		as before there was this profile, or labels
 *	sample PERIOD SIZE ALLOCS FREES PENDING [FRAME...]
 *	contention PERIOD KIND FLAGS LOCK COUNT DELAY LONGEST [FRAME...]
 *	release				the same, of who released
 *	profile NUMBER			other than that, of the last contention
 *	cache NAME			of the last contention's lock
 *	comm NAME | pid NUMBER | cgroup NUMBER	a label of the last contention
 *	label NUMBER			other than its own, of the last contention
 *	loss NAME sample|wait|delay|other COUNT
 *
 * COUNT of a contention can have a fraction.
 * An empty line or one that starts with # is skipped; any other is an error.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/kmprof.h>

#include "util/util.h"

enum { MAX_SAMPLES = 200000, MAX_FRAMES = 4000000, MAX_LOSSES = 64, MAX_STRINGS = 4096 };

static struct kmprof_image_header header;
static struct kmprof_image_sample sample[MAX_SAMPLES];
static struct kmprof_image_contention contention[MAX_SAMPLES];
static struct kmprof_image_label label[MAX_SAMPLES];
static __u64 frame[MAX_FRAMES];
static struct kmprof_image_loss loss[MAX_LOSSES];
static char string[MAX_STRINGS];
static __u32 nr_samples, nr_contentions, nr_labels, nr_frames, nr_losses, nr_strings;
static __u64 lost, waits_lost, delays_lost;
static int sampled_given, waits_sampled_given, delays_sampled_given;

static void __noreturn bad(const char *line)
{
	fprintf(stderr, "mkimage: do not understand '%s'\n", line);
	exit(2);
}

static __u64 number(const char *line, char **save)
{
	char *word = strtok_r(NULL, " \t\n", save), *end;
	__u64 value;

	if (!word)
		bad(line);
	value = strtoull(word, &end, 0);
	if (*end)
		bad(line);
	return value;
}

static __u64 fixed_point(const char *line, char **save)
{
	char *word = strtok_r(NULL, " \t\n", save), *end;
	double value;

	if (!word)
		bad(line);
	value = strtod(word, &end);
	if (*end || value < 0)
		bad(line);
	return (__u64)(value * (1 << KMPROF_WAIT_COUNT_SHIFT) + 0.5);
}

/* Return: how many there are. */
static __u32 add_frames(char **save)
{
	__u32 before = nr_frames;
	char *word;

	while ((word = strtok_r(NULL, " \t\n", save))) {
		if (nr_frames == MAX_FRAMES)
			bad("too many frames");
		frame[nr_frames++] = strtoull(word, NULL, 0);
	}
	return nr_frames - before;
}

static void add_sample(const char *line, char **save)
{
	struct kmprof_image_sample *s = &sample[nr_samples++];

	if (nr_samples == MAX_SAMPLES)
		bad("too many samples");
	s->profile = KMPROF_PROFILE_HEAP;
	s->period = number(line, save);
	s->object_size = number(line, save);
	s->allocs = number(line, save);
	s->frees = number(line, save);
	s->rcu_pending = number(line, save);
	s->first_frame = nr_frames;
	s->nr_frames = add_frames(save);
	header.counted += s->allocs;
}

static void add_contention(const char *line, char **save, __u32 profile)
{
	struct kmprof_image_contention *c = &contention[nr_contentions++];

	if (nr_contentions == MAX_SAMPLES)
		bad("too many contentions");
	c->profile = profile;
	c->period = number(line, save);
	c->kind = (__u32)number(line, save);
	c->flags = (__u32)number(line, save);
	c->lock = number(line, save);
	c->count = fixed_point(line, save);
	c->delay_ns = number(line, save);
	c->longest_ns = number(line, save);
	c->first_frame = nr_frames;
	c->nr_frames = add_frames(save);
}

static __u32 add_string(const char *line, const char *text)
{
	__u32 at = nr_strings;

	if (nr_strings + strlen(text) >= sizeof(string))
		bad(line);
	strcpy(string + nr_strings, text);
	nr_strings += (__u32)strlen(text) + 1;
	return at;
}

static struct kmprof_image_contention *last_contention(const char *line)
{
	if (!nr_contentions)
		bad(line);
	return &contention[nr_contentions - 1];
}

static void add_cache(const char *line, char **save)
{
	char *name = strtok_r(NULL, "\n", save);

	if (!name)
		bad(line);
	if (!nr_strings)
		add_string(line, "");
	last_contention(line)->cache = add_string(line, name);
}

/* That of the last contention, from now on with @which. */
static struct kmprof_image_label *last_label(const char *line, __u32 which)
{
	struct kmprof_image_contention *c = last_contention(line);

	/* There are never more of them than contentions. */
	if (!c->label)
		c->label = ++nr_labels;
	label[c->label - 1].labels |= which;
	return &label[c->label - 1];
}

/* All of a line: a name can have blanks, and none of them is cut off. */
static void add_comm(const char *line, char **save)
{
	char *comm = last_label(line, KMPROF_LABEL_COMM)->comm;
	const char *name = *save;
	size_t len = strcspn(name, "\n");

	if (len >= KMPROF_COMM_LEN)
		bad(line);
	memcpy(comm, name, len);
}

/* A header without what has been appended for a profile. */
static void cut_header(const char *line, char **save)
{
	const char *profile = strtok_r(NULL, " \t\n", save);

	if (profile && !strcmp(profile, "block"))
		header.header_size = offsetof(struct kmprof_image_header, block_rate);
	else if (profile && !strcmp(profile, "mutex"))
		header.header_size = offsetof(struct kmprof_image_header, mutex_fraction);
	else if (profile && !strcmp(profile, "labels"))
		header.header_size = offsetof(struct kmprof_image_header, labels);
	else
		bad(line);
}

static void add_loss(const char *line, char **save)
{
	char *name = strtok_r(NULL, " \t\n", save), *kind = strtok_r(NULL, " \t\n", save);
	struct kmprof_image_loss *l = &loss[nr_losses++];

	if (nr_losses == MAX_LOSSES || !name || !kind)
		bad(line);
	l->name = add_string(line, name);
	l->count = number(line, save);
	if (!strcmp(kind, "sample")) {
		l->flags = KMPROF_LOSS_SAMPLE;
		lost += l->count;
	} else if (!strcmp(kind, "wait")) {
		l->flags = KMPROF_LOSS_WAIT;
		waits_lost += l->count;
	} else if (!strcmp(kind, "delay")) {
		l->flags = KMPROF_LOSS_DELAY;
		delays_lost += l->count;
	}
}

static void read_line(char *line)
{
	char copy[256], *save = NULL, *word;

	snprintf(copy, sizeof(copy), "%s", line);
	word = strtok_r(line, " \t\n", &save);
	if (!word || word[0] == '#')
		return;
	if (!strcmp(word, "rate")) {
		header.heap_rate = number(copy, &save);
	} else if (!strcmp(word, "source")) {
		header.source = (__u32)number(copy, &save);
	} else if (!strcmp(word, "wait_source")) {
		header.wait_source = (__u32)number(copy, &save);
	} else if (!strcmp(word, "cycle")) {
		header.cycle = number(copy, &save);
	} else if (!strcmp(word, "start")) {
		header.start_ns = number(copy, &save);
	} else if (!strcmp(word, "time")) {
		header.time_ns = number(copy, &save);
	} else if (!strcmp(word, "totals")) {
		header.alloc_calls = number(copy, &save);
		header.alloc_bytes = number(copy, &save);
		header.free_calls = number(copy, &save);
	} else if (!strcmp(word, "sampled")) {
		header.sampled = number(copy, &save);
		sampled_given = 1;
	} else if (!strcmp(word, "block")) {
		header.block_rate = number(copy, &save);
		header.waits = number(copy, &save);
		header.wait_ns = number(copy, &save);
	} else if (!strcmp(word, "waits_counted")) {
		header.waits_counted = number(copy, &save);
	} else if (!strcmp(word, "waits_sampled")) {
		header.waits_sampled = number(copy, &save);
		waits_sampled_given = 1;
	} else if (!strcmp(word, "mutex")) {
		header.mutex_fraction = number(copy, &save);
		header.releases = number(copy, &save);
		header.blamed_ns = number(copy, &save);
		header.unblamed_ns = number(copy, &save);
	} else if (!strcmp(word, "delays_counted")) {
		header.delays_counted = number(copy, &save);
	} else if (!strcmp(word, "delays_sampled")) {
		header.delays_sampled = number(copy, &save);
		delays_sampled_given = 1;
	} else if (!strcmp(word, "noaddresses")) {
		header.flags &= ~KMPROF_IMAGE_ADDRESSES;
	} else if (!strcmp(word, "old")) {
		cut_header(copy, &save);
	} else if (!strcmp(word, "sample")) {
		add_sample(copy, &save);
	} else if (!strcmp(word, "contention")) {
		add_contention(copy, &save, KMPROF_PROFILE_BLOCK);
	} else if (!strcmp(word, "release")) {
		add_contention(copy, &save, KMPROF_PROFILE_MUTEX);
	} else if (!strcmp(word, "profile")) {
		last_contention(copy)->profile = (__u32)number(copy, &save);
	} else if (!strcmp(word, "cache")) {
		add_cache(copy, &save);
	} else if (!strcmp(word, "comm")) {
		add_comm(copy, &save);
	} else if (!strcmp(word, "pid")) {
		last_label(copy, KMPROF_LABEL_PID)->pid = (__u32)number(copy, &save);
	} else if (!strcmp(word, "cgroup")) {
		last_label(copy, KMPROF_LABEL_CGROUP)->cgroup = number(copy, &save);
	} else if (!strcmp(word, "label")) {
		last_contention(copy)->label = (__u32)number(copy, &save);
	} else if (!strcmp(word, "loss")) {
		add_loss(copy, &save);
	} else {
		bad(copy);
	}
}

static __u64 place(struct kmprof_table *table, __u64 at, __u32 count, __u32 entry_size)
{
	table->offset = at;
	table->count = count;
	table->entry_size = entry_size;
	return (at + (__u64)count * entry_size + 7) & ~7ULL;
}

static void put(const void *data, size_t size)
{
	static const char zero[8];

	fwrite(data, 1, size, stdout);
	fwrite(zero, 1, -size & 7, stdout);
}

int main(void)
{
	char *line = NULL;
	size_t room = 0;
	__u64 at;

	header.magic = KMPROF_IMAGE_MAGIC;
	header.abi_version = KMPROF_ABI_VERSION;
	header.header_size = sizeof(header);
	header.flags = KMPROF_IMAGE_ADDRESSES;
	header.source = KMPROF_SOURCE_KPROBE;
	while (getline(&line, &room, stdin) >= 0)
		read_line(line);
	free(line);
	if (!sampled_given)
		header.sampled = header.counted + lost;
	if (!waits_sampled_given)
		header.waits_sampled = header.waits_counted + waits_lost;
	if (!delays_sampled_given)
		header.delays_sampled = header.delays_counted + delays_lost;

	at = place(&header.samples, header.header_size, nr_samples, sizeof(sample[0]));
	at = place(&header.contentions, at, nr_contentions, sizeof(contention[0]));
	at = place(&header.labels, at, nr_labels, sizeof(label[0]));
	at = place(&header.frames, at, nr_frames, sizeof(frame[0]));
	at = place(&header.losses, at, nr_losses, sizeof(loss[0]));
	header.image_size = place(&header.strings, at, nr_strings, 1);

	put(&header, header.header_size);
	put(sample, nr_samples * sizeof(sample[0]));
	put(contention, nr_contentions * sizeof(contention[0]));
	put(label, nr_labels * sizeof(label[0]));
	put(frame, nr_frames * sizeof(frame[0]));
	put(loss, nr_losses * sizeof(loss[0]));
	put(string, nr_strings);
	return fflush(stdout) || ferror(stdout);
}
