// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/term.h"
#include "cmd/trace_saved.h"
#include "timeline/stack_names.h"
#include "util/memory_file.h"

#define NSEC_PER_SEC	1000000000ULL

enum {
	/* A warning names no more of them. */
	CPUS_NAMED	= 8,
};

int trace_saved_names(const struct trace_saved *saved, FILE *file, struct kmprof_error *err)
{
	const struct kmprof_growing *stacks = &saved->meter->stacks;
	const struct kmprof_growing *locks = kmprof_locks_found(&saved->meter->locks);
	struct kmprof_error warning;
	char *bytes;
	size_t size;
	int ret;

	/* Without stacks, locks have no addresses. */
	if (!saved->has_stacks || (!stacks->used && !locks->used))
		return 0;
	ret = kmprof_stack_names_save(&bytes, &size, stacks, locks, saved->kallsyms, &warning, err);
	if (ret < 0)
		return ret;
	if (ret)
		warn(&warning);
	errno = 0;
	ret = 0;
	if (fwrite(bytes, 1, size, file) != size)
		ret = kmprof_error_set(err, errno ? -errno : -EIO, NULL, "writing names: %s",
				       strerror(errno ? errno : EIO));
	free(bytes);
	return ret;
}

static void warn_of_stackless(const struct trace_saved *saved)
{
	struct kmprof_error warning;

	if (!saved->counts.stackless)
		return;
	kmprof_error_set(&warning, 0, "give more room with --buffer",
			 "%llu events have no stack: there was no room for it",
			 saved->counts.stackless);
	warn(&warning);
}

static void warn_of_losses(const struct trace_saved *saved)
{
	const struct kmprof_meter *meter = saved->meter;
	struct kmprof_error warning;
	char *where = NULL;
	size_t size;
	FILE *file;
	__u32 i, nr = 0;

	if (!saved->counts.lost)
		return;
	file = open_memstream(&where, &size);
	for (i = 0; file && i < meter->nr_cpus; i++)
		if (meter->lost_on[i] && nr++ < CPUS_NAMED)
			fprintf(file, ", %llu on CPU %u", meter->lost_on[i], i);
	if (file && nr > CPUS_NAMED)
		fprintf(file, " and more on %u other CPUs", nr - CPUS_NAMED);
	if (file)
		kmprof_memory_file_close(file, &where);
	kmprof_error_set(&warning, 0, "give more room with --buffer, or trace less with -e",
			 "%llu events found no room%s", saved->counts.lost, where ? where : "");
	warn(&warning);
	free(where);
}

void trace_saved_tell(const struct trace_saved *saved, const char *name)
{
	char size[HUMAN_TEXT];

	fprintf(stderr, "kmprof: %s: %llu events, %sB, in %.3f s\n", name, saved->counts.events,
		human_bytes(size, (double)saved->meter->bytes, false),
		(double)saved->ns / (double)NSEC_PER_SEC);
	warn_of_losses(saved);
	warn_of_stackless(saved);
}
