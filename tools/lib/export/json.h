/* SPDX-License-Identifier: GPL-2.0 */
/* What the reporting commands say, as JSON values. */
#ifndef KMPROF_EXPORT_JSON_H
#define KMPROF_EXPORT_JSON_H

#include <jansson.h>
#include <stdio.h>

#include "profile/aggregate.h"
#include "profile/by_lock.h"
#include "profile/losses.h"
#include "profile/profile.h"
#include "symbols/resolver.h"

/*
 * Each returns a new reference, or NULL when out of memory; a NULL inside
 * makes the whole NULL. Numbers beyond 2^63-1 become 2^63-1.
 */
json_t *kmprof_json_u64(__u64 v);
/* Takes both: returns @array with @value behind, so NULL stays NULL from then on. */
json_t *kmprof_json_append(json_t *array, json_t *value);
json_t *kmprof_json_amount(const struct kmprof_amount *amount);
/*
 * All of an image but its rows. Scalars have their names, totals without "total.", losses
 * without "ledger.".
 */
json_t *kmprof_json_image(const struct kmprof_image *image);
/* The frames of a stack, leaf first. */
json_t *kmprof_json_stack(const __u64 *frames, __u32 nr, const struct kmprof_resolver *resolver);
json_t *kmprof_json_losses(const struct kmprof_losses *losses);
/* Address, function, module and its build id; all null of a hidden one. */
json_t *kmprof_json_frame(const struct kmprof_resolver *resolver, __u64 ret_addr);
json_t *kmprof_json_site(const struct kmprof_site *site, const struct kmprof_resolver *resolver);
json_t *kmprof_json_lock(const struct kmprof_by_lock_entry *entry,
			 const struct kmprof_contention_kind *kind,
			 const struct kmprof_resolver *resolver);

/**
 * kmprof_json_put() - write a value, and release it
 * @file: where to; whether that has failed, its owner asks ferror()
 * @value: NULL if there was no memory for it
 * @flags: of json_dumpf(), which takes memory of its own
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_json_put(FILE *file, json_t *value, size_t flags);

/**
 * kmprof_json_write() - write a value as a whole document, and release it
 * @file: where to
 * @value: NULL if there was no memory for it
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int kmprof_json_write(FILE *file, json_t *value, struct kmprof_error *err);

#endif
