// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the names of system calls as libseccomp has them, as tables of C by their numbers. The
 * program itself needs neither the library nor memory for a name.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <seccomp.h>

enum {
	/* More than any of these has; below 0, the library has names of its own. */
	NUMBERS	= 2048,
};

static void put_table(const char *name, uint32_t arch, int first)
{
	char *call;
	int i;

	printf("static const char *const %s[] = {\n", name);
	for (i = 0; i < NUMBERS; i++) {
		call = seccomp_syscall_resolve_num_arch(arch, first + i);
		if (call)
			printf("\t[%d] = \"%s\",\n", i, call);
		free(call);
	}
	puts("};");
}

int main(void)
{
	puts("/* By tools/generate/syscall_names.c. */");
	put_table("names_of_x86_64", SCMP_ARCH_X86_64, 0);
	put_table("names_of_i386", SCMP_ARCH_X86, 0);
	return fflush(stdout) || ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
