/* SPDX-License-Identifier: GPL-2.0 */
/* What the reporting commands say, as JSON values. */
#ifndef KMPROF_LIB_JSON_H
#define KMPROF_LIB_JSON_H

#include <jansson.h>

#include "aggregate.h"
#include "by_lock.h"
#include "config.h"
#include "resolver.h"

/*
 * Each returns a new reference, or NULL when out of memory; a NULL inside
 * makes the whole NULL. Numbers beyond 2^63-1 become 2^63-1.
 */
json_t *kmprof_json_u64(__u64 v);
json_t *kmprof_json_amount(const struct kmprof_amount *amount);
json_t *kmprof_json_image(const struct kmprof_image *image);
json_t *kmprof_json_info(const struct kmprof_info *info);
json_t *kmprof_json_config(const struct kmprof_config *config);	/* the valid fields */
json_t *kmprof_json_site(const struct kmprof_site *site, const struct kmprof_resolver *resolver);
json_t *kmprof_json_lock(const struct kmprof_by_lock_entry *entry, __u32 profile,
			 const struct kmprof_resolver *resolver);

#endif
