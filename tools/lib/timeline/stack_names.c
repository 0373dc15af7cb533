// SPDX-License-Identifier: GPL-2.0
/*
 * Names are looked up in images, so the frames are made into an image that has nothing else. It is
 * completed as a saved snapshot is, and put behind the trace.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "symbols/boot_id.h"
#include "symbols/complete.h"
#include "timeline/stack_names.h"
#include "util/growing.h"
#include "util/memory_file.h"
#include "util/merge.h"

#define NSEC_PER_SEC	1000000000ULL
/* So far may CLOCK_REALTIME have been set. */
#define SET_NS		(10 * NSEC_PER_SEC)

#define SAVED_HINT	\
	"'kmprof trace --stacks' saves them if the user who runs it may see addresses in /proc/kallsyms."

static const struct kmprof_resolver_options here;

static int no_memory(struct kmprof_error *err)
{
	return kmprof_error_set(err, -ENOMEM, NULL, "names of stacks: out of memory");
}

static int put_frames(struct kmprof_growing *to, const char *stacks, size_t size)
{
	const struct kmprof_trace_stack *stack;
	size_t at, bytes;
	int ret = 0;

	for (at = 0; !ret && at < size; at += sizeof(*stack) + bytes) {
		stack = (const void *)(stacks + at);
		bytes = stack->nr_frames * sizeof(stack->frames[0]);
		ret = kmprof_growing_add(to, stack->frames, bytes);
	}
	return ret;
}

/* An image with the frames of stacks, one with the empty string, and empty tables. */
static int make_image(struct kmprof_growing *to, __u64 time_ns, const char *stacks, size_t size)
{
	static const char no_string[8];
	struct kmprof_image_header header = {
		.magic		= KMPROF_IMAGE_MAGIC,
		.abi_version	= KMPROF_ABI_VERSION,
		.header_size	= sizeof(header),
		.flags		= KMPROF_IMAGE_ADDRESSES,
		.start_ns	= time_ns,
		.time_ns	= time_ns,
		.profiles	= { .entry_size = sizeof(struct kmprof_image_profile) },
		.scalars	= { .entry_size = sizeof(struct kmprof_image_scalar) },
		.labels		= { .entry_size = sizeof(struct kmprof_image_label) },
		.frames		= { .entry_size = sizeof(__u64) },
		.strings	= { .entry_size = 1 },
		.modules	= { .entry_size = sizeof(struct kmprof_image_module) },
		.symbols	= { .entry_size = sizeof(struct kmprof_image_symbol) },
		.objects	= { .entry_size = sizeof(struct kmprof_image_object) },
	};
	int ret = kmprof_growing_add(to, &header, sizeof(header));

	if (!ret)
		ret = put_frames(to, stacks, size);
	if (ret)
		return ret;
	header.frames.count = (__u32)((to->used - sizeof(header)) / sizeof(__u64));
	header.frames.offset = sizeof(header);
	header.strings.offset = to->used;
	header.strings.count = 1;
	ret = kmprof_growing_add(to, no_string, sizeof(no_string));
	if (ret)
		return ret;
	header.profiles.offset = to->used;
	header.scalars.offset = to->used;
	header.labels.offset = to->used;
	header.modules.offset = to->used;
	header.symbols.offset = to->used;
	header.objects.offset = to->used;
	header.image_size = to->used;
	memcpy(to->bytes, &header, sizeof(header));
	return 0;
}

/* Was this machine booted when the one was that has recorded it? Clocks are set meanwhile. */
static bool is_of_this_boot(const struct kmprof_trace *trace)
{
	const struct kmprof_trace_clock *start = &trace->header.start;
	__u64 apart = start->real_ns - start->boot_ns - kmprof_boot_time_ns();

	/* Modulo 2^64: it may be less than 0. */
	return apart + SET_NS < 2 * SET_NS;
}

static int open_image(struct kmprof_stack_names *names, struct kmprof_error *err)
{
	const struct kmprof_trace *trace = names->trace;
	struct kmprof_growing made = { 0 };
	const char *stacks, *saved;
	size_t size;
	int ret;

	saved = kmprof_trace_names(trace, &size);
	if (saved)
		return kmprof_image_init(&names->image, saved, size, trace->name, err);
	stacks = kmprof_trace_stack_bytes(trace, &size);
	ret = make_image(&made, is_of_this_boot(trace) ? trace->header.start.real_ns : 0, stacks,
			 size);
	names->bytes = made.bytes;
	if (ret)
		return no_memory(err);
	return kmprof_image_init(&names->image, made.bytes, made.used, trace->name, err);
}

/* Without stacks, the trace has no addresses; there may have been no room for any. */
static bool has_addresses(const struct kmprof_trace *trace)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(trace->type); i++)
		if (trace->type[i].has_stack)
			return true;
	return false;
}

int kmprof_stack_names_open(struct kmprof_stack_names *names, const struct kmprof_trace *trace,
			    struct kmprof_error *warning, struct kmprof_error *err)
{
	int ret;

	memset(names, 0, sizeof(*names));
	names->trace = trace;
	if (!has_addresses(trace))
		return 0;
	names->text = calloc((size_t)kmprof_trace_count_stacks(trace) + 1, sizeof(*names->text));
	if (!names->text)
		return no_memory(err);
	ret = open_image(names, err);
	if (ret)
		return ret;
	ret = kmprof_resolver_open(&names->resolver, &names->image, &here, warning, err);
	/* There is nothing to be named. */
	if (ret > 0 && !kmprof_trace_count_stacks(trace) &&
	    !*trace->type[KMPROF_TRACE_CONTENTION_BEGIN].name)
		return 0;
	if (ret > 0 && !names->resolver.is_local)
		kmprof_error_set(warning, 0, SAVED_HINT,
				 "%s: of another boot or machine, and saved without names: its stacks and locks are addresses",
				 trace->name);
	return ret;
}

void kmprof_stack_names_close(struct kmprof_stack_names *names)
{
	__u32 i;

	for (i = 0; names->text && i <= kmprof_trace_count_stacks(names->trace); i++)
		free(names->text[i]);
	free(names->text);
	kmprof_resolver_close(&names->resolver);
	free(names->bytes);
	memset(names, 0, sizeof(*names));
}

static char *make_text(const struct kmprof_stack_names *names, __u32 number)
{
	const struct kmprof_trace_stack *stack = kmprof_trace_stack_at(names->trace, number);
	char name[KMPROF_FRAME_NAME], *text = NULL;
	size_t size;
	FILE *file;
	__u32 i;

	file = open_memstream(&text, &size);
	if (!file)
		return NULL;
	for (i = 0; i < stack->nr_frames; i++) {
		kmprof_frame_name(name, &names->resolver, stack->frames[i]);
		fprintf(file, "%s%s", i ? KMPROF_CALLED_BY : "", name);
	}
	if (stack->flags & KMPROF_TRACE_STACK_TRUNCATED)
		fputs(KMPROF_CALLED_BY KMPROF_NO_MORE, file);
	kmprof_memory_file_close(file, &text);
	return text;
}

const char *kmprof_stack_text(const struct kmprof_stack_names *names, __u32 number)
{
	char **text = &names->text[number];

	if (!*text)
		*text = make_text(names, number);
	return *text;
}

const char *kmprof_lock_text(const struct kmprof_stack_names *names, __u64 lock,
			     char text[KMPROF_LOCK_TEXT])
{
	/* No address is as low. */
	if (lock > UINT32_MAX)
		return kmprof_lock_name(&names->resolver, lock, text);
	snprintf(text, KMPROF_LOCK_TEXT, "#%08llx", lock);
	return text;
}

/* A stack's text in short. Texts may be long, and are many. */
struct digest {
	__u64 hash;
	__u32 number;
};

/* FNV-1a. */
static __u64 hash_of(const char *text)
{
	__u64 hash = 0xcbf29ce484222325ULL;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3ULL;
	return hash;
}

static int by_hash(const void *a, const void *b)
{
	const struct digest *x = a, *y = b;

	if (x->hash != y->hash)
		return kmprof_compare_u64(x->hash, y->hash);
	return kmprof_compare_u64(x->number, y->number);
}

/* Return: an array with an entry for each stack, in the order of the hashes; NULL: no memory. */
static struct digest *digest_all(const struct kmprof_stack_names *names, __u32 nr)
{
	struct digest *digest = calloc((size_t)nr + 1, sizeof(*digest));
	char *text;
	__u32 i;

	for (i = 0; digest && i < nr; i++) {
		text = make_text(names, i + 1);
		if (!text) {
			free(digest);
			return NULL;
		}
		digest[i] = (struct digest){ .hash = hash_of(text), .number = i + 1 };
		free(text);
	}
	if (digest)
		qsort(digest, nr, sizeof(*digest), by_hash);
	return digest;
}

int kmprof_stack_names_same(const struct kmprof_stack_names *names, __u32 **same,
			    struct kmprof_error *err)
{
	__u32 nr = kmprof_trace_count_stacks(names->trace), i, first = 0;
	struct digest *digest = digest_all(names, nr);

	*same = calloc((size_t)nr + 1, sizeof(**same));
	if (!*same || !digest) {
		free(digest);
		return no_memory(err);
	}
	for (i = 0; i < nr; i++) {
		if (!i || digest[i].hash != digest[i - 1].hash)
			first = digest[i].number;
		(*same)[digest[i].number] = first;
	}
	free(digest);
	return 0;
}

/* A batch around a completed image. */
static int wrap(char **bytes, size_t *size, const char *image, size_t image_size)
{
	struct kmprof_growing to = { 0 };
	struct kmprof_trace_batch batch = {
		.bytes	= (__u32)(sizeof(batch) + image_size),
		.flags	= KMPROF_TRACE_NAMES,
	};
	int ret = image_size > UINT32_MAX - sizeof(batch) ? -E2BIG : 0;

	if (!ret)
		ret = kmprof_growing_add(&to, &batch, sizeof(batch));
	if (!ret)
		ret = kmprof_growing_add(&to, image, image_size);
	*bytes = to.bytes;
	*size = to.used;
	return ret;
}

static int complete(char **bytes, size_t *size, const struct kmprof_image *image,
		    const struct kmprof_resolver *resolver, const struct kmprof_growing *locks,
		    const char *boot_id, struct kmprof_error *err)
{
	char *completed;
	size_t completed_size;
	int ret;

	ret = kmprof_complete(&completed, &completed_size, image, resolver, locks, boot_id, err);
	if (ret)
		return ret;
	ret = wrap(bytes, size, completed, completed_size);
	free(completed);
	return ret ? kmprof_error_set(err, ret, NULL, "names of stacks: %s", strerror(-ret)) : 0;
}

int kmprof_stack_names_save(char **bytes, size_t *size, const struct kmprof_growing *stacks,
			    const struct kmprof_growing *locks, const char *kallsyms,
			    struct kmprof_error *warning, struct kmprof_error *err)
{
	const struct kmprof_resolver_options from = { .kallsyms = kallsyms };
	char boot_id[KMPROF_BOOT_ID_TEXT];
	struct kmprof_resolver resolver = { 0 };
	struct kmprof_growing made = { 0 };
	struct kmprof_image image;
	int ret, named = 0;

	*bytes = NULL;
	*size = 0;
	ret = make_image(&made, (__u64)time(NULL) * NSEC_PER_SEC, stacks->bytes, stacks->used);
	if (ret)
		ret = no_memory(err);
	if (!ret)
		ret = kmprof_image_init(&image, made.bytes, made.used, "names of stacks", err);
	if (!ret)
		named = kmprof_resolver_open(&resolver, &image, &from, warning, err);
	if (!ret && named < 0)
		ret = named;
	if (!ret && !named)
		ret = complete(bytes, size, &image, &resolver, locks,
			       kallsyms ? NULL : kmprof_boot_id_read(boot_id, KMPROF_BOOT_ID_FILE),
			       err);
	kmprof_resolver_close(&resolver);
	free(made.bytes);
	return ret ? ret : named;
}
