// SPDX-License-Identifier: GPL-2.0
/*
 * The page is made of html.css, html_main.html and the scripts, and of three pieces of JSON that
 * the scripts read: what the trace tells, its tasks, and the rest. What it tells is written while
 * it is walked: only then are its tasks and the stacks that are needed known.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "timeline/html.h"
#include "timeline/html_records.h"
#include "timeline/html_stacks.h"
#include "trace/words.h"
#include "util/escape.h"
#include "util/page.h"

#include "timeline/html.css.h"
#include "timeline/html_control.js.h"
#include "timeline/html_details.js.h"
#include "timeline/html_lanes.js.h"
#include "timeline/html_main.html.h"
#include "timeline/html_paint.js.h"
#include "timeline/html_pen.js.h"
#include "timeline/html_trace.js.h"
#include "timeline/html_view.js.h"

#define NSEC_PER_SEC	1000000000ULL

/* In this order; the last one starts the page. */
static const struct kmprof_asset *const scripts[] = {
	&html_trace_js, &html_lanes_js, &html_details_js, &html_pen_js, &html_paint_js,
	&html_view_js, &html_control_js,
};

/* --- what is shown in any case ---------------------------------------------------------- */

static void put_account(FILE *file, const struct kmprof_trace *trace)
{
	time_t seconds = (time_t)(trace->header.start.real_ns / NSEC_PER_SEC);
	char date[64];
	struct tm tm;

	fprintf(file, "<p id=\"account\">%llu event%s, ", trace->events,
		trace->events == 1 ? "" : "s");
	if (trace->lost)
		fprintf(file, "<strong>%llu lost</strong>", trace->lost);
	else
		fputs("none lost", file);
	fprintf(file, ", in %.6f s on %u CPU%s", (double)(trace->last_ns - trace->first_ns) / 1e9,
		trace->header.nr_cpus, trace->header.nr_cpus == 1 ? "" : "s");
	if (trace->header.filter[0]) {
		fputs(", filter ", file);
		kmprof_escape_xml(file, trace->header.filter, strlen(trace->header.filter));
	}
	if (gmtime_r(&seconds, &tm) && strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S UTC", &tm))
		fprintf(file, ", from %s on", date);
	fprintf(file, ". 0 s is CLOCK_MONOTONIC %llu.%09llu.</p>\n", trace->first_ns / NSEC_PER_SEC,
		trace->first_ns % NSEC_PER_SEC);
}

static void put_warning(FILE *file, const char *text)
{
	fputs("<p class=\"warning\">", file);
	kmprof_escape_xml(file, text, strlen(text));
	fputs("</p>\n", file);
}

static void put_warnings(FILE *file, const struct kmprof_trace *trace)
{
	char text[96];

	if (trace->note.text[0])
		put_warning(file, trace->note.text);
	if (trace->lost)
		put_warning(file,
			    "Events were lost: what happened there is not known, and hatched.");
	if (trace->end.stackless) {
		snprintf(text, sizeof(text),
			 "%llu events have no stack: there was no room for it.",
			 trace->end.stackless);
		put_warning(file, text);
	}
	if (!kmprof_trace_records(trace, 1ULL << KMPROF_TRACE_WAKING))
		put_warning(file,
			    "Wake-ups were not recorded: a task counts as asleep until it runs.");
}

/* --- what the scripts show -------------------------------------------------------------- */

/* The words of the first numbers; others have a word with the number in it. */
static void put_words(FILE *file)
{
	char text[KMPROF_STATE_TEXT];
	__u32 i;

	fputs("\"reasons\": [", file);
	for (i = 0; i <= KMPROF_TRACE_FROZEN; i++)
		fprintf(file, "%s\"%s\"", i ? ", " : "", kmprof_trace_state_word(text, i));
	fputs("],\n\"contexts\": [", file);
	for (i = 0; i < 1 << (8 - KMPROF_TRACE_CONTEXT_SHIFT); i++)
		fprintf(file, "%s\"%s\"", i ? ", " : "", kmprof_trace_context_word(i));
	fputs("],\n", file);
}

static int put_trace(FILE *file, const struct kmprof_trace *trace,
		     const struct kmprof_stack_names *names, const bool *is_used,
		     struct kmprof_error *err)
{
	int ret;

	fprintf(file,
		"<script type=\"application/json\" id=\"trace\">{\n\"cpus\": %u,\n\"ns\": %llu,\n",
		trace->header.nr_cpus, trace->last_ns - trace->first_ns);
	put_words(file);
	ret = kmprof_html_stacks_write(file, names, is_used, err);
	fputs("\n}</script>\n", file);
	return ret;
}

static int put_page(FILE *file, const struct kmprof_trace *trace,
		    const struct kmprof_stack_names *names, const __u32 *same, bool *is_used,
		    struct kmprof_error *err)
{
	const struct kmprof_page page = {
		.name = trace->name, .style = &html_css,
		.scripts = scripts, .nr_scripts = ARRAY_SIZE(scripts),
	};
	int ret;

	kmprof_page_begin(file, &page);
	put_account(file, trace);
	put_warnings(file, trace);
	fputs(html_main_html.text, file);
	ret = kmprof_html_records_write(file, trace, names, same, is_used, err);
	if (!ret)
		ret = put_trace(file, trace, names, is_used, err);
	if (ret)
		return ret;
	kmprof_page_end(file, &page);
	if (!ferror(file))
		return 0;
	ret = errno ? -errno : -EIO;
	return kmprof_error_set(err, ret, NULL, "writing the page: %s", strerror(-ret));
}

int kmprof_timeline_html(FILE *file, const struct kmprof_trace *trace,
			 const struct kmprof_stack_names *names, struct kmprof_error *err)
{
	__u32 *same = NULL;
	bool *is_used;
	int ret;

	errno = 0;
	is_used = calloc((size_t)kmprof_trace_count_stacks(trace) + 1, sizeof(*is_used));
	if (!is_used)
		return kmprof_error_set(err, -ENOMEM, NULL, "writing the page: out of memory");
	ret = kmprof_stack_names_same(names, &same, err);
	if (!ret)
		ret = put_page(file, trace, names, same, is_used, err);
	free(same);
	free(is_used);
	return ret;
}
