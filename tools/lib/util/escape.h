/* SPDX-License-Identifier: GPL-2.0 */
/* Text of any origin in formats that give some characters a meaning. */
#ifndef KMPROF_UTIL_ESCAPE_H
#define KMPROF_UTIL_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/*
 * Each writes @length bytes of text, with '?' for what is not printable ASCII. A failed write
 * leaves its mark on the stream only.
 */

/* For XML and HTML: between tags, and in attributes in quotation marks of either kind. */
void kmprof_escape_xml(FILE *file, const char *text, size_t length);

/*
 * A JSON string with its quotation marks, which can stand in a <script> of HTML: nothing in
 * it ends that, or begins a comment there.
 */
void kmprof_escape_json(FILE *file, const char *text, size_t length);

#endif
