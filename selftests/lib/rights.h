/* SPDX-License-Identifier: GPL-2.0 */
/* Processes that have given up root, but for some capabilities. */
#ifndef RIGHTS_H
#define RIGHTS_H

#include <stdint.h>

int rights_run(uint64_t keep, int (*child)(int dev), int dev);

#endif /* RIGHTS_H */
