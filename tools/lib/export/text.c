// SPDX-License-Identifier: GPL-2.0
/* Stacks and comments, as they stand in Go's legacy texts. */
#include <errno.h>
#include <string.h>

#include "export/text.h"

int kmprof_text_fact(const char *fact, void *file)
{
	fprintf(file, "# %s\n", fact);
	return 0;
}

void kmprof_text_addresses(FILE *file, const __u64 *stack, __u32 nr)
{
	__u32 i;

	fputs(" @", file);
	for (i = 0; i < nr; i++)
		fprintf(file, " 0x%llx", stack[i]);
	/* pprof takes no notice of a sample that is nowhere. */
	if (!nr)
		fputs(" 0x0", file);
	fputc('\n', file);
}

void kmprof_text_symbol(FILE *file, const struct kmprof_symbol *symbol, __u64 address)
{
	fprintf(file, "%s+0x%llx/0x%llx", symbol->name, address - symbol->start, symbol->size);
	if (symbol->module)
		fprintf(file, " [%s]", symbol->module);
}

static void put_frame(FILE *file, const struct kmprof_resolver *resolver, __u64 ret_addr)
{
	struct kmprof_frame frame;

	kmprof_resolver_find(resolver, ret_addr, &frame);
	fprintf(file, "#\t0x%llx\t", ret_addr);
	if (frame.named)
		kmprof_text_symbol(file, &frame.symbol, ret_addr);
	else if (!ret_addr)
		fputs(KMPROF_HIDDEN_NAME, file);
	else
		fprintf(file, "%#llx", ret_addr);
	fputc('\n', file);
}

void kmprof_text_names(FILE *file, const struct kmprof_resolver *resolver, const __u64 *stack,
		       __u32 nr, enum kmprof_nowhere nowhere)
{
	__u32 i;

	for (i = 0; i < nr; i++)
		put_frame(file, resolver, stack[i]);
	if (!nr)
		fprintf(file, "#\t0x0\t%s\n", kmprof_nowhere_names[nowhere]);
	fputc('\n', file);
}

int kmprof_text_finish(FILE *file, struct kmprof_error *err)
{
	int ret;

	if (!ferror(file))
		return 0;
	ret = errno ? -errno : -EIO;
	return kmprof_error_set(err, ret, NULL, "writing the profile: %s", strerror(-ret));
}
