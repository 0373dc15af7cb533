// SPDX-License-Identifier: GPL-2.0
/*
 * Makes an image out of a description on standard input, for tests:
 *
 *	rate BYTES | source NUMBER | cycle NUMBER | start NS | time NS
 *	totals ALLOC_CALLS ALLOC_BYTES FREE_CALLS
 *	sampled NUMBER			else what the ledger makes of it
 *	noaddresses
 *	sample PERIOD SIZE ALLOCS FREES PENDING [FRAME...]
 *	loss NAME sample|other COUNT
 *
 * An empty line or one that starts with # is skipped; any other is an error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/kmprof.h>

#include "lib/util.h"

enum { MAX_SAMPLES = 200000, MAX_FRAMES = 4000000, MAX_LOSSES = 64, MAX_STRINGS = 4096 };

static struct kmprof_image_header header;
static struct kmprof_image_sample sample[MAX_SAMPLES];
static __u64 frame[MAX_FRAMES];
static struct kmprof_image_loss loss[MAX_LOSSES];
static char string[MAX_STRINGS];
static __u32 nr_samples, nr_frames, nr_losses, nr_strings;
static __u64 lost;
static int sampled_given;

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

static void add_sample(const char *line, char **save)
{
	struct kmprof_image_sample *s = &sample[nr_samples++];
	char *word;

	if (nr_samples == MAX_SAMPLES)
		bad("too many samples");
	s->profile = KMPROF_PROFILE_HEAP;
	s->period = number(line, save);
	s->object_size = number(line, save);
	s->allocs = number(line, save);
	s->frees = number(line, save);
	s->rcu_pending = number(line, save);
	s->first_frame = nr_frames;
	while ((word = strtok_r(NULL, " \t\n", save))) {
		if (nr_frames == MAX_FRAMES)
			bad("too many frames");
		frame[nr_frames++] = strtoull(word, NULL, 0);
		s->nr_frames++;
	}
	header.counted += s->allocs;
}

static void add_loss(const char *line, char **save)
{
	char *name = strtok_r(NULL, " \t\n", save), *kind = strtok_r(NULL, " \t\n", save);
	struct kmprof_image_loss *l = &loss[nr_losses++];

	if (nr_losses == MAX_LOSSES || !name || !kind ||
	    nr_strings + strlen(name) >= sizeof(string))
		bad(line);
	l->name = nr_strings;
	strcpy(string + nr_strings, name);
	nr_strings += (__u32)strlen(name) + 1;
	l->count = number(line, save);
	if (!strcmp(kind, "sample")) {
		l->flags = KMPROF_LOSS_SAMPLE;
		lost += l->count;
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
	} else if (!strcmp(word, "noaddresses")) {
		header.flags &= ~KMPROF_IMAGE_ADDRESSES;
	} else if (!strcmp(word, "sample")) {
		add_sample(copy, &save);
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

	at = place(&header.samples, sizeof(header), nr_samples, sizeof(sample[0]));
	at = place(&header.frames, at, nr_frames, sizeof(frame[0]));
	at = place(&header.losses, at, nr_losses, sizeof(loss[0]));
	header.image_size = place(&header.strings, at, nr_strings, 1);

	put(&header, sizeof(header));
	put(sample, nr_samples * sizeof(sample[0]));
	put(frame, nr_frames * sizeof(frame[0]));
	put(loss, nr_losses * sizeof(loss[0]));
	put(string, nr_strings);
	return fflush(stdout) || ferror(stdout);
}
