// SPDX-License-Identifier: GPL-2.0
/*
 * The page is made of html.css, html_main.html, html_model.js and html_view.js, of tables that
 * are written here, and of the stacks as JSON. Each stack is written as the number of frames
 * that the one before has as well, and the others.
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "export/html.h"
#include "export/stacks.h"
#include "export/text.h"
#include "util/escape.h"
#include "util/page.h"
#include "util/util.h"

#include "export/html.css.h"
#include "export/html_main.html.h"
#include "export/html_model.js.h"
#include "export/html_view.js.h"

#define NSEC_PER_SEC	1000000000ULL

/* In this order; the last one starts the page. */
static const struct kmprof_asset *const scripts[] = { &html_model_js, &html_view_js };

static void put(FILE *file, const char *text)
{
	kmprof_escape_xml(file, text, strlen(text));
}

/* --- what is shown in any case ---------------------------------------------------------- */

static void put_time(FILE *file, const struct kmprof_series *series)
{
	time_t seconds = (time_t)(series->time_ns / NSEC_PER_SEC);
	char text[64];
	struct tm tm;

	if (gmtime_r(&seconds, &tm) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm))
		fprintf(file, "<p>Taken at %s, after %llu s of counting.</p>\n", text,
			series->duration_ns / NSEC_PER_SEC);
}

static void put_summary(FILE *file, const struct kmprof_series *series)
{
	size_t i;

	fputs("<ul>\n", file);
	for (i = 0; i < series->summary.nr; i++) {
		fputs("<li>", file);
		put(file, series->summary.line[i]);
		fputs("</li>\n", file);
	}
	fputs("</ul>\n", file);
}

static void put_loss(FILE *file, const struct kmprof_loss *loss)
{
	fprintf(file, "<tr%s><td>%llu</td><td>", loss->count ? "" : " class=\"none\"",
		loss->count);
	put(file, loss->name);
	fputs("</td><td>", file);
	put(file, loss->profile ? loss->profile : "all");
	fputs(loss->is_lost ? "</td><td>yes</td><td>" : "</td><td>no</td><td>", file);
	put(file, loss->meaning);
	fputs("</td></tr>\n", file);
}

static void put_losses(FILE *file, const struct kmprof_series *series)
{
	size_t i;

	fputs("<h2>Losses</h2>\n<table id=\"losses\">\n"
	      "<tr><th>Count</th><th>Name</th>\n"
	      "<th>Profile</th><th>Samples</th><th>Meaning</th></tr>\n", file);
	for (i = 0; i < series->losses.nr; i++)
		put_loss(file, &series->losses.loss[i]);
	fputs("</table>\n", file);
}

static void put_facts(FILE *file, const struct kmprof_series *series)
{
	size_t i, length;
	const char *fact;

	fputs("<details>\n<summary>All facts</summary>\n<table id=\"facts\">\n", file);
	for (i = 0; i < series->facts.nr; i++) {
		fact = series->facts.line[i];
		length = strcspn(fact, " ");
		fputs("<tr><td>", file);
		kmprof_escape_xml(file, fact, length);
		fputs("</td><td>", file);
		put(file, fact + length + (fact[length] == ' '));
		fputs("</td></tr>\n", file);
	}
	fputs("</table>\n</details>\n", file);
}

/* --- what the scripts show -------------------------------------------------------------- */

static void put_names(FILE *file, const struct kmprof_stacks *stacks)
{
	size_t i;

	fputs("\"names\": [", file);
	for (i = 0; i < stacks->nr_names; i++) {
		fputs(i ? ",\n" : "\n", file);
		kmprof_escape_json(file, stacks->name[i].text, strlen(stacks->name[i].text));
	}
	fputs("],\n", file);
}

static void put_types(FILE *file, const struct kmprof_series *series)
{
	const struct kmprof_value_type *type;
	unsigned int i;

	fputs("\"columns\": [", file);
	for (i = 0; i < series->nr_types; i++) {
		type = &series->types[i];
		fputs(i ? ",\n{\"name\": " : "\n{\"name\": ", file);
		kmprof_escape_json(file, type->name, strlen(type->name));
		fputs(", \"unit\": ", file);
		kmprof_escape_json(file, type->unit, strlen(type->unit));
		fputc('}', file);
	}
	fprintf(file, "],\n\"shown\": %u,\n", series->shown);
}

/* A line for each: frames that are those of the stack before, the others, and the values. */
static void put_stacks(FILE *file, const struct kmprof_series *series,
		       const struct kmprof_stacks *stacks)
{
	__s64 value[KMPROF_SERIES_VALUES];
	const struct kmprof_stack *stack;
	__u32 n, common;
	size_t i;

	fputs("\"stacks\": [", file);
	for (i = 0; i < stacks->nr && !ferror(file); i++) {
		stack = &stacks->stack[i];
		common = kmprof_stacks_common(stacks, i);
		fprintf(file, "%s\n[%u, [", i ? "," : "", common);
		for (n = common; n < stack->nr; n++)
			fprintf(file, "%s%u", n > common ? "," : "", stack->frame[n]);
		fputs("], [", file);
		kmprof_stacks_values(stacks, i, series, value);
		for (n = 0; n < series->nr_types; n++)
			fprintf(file, "%s%lld", n ? "," : "", value[n]);
		fputs("]]", file);
	}
	fputs("]\n", file);
}

static void put_page(FILE *file, const struct kmprof_series *series,
		     const struct kmprof_stacks *stacks)
{
	const struct kmprof_page page = {
		.name = series->name, .style = &html_css,
		.scripts = scripts, .nr_scripts = ARRAY_SIZE(scripts),
	};

	kmprof_page_begin(file, &page);
	put_time(file, series);
	put_summary(file, series);
	fputs(html_main_html.text, file);
	put_losses(file, series);
	put_facts(file, series);
	fputs("<script type=\"application/json\" id=\"profile\">{\n", file);
	put_names(file, stacks);
	put_types(file, series);
	put_stacks(file, series, stacks);
	fputs("}</script>\n", file);
	kmprof_page_end(file, &page);
}

int kmprof_html_write(FILE *file, const struct kmprof_series *series,
		      const struct kmprof_resolver *resolver, struct kmprof_error *err)
{
	struct kmprof_stacks stacks;
	int ret;

	ret = kmprof_stacks_build(&stacks, series, resolver, err);
	if (ret)
		return ret;
	errno = 0;
	put_page(file, series, &stacks);
	kmprof_stacks_release(&stacks);
	return kmprof_text_finish(file, err);
}
