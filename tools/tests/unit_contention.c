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

/* Also if they come in an order that makes a plain tree deep. */
static void strings_have_an_order(void)
{
	enum { NR = 20000 };
	static __u32 place[NR];
	static const char *sorted[NR];
	struct kmprof_intern strings = { 0 };
	char text[32];
	int i;

	for (i = 0; i < NR; i++) {
		if (i < NR / 2)
			snprintf(text, sizeof(text), "up %06d", i);
		else
			snprintf(text, sizeof(text), "down %06d", NR - i);
		EXPECT(kmprof_intern_add(&strings, text) == i);
	}
	kmprof_intern_order(&strings, place);
	for (i = 0; i < NR; i++) {
		EXPECT(place[i] < NR && !sorted[place[i]]);
		sorted[place[i]] = strings.string[i];
	}
	for (i = 1; i < NR; i++)
		EXPECT(strcmp(sorted[i - 1], sorted[i]) < 0);
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

/* What the strings of the small image are. */
#define STRINGS "\0heap\0block\0mutex\0new\0sampled\0counted\0ledger.a\0count"

enum {
	HEAP	= 1,
	BLOCK	= HEAP + 5,
	MUTEX	= BLOCK + 6,
	NEW	= MUTEX + 6,
	SAMPLED	= NEW + 4,
	COUNTED	= SAMPLED + 8,
	LOST	= COUNTED + 8,
	COUNT	= LOST + 9,
};

/* A row of a format that is not known. */
struct new_row {
	struct kmprof_image_row row;
	__u64 count;
};

/* An image of nothing but contentions, their accounts, and a profile of a later module. */
struct small_image {
	struct kmprof_image_header header;
	struct kmprof_image_profile profile[4];
	struct kmprof_image_scalar scalar[9];
	struct kmprof_image_column column;
	struct kmprof_image_contention wait[1];
	struct kmprof_image_contention release[3];
	struct new_row new[1];
	char strings[64];
};

#define TABLE(member, nr, type) {				\
	.offset		= offsetof(struct small_image, member),	\
	.count		= (nr),					\
	.entry_size	= sizeof(type),				\
}

#define NO_COLUMNS	TABLE(column, 0, struct kmprof_image_column)

#define SCALAR(called, flag, of, number)	\
	{ .name = (called), .flags = (flag), .profile = (of), .value = (number) }

static const struct small_image small = {
	.header = {
		.magic		= KMPROF_IMAGE_MAGIC,
		.abi_version	= KMPROF_ABI_VERSION,
		.header_size	= sizeof(struct kmprof_image_header),
		.image_size	= sizeof(struct small_image),
		.profiles	= TABLE(profile[0], 4, struct kmprof_image_profile),
		.scalars	= TABLE(scalar[0], 9, struct kmprof_image_scalar),
		.labels		= {
			.offset		= sizeof(struct kmprof_image_header),
			.entry_size	= sizeof(struct kmprof_image_label),
		},
		.frames		= {
			.offset		= sizeof(struct kmprof_image_header),
			.entry_size	= sizeof(__u64),
		},
		.strings	= {
			.offset		= offsetof(struct small_image, strings),
			.count		= sizeof(STRINGS),
			.entry_size	= 1,
		},
	},
	.profile = {
		{
			.name = HEAP, .format = KMPROF_ROWS_HEAP, .columns = NO_COLUMNS,
			.rows = {
				.offset = sizeof(struct kmprof_image_header),
				.entry_size = sizeof(struct kmprof_image_sample),
			},
		}, {
			.name = BLOCK, .format = KMPROF_ROWS_BLOCK, .columns = NO_COLUMNS,
			.rows = TABLE(wait[0], 1, struct kmprof_image_contention),
		}, {
			.name = MUTEX, .format = KMPROF_ROWS_MUTEX, .columns = NO_COLUMNS,
			.rows = TABLE(release[0], 3, struct kmprof_image_contention),
		}, {
			.name = NEW, .format = 77,
			.columns = TABLE(column, 1, struct kmprof_image_column),
			.rows = TABLE(new[0], 1, struct new_row),
		},
	},
	.scalar = {
		SCALAR(SAMPLED, KMPROF_SCALAR_SAMPLED, 1, 11),
		SCALAR(COUNTED, KMPROF_SCALAR_COUNTED, 1, 10),
		SCALAR(LOST, KMPROF_SCALAR_LEDGER | KMPROF_SCALAR_LOST, 1, 1),
		SCALAR(SAMPLED, KMPROF_SCALAR_SAMPLED, 2, 22),
		SCALAR(COUNTED, KMPROF_SCALAR_COUNTED, 2, 20),
		SCALAR(LOST, KMPROF_SCALAR_LEDGER | KMPROF_SCALAR_LOST, 2, 2),
		SCALAR(SAMPLED, KMPROF_SCALAR_SAMPLED, 3, 34),
		SCALAR(COUNTED, KMPROF_SCALAR_COUNTED, 3, 30),
		SCALAR(LOST, KMPROF_SCALAR_LEDGER | KMPROF_SCALAR_LOST, 3, 4),
	},
	.column = { .name = COUNT, .unit = COUNT, .offset = sizeof(struct kmprof_image_row) },
	.wait = {
		{
			.period = 1, .kind = KMPROF_LOCK_MUTEX,
			.count = 1 << KMPROF_WAIT_COUNT_SHIFT, .delay_ns = 100, .longest_ns = 100,
		},
	},
	.release = {
		{
			.period = 2, .kind = KMPROF_LOCK_MUTEX,
			.count = 2 << KMPROF_WAIT_COUNT_SHIFT, .delay_ns = 20, .longest_ns = 10,
		}, {
			.period = 3, .kind = KMPROF_LOCK_MUTEX,
			.count = 3 << KMPROF_WAIT_COUNT_SHIFT, .delay_ns = 30, .longest_ns = 5,
		}, {
			.period = 4, .kind = KMPROF_LOCK_SPINLOCK,
			.count = 4 << KMPROF_WAIT_COUNT_SHIFT, .delay_ns = 400, .longest_ns = 100,
			.flags = KMPROF_WAIT_UNBLAMED,
		},
	},
	.new = { { .count = 1000 } },
	.strings = STRINGS,
};

static void profiles_are_apart(void)
{
	struct kmprof_profile block, mutex, new, none;
	struct kmprof_image image;
	struct kmprof_delays delays;
	struct kmprof_error err;
	struct kmprof_sums sums;

	EXPECT(!kmprof_image_init(&image, &small, sizeof(small), "small", &err));
	if (!good)
		return;
	sums = kmprof_sums(&image);
	EXPECT(sums.waits.delay_ns == 100 && sums.waits.count == 1 << KMPROF_WAIT_COUNT_SHIFT);
	EXPECT(sums.releases.delay_ns == 50 &&
	       sums.releases.count == 5 << KMPROF_WAIT_COUNT_SHIFT);
	EXPECT(sums.unblamed.delay_ns == 400 &&
	       sums.unblamed.count == 4 << KMPROF_WAIT_COUNT_SHIFT);
	EXPECT(!kmprof_profile_find(&block, &image, "block"));
	EXPECT(!kmprof_profile_find(&mutex, &image, "mutex"));
	EXPECT(!kmprof_profile_find(&new, &image, "new"));
	EXPECT(kmprof_profile_find(&none, &image, "newer") == -ENOENT);
	EXPECT(kmprof_profile_entries(&block, &image) == 1);
	EXPECT(kmprof_profile_entries(&mutex, &image) == 3);
	EXPECT(kmprof_profile_entries(&new, &image) == 1);
	EXPECT(block.kind->contention && mutex.kind->contention && !new.kind->contention);
	EXPECT(!kmprof_delays_build(&delays, &image, &mutex.rows, &err));
	EXPECT(delays.nr == 3 && delays.entry[0]->delay_ns == 400 &&
	       delays.entry[1]->delay_ns == 30 && delays.entry[2]->delay_ns == 20);
	kmprof_delays_release(&delays);
}

/* Rows of a profile that has another format are no rows of the known one. */
static void formats_are_respected(void)
{
	struct small_image other = small;
	struct kmprof_profile profile;
	struct kmprof_image image;
	struct kmprof_error err;

	other.profile[2].format = 78;
	other.profile[3].name = HEAP;
	other.profile[0].name = NEW;
	EXPECT(!kmprof_image_init(&image, &other, sizeof(other), "other", &err));
	EXPECT(!kmprof_sums(&image).releases.count && !kmprof_sums(&image).alloc.objects);
	EXPECT(!kmprof_profile_find(&profile, &image, "mutex") && !profile.kind->contention &&
	       profile.rows.count == 3);
	EXPECT(!kmprof_profile_find(&profile, &image, "heap") && !profile.kind->name &&
	       profile.rows.count == 1);
	/* It is an order of rows that are not these. */
	EXPECT(kmprof_profile_find(&profile, &image, "allocs") == -ENOENT);
}

static void columns_are_rounded(void)
{
	static const __u64 raw = 0x8000;
	struct kmprof_image_column column = { 0 };
	__u64 most = ~0ULL;

	EXPECT(kmprof_column_value(&column, &raw) == 0x8000);
	column.shift = 15;
	EXPECT(kmprof_column_value(&column, &raw) == 1);
	column.shift = 16;
	EXPECT(kmprof_column_value(&column, &raw) == 1);
	column.shift = 17;
	EXPECT(kmprof_column_value(&column, &raw) == 0);
	column.shift = 63;
	EXPECT(kmprof_column_value(&column, &most) == 2);
	column.shift = 1;
	EXPECT(kmprof_column_value(&column, &most) == 1ULL << 63);
	column.shift = 0;
	EXPECT(kmprof_column_value(&column, &most) == most);
}

static void blame_is_apart(void)
{
	struct kmprof_by_lock by_lock;
	struct kmprof_profile mutex;
	struct kmprof_image image;
	struct kmprof_error err;

	EXPECT(!kmprof_image_init(&image, &small, sizeof(small), "small", &err));
	EXPECT(!kmprof_profile_find(&mutex, &image, "mutex"));
	if (!good)
		return;
	EXPECT(!kmprof_by_lock_build(&by_lock, &image, &mutex.rows, &err));
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

static bool is_account(const struct kmprof_image *image, const char *name, __u64 sampled,
		       __u64 counted, __u64 lost)
{
	struct kmprof_ledger_account a;

	a = kmprof_ledger_account(image, kmprof_image_find(image, name));
	return a.sampled == sampled && a.counted == counted && a.lost == lost;
}

static bool consistent_after(size_t scalar, __u64 more)
{
	struct kmprof_ledger_account *accounts;
	struct small_image other = small;
	struct kmprof_image image;
	struct kmprof_error err;
	bool consistent;

	other.scalar[scalar].value += more;
	EXPECT(!kmprof_image_init(&image, &other, sizeof(other), "other", &err));
	accounts = kmprof_ledger_accounts(&image);
	consistent = accounts && kmprof_ledger_consistent(&image, accounts);
	EXPECT(accounts && accounts[2].sampled == kmprof_ledger_account(&image, 2).sampled);
	free(accounts);
	return consistent;
}

static void each_profile_has_its_losses(void)
{
	struct kmprof_image image;
	struct kmprof_error err;

	EXPECT(!kmprof_image_init(&image, &small, sizeof(small), "small", &err));
	EXPECT(is_account(&image, "heap", 11, 10, 1));
	EXPECT(is_account(&image, "block", 22, 20, 2));
	EXPECT(is_account(&image, "mutex", 34, 30, 4));
	EXPECT(is_account(&image, "new", 0, 0, 0));
	EXPECT(is_account(&image, "newer", 0, 0, 0));
	EXPECT(kmprof_ledger_account(&image, 1).is_kept);
	EXPECT(!kmprof_ledger_account(&image, 4).is_kept);
	EXPECT(consistent_after(0, 0));
	EXPECT(!consistent_after(0, 1));
	EXPECT(!consistent_after(4, 1));
	EXPECT(!consistent_after(6, -1ULL));
	EXPECT(!consistent_after(8, 1));
}

static const struct unit_test tests[] = {
	{ "delays: counts are rounded, and nothing becomes 0", counts_are_rounded },
	{ "delays: amounts add up, and saturate", amounts_add_up },
	{ "profiles: each has its rows", profiles_are_apart },
	{ "profiles: rows of another format are shown by columns", formats_are_respected },
	{ "columns: values are rounded", columns_are_rounded },
	{ "by_lock: what nobody is blamed for is apart", blame_is_apart },
	{ "ledger: each profile has its losses", each_profile_has_its_losses },
	{ "merge: equal entries come together", equal_entries_come_together },
	{ "intern: strings are kept once", strings_are_kept_once },
	{ "intern: strings have an order, in whatever order they come", strings_have_an_order },
	{ "lock: names of variables", locks_have_names },
	{ "lock: words for kinds, access and outcome", waits_have_words },
};

int main(int argc, char **argv)
{
	return run_tests(tests, ARRAY_SIZE(tests), argc, argv);
}
