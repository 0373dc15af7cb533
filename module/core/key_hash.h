/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hash of a key's words, one word after the other: a walk up the stack computes it while
 * it collects the frames. kmprof_bucket_hash() adds the rest of the key.
 */
#ifndef KMPROF_KEY_HASH_H
#define KMPROF_KEY_HASH_H

#include <linux/bitops.h>
#include <linux/hash.h>
#include <linux/types.h>

/* The hash of no words. Random; written by kmprof_bucket_init(). */
extern u64 kmprof_key_hash_seed;

/**
 * kmprof_key_hash_word() - add a word to a hash
 * @hash: the hash of the words before it
 * @word: the word
 *
 * For a given @word this is one-to-one, and so it is for a given @hash. A multiplication moves
 * differences to higher bits only; the rotation brings them back. Two words later a difference
 * has reached all bits.
 *
 * Context: Any.
 * Return: the hash, whose upper half is better than its lower one.
 */
static __always_inline u64 kmprof_key_hash_word(u64 hash, u64 word)
{
	return rol64(hash ^ word, 32) * GOLDEN_RATIO_64;
}

/**
 * kmprof_key_hash_words() - add words to a hash
 * @hash: the hash of the words before them
 * @words: the words
 * @nr: number of words
 *
 * Context: Any.
 * Return: the hash.
 */
static inline u64 kmprof_key_hash_words(u64 hash, const unsigned long *words, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		hash = kmprof_key_hash_word(hash, words[i]);
	return hash;
}

#endif
