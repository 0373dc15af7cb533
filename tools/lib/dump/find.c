// SPDX-License-Identifier: GPL-2.0
/*
 * What tells where the trace is lies behind one of the kernel's panic notifiers. The list of these
 * begins behind a lock, whose size depends on how the kernel was configured: so each word there is
 * tried.
 */
#include <errno.h>
#include <stdbool.h>

#include "dump/find.h"

enum {
	/* Bytes of a lock at most. */
	LOCK_MAX	= 256,
	NOTIFIERS_MAX	= 1024,
};

/* As it is in the kernel. */
struct notifier {
	__u64 call;
	__u64 next;
	__s32 priority;
	__s32 pad;
};

static bool is_pointer(__u64 word)
{
	return word >> 47 == 0x1ffff && word % sizeof(word) == 0;
}

/* Return: whether it is behind one of the list. */
static bool is_in(const struct kmprof_dump *dump, __u64 at, struct kmprof_trace_crash *crash)
{
	struct notifier notifier;
	int nr;

	for (nr = 0; is_pointer(at) && nr < NOTIFIERS_MAX; nr++, at = notifier.next) {
		if (kmprof_dump_read(dump, at, &notifier, sizeof(notifier), NULL))
			return false;
		if (!kmprof_dump_read(dump, at + sizeof(notifier), crash, sizeof(*crash), NULL) &&
		    crash->magic == KMPROF_TRACE_CRASH_MAGIC)
			return true;
	}
	return false;
}

int kmprof_dump_find(const struct kmprof_dump *dump, __u64 notifiers,
		     struct kmprof_trace_crash *crash, struct kmprof_error *err)
{
	bool is_found = false;
	__u64 word;
	int i;

	for (i = 0; !is_found && i < LOCK_MAX; i += (int)sizeof(word))
		is_found = !kmprof_dump_word(dump, notifiers + (__u64)i, &word, NULL) &&
			   is_in(dump, word, crash);
	if (!is_found)
		return kmprof_error_set(err, -ENOENT,
					"it has to run beforehand: kmprof trace --flight",
					"%s: no flight recorder was running", dump->name);
	if (crash->abi_version != KMPROF_ABI_VERSION || crash->size < sizeof(*crash))
		return kmprof_error_set(err, -EPROTO, "use the program of that version",
					"%s: its module is of another version", dump->name);
	return 0;
}
