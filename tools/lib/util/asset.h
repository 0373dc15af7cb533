/* SPDX-License-Identifier: GPL-2.0 */
/* A script or a style sheet that is built into the program: see the Makefile. */
#ifndef KMPROF_UTIL_ASSET_H
#define KMPROF_UTIL_ASSET_H

/**
 * struct kmprof_asset - such a file
 * @text: what is in it
 * @hash: "sha256-..." of that, by which a page can allow it and nothing else
 */
struct kmprof_asset {
	const char *text;
	const char *hash;
};

#endif
