/* SPDX-License-Identifier: GPL-2.0 */
/* kmprof objects: what is asked for, and the forms in which it is shown. */
#ifndef KMPROF_CMD_OBJECTS_H
#define KMPROF_CMD_OBJECTS_H

#include "cmd/cmd.h"
#include "profile/inuse.h"

/**
 * struct objects_request - what is asked for
 * @older_ns: --older
 * @most: -n; 0: all
 * @filter: --focus and --ignore
 * @bytes: --bytes
 * @json: --json
 * @input: the image, or NULL
 * @names: where names of addresses come from
 */
struct objects_request {
	__u64 older_ns;
	unsigned long most;
	struct kmprof_filter filter;
	bool bytes;
	bool json;
	const char *input;
	struct kmprof_resolver_options names;
};

/* How many of those that are asked for are shown. */
size_t objects_shown(const struct objects_request *r, const struct kmprof_inuse *inuse);

/* Does the module not remember who allocates what? Then a table has a line about it. */
bool objects_lack_owners(const struct kmprof_image *image);

/* A table, as text; returns the exit status. */
int objects_text(const struct objects_request *r, const struct kmprof_inuse *inuse,
		 const struct kmprof_resolver *resolver);
/* The same as JSON; NULL: out of memory. */
json_t *objects_json(const struct objects_request *r, const struct kmprof_inuse *inuse,
		     const struct kmprof_resolver *resolver);

#endif
