// SPDX-License-Identifier: GPL-2.0
#include "image/marks.h"

const struct kmprof_mark kmprof_marks[KMPROF_MARKS] = {
	{
		.objects	= "peak_objects",
		.space		= "peak_space",
		.bytes		= "mark.peak_bytes",
		.time		= "mark.peak_time_ns",
		.offset		= offsetof(struct kmprof_image_sample, peak),
		.title		= "Peak",
	},
	{
		.objects	= "at_objects",
		.space		= "at_space",
		.bytes		= "mark.at_bytes",
		.time		= "mark.at_time_ns",
		.offset		= offsetof(struct kmprof_image_sample, at),
		.title		= "At heap_at",
	},
	{
		.objects	= "oom_objects",
		.space		= "oom_space",
		.bytes		= "mark.oom_bytes",
		.time		= "mark.oom_time_ns",
		.offset		= offsetof(struct kmprof_image_sample, oom),
		.title		= "At OOM",
	},
};

bool kmprof_has_mark(const struct kmprof_image *image, const struct kmprof_table *rows,
		     const struct kmprof_mark *mark)
{
	return kmprof_rows_have(rows, mark->offset, sizeof(__u64)) &&
	       kmprof_image_value(image, mark->time);
}
