// SPDX-License-Identifier: GPL-2.0
/*
 * The text of Go's block and mutex profiles: delay and count of each entry, in ns, which
 * are estimates already, so that pprof has nothing to scale. What it has no place for
 * goes into comments: the lock, how it was waited for or held, and by whom.
 */
#include <errno.h>

#include "export/text.h"
#include "profile/contention.h"
#include "profile/delays.h"
#include "profile/facts.h"
#include "profile/label.h"
#include "profile/lock.h"

/* In the words of the text that the module writes. */
static void put_lock(FILE *file, const struct kmprof_image *image,
		     const struct kmprof_resolver *resolver,
		     const struct kmprof_image_contention *contention)
{
	const char *access = kmprof_lock_access(contention->flags);
	const char *cache = kmprof_image_cache(image, contention);
	struct kmprof_symbol symbol;
	unsigned int i;

	fprintf(file, "# %s", kmprof_lock_kind(contention->kind));
	if (access)
		fprintf(file, " %s", access);
	if (contention->lock) {
		fputc(' ', file);
		if (kmprof_resolver_lock(resolver, contention->lock, &symbol))
			kmprof_text_symbol(file, &symbol, contention->lock);
		else
			fprintf(file, "%#llx", contention->lock);
	}
	if (cache)
		fprintf(file, " in %s", cache);
	for (i = 0; i < KMPROF_NR_LOCK_OUTCOMES; i++)
		if (contention->flags & kmprof_lock_outcomes[i].flag)
			fprintf(file, ", %s", kmprof_lock_outcomes[i].name);
	if (kmprof_contention_is_unblamed(contention))
		fputs(", not attributable", file);
	kmprof_label_write(file, kmprof_contention_label(image, contention));
	fprintf(file, ", longest %llu ns\n", contention->longest_ns);
}

int kmprof_contention_write_text(FILE *file, const struct kmprof_image *image,
				 const struct kmprof_resolver *resolver,
				 const struct kmprof_profile_kind *kind, struct kmprof_error *err)
{
	struct kmprof_delays delays;
	size_t i;
	int ret;

	ret = kmprof_delays_build(&delays, image, kind->id, err);
	if (ret)
		return ret;
	errno = 0;
	fputs(kind->contention->head, file);
	kmprof_facts(image, kind, kmprof_text_fact, file);
	fputc('\n', file);
	for (i = 0; i < delays.nr && !ferror(file); i++) {
		const struct kmprof_image_contention *contention = delays.entry[i];
		const __u64 *stack = kmprof_image_stack(image, contention->first_frame);

		put_lock(file, image, resolver, contention);
		fprintf(file, "%lld %llu", kmprof_signed(contention->delay_ns),
			kmprof_delays_whole(contention->count));
		kmprof_text_addresses(file, stack, contention->nr_frames);
		kmprof_text_names(file, resolver, stack, contention->nr_frames,
				  kmprof_lock_nowhere(contention->flags));
	}
	kmprof_delays_release(&delays);
	return kmprof_text_finish(file, err);
}
