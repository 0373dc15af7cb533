// SPDX-License-Identifier: GPL-2.0
#include "cmd/cmd.h"
#include "cmd/trace_names.h"

int trace_open_names(struct kmprof_stack_names *names, const struct kmprof_trace *trace,
		     struct kmprof_error *err)
{
	struct kmprof_error warning;
	int ret;

	ret = kmprof_stack_names_open(names, trace, &warning, err);
	if (ret > 0)
		warn(&warning);
	return ret < 0 ? ret : 0;
}
