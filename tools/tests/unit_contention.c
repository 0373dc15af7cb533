// SPDX-License-Identifier: GPL-2.0
/* Tests of the library's parts that the profiles of contentions are made from. */
#include <errno.h>
#include <string.h>

#include "image/ledger.h"
#include "profile/by_lock.h"
#include "profile/delays.h"
#include "profile/lock.h"
#include "profile/profile.h"
#include "profile/sums.h"
#include "tests/unit.h"
#include "util/intern.h"
#include "util/merge.h"

static void counts_are_rounded(void)
{
	const __u64 one = 1ULL << KMPROF_WAIT_COUNT_SHIFT;

	EXPECT(kmprof_delays_whole(0) == 0);
	EXPECT(kmprof_delays_whole(1) == 1);
	EXPECT(kmprof_delays_whole(one / 2 - 1) == 1);
	EXPECT(kmprof_delays_whole(one) == 1);
	EXPECT(kmprof_delays_whole(one + one / 2 - 1) == 1);
	EXPECT(kmprof_delays_whole(one + one / 2) == 2);
	EXPECT(kmprof_delays_whole(1000 * one) == 1000);
	EXPECT(kmprof_delays_whole(~0ULL) == ~0ULL / one + 1);
	EXPECT(kmprof_delays_real(one + one / 4) == 1.25);
}

static void amounts_add_up(void)
{
	const __u64 one = 1ULL << KMPROF_WAIT_COUNT_SHIFT;
	struct kmprof_delay_amount sum = { 0 };
	const struct kmprof_delay_amount a = { one, 100, 70 }, b = { 3 * one, 60, 80 };
	const struct kmprof_delay_amount most = { ~0ULL, ~0ULL, ~0ULL };

	EXPECT(kmprof_delays_mean(&sum) == 0);
	kmprof_delays_add(&sum, &b);
	kmprof_delays_add(&sum, &a);
	EXPECT(sum.count == 4 * one && sum.delay_ns == 160 && sum.longest_ns == 80);
	EXPECT(kmprof_delays_mean(&sum) == 40);
	kmprof_delays_add(&sum, &most);
	EXPECT(sum.count == ~0ULL && sum.delay_ns == ~0ULL && sum.longest_ns == ~0ULL);
}

struct pair {
	int key;
	int sum;
};

static int by_key(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	return x->key - y->key;
}

static void add_pair(void *sum, const void *more)
{
	struct pair *to = sum;
	const struct pair *from = more;

	to->sum += from->sum;
}

static void equal_entries_come_together(void)
{
	struct pair pairs[] = { { 3, 1 }, { 1, 2 }, { 3, 4 }, { 2, 8 }, { 3, 16 }, { 1, 32 } };
	struct pair same[] = { { 1, 1 }, { 1, 2 }, { 1, 4 } };

	EXPECT(kmprof_merge(pairs, 0, sizeof(pairs[0]), by_key, add_pair) == 0);
	EXPECT(kmprof_merge(pairs, 1, sizeof(pairs[0]), by_key, add_pair) == 1);
	EXPECT(kmprof_merge(pairs, ARRAY_SIZE(pairs), sizeof(pairs[0]), by_key, add_pair) == 3);
	EXPECT(pairs[0].key == 1 && pairs[0].sum == 34);
	EXPECT(pairs[1].key == 2 && pairs[1].sum == 8);
	EXPECT(pairs[2].key == 3 && pairs[2].sum == 21);
	EXPECT(kmprof_merge(same, ARRAY_SIZE(same), sizeof(same[0]), by_key, add_pair) == 1);
	EXPECT(same[0].sum == 7);
}

static void strings_are_kept_once(void)
{
	struct kmprof_intern strings = { 0 };
	char text[32];
	int i, round;

	EXPECT(kmprof_intern_add(&strings, "") == 0);
	/* More than there is room for at first. */
	for (round = 0; round < 2; round++) {
		for (i = 1; i < 5000; i++) {
			snprintf(text, sizeof(text), "string %d", i);
			EXPECT(kmprof_intern_add(&strings, text) == i);
		}
	}
	EXPECT(strings.nr == 5000);
	EXPECT(!strcmp(strings.string[0], "") && !strcmp(strings.string[4999], "string 4999"));
	kmprof_intern_release(&strings);
	EXPECT(!strings.nr && !strings.string);
	kmprof_intern_release(&strings);
}

static const char symbols_text[] =
	"ffffffff81000000 T _text\n"
	"ffffffff81001000 T function\n"
	"ffffffff81002000 T _etext\n"
	"ffffffff82000000 D _sdata\n"
	"ffffffff82000040 D lock\n"
	"ffffffff82000040 d alias\n"
	"ffffffff82000060 t init_function\n"
	"ffffffff82000080 B bss_start\n"
	"ffffffff82000090 b bss_lock\n"
	"ffffffff820000a0 r constant\n"
	"ffffffffc0000000 t mod_function\t[mod]\n"
	"ffffffffc0000200 d mod_lock\t[mod]\n";

static bool is_named(const struct kmprof_resolver *resolver, __u64 lock, const char *name)
{
	char text[KMPROF_LOCK_TEXT];

	return !strcmp(kmprof_lock_name(resolver, lock, text), name);
}

static void locks_have_names(void)
{
	struct kmprof_resolver resolver = { 0 };
	struct kmprof_symbol symbol;
	struct kmprof_error err;

	EXPECT(is_named(&resolver, 0xffffffff82000040, "0xffffffff82000040"));
	EXPECT(!kmprof_symbols_load(&resolver.symbols, file_with("kallsyms", symbols_text), &err));
	EXPECT(is_named(&resolver, 0xffffffff82000040, "lock"));
	EXPECT(is_named(&resolver, 0xffffffff82000048, "lock+0x8"));
	EXPECT(is_named(&resolver, 0xffffffff8200007f, "lock+0x3f"));
	EXPECT(is_named(&resolver, 0xffffffff82000090, "bss_lock"));
	EXPECT(is_named(&resolver, 0xffffffffc0000210, "mod_lock+0x10 [mod]"));
	EXPECT(is_named(&resolver, 0xffff888000000000, "0xffff888000000000"));
	/* Neither is a function a variable, nor the other way round. */
	EXPECT(is_named(&resolver, 0xffffffff81001000, "0xffffffff81001000"));
	EXPECT(!kmprof_symbols_find(resolver.symbols, 0xffffffffc0002200, &symbol));
	EXPECT(kmprof_symbols_find(resolver.symbols, 0xffffffff82000060, &symbol) &&
	       !strcmp(symbol.name, "init_function"));
	kmprof_symbols_free(resolver.symbols);
}

static void waits_have_words(void)
{
	__u32 kind, other;

	for (kind = KMPROF_LOCK_MUTEX; kind <= KMPROF_LOCK_RWLOCK; kind++)
		for (other = 0; other <= KMPROF_LOCK_RWLOCK; other++)
			EXPECT(kind == other ||
			       strcmp(kmprof_lock_kind(kind), kmprof_lock_kind(other)));
	EXPECT(!strcmp(kmprof_lock_kind(KMPROF_LOCK_RWLOCK), "rwlock"));
	EXPECT(!strcmp(kmprof_lock_kind(0), "unknown"));
	EXPECT(!strcmp(kmprof_lock_kind(KMPROF_LOCK_RWLOCK + 1), "unknown"));
	EXPECT(!strcmp(kmprof_lock_access(KMPROF_WAIT_READ | KMPROF_WAIT_SPUN), "read"));
	EXPECT(!strcmp(kmprof_lock_access(KMPROF_WAIT_WRITE), "write"));
	EXPECT(!kmprof_lock_access(KMPROF_WAIT_SPUN | KMPROF_WAIT_FAILED));
	EXPECT(kmprof_lock_nowhere(KMPROF_WAIT_SPUN) == KMPROF_NO_STACK);
	EXPECT(kmprof_lock_nowhere(KMPROF_WAIT_SPUN | KMPROF_WAIT_UNBLAMED) ==
	       KMPROF_NOT_ATTRIBUTABLE);
}

/* An image of nothing but contentions, and of losses. */
struct small_image {
	struct kmprof_image_header header;
	struct kmprof_image_contention contention[5];
	struct kmprof_image_loss loss[3];
	char strings[8];
};

static const struct small_image small = {
	.header = {
		.magic		= KMPROF_IMAGE_MAGIC,
		.abi_version	= KMPROF_ABI_VERSION,
		.header_size	= sizeof(struct kmprof_image_header),
		.image_size	= sizeof(struct small_image),
		.samples	= {
			.offset		= sizeof(struct kmprof_image_header),
			.entry_size	= sizeof(struct kmprof_image_sample),
		},
		.contentions	= {
			.offset		= offsetof(struct small_image, contention),
			.count		= 5,
			.entry_size	= sizeof(struct kmprof_image_contention),
		},
		.frames		= {
			.offset		= sizeof(struct kmprof_image_header),
			.entry_size	= sizeof(__u64),
		},
		.losses		= {
			.offset		= offsetof(struct small_image, loss),
			.count		= 3,
			.entry_size	= sizeof(struct kmprof_image_loss),
		},
		.strings	= {
			.offset		= offsetof(struct small_image, strings),
			.count		= 8,
			.entry_size	= 1,
		},
		.sampled	= 11,
		.counted	= 10,
		.waits_sampled	= 22,
		.waits_counted	= 20,
		.delays_sampled	= 34,
		.delays_counted	= 30,
	},
	.contention = {
		{
			.profile = KMPROF_PROFILE_BLOCK, .period = 1, .kind = KMPROF_LOCK_MUTEX,
			.count = 1 << KMPROF_WAIT_COUNT_SHIFT, .delay_ns = 100, .longest_ns = 100,
		}, {
			.profile = KMPROF_PROFILE_MUTEX, .period = 2, .kind = KMPROF_LOCK_MUTEX,
			.count = 2 << KMPROF_WAIT_COUNT_SHIFT, .delay_ns = 20, .longest_ns = 10,
		}, {
			.profile = KMPROF_PROFILE_MUTEX, .period = 3, .kind = KMPROF_LOCK_MUTEX,
			.count = 3 << KMPROF_WAIT_COUNT_SHIFT, .delay_ns = 30, .longest_ns = 5,
		}, {
			.profile = KMPROF_PROFILE_MUTEX, .period = 4, .kind = KMPROF_LOCK_SPINLOCK,
			.count = 4 << KMPROF_WAIT_COUNT_SHIFT, .delay_ns = 400, .longest_ns = 100,
			.flags = KMPROF_WAIT_UNBLAMED,
		}, {
			.profile = KMPROF_PROFILE_MUTEX + 1, .period = 1, .delay_ns = 1000,
		},
	},
	.loss = {
		{ .name = 1, .flags = KMPROF_LOSS_SAMPLE, .count = 1 },
		{ .name = 3, .flags = KMPROF_LOSS_WAIT, .count = 2 },
		{ .name = 5, .flags = KMPROF_LOSS_DELAY, .count = 4 },
	},
	.strings = "\0a\0b\0c\0",
};

static void profiles_share_a_table(void)
{
	const struct kmprof_profile_kind *block = kmprof_profile_find("block");
	const struct kmprof_profile_kind *mutex = kmprof_profile_find("mutex");
	struct kmprof_image image;
	struct kmprof_delays delays;
	struct kmprof_error err;
	struct kmprof_sums sums;

	EXPECT(!kmprof_image_init(&image, &small, sizeof(small), "small", &err));
	sums = kmprof_sums(&image);
	EXPECT(sums.waits.delay_ns == 100 && sums.waits.count == 1 << KMPROF_WAIT_COUNT_SHIFT);
	EXPECT(sums.releases.delay_ns == 50 &&
	       sums.releases.count == 5 << KMPROF_WAIT_COUNT_SHIFT);
	EXPECT(sums.unblamed.delay_ns == 400 &&
	       sums.unblamed.count == 4 << KMPROF_WAIT_COUNT_SHIFT);
	EXPECT(kmprof_profile_entries(block, &image) == 1);
	EXPECT(kmprof_profile_entries(mutex, &image) == 3);
	EXPECT(!kmprof_delays_build(&delays, &image, mutex->id, &err));
	EXPECT(delays.nr == 3 && delays.entry[0]->delay_ns == 400 &&
	       delays.entry[1]->delay_ns == 30 && delays.entry[2]->delay_ns == 20);
	kmprof_delays_release(&delays);
}

static void blame_is_apart(void)
{
	struct kmprof_by_lock by_lock;
	struct kmprof_image image;
	struct kmprof_error err;

	EXPECT(!kmprof_image_init(&image, &small, sizeof(small), "small", &err));
	EXPECT(!kmprof_by_lock_build(&by_lock, &image, KMPROF_PROFILE_MUTEX, &err));
	EXPECT(by_lock.nr == 2);
	EXPECT(by_lock.entry[0].kind == KMPROF_LOCK_SPINLOCK &&
	       !by_lock.entry[0].amount.delay_ns && by_lock.entry[0].unblamed.delay_ns == 400);
	EXPECT(by_lock.entry[1].kind == KMPROF_LOCK_MUTEX &&
	       by_lock.entry[1].amount.delay_ns == 50 && !by_lock.entry[1].unblamed.delay_ns);
	EXPECT(by_lock.entry[1].amount.longest_ns == 10);
	EXPECT(by_lock.all.amount.delay_ns == 50 && by_lock.all.unblamed.delay_ns == 400);
	EXPECT(kmprof_by_lock_delay(&by_lock.all) == 450);
	by_lock.all.amount.delay_ns = ~0ULL;
	EXPECT(kmprof_by_lock_delay(&by_lock.all) == ~0ULL);
	kmprof_by_lock_release(&by_lock);
}

static bool is_account(const struct kmprof_image *image, __u32 of, __u64 sampled, __u64 counted,
		       __u64 lost)
{
	struct kmprof_ledger_account a = kmprof_ledger_account(image, of);

	return a.sampled == sampled && a.counted == counted && a.lost == lost;
}

static void each_profile_has_its_losses(void)
{
	struct kmprof_image image;
	struct kmprof_error err;

	EXPECT(!kmprof_image_init(&image, &small, sizeof(small), "small", &err));
	EXPECT(is_account(&image, KMPROF_LOSS_SAMPLE, 11, 10, 1));
	EXPECT(is_account(&image, KMPROF_LOSS_WAIT, 22, 20, 2));
	EXPECT(is_account(&image, KMPROF_LOSS_DELAY, 34, 30, 4));
	EXPECT(kmprof_ledger_consistent(&image));
	image.header.sampled++;
	EXPECT(!kmprof_ledger_consistent(&image));
	image.header.sampled--;
	image.header.waits_counted++;
	EXPECT(!kmprof_ledger_consistent(&image));
	image.header.waits_counted--;
	image.header.delays_sampled--;
	EXPECT(!kmprof_ledger_consistent(&image));
}

static const struct unit_test tests[] = {
	{ "delays: counts are rounded, and nothing becomes 0", counts_are_rounded },
	{ "delays: amounts add up, and saturate", amounts_add_up },
	{ "delays: two profiles share a table", profiles_share_a_table },
	{ "by_lock: what nobody is blamed for is apart", blame_is_apart },
	{ "ledger: each profile has its losses", each_profile_has_its_losses },
	{ "merge: equal entries come together", equal_entries_come_together },
	{ "intern: strings are kept once", strings_are_kept_once },
	{ "lock: names of variables", locks_have_names },
	{ "lock: words for kinds, access and outcome", waits_have_words },
};

int main(int argc, char **argv)
{
	return run_tests(tests, ARRAY_SIZE(tests), argc, argv);
}
