// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "profile/label.h"
#include "util/printable.h"

const char *kmprof_label_comm(const struct kmprof_image_label *label, char text[KMPROF_COMM_LEN])
{
	memcpy(text, label->comm, KMPROF_COMM_LEN);
	kmprof_make_printable(text);
	return text;
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
}
