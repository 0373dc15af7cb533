// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "export/exporter.h"
#include "export/folded.h"
#include "export/html.h"
#include "export/perf_data.h"
#include "export/pprof.h"
#include "export/rows_json.h"
#include "export/script.h"
#include "export/svg.h"
#include "export/text.h"
#include "util/choice.h"

/* The first one is the default. */
static const struct kmprof_exporter exporters[] = {
	{ .name = "text", .suffix = ".txt", .write = kmprof_text_write, .has_lines = true },
	{ .name = "pprof", .suffix = ".pb.gz", .write = kmprof_pprof_write, .shows_one = true,
	  .is_binary = true, .has_lines = true },
	{ .name = "folded", .suffix = ".folded", .write = kmprof_folded_write, .shows_one = true,
	  .has_lines = true },
	{ .name = "script", .suffix = ".perf", .write = kmprof_script_write, .shows_one = true,
	  .has_lines = true },
	{ .name = "perf.data", .suffix = ".data", .write = kmprof_perf_data_write,
	  .shows_one = true, .is_binary = true },
	{ .name = "json", .suffix = ".json", .write = kmprof_rows_json_write, .shows_one = true,
	  .has_lines = true },
	{ .name = "svg", .suffix = ".svg", .write = kmprof_svg_write, .shows_one = true,
	  .has_lines = true },
	{ .name = "html", .suffix = ".html", .write = kmprof_html_write, .shows_one = true,
	  .has_lines = true },
	{ .name = "image", .suffix = ".kmprof", .is_binary = true },
};

const struct kmprof_exporter *kmprof_exporter_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(exporters); i++)
		if (!strcmp(exporters[i].name, name))
			return &exporters[i];
	return NULL;
}

const struct kmprof_exporter *kmprof_exporter_of_file(const char *path)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(exporters); i++)
		if (kmprof_ends_in(path, exporters[i].suffix))
			return &exporters[i];
	return NULL;
}

const struct kmprof_exporter *kmprof_exporter_default(void)
{
	return &exporters[0];
}

const struct kmprof_exporter *kmprof_exporter_at(size_t i)
{
	return i < ARRAY_SIZE(exporters) ? &exporters[i] : NULL;
}

static const char *name_of(size_t i)
{
	return i < ARRAY_SIZE(exporters) ? exporters[i].name : NULL;
}

char *kmprof_exporter_names(void)
{
	return kmprof_either(name_of);
}
