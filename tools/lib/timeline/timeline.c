// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "timeline/chrome.h"
#include "timeline/ctf.h"
#include "timeline/go.h"
#include "timeline/html.h"
#include "timeline/perfetto.h"
#include "timeline/text.h"
#include "timeline/timeline.h"
#include "util/choice.h"

/* The first one is the default. */
static const struct kmprof_timeline timelines[] = {
	{ .name = "text", .suffix = ".txt", .write = kmprof_timeline_text },
	{ .name = "html", .suffix = ".html", .write = kmprof_timeline_html },
	{ .name = "perfetto", .suffix = ".pftrace", .write = kmprof_timeline_perfetto,
	  .is_binary = true },
	{ .name = "go", .suffix = ".gotrace", .write = kmprof_timeline_go, .is_binary = true },
	{ .name = "chrome", .suffix = ".json", .write = kmprof_timeline_chrome },
	{ .name = "ctf", .suffix = ".ctf", .write_files = kmprof_timeline_ctf,
	  .is_binary = true },
	{ .name = "raw", .suffix = ".trace", .is_binary = true },
};

const struct kmprof_timeline *kmprof_timeline_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(timelines); i++)
		if (!strcmp(timelines[i].name, name))
			return &timelines[i];
	return NULL;
}

const struct kmprof_timeline *kmprof_timeline_of_file(const char *path)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(timelines); i++)
		if (kmprof_ends_in(path, timelines[i].suffix))
			return &timelines[i];
	return NULL;
}

const struct kmprof_timeline *kmprof_timeline_at(size_t i)
{
	return i < ARRAY_SIZE(timelines) ? &timelines[i] : NULL;
}

static const char *name_of(size_t i)
{
	return i < ARRAY_SIZE(timelines) ? timelines[i].name : NULL;
}

char *kmprof_timeline_names(void)
{
	return kmprof_either(name_of);
}
