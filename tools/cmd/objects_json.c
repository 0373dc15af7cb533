// SPDX-License-Identifier: GPL-2.0
/* Objects as JSON: each names its site by number, since many have the same one. */
#include <stdlib.h>
#include <string.h>

#include "cmd/objects.h"
#include "export/json.h"
#include "image/memory.h"
#include "util/printable.h"

/**
 * struct sites - the rows that the objects shown are of
 * @number: for each row of the image, 1 + its index in @array; 0: it has none
 * @array: of JSON
 * @nr: how many
 */
struct sites {
	__u32 *number;
	json_t *array;
	__u32 nr;
};

static json_t *json_site(const struct kmprof_inuse_object *o,
			 const struct kmprof_resolver *resolver)
{
	const struct kmprof_image_sample *sample = o->sample;
	char kind[KMPROF_MEMORY_NAME];

	return json_pack("{s:s, s:o, s:o, s:o}",
			 "kind", kmprof_memory_name(o->kind, kind),
			 "object_size", kmprof_json_u64(sample->object_size),
			 "period", kmprof_json_u64(sample->period),
			 "stack", kmprof_json_stack(kmprof_image_stack(resolver->image,
								       &sample->row),
						    sample->row.nr_frames, resolver));
}

static json_t *site_of(struct sites *sites, const struct kmprof_inuse_object *o,
		       const struct kmprof_resolver *resolver)
{
	__u32 *number = &sites->number[o->object->row];

	if (!*number) {
		sites->array = kmprof_json_append(sites->array, json_site(o, resolver));
		*number = ++sites->nr;
	}
	return json_integer(*number - 1);
}

/* Null where the image has no addresses. */
static json_t *json_address(const struct kmprof_image_object *object)
{
	char text[24];

	if (!object->address)
		return json_null();
	snprintf(text, sizeof(text), "%#llx", object->address);
	return json_string(text);
}

/* Null if the task is not known. A name can be any bytes. */
static json_t *json_task(const struct kmprof_image_object *object)
{
	char comm[KMPROF_COMM_LEN];

	if (!object->comm[0])
		return json_null();
	memcpy(comm, object->comm, sizeof(comm));
	kmprof_make_printable(comm);
	return json_pack("{s:s, s:I}", "comm", comm, "tid", (json_int_t)object->tid);
}

/* As hexadecimal digits; null if they were not asked for, or not read. */
static json_t *json_bytes(const struct objects_request *r,
			  const struct kmprof_image_object *object)
{
	char text[2 * KMPROF_OBJECT_BYTES + 1];
	unsigned int i;

	if (!r->bytes || !object->nr_bytes)
		return json_null();
	for (i = 0; i < object->nr_bytes; i++)
		snprintf(text + 2 * i, 3, "%02x", object->bytes[i]);
	return json_string(text);
}

static json_t *json_object_inuse(const struct objects_request *r, struct sites *sites,
				 const struct kmprof_inuse_object *o,
				 const struct kmprof_resolver *resolver)
{
	return json_pack("{s:o, s:o, s:o, s:i, s:o, s:o, s:o}",
			 "address", json_address(o->object),
			 "age_ns", kmprof_json_u64(o->object->age_ns),
			 "cycle", kmprof_json_u64(o->object->cycle),
			 "objects", (int)o->nr,
			 "task", json_task(o->object),
			 "bytes", json_bytes(r, o->object),
			 "site", site_of(sites, o, resolver));
}

json_t *objects_json(const struct objects_request *r, const struct kmprof_inuse *inuse,
		     const struct kmprof_resolver *resolver)
{
	const struct kmprof_image_header *h = &resolver->image->header;
	size_t i, shown = objects_shown(r, inuse);
	json_t *objects = json_array();
	struct sites sites = { .array = json_array() };
	__u32 rows = kmprof_image_rows(resolver->image, "heap", KMPROF_ROWS_HEAP).count;

	sites.number = calloc((size_t)rows + 1, sizeof(*sites.number));
	for (i = 0; sites.number && i < shown; i++)
		objects = kmprof_json_append(objects, json_object_inuse(r, &sites,
									&inuse->object[i],
									resolver));
	if (!sites.number) {
		json_decref(objects);
		objects = NULL;
	}
	free(sites.number);
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "profile", "heap",
			 "cycle", kmprof_json_u64(h->cycle),
			 "time_ns", kmprof_json_u64(h->time_ns),
			 "nr_inuse", kmprof_json_u64(inuse->all),
			 "nr_chosen", kmprof_json_u64(inuse->nr),
			 "sites", sites.array,
			 "objects", objects);
}
