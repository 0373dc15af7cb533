// SPDX-License-Identifier: GPL-2.0
/*
 * Does the emulator keep the flags over cmpxchg16b? Prints those that it leaves
 * after popfq and an addq, which is where QEMU 7.2 fails: see scripts/emulator.
 */
#include <stdint.h>
#include <stdio.h>

int main(void)
{
	struct {
		uint64_t low, high;
	} __attribute__((aligned(16))) pair = { 1, 2 };
	uint64_t old_low = 1, old_high = 2;
	uint64_t flags, sum = 0x055f6d00;

	asm volatile("pushfq\n\t"
		     "popfq\n\t"
		     "jmp 1f\n"		/* the flags are at rest, in their own format */
		     "1:\taddq %[sum], %[sum]\n\t"
		     "lock cmpxchg16b %[pair]\n\t"
		     "pushfq\n\t"
		     "popq %[flags]"
		     : [flags] "=&r" (flags), [sum] "+r" (sum), [pair] "+m" (pair),
		       "+a" (old_low), "+d" (old_high)
		     : "b" (3UL), "c" (4UL)
		     : "cc", "memory");
	printf("%#lx\n", (unsigned long)flags);
	return pair.low != 3 || pair.high != 4;
}
