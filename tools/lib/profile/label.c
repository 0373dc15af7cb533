// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>

#include "profile/label.h"
#include "util/merge.h"
#include "util/printable.h"

const char *kmprof_label_comm(const struct kmprof_image_label *label, char text[KMPROF_COMM_LEN])
{
	memcpy(text, label->comm, KMPROF_COMM_LEN);
	kmprof_make_printable(text);
	return text;
}

/* Those of an older module are shorter. */
static __u32 node(const struct kmprof_image_label *label)
{
	return kmprof_label_has(label, KMPROF_LABEL_NODE) ? label->node : KMPROF_NO_NODE;
}

int kmprof_label_compare(const struct kmprof_image_label *a, const struct kmprof_image_label *b)
{
	int ret;

	if (!a || !b)
		return !!a - !!b;
	ret = kmprof_compare_u64(a->labels, b->labels);
	if (!ret)
		ret = memcmp(a->comm, b->comm, sizeof(a->comm));
	if (!ret)
		ret = kmprof_compare_u64(a->pid, b->pid);
	if (!ret)
		ret = kmprof_compare_u64(a->cgroup, b->cgroup);
	return ret ? ret : kmprof_compare_u64(node(a), node(b));
}

void kmprof_label_write(FILE *file, const struct kmprof_image_label *label)
{
	char comm[KMPROF_COMM_LEN];

	if (kmprof_label_has(label, KMPROF_LABEL_COMM))
		fprintf(file, ", comm %s", kmprof_label_comm(label, comm));
	if (kmprof_label_has(label, KMPROF_LABEL_PID))
		fprintf(file, ", pid %u", label->pid);
	if (kmprof_label_has(label, KMPROF_LABEL_CGROUP))
		fprintf(file, ", cgroup %llu", label->cgroup);
	if (node(label) != KMPROF_NO_NODE)
		fprintf(file, ", node %u", label->node);
}

/* pprof does not keep a text that is empty. */
static const char *comm_name(const struct kmprof_image_label *label, char text[KMPROF_COMM_LEN])
{
	return *kmprof_label_comm(label, text) ? text : "[unnamed]";
}

static const char *cgroup_name(const struct kmprof_cgroups *cgroups, __u64 id,
			       struct kmprof_series_row *row)
{
	const char *path = kmprof_cgroups_find(cgroups, id);
	char *text;

	if (path)
		return path;
	text = kmprof_row_room(row, KMPROF_LABEL_CGROUP_TEXT);
	snprintf(text, KMPROF_LABEL_CGROUP_TEXT, "%llu", id);
	return text;
}

/* A number without a unit is dropped by pprof when it is 0: the unit is the key. */
void kmprof_label_add(struct kmprof_series_row *row, const struct kmprof_image_label *label,
		      const struct kmprof_cgroups *cgroups)
{
	if (kmprof_label_has(label, KMPROF_LABEL_COMM))
		kmprof_row_add_text(row, "comm",
				    comm_name(label, kmprof_row_room(row, KMPROF_COMM_LEN)));
	if (kmprof_label_has(label, KMPROF_LABEL_PID))
		kmprof_row_add_number(row, "pid", label->pid, "pid");
	if (kmprof_label_has(label, KMPROF_LABEL_CGROUP))
		kmprof_row_add_text(row, "cgroup", cgroup_name(cgroups, label->cgroup, row));
	if (node(label) != KMPROF_NO_NODE)
		kmprof_row_add_number(row, "node", label->node, "node");
}

int kmprof_label_load_cgroups(struct kmprof_cgroups *cgroups, const struct kmprof_image *image,
			      const struct kmprof_table *rows,
			      const struct kmprof_resolver *resolver, struct kmprof_error *err)
{
	const struct kmprof_image_label *label;
	__u32 i;

	if (!resolver->is_local)
		return 0;
	for (i = 0; i < rows->count; i++) {
		label = kmprof_image_label(image, kmprof_image_entry(image, rows, i));
		if (kmprof_label_has(label, KMPROF_LABEL_CGROUP))
			break;
	}
	if (i == rows->count || !kmprof_cgroups_load(cgroups, KMPROF_MOUNTINFO))
		return 0;
	return kmprof_error_set(err, -ENOMEM, NULL, "reading the cgroups: out of memory");
}
