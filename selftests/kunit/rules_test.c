// SPDX-License-Identifier: GPL-2.0
/*
 * The table of unwind rules: who looks for the rule of an address finds that rule or none,
 * and nearly always that rule, with as many addresses as a busy machine has.
 */
#include <kunit/test.h>
#include <linux/prandom.h>
#include <linux/vmalloc.h>

#include "stack/rules.c"

enum {
	FRAMES		= 12,
	WALKS		= 20000,
	NR_REGIONS	= 9,
	/* Bytes of the shortest call, and the most code between two of them. */
	CALL_BYTES	= 5,
	BETWEEN		= 120,
};

/* Where the kernel's text is, and where modules are. */
static const unsigned long regions[NR_REGIONS] = {
	0xffffffff81000000, 0xffffffff81a00000, 0xffffffffc0201000, 0xffffffffc0236000,
	0xffffffffc02d9000, 0xffffffffc0385000, 0xffffffffc0412000, 0xffffffffc05a0000,
	0xffffffffc0733000,
};

static int rules_init(struct kunit *test)
{
	return kmprof_rules_init();
}

static void rules_exit(struct kunit *test)
{
	kmprof_rules_exit();
}

/* A rule that says whose it is. */
static u32 rule_of(unsigned long ip)
{
	return (u32)(ip >> 3) * 5 | 1;
}

static u32 find(unsigned long ip)
{
	return kmprof_rules_find(kmprof_rules, ip);
}

/* Return addresses: half of them in the kernel, the others in modules. */
static unsigned long *make_addresses(struct kunit *test, unsigned int nr, struct rnd_state *rnd)
{
	unsigned long *ips = kunit_kcalloc(test, nr, sizeof(*ips), GFP_KERNEL);
	unsigned long next[NR_REGIONS];
	unsigned int i, region;

	KUNIT_ASSERT_NOT_NULL(test, ips);
	memcpy(next, regions, sizeof(next));
	for (i = 0; i < nr; i++) {
		region = i % 2 ? 2 + i / 2 % (NR_REGIONS - 2) : i / 2 % 2;
		next[region] += CALL_BYTES + prandom_u32_state(rnd) % BETWEEN;
		ips[i] = next[region];
	}
	return ips;
}

/* Walk, and learn what is missing as the walk does. Returns whether all frames had rules. */
static bool walk(struct kunit *test, const unsigned long *ips, unsigned int nr,
		 struct rnd_state *rnd)
{
	unsigned long missing[FRAMES];
	unsigned int i, lost = 0;

	for (i = 0; i < FRAMES; i++) {
		unsigned long ip = ips[prandom_u32_state(rnd) % nr];
		u32 rule = find(ip);

		if (!rule)
			missing[lost++] = ip;
		else if (rule != rule_of(ip))
			KUNIT_FAIL(test, "%lx has the rule %x", ip, rule);
	}
	for (i = 0; i < lost; i++)
		if (!find(missing[i]))
			kmprof_rules_keep(missing[i], rule_of(missing[i]));
	return !lost;
}

struct load {
	unsigned int addresses;
	unsigned int per_mille;
};

/* Of the walks with so many return addresses in use, how many may miss a rule. */
static const struct load loads[] = {
	{ 500, 0 }, { 2000, 0 }, { 4000, 1 }, { 8000, 20 },
};

static void load_describe(const struct load *load, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%u addresses", load->addresses);
}

KUNIT_ARRAY_PARAM(load, loads, load_describe);

static void walks_find_their_rules(struct kunit *test)
{
	const struct load *load = test->param_value;
	struct rnd_state rnd;
	unsigned long *ips;
	unsigned int i, lost = 0;

	prandom_seed_state(&rnd, 15);
	ips = make_addresses(test, load->addresses, &rnd);
	for (i = 0; i < WALKS; i++)
		walk(test, ips, load->addresses, &rnd);
	for (i = 0; i < WALKS; i++)
		lost += !walk(test, ips, load->addresses, &rnd);
	kunit_info(test, "%u of %u walks of %u frames miss a rule", lost, WALKS, FRAMES);
	KUNIT_EXPECT_LE(test, lost * 1000, load->per_mille * WALKS);
}

/* A rule that is kept is there, whatever it displaces; a set of nine keeps eight. */
static void the_newest_stay(struct kunit *test)
{
	unsigned long ips[KMPROF_RULES_SET + 1], ip;
	unsigned int nr = 0, i, found = 0;
	u32 set;

	set = kmprof_rules_place(regions[0]) / KMPROF_RULES_SET;
	for (ip = regions[0]; nr < ARRAY_SIZE(ips); ip++)
		if (kmprof_rules_place(ip) / KMPROF_RULES_SET == set)
			ips[nr++] = ip;
	for (i = 0; i < nr; i++) {
		kmprof_rules_keep(ips[i], rule_of(ips[i]));
		KUNIT_EXPECT_EQ(test, find(ips[i]), rule_of(ips[i]));
	}
	for (i = 0; i < nr; i++)
		found += find(ips[i]) == rule_of(ips[i]);
	KUNIT_EXPECT_EQ(test, found, KMPROF_RULES_SET);
}

/* Of two addresses that prefer the same place, the one that was there first is found there. */
static void the_first_keeps_its_place(struct kunit *test)
{
	unsigned long first = regions[0], second = first + 1;
	u32 place = kmprof_rules_place(first);

	while (kmprof_rules_place(second) != place)
		second++;
	kmprof_rules_keep(first, rule_of(first));
	kmprof_rules_keep(second, rule_of(second));
	KUNIT_EXPECT_EQ(test, (u32)kmprof_rules[place], (u32)first);
	KUNIT_EXPECT_EQ(test, find(first), rule_of(first));
	KUNIT_EXPECT_EQ(test, find(second), rule_of(second));
}

static bool is_in_region(unsigned long ip, const void *data)
{
	const unsigned long *region = data;

	return ip >= region[0] && ip < region[1];
}

/* Exactly the rules that belong to what goes are gone. */
static void forgets_what_it_is_told(struct kunit *test)
{
	enum { ADDRESSES = 2000, GOING = 4 };
	struct rnd_state rnd;
	unsigned long *ips;
	unsigned int i, gone = 0;

	prandom_seed_state(&rnd, 16);
	ips = make_addresses(test, ADDRESSES, &rnd);
	for (i = 0; i < ADDRESSES; i++)
		kmprof_rules_keep(ips[i], rule_of(ips[i]));
	kmprof_rules_forget(is_in_region, &regions[GOING]);
	for (i = 0; i < ADDRESSES; i++) {
		bool is_gone = is_in_region(ips[i], &regions[GOING]);

		gone += is_gone;
		KUNIT_EXPECT_EQ(test, find(ips[i]), is_gone ? 0 : rule_of(ips[i]));
	}
	KUNIT_EXPECT_GT(test, gone, 100);
}

static struct kunit_case rules_cases[] = {
	KUNIT_CASE_PARAM(walks_find_their_rules, load_gen_params),
	KUNIT_CASE(the_newest_stay),
	KUNIT_CASE(the_first_keeps_its_place),
	KUNIT_CASE(forgets_what_it_is_told),
	{}
};

static struct kunit_suite rules_suite = {
	.name		= "kmprof_rules",
	.init		= rules_init,
	.exit		= rules_exit,
	.test_cases	= rules_cases,
};

kunit_test_suite(rules_suite);
