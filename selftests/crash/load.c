// SPDX-License-Identifier: GPL-2.0
/*
 * Loads the kernel that is started when this one crashes, as kexec -s -p does: Debian's kexec-tools
 * would change how a machine reboots.
 *
 * Usage: load-crash-kernel KERNEL INITRD COMMAND-LINE
 */
#include <fcntl.h>
#include <linux/kexec.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int kernel, initrd;

	if (argc != 4) {
		fputs("usage: load-crash-kernel KERNEL INITRD COMMAND-LINE\n", stderr);
		return 2;
	}
	kernel = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (kernel < 0) {
		perror(argv[1]);
		return 1;
	}
	initrd = open(argv[2], O_RDONLY | O_CLOEXEC);
	if (initrd < 0) {
		perror(argv[2]);
		return 1;
	}
	if (syscall(SYS_kexec_file_load, kernel, initrd, strlen(argv[3]) + 1, argv[3],
		    KEXEC_FILE_ON_CRASH)) {
		perror("kexec_file_load");
		return 1;
	}
	return 0;
}
