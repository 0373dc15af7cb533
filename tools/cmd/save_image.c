// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/save_image.h"
#include "symbols/boot_id.h"
#include "symbols/complete.h"

/*
 * In pieces that are copied first: some file systems pin the memory that a large
 * write comes from, and a mapped snapshot cannot be pinned.
 */
static int write_bytes(FILE *file, const char *bytes, size_t size, struct kmprof_error *err)
{
	static char piece[65536];
	size_t done, n;

	errno = 0;
	for (done = 0; done < size; done += n) {
		n = size - done;
		if (n > sizeof(piece))
			n = sizeof(piece);
		memcpy(piece, bytes + done, n);
		if (fwrite(piece, 1, n, file) != n)
			return kmprof_error_set(err, errno ? -errno : -EIO, NULL,
						"writing the image: %s",
						strerror(errno ? errno : EIO));
	}
	return 0;
}

int save_image(FILE *file, const struct kmprof_image *image,
	       const struct kmprof_resolver *resolver, bool is_live, struct kmprof_error *err)
{
	char text[KMPROF_BOOT_ID_TEXT];
	const char *boot_id = NULL;
	size_t size;
	char *bytes;
	int ret;

	if (!resolver->symbols || !kmprof_can_complete(image))
		return write_bytes(file, image->base, image->size, err);
	/* Of a file nobody knows which boot it is of. */
	if (is_live)
		boot_id = kmprof_boot_id_read(text, KMPROF_BOOT_ID_FILE);
	ret = kmprof_complete(&bytes, &size, image, resolver, NULL, boot_id, err);
	if (ret)
		return ret;
	ret = write_bytes(file, bytes, size, err);
	free(bytes);
	return ret;
}
