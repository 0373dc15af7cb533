// SPDX-License-Identifier: GPL-2.0
/* Turns a saved trace into another format. */
#include <string.h>

#include "cmd/trace.h"
#include "cmd/trace_names.h"
#include "util/output.h"

/* @names: NULL: as it was saved. */
static int write_file(const struct trace_request *r, const struct kmprof_trace *trace,
		      const struct kmprof_stack_names *names, struct kmprof_error *err)
{
	const char *path = r->output && strcmp(r->output, "-") ? r->output : NULL;
	struct kmprof_output output;
	int ret;

	ret = kmprof_output_open(&output, path, err);
	if (ret)
		return ret;
	ret = names ? r->timeline->write(output.file, trace, names, err) :
		      kmprof_trace_copy(trace, output.file, err);
	if (!ret)
		return kmprof_output_commit(&output, err);
	kmprof_output_fail(&output, ret, err);
	return ret;
}

static int write_directory(const struct trace_request *r, const struct kmprof_trace *trace,
			   const struct kmprof_stack_names *names, struct kmprof_error *err)
{
	struct kmprof_output_directory output;
	int ret;

	ret = kmprof_output_directory_open(&output, r->output, err);
	if (ret)
		return ret;
	ret = r->timeline->write_files(&output, trace, names, err);
	if (!ret)
		return kmprof_output_directory_commit(&output, err);
	kmprof_output_directory_abort(&output);
	return ret;
}

static int convert(const struct trace_request *r, const struct kmprof_trace *trace,
		   struct kmprof_error *err)
{
	struct kmprof_stack_names names;
	int ret;

	if (kmprof_timeline_is_raw(r->timeline))
		return write_file(r, trace, NULL, err);
	ret = trace_open_names(&names, trace, err);
	if (!ret)
		ret = r->timeline->write_files ? write_directory(r, trace, &names, err) :
						 write_file(r, trace, &names, err);
	kmprof_stack_names_close(&names);
	return ret;
}

int trace_convert(const struct trace_request *r)
{
	struct kmprof_trace trace;
	struct kmprof_error err;
	int ret;

	if (kmprof_trace_open(&trace, r->input, &err))
		return fail(&err);
	if (trace.note.text[0])
		warn(&trace.note);
	ret = convert(r, &trace, &err);
	kmprof_trace_close(&trace);
	return ret ? fail(&err) : EXIT_OK;
}
