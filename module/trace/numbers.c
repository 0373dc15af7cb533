// SPDX-License-Identifier: GPL-2.0
/* A keyed hash of the address, if addresses may not be told. */
#include <linux/random.h>
#include <linux/siphash.h>

#include "trace/numbers.h"

/* Changed while no handler runs. */
static siphash_key_t key;
static bool tells_addresses;

/**
 * kmprof_trace_numbers_prepare() - choose how addresses are told in the next trace
 * @are_addresses: as they are, else by other numbers
 *
 * Context: Process context, no handler runs. Calls are serialised by the caller.
 */
void kmprof_trace_numbers_prepare(bool are_addresses)
{
	tells_addresses = are_addresses;
	get_random_bytes(&key, sizeof(key));
}

/**
 * kmprof_trace_number_of() - get what a trace tells of an address
 * @what: the address
 * @bits: of a number: more of them take more room, and are rarely the same for two addresses
 *
 * Context: Any.
 * Return: the address; or a number, not 0, that is the same for all of the trace.
 */
u64 kmprof_trace_number_of(const void *what, unsigned int bits)
{
	if (tells_addresses)
		return (unsigned long)what;
	return siphash_1u64((unsigned long)what, &key) >> (64 - bits) ?: 1;
}
