/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Orders to kmprof_catalogue.ko. Functions return 0 or a negative errno; a failure is explained on
 * stderr.
 */
#ifndef CASES_H
#define CASES_H

#include "module/kmprof_catalogue.h"

int cases_open(void);
int cases_get(int fd, unsigned int index, struct kmprof_catalogue_case *c);
int cases_find(int fd, const char *name, struct kmprof_catalogue_case *c);
int cases_run(int fd, struct kmprof_catalogue_case *c, unsigned int calls);
int cases_settle(int fd);
int cases_cleanup(int fd, struct kmprof_catalogue_case *c);

#endif /* CASES_H */
