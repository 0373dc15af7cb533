/* SPDX-License-Identifier: GPL-2.0 */
/* What a trace in CTF is made of, in the language of its file "metadata". */
#ifndef KMPROF_TIMELINE_CTF_METADATA_H
#define KMPROF_TIMELINE_CTF_METADATA_H

#include <stdio.h>

#include "trace/trace.h"

/* The fields of an event by its type; NULL: nothing is known of its arguments and its text. */
const char *kmprof_ctf_fields(__u32 type);

/* The number of "prev_state" for an enum kmprof_trace_state: that of the kernel. */
__u32 kmprof_ctf_state(__u64 state);

/* Writes the metadata; whether that has failed is to be asked of @file. */
void kmprof_ctf_put_metadata(FILE *file, const struct kmprof_trace *trace);

#endif
