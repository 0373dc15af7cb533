// SPDX-License-Identifier: GPL-2.0
/*
 * Writes perf.data. tools/perf/Documentation/perf.data-file-format.txt of the kernel says what it
 * looks like. The surprising part is how a function gets its name: perf asks the machine that it
 * runs on, unless the file says that code was generated there (PERF_RECORD_KSYMBOL), as it is
 * for BPF programs. So each function of the profile is such a piece of code.
 *
 * The head says how long the data are, and a pipe has no way back: so the data are made twice, the
 * first time only to be counted.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "export/perf_data.h"
#include "export/text.h"
#include "profile/addresses.h"
#include "util/intern.h"

enum {
	ATTR_SIZE	= PERF_ATTR_SIZE_VER7,
	FEATURE_WORDS	= 4,
	EVENT_DESC	= 12,		/* feature: the names of the events */
	FRAMES_MAX	= 8000,		/* a record's length is 16 bits */
	NAME_MAX_SIZE	= 4096,		/* the same */
	COMM_SIZE	= 16,
	KSYMBOL_OOL	= 2,		/* generated code that is not BPF's */
	MADE_UP_MAX	= 4096,
};

/*
 * Places of frames that have a name and no address: no code is there. Behind them are perf's marks
 * in call chains.
 */
#define MADE_UP		0xffffffffffffe000ULL

/* Where the kernel is said to be: it has no room there. */
#define NO_KERNEL	(MADE_UP - 16)

/* An address that perf has no name for. */
#define NOWHERE		1ULL

/* Numbers of threads that the profile does not know: no thread of Linux has one of these. */
#define MADE_UP_TID	0x40000000U

/**
 * struct thread - who a sample is of
 * @tid: its number, known or made up
 * @comm: number of its name
 */
struct thread {
	__u32 tid;
	__u32 comm;
};

/**
 * struct writer - a file that is being written
 * @file: NULL while bytes are counted only
 * @size: bytes so far
 * @series: the profile
 * @resolver: names for the addresses
 * @addresses: all of the series
 * @made_up: names of frames that have no address
 * @comms: names of threads
 * @said: the thread that the data have named last
 */
struct writer {
	FILE *file;
	__u64 size;
	const struct kmprof_series *series;
	const struct kmprof_resolver *resolver;
	struct kmprof_addresses addresses;
	struct kmprof_intern made_up;
	struct kmprof_intern comms;
	struct thread said;
};

static void put(struct writer *w, const void *data, size_t size)
{
	if (w->file)
		fwrite(data, 1, size, w->file);
	w->size += size;
}

static void put_u32(struct writer *w, __u32 number)
{
	put(w, &number, sizeof(number));
}

static void put_u64(struct writer *w, __u64 number)
{
	put(w, &number, sizeof(number));
}

/* A text and zeros, @size bytes in all: at least one zero. */
static void put_text(struct writer *w, const char *text, size_t size)
{
	size_t length = strnlen(text, size - 1);

	put(w, text, length);
	for (; length < size; length++)
		put(w, "", 1);
}

/* Bytes of a text in a record. */
static size_t size_of_text(const char *text)
{
	return (strnlen(text, NAME_MAX_SIZE) + 8) / 8 * 8;
}

static void put_record(struct writer *w, __u32 type, __u16 misc, size_t size)
{
	struct perf_event_header header = { .type = type, .misc = misc };

	header.size = (__u16)(sizeof(header) + size);
	put(w, &header, sizeof(header));
}

/* Without it perf complains that it knows no kernel. */
static void put_kernel(struct writer *w)
{
	static const char name[] = KMPROF_KERNEL_MAPPING "_text";

	put_record(w, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, 32 + size_of_text(name));
	put_u32(w, (__u32)-1);
	put_u32(w, 0);
	put_u64(w, NO_KERNEL);
	put_u64(w, MADE_UP - NO_KERNEL);
	put_u64(w, 0);
	put_text(w, name, size_of_text(name));
}

static void put_symbol(struct writer *w, __u64 start, __u64 size, const char *name)
{
	put_record(w, PERF_RECORD_KSYMBOL, 0, 16 + size_of_text(name));
	put_u64(w, start);
	put_u32(w, size < UINT32_MAX ? (__u32)size : UINT32_MAX);
	put_u32(w, KSYMBOL_OOL);	/* and 16 bits of flags */
	put_text(w, name, size_of_text(name));
}

static void put_function(struct writer *w, const struct kmprof_frame *last)
{
	const struct kmprof_symbol *symbol = &last->symbol;
	char name[NAME_MAX_SIZE];

	snprintf(name, sizeof(name), symbol->module ? "%s [%s]" : "%s", symbol->name,
		 symbol->module);
	put_symbol(w, symbol->start,
		   symbol->size ? symbol->size : last->address - symbol->start + 1, name);
}

static bool is_made_up(__u64 ret_addr)
{
	return !ret_addr || ret_addr - 1 >= NO_KERNEL;
}

/* Addresses are sorted, so those of one function follow one another. */
static void put_functions(struct writer *w)
{
	struct kmprof_frame frame, last = { .named = false };
	size_t i;

	for (i = 0; i < w->addresses.nr; i++) {
		if (is_made_up(w->addresses.address[i]))
			continue;
		kmprof_resolver_find(w->resolver, w->addresses.address[i], &frame);
		if (last.named && (!frame.named || frame.symbol.start != last.symbol.start))
			put_function(w, &last);
		last = frame;
	}
	if (last.named)
		put_function(w, &last);
	for (i = 0; i < w->made_up.nr && i < MADE_UP_MAX; i++)
		put_symbol(w, MADE_UP + i, 1, w->made_up.string[i]);
}

enum { ADDRESS_TEXT = 32 };

/* The name of an address that has none, or whose place perf would not understand. */
static const char *made_up_name(__u64 ret_addr, char text[ADDRESS_TEXT])
{
	snprintf(text, ADDRESS_TEXT, "0x%llx", ret_addr);
	return ret_addr ? text : KMPROF_HIDDEN_NAME;
}

static __u64 made_up_place(struct writer *w, const char *name)
{
	__s64 index = kmprof_intern_add(&w->made_up, name);

	return index < 0 || index >= MADE_UP_MAX ? NOWHERE : MADE_UP + (__u64)index;
}

static __u64 place_of(struct writer *w, __u64 ret_addr)
{
	char text[ADDRESS_TEXT];

	return is_made_up(ret_addr) ? made_up_place(w, made_up_name(ret_addr, text)) :
				      ret_addr - 1;
}

/* Return: 0 or -ENOMEM. */
static int find_thread(struct writer *w, const struct kmprof_series_row *row,
		       struct thread *thread)
{
	const char *comm = "kmprof";
	__u64 pid = 0;
	unsigned int i;
	__s64 index;

	for (i = 0; i < row->nr_labels; i++) {
		if (!strcmp(row->label[i].key, "comm") && row->label[i].text)
			comm = row->label[i].text;
		if (!strcmp(row->label[i].key, "pid") && !row->label[i].text)
			pid = row->label[i].number;
	}
	index = kmprof_intern_add(&w->comms, comm);
	if (index < 0)
		return (int)index;
	thread->comm = (__u32)index;
	thread->tid = pid && pid < MADE_UP_TID ? (__u32)pid : MADE_UP_TID + thread->comm;
	return 0;
}

/* perf gives a sample the name that its thread has at that place of the data. */
static void put_thread(struct writer *w, const struct thread *thread)
{
	if (thread->tid == w->said.tid && thread->comm == w->said.comm)
		return;
	put_record(w, PERF_RECORD_COMM, 0, 8 + COMM_SIZE);
	put_u32(w, thread->tid);
	put_u32(w, thread->tid);
	put_text(w, w->comms.string[thread->comm], COMM_SIZE);
	w->said = *thread;
}

static __u64 id_of(unsigned int event)
{
	return event + 1;
}

/* There is an event for each value; the first one is of the value that is shown first. */
static unsigned int value_of(const struct writer *w, unsigned int event)
{
	return (w->series->shown + event) % w->series->nr_types;
}

/* A stack is its frames; or, without any, the place that stands for it. */
static void put_sample(struct writer *w, unsigned int event, __u32 tid, __u64 period,
		       const __u64 *frames, __u32 nr)
{
	__u32 i;

	put_record(w, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, (7 + nr) * sizeof(__u64));
	put_u64(w, id_of(event));
	put_u64(w, frames[0]);
	put_u32(w, tid);
	put_u32(w, tid);
	put_u64(w, 0);	/* CPU */
	put_u64(w, period);
	put_u64(w, nr + 1);
	put_u64(w, (__u64)PERF_CONTEXT_KERNEL);
	for (i = 0; i < nr; i++)
		put_u64(w, frames[i]);
}

static int put_row(struct writer *w, size_t index, __u64 *place)
{
	struct kmprof_series_row row;
	struct thread thread;
	const __u64 *frames;
	unsigned int event;
	__s64 value;
	__u32 i, nr;
	int ret;

	kmprof_series_row(w->series, index, &row);
	ret = find_thread(w, &row, &thread);
	if (ret)
		return ret;
	frames = kmprof_series_stack(w->series, index, &nr);
	if (nr > FRAMES_MAX)
		nr = FRAMES_MAX;
	for (i = 0; i < nr; i++)
		place[i] = place_of(w, frames[i]);
	if (!nr)
		place[nr++] = made_up_place(w, row.nowhere);
	for (event = 0; event < w->series->nr_types; event++) {
		value = row.value[value_of(w, event)];
		if (value <= 0)
			continue;
		put_thread(w, &thread);
		put_sample(w, event, thread.tid, (__u64)value, place, nr);
	}
	return 0;
}

static void put_lost(struct writer *w)
{
	if (!w->series->samples_lost)
		return;
	put_record(w, PERF_RECORD_LOST_SAMPLES, 0, sizeof(__u64));
	put_u64(w, w->series->samples_lost);
}

static int put_data(struct writer *w, __u64 *place)
{
	int ret = 0;
	size_t i;

	w->said = (struct thread) {};
	put_kernel(w);
	put_functions(w);
	put_lost(w);
	for (i = 0; i < w->series->nr_rows && !ret; i++)
		ret = put_row(w, i, place);
	return ret;
}

static void put_attr(struct writer *w)
{
	union {
		struct perf_event_attr attr;
		char bytes[ATTR_SIZE];
	} event = {
		.attr = {
			.type		= PERF_TYPE_SOFTWARE,
			.size		= ATTR_SIZE,
			.config		= PERF_COUNT_SW_BPF_OUTPUT,
			.sample_period	= 1,
			.sample_type	= PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
					  PERF_SAMPLE_TID | PERF_SAMPLE_CPU |
					  PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN,
		},
	};

	put(w, event.bytes, sizeof(event.bytes));
}

static void put_event_names(struct writer *w)
{
	char name[NAME_MAX_SIZE];
	unsigned int i;

	put_u32(w, w->series->nr_types);
	put_u32(w, ATTR_SIZE);
	for (i = 0; i < w->series->nr_types; i++) {
		snprintf(name, sizeof(name), "kmprof:%s", w->series->types[value_of(w, i)].name);
		put_attr(w);
		put_u32(w, 1);	/* ids */
		put_u32(w, (__u32)size_of_text(name));
		put_text(w, name, size_of_text(name));
		put_u64(w, id_of(i));
	}
}

static void put_section(struct writer *w, __u64 offset, __u64 size)
{
	put_u64(w, offset);
	put_u64(w, size);
}

/* The parts of the file: head, ids, attributes, data; where the events' names are, and these. */
static int put_all(struct writer *w, __u64 data_size, __u64 names_size, __u64 *place)
{
	enum { HEAD = 104, SECTION = 16 };
	const __u64 ids = HEAD, attrs = ids + w->series->nr_types * sizeof(__u64);
	const __u64 data = attrs + w->series->nr_types * (ATTR_SIZE + SECTION);
	unsigned int i;
	int ret;

	put(w, "PERFILE2", 8);
	put_u64(w, HEAD);
	put_u64(w, ATTR_SIZE + SECTION);
	put_section(w, attrs, data - attrs);
	put_section(w, data, data_size);
	put_section(w, 0, 0);
	put_u64(w, 1ULL << EVENT_DESC);
	for (i = 1; i < FEATURE_WORDS; i++)
		put_u64(w, 0);
	for (i = 0; i < w->series->nr_types; i++)
		put_u64(w, id_of(i));
	for (i = 0; i < w->series->nr_types; i++) {
		put_attr(w);
		put_section(w, ids + i * sizeof(__u64), sizeof(__u64));
	}
	ret = put_data(w, place);
	put_section(w, data + data_size + SECTION, names_size);
	put_event_names(w);
	return ret;
}

/* Find all names: nothing needs memory when the data are made. */
static int collect_names(struct writer *w)
{
	const __u64 *address = w->addresses.address;
	struct kmprof_series_row row;
	char text[ADDRESS_TEXT];
	struct thread thread;
	size_t i;
	__u32 nr;
	int ret;

	for (i = 0; i < w->addresses.nr; i++)
		if (is_made_up(address[i]) &&
		    kmprof_intern_add(&w->made_up, made_up_name(address[i], text)) < 0)
			return -ENOMEM;
	for (i = 0; i < w->series->nr_rows; i++) {
		kmprof_series_row(w->series, i, &row);
		ret = find_thread(w, &row, &thread);
		if (ret)
			return ret;
		kmprof_series_stack(w->series, i, &nr);
		if (!nr && kmprof_intern_add(&w->made_up, row.nowhere) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int write_counted(struct writer *w, FILE *file, __u64 *place)
{
	__u64 data_size, names_size;
	int ret;

	ret = collect_names(w);
	if (!ret)
		ret = put_data(w, place);
	if (ret)
		return ret;
	data_size = w->size;
	put_event_names(w);
	names_size = w->size - data_size;
	w->file = file;
	return put_all(w, data_size, names_size, place);
}

int kmprof_perf_data_write(FILE *file, const struct kmprof_series *series,
			   const struct kmprof_resolver *resolver, struct kmprof_error *err)
{
	struct writer w = { .series = series, .resolver = resolver };
	__u64 *place = NULL;
	int ret;

	errno = 0;
	ret = kmprof_addresses_collect(&w.addresses, series);
	if (!ret) {
		place = calloc((size_t)w.addresses.deepest + 1, sizeof(*place));
		ret = place ? write_counted(&w, file, place) : -ENOMEM;
	}
	free(place);
	kmprof_addresses_release(&w.addresses);
	kmprof_intern_release(&w.made_up);
	kmprof_intern_release(&w.comms);
	if (ret)
		return kmprof_error_set(err, ret, NULL, "writing the profile: %s", strerror(-ret));
	return kmprof_text_finish(file, err);
}
