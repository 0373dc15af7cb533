// SPDX-License-Identifier: GPL-2.0
/* Turns a saved trace into another format. */
#include <string.h>

#include "cmd/trace.h"
#include "cmd/trace_names.h"
#include "util/output.h"

static int write_with_names(const struct trace_request *r, FILE *file,
			    const struct kmprof_trace *trace, struct kmprof_error *err)
{
	struct kmprof_stack_names names;
	int ret;

	ret = trace_open_names(&names, trace, err);
	if (!ret)
		ret = r->timeline->write(file, trace, &names, err);
	kmprof_stack_names_close(&names);
	return ret;
}

static int write_as(const struct trace_request *r, FILE *file, const struct kmprof_trace *trace,
		    struct kmprof_error *err)
{
	return r->timeline->write ? write_with_names(r, file, trace, err) :
				    kmprof_trace_copy(trace, file, err);
}

int trace_convert(const struct trace_request *r)
{
	const char *path = r->output && strcmp(r->output, "-") ? r->output : NULL;
	struct kmprof_output output;
	struct kmprof_trace trace;
	struct kmprof_error err;
	int ret;

	if (kmprof_trace_open(&trace, r->input, &err))
		return fail(&err);
	if (trace.note.text[0])
		warn(&trace.note);
	ret = kmprof_output_open(&output, path, &err);
	if (!ret) {
		ret = write_as(r, output.file, &trace, &err);
		if (ret)
			kmprof_output_fail(&output, ret, &err);
		else
			ret = kmprof_output_commit(&output, &err);
	}
	kmprof_trace_close(&trace);
	return ret ? fail(&err) : EXIT_OK;
}
