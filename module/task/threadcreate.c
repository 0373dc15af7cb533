// SPDX-License-Identifier: GPL-2.0
/*
 * The profile threadcreate: all tasks that live, by the stack that created them. Its setting
 * arms the probes. Source: ThreadCreateProfile() of mprof.go.
 */
#include <linux/kernel.h>
#include <uapi/linux/kmprof.h>

#include "show/objects.h"
#include "task/threadcreate.h"

static const struct kmprof_column columns[] = {
	KMPROF_OBJECT_COLUMN("tasks", "count", objects),
	KMPROF_OBJECT_COLUMN("created", "count", added),
};

static const struct kmprof_scalar scalars[] = {
	{
		.name	= "ledger.threadcreate.lost",
		.unit	= "count",
		.flags	= KMPROF_SCALAR_LEDGER,
		.read	= kmprof_object_lost,
	},
	KMPROF_LEDGER("threadcreate.missed", KMPROF_LOSS_MISSED_TASK),
};

static const struct kmprof_view view = {
	.name		= "threadcreate",
	.profile	= &kmprof_threadcreate_profile.profile,
	.form		= &kmprof_objects_form,
};

struct kmprof_object_profile kmprof_threadcreate_profile = {
	.profile	= {
		.name		= "threadcreate",
		.ops		= &kmprof_object_profile_ops,
		.scalars	= scalars,
		.nr_scalars	= ARRAY_SIZE(scalars),
		.format		= KMPROF_ROWS_OBJECTS,
		.row_size	= sizeof(struct kmprof_object_row),
		.columns	= columns,
		.nr_columns	= ARRAY_SIZE(columns),
		.views		= &view,
		.nr_views	= 1,
	},
};
