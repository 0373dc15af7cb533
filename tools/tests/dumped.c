// SPDX-License-Identifier: GPL-2.0
/*
 * Stands for libkdumpfile, by LD_PRELOAD, with dumps of a simple form that crashed.py makes:
 *
 *	"fakedump"
 *	64 bits: number of symbols that are noted; of each, 32 bytes of name, 64 bits of address
 *	up to the end: 64 bits of address, 64 bits of size, the bytes there
 */
#include <libkdumpfile/kdumpfile.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

struct noted {
	char name[32];
	uint64_t address;
};

struct piece {
	uint64_t address;
	uint64_t size;
};

struct _kdump_ctx {
	char *bytes;
	size_t size;
	size_t pieces;
};

static const char magic[8] = "fakedump";

kdump_ctx_t *kdump_new(void)
{
	return calloc(1, sizeof(kdump_ctx_t));
}

void kdump_free(kdump_ctx_t *ctx)
{
	if (ctx->bytes)
		munmap(ctx->bytes, ctx->size);
	free(ctx);
}

kdump_status kdump_open_fdset(kdump_ctx_t *ctx, unsigned int nr, const int *fds)
{
	struct stat st;

	(void)nr;
	if (fstat(fds[0], &st) || st.st_size < 16)
		return KDUMP_ERR_NOTIMPL;
	ctx->size = st.st_size;
	ctx->bytes = mmap(NULL, ctx->size, PROT_READ, MAP_PRIVATE, fds[0], 0);
	if (ctx->bytes == MAP_FAILED || memcmp(ctx->bytes, magic, sizeof(magic))) {
		ctx->bytes = NULL;
		return KDUMP_ERR_NOTIMPL;
	}
	ctx->pieces = 16 + *(uint64_t *)(ctx->bytes + 8) * sizeof(struct noted);
	return KDUMP_OK;
}

kdump_status kdump_set_attr(kdump_ctx_t *ctx, const char *key, const kdump_attr_t *value)
{
	(void)ctx;
	(void)key;
	(void)value;
	return KDUMP_OK;
}

/* Within one piece. */
kdump_status kdump_read(kdump_ctx_t *ctx, kdump_addrspace_t as, kdump_addr_t address, void *to,
			size_t *size)
{
	struct piece piece;
	size_t at;

	(void)as;
	for (at = ctx->pieces; at < ctx->size; at += sizeof(piece) + piece.size) {
		memcpy(&piece, ctx->bytes + at, sizeof(piece));
		if (address < piece.address || address - piece.address >= piece.size ||
		    *size > piece.size - (address - piece.address))
			continue;
		memcpy(to, ctx->bytes + at + sizeof(piece) + (address - piece.address), *size);
		return KDUMP_OK;
	}
	*size = 0;
	return KDUMP_ERR_NODATA;
}

kdump_status kdump_vmcoreinfo_symbol(kdump_ctx_t *ctx, const char *name, kdump_addr_t *value)
{
	const struct noted *noted = (const void *)(ctx->bytes + 16);

	for (; (const char *)noted < ctx->bytes + ctx->pieces; noted++) {
		if (!strcmp(noted->name, name)) {
			*value = noted->address;
			return KDUMP_OK;
		}
	}
	return KDUMP_ERR_NODATA;
}

const char *kdump_get_err(kdump_ctx_t *ctx)
{
	(void)ctx;
	return "not in the dump";
}

void kdump_clear_err(kdump_ctx_t *ctx)
{
	(void)ctx;
}
