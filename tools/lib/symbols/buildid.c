// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the GNU build id among ELF notes. These files are nothing but notes,
 * without an ELF file around them, so there is nothing for libelf to open.
 */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "symbols/buildid.h"

enum { NOTES_MAX = 1 << 16 };

static size_t align4(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

int kmprof_buildid_parse(const void *notes, size_t size, char hex[KMPROF_BUILD_ID_HEX])
{
	const unsigned char *p = notes;
	size_t name, desc, at = 0, i;
	Elf64_Nhdr note;

	hex[0] = '\0';
	while (size - at >= sizeof(note)) {
		memcpy(&note, p + at, sizeof(note));
		at += sizeof(note);
		name = align4(note.n_namesz);
		desc = align4(note.n_descsz);
		if (name > size - at || desc > size - at - name)
			return -EINVAL;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(ELF_NOTE_GNU) &&
		    !memcmp(p + at, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) &&
		    2 * (size_t)note.n_descsz < KMPROF_BUILD_ID_HEX) {
			for (i = 0; i < note.n_descsz; i++)
				sprintf(hex + 2 * i, "%02x", p[at + name + i]);
			return 0;
		}
		at += name + desc;
	}
	return -ENOENT;
}

int kmprof_buildid_read(const char *path, char hex[KMPROF_BUILD_ID_HEX])
{
	static unsigned char notes[NOTES_MAX];
	FILE *file;
	size_t n;
	int ret;

	hex[0] = '\0';
	file = fopen(path, "re");
	if (!file)
		return -errno;
	n = fread(notes, 1, sizeof(notes), file);
	ret = ferror(file) ? -EIO : 0;
	fclose(file);
	return ret ? ret : kmprof_buildid_parse(notes, n, hex);
}
