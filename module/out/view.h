/* SPDX-License-Identifier: GPL-2.0 */
/* The views of all profiles, numbered from 0. A view keeps its number. */
#ifndef KMPROF_VIEW_H
#define KMPROF_VIEW_H

struct kmprof_view;

const struct kmprof_view *kmprof_view_get(unsigned int index);
const struct kmprof_view *kmprof_view_find(const char *name);

#endif
