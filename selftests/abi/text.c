// SPDX-License-Identifier: GPL-2.0
/*
 * The text of /dev/kmprof and debugfs: what a small parser makes of it agrees
 * with the snapshot of the same cycle, and shows no address to whom it must not.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <math.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/scene.h"
#include "lib/tally.h"

#define KPTR_RESTRICT "/proc/sys/kernel/kptr_restrict"
#define DEBUGFS "/sys/kernel/debug/kmprof/"

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

/* Lines of the header of a text, with room for more profiles; lines "estimate.*" of them. */
enum { MOST_KEYS = 128, ESTIMATES = 5 };

FIXTURE(text) {
	char *kptr_restrict;
	int dev;
	int store;
};

GUEST_SOURCE_VARIANTS(text);

FIXTURE_SETUP(text)
{
	ASSERT_EQ(0, guest_read_file(KPTR_RESTRICT, &self->kptr_restrict, NULL));
	ASSERT_EQ(0, guest_load(variant->source, "heap_rate=1 " GUEST_ROOMY));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->store = order_open();
	ASSERT_LE(0, self->store);
}

FIXTURE_TEARDOWN(text)
{
	EXPECT_EQ(0, guest_write_file(KPTR_RESTRICT, self->kptr_restrict));
	free(self->kptr_restrict);
	close(self->store);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

/**
 * struct counts - the four numbers of a line
 */
struct counts {
	uint64_t inuse;
	uint64_t inuse_bytes;
	uint64_t allocs;
	uint64_t alloc_bytes;
};

/**
 * struct profile - a text, taken apart
 * @text: the whole, cut into lines
 * @total: the first line's counts
 * @rate: the number behind "heap/"
 * @keys: "key value" of each header line
 * @nr_keys: how many
 * @stacks: the line of each bucket
 * @nr_stacks: how many
 * @caches: lines with the name of a cache
 * @frames: lines with a frame
 * @sum: of all buckets' counts
 */
struct profile {
	char *text;
	struct counts total;
	uint64_t rate;
	char *keys[MOST_KEYS];
	unsigned int nr_keys;
	char **stacks;
	unsigned int nr_stacks;
	unsigned int caches;
	unsigned int frames;
	struct counts sum;
};

static int parse_counts(const char *line, struct counts *counts, int *end)
{
	return sscanf(line, "%" SCNu64 ": %" SCNu64 " [%" SCNu64 ": %" SCNu64 "] @%n",
		      &counts->inuse, &counts->inuse_bytes, &counts->allocs,
		      &counts->alloc_bytes, end) == 4;
}

static unsigned int count_words(const char *text)
{
	unsigned int words = 0;

	while (*(text += strspn(text, " "))) {
		text += strcspn(text, " ");
		words++;
	}
	return words;
}

/*
 * Each bucket is its line, a line for each of its addresses, and an empty line.
 * Returns NULL or what is wrong.
 */
static const char *parse_bucket(struct profile *profile, char *line, char **next)
{
	struct counts counts;
	unsigned int words;
	void *bigger;
	int end = 0;

	if (!parse_counts(line, &counts, &end) || line[end] != ' ')
		return "not the line of a bucket";
	bigger = realloc(profile->stacks, (profile->nr_stacks + 1) * sizeof(*profile->stacks));
	if (!bigger)
		return "out of memory";
	profile->stacks = bigger;
	profile->stacks[profile->nr_stacks++] = line;
	profile->sum.inuse += counts.inuse;
	profile->sum.inuse_bytes += counts.inuse_bytes;
	profile->sum.allocs += counts.allocs;
	profile->sum.alloc_bytes += counts.alloc_bytes;

	for (words = count_words(line + end); words; words--) {
		char *frame = strsep(next, "\n");
		uint64_t address;
		char symbol[256];

		if (!frame || sscanf(frame, "#\t0x%" SCNx64 "\t%255s", &address, symbol) != 2)
			return "not the line of a frame";
		profile->frames++;
	}
	line = strsep(next, "\n");
	return line && !*line ? NULL : "no empty line behind a bucket";
}

static const char *parse_profile(struct profile *profile)
{
	char *next = profile->text, *line = strsep(&next, "\n");
	const char *what, *class;
	int end = 0, rest = 0;

	if (strncmp(line, "heap profile: ", 14) ||
	    !parse_counts(line + 14, &profile->total, &end) ||
	    sscanf(line + 14 + end, " heap/%" SCNu64 "%n", &profile->rate, &rest) != 1 ||
	    line[14 + end + rest])
		return "not a first line";
	while ((line = strsep(&next, "\n")) && *line) {
		if (strncmp(line, "# ", 2) || profile->nr_keys == ARRAY_SIZE(profile->keys))
			return "not a line of the header";
		profile->keys[profile->nr_keys++] = line + 2;
	}
	while ((line = strsep(&next, "\n")) && (*line || next)) {
		/* Of slabs, as all are here. */
		if (!strncmp(line, "# cache ", 8)) {
			class = strchr(line, ',');
			if (class && strcmp(class, ", gfp reclaimable"))
				return "not the class of a cache";
			if (count_words(line) != (class ? 5 : 3))
				return "not the name of a cache";
			profile->caches++;
			line = strsep(&next, "\n");
			if (!line)
				return "nothing behind the name of a cache";
		}
		what = parse_bucket(profile, line, &next);
		if (what)
			return what;
	}
	return NULL;
}

/* The value of a line "# key value", or NULL. */
static const char *value_of(const struct profile *profile, const char *key)
{
	size_t length = strlen(key);
	unsigned int i;

	for (i = 0; i < profile->nr_keys; i++)
		if (!strncmp(profile->keys[i], key, length) && profile->keys[i][length] == ' ')
			return profile->keys[i] + length + 1;
	return NULL;
}

static uint64_t number_of(struct __test_metadata *_metadata, const struct profile *profile,
			  const char *key)
{
	const char *value = value_of(profile, key);
	char *end = NULL;
	uint64_t number = 0;

	EXPECT_NE(NULL, value)
		TH_LOG("no line # %s", key);
	if (value)
		number = strtoull(value, &end, 10);
	EXPECT_TRUE(end && end != value && !*end)
		TH_LOG("# %s: not a number", key);
	return number;
}

static void free_profile(struct profile *profile)
{
	free(profile->stacks);
	free(profile->text);
	memset(profile, 0, sizeof(*profile));
}

static char *read_all(int fd, size_t step)
{
	size_t size = 1 << 20, used = 0;
	char *text = malloc(size);
	ssize_t got = -1;

	while (text) {
		if (size - used < step + 1) {
			char *bigger = realloc(text, size * 2);

			if (!bigger)
				free(text);
			text = bigger;
			size *= 2;
			continue;
		}
		got = read(fd, text + used, step);
		if (got <= 0)
			break;
		used += got;
	}
	if (!text)
		return NULL;
	if (got < 0) {
		free(text);
		return NULL;
	}
	text[used] = '\0';
	return text;
}

/* Reads and parses a text, and checks it against itself. */
static void take_profile(struct __test_metadata *_metadata, int fd, size_t step,
			 struct profile *profile)
{
	uint64_t lost = 0;
	const char *what;
	unsigned int i;

	memset(profile, 0, sizeof(*profile));
	profile->text = read_all(fd, step);
	ASSERT_NE(NULL, profile->text);
	what = parse_profile(profile);
	ASSERT_EQ(NULL, what)
		TH_LOG("bucket %u: %s", profile->nr_stacks, what);
	EXPECT_EQ(0, memcmp(&profile->total, &profile->sum, sizeof(profile->sum)));
	EXPECT_EQ(number_of(_metadata, profile, "rows"), profile->nr_stacks);
	for (i = 0; i < profile->nr_keys; i++) {
		static const char *const not_samples[] = {
			"missed_probe", "missed_free", "stack_truncated", "untracked",
			"owner_full",
		};
		unsigned int k, skip = 0;

		if (strncmp(profile->keys[i], "ledger.", 7))
			continue;
		for (k = 0; k < ARRAY_SIZE(not_samples); k++)
			skip |= !strncmp(profile->keys[i] + 7, not_samples[k],
					 strlen(not_samples[k]));
		if (!skip)
			lost += strtoull(strchr(profile->keys[i], ' '), NULL, 10);
	}
	EXPECT_EQ(number_of(_metadata, profile, "sampled"),
		  number_of(_metadata, profile, "counted") + lost);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines that the text has to have for a snapshot's buckets, sorted. */
static char **expected_lines(const struct snapshot *snapshot)
{
	char **lines = calloc(snapshot_rows(snapshot, "heap") + 1, sizeof(*lines));
	uint32_t i, k;

	for (i = 0; lines && i < snapshot_rows(snapshot, "heap"); i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(snapshot, i);
		const uint64_t *frames = snapshot_frames(snapshot, &sample->row);
		uint64_t inuse = sample->allocs - sample->frees;
		size_t bytes;
		FILE *stream = open_memstream(&lines[i], &bytes);

		if (!stream)
			return NULL;
		fprintf(stream, "%" PRIu64 ": %" PRIu64 " [%" PRIu64 ": %" PRIu64 "] @", inuse,
			inuse * (uint64_t)sample->object_size, (uint64_t)sample->allocs,
			(uint64_t)(sample->allocs * sample->object_size));
		for (k = 0; k < sample->row.nr_frames; k++)
			fprintf(stream, " 0x%" PRIx64, frames[k]);
		if (fclose(stream))
			return NULL;
	}
	if (lines)
		qsort(lines, snapshot_rows(snapshot, "heap"), sizeof(*lines), by_text);
	return lines;
}

/* What is allocated is there, so that there is something to show. */
static void alloc_some(struct __test_metadata *_metadata, int store)
{
	unsigned int chain;

	for (chain = 0; chain < KMPROF_TEST_CHAINS; chain++) {
		struct kmprof_test_op op = {
			.op = KMPROF_TEST_ALLOC, .chain = chain, .size = 64 << chain % 8,
			.method = KMPROF_TEST_KMALLOC, .first = chain * 50, .count = 50,
		};

		ASSERT_EQ(0, order_run(store, &op));
		op.op = KMPROF_TEST_FREE;
		op.count = chain;
		if (chain)
			ASSERT_EQ(0, order_run(store, &op));
	}
}

/* The lines of a text from @keys on are the scalars of the image, in its order. */
static void expect_scalars(struct __test_metadata *_metadata, const struct snapshot *snapshot,
			   char *const *keys, unsigned int nr_keys)
{
	const struct kmprof_table *scalars = &snapshot->header->scalars;
	uint32_t i;

	ASSERT_LE(scalars->count, nr_keys);
	for (i = 0; i < scalars->count; i++) {
		const struct kmprof_image_scalar *scalar = snapshot_entry(snapshot, scalars, i);
		const char *name = snapshot_string(snapshot, scalar->name);
		char line[128];

		if (scalar->text)
			snprintf(line, sizeof(line), "%s %s", name,
				 snapshot_string(snapshot, scalar->text));
		else
			snprintf(line, sizeof(line), "%s %llu", name,
				 (unsigned long long)scalar->value);
		EXPECT_STREQ(line, keys[i]);
	}
}

/* The lines "cycle" and "seconds". */
static void expect_times(struct __test_metadata *_metadata, const struct snapshot *snapshot,
			 char *const *keys)
{
	const struct kmprof_image_header *header = snapshot->header;
	char line[64];

	snprintf(line, sizeof(line), "cycle %llu", (unsigned long long)header->cycle);
	EXPECT_STREQ(line, keys[0]);
	snprintf(line, sizeof(line), "seconds %llu",
		 (unsigned long long)((header->time_ns - header->start_ns) / 1000000000));
	EXPECT_STREQ(line, keys[1]);
}

/* These lines are the heap profile's estimates. */
static void expect_estimates(struct __test_metadata *_metadata, char *const *keys)
{
	unsigned int i;

	for (i = 0; i < ESTIMATES; i++)
		EXPECT_EQ(0, strncmp(keys[i], "estimate.", 9))
			TH_LOG("%s", keys[i]);
}

/* The whole header of a text: what is shown, all scalars, and facts of the profile. */
static void expect_header(struct __test_metadata *_metadata, const struct snapshot *snapshot,
			  const char *name, const char *table, char *const *keys,
			  unsigned int nr_keys)
{
	enum { FIRST_SCALAR = 4 };
	const unsigned int facts = strcmp(table, "heap") ? 0 : ESTIMATES;
	char line[128];

	ASSERT_LE(FIRST_SCALAR, nr_keys);
	snprintf(line, sizeof(line), "profile %s", name);
	EXPECT_STREQ(line, keys[0]);
	expect_times(_metadata, snapshot, keys + 1);
	snprintf(line, sizeof(line), "rows %u", snapshot_rows(snapshot, table));
	EXPECT_STREQ(line, keys[3]);
	expect_scalars(_metadata, snapshot, keys + FIRST_SCALAR, nr_keys - FIRST_SCALAR);
	ASSERT_EQ(FIRST_SCALAR + snapshot->header->scalars.count + facts, nr_keys);
	if (facts)
		expect_estimates(_metadata, keys + nr_keys - facts);
}

/* Takes the published image, the one that was shown last. */
static void take_published(struct __test_metadata *_metadata, int dev,
			   struct snapshot *snapshot)
{
	ASSERT_EQ(0, snapshot_take_with(dev, KMPROF_SNAPSHOT_PUBLISHED, snapshot));
	EXPECT_IMAGE(snapshot);
}

/* The text, and the snapshot of the cycle that it showed. */
static void compare_with_image(struct __test_metadata *_metadata, int dev, struct profile *profile)
{
	struct snapshot snapshot;
	unsigned int i, different = 0, caches = 0;
	char **lines;

	take_published(_metadata, dev, &snapshot);
	ASSERT_EQ(snapshot.cycle, number_of(_metadata, profile, "cycle"));

	EXPECT_EQ(snapshot_scalar(&snapshot, "total.alloc_calls"),
		  number_of(_metadata, profile, "total.alloc_calls"));
	EXPECT_EQ(snapshot_scalar(&snapshot, "total.alloc_bytes"),
		  number_of(_metadata, profile, "total.alloc_bytes"));
	EXPECT_EQ(snapshot_scalar(&snapshot, "total.free_calls"),
		  number_of(_metadata, profile, "total.free_calls"));
	EXPECT_EQ(snapshot_scalar(&snapshot, "sampled"), number_of(_metadata, profile, "sampled"));
	EXPECT_EQ(snapshot_scalar(&snapshot, "counted"), number_of(_metadata, profile, "counted"));
	EXPECT_EQ(snapshot_scalar(&snapshot, "heap_rate"),
		  number_of(_metadata, profile, "heap_rate"));
	EXPECT_EQ(snapshot_loss(&snapshot, "own"), number_of(_metadata, profile, "ledger.own"));
	EXPECT_EQ(snapshot_loss(&snapshot, "ring_full"),
		  number_of(_metadata, profile, "ledger.ring_full"));

	expect_header(_metadata, &snapshot, value_of(profile, "profile"), "heap", profile->keys,
		      profile->nr_keys);

	ASSERT_EQ(snapshot_rows(&snapshot, "heap"), profile->nr_stacks);
	lines = expected_lines(&snapshot);
	ASSERT_NE(NULL, lines);
	qsort(profile->stacks, profile->nr_stacks, sizeof(*profile->stacks), by_text);
	for (i = 0; i < profile->nr_stacks; i++) {
		if (strcmp(lines[i], profile->stacks[i]) && different++ < 5)
			TH_LOG("text: %s\n# image: %s", profile->stacks[i], lines[i]);
		free(lines[i]);
	}
	EXPECT_EQ(0, different);
	for (i = 0; i < profile->nr_stacks; i++)
		caches += !!*snapshot_sample(&snapshot, i)->cache;
	EXPECT_EQ(caches, profile->caches);
	EXPECT_LT(0, caches);
	free(lines);
	snapshot_free(&snapshot);
}

TEST_F(text, agrees_with_the_snapshot)
{
	struct profile profile;

	alloc_some(_metadata, self->store);
	take_profile(_metadata, self->dev, 65536, &profile);
	EXPECT_EQ(2, profile.rate);
	EXPECT_LT(KMPROF_TEST_CHAINS, profile.nr_stacks);
	EXPECT_STREQ("heap", value_of(&profile, "profile"));
	EXPECT_STREQ(variant->source, value_of(&profile, "source"));
	compare_with_image(_metadata, self->dev, &profile);
	free_profile(&profile);
}

/* Small reads, and the same text again from the start. */
TEST_F(text, is_whole_in_small_reads)
{
	struct profile first, again;

	alloc_some(_metadata, self->store);
	take_profile(_metadata, self->dev, 100, &first);
	compare_with_image(_metadata, self->dev, &first);
	ASSERT_EQ(0, lseek(self->dev, 0, SEEK_SET));
	take_profile(_metadata, self->dev, 4096, &again);
	EXPECT_LT(number_of(_metadata, &first, "cycle"), number_of(_metadata, &again, "cycle"));
	compare_with_image(_metadata, self->dev, &again);
	free_profile(&first);
	free_profile(&again);
}

TEST_F(text, selects_allocs)
{
	uint64_t last = UINT64_MAX;
	struct profile profile;
	unsigned int i;
	int end;

	alloc_some(_metadata, self->store);
	ASSERT_EQ(0, guest_select(self->dev, "allocs"));
	take_profile(_metadata, self->dev, 65536, &profile);
	EXPECT_STREQ("allocs", value_of(&profile, "profile"));
	/* The biggest first. */
	for (i = 0; i < profile.nr_stacks; i++) {
		struct counts counts = { 0 };

		ASSERT_TRUE(parse_counts(profile.stacks[i], &counts, &end));
		EXPECT_GE(last, counts.alloc_bytes);
		last = counts.alloc_bytes;
	}
	compare_with_image(_metadata, self->dev, &profile);
	free_profile(&profile);

	ASSERT_EQ(0, guest_select(self->dev, "heap"));
	ASSERT_EQ(0, lseek(self->dev, 0, SEEK_SET));
	take_profile(_metadata, self->dev, 65536, &profile);
	EXPECT_STREQ("heap", value_of(&profile, "profile"));
	for (last = UINT64_MAX, i = 0; i < profile.nr_stacks; i++) {
		struct counts counts = { 0 };

		ASSERT_TRUE(parse_counts(profile.stacks[i], &counts, &end));
		EXPECT_GE(last, counts.inuse_bytes);
		last = counts.inuse_bytes;
	}
	free_profile(&profile);
}

/*
 * Cuts a text into lines, from the first one that starts with "# " to the one before the
 * first that does not. Returns their number.
 */
static unsigned int keys_of(char *text, char **keys)
{
	char *line = strncmp(text, "# ", 2) ? strstr(text, "\n# ") : text;
	unsigned int count = 0;

	line += line && *line == '\n';
	while (line && !strncmp(line, "# ", 2) && count < MOST_KEYS) {
		keys[count++] = line + 2;
		strsep(&line, "\n");
	}
	return count;
}

/* Of no profile: how many rows each has, all scalars, and the facts of all. */
static void expect_stats(struct __test_metadata *_metadata, int dev)
{
	char *keys[MOST_KEYS], *stats, line[128];
	unsigned int nr_keys, nr_lines = 0, rows, i;
	const struct kmprof_table *directory;
	struct snapshot snapshot;

	ASSERT_EQ(0, guest_read_file(DEBUGFS "stats", &stats, NULL));
	for (i = 0; stats[i]; i++)
		nr_lines += stats[i] == '\n';
	take_published(_metadata, dev, &snapshot);
	nr_keys = keys_of(stats, keys);
	/* Nothing else is in it. */
	EXPECT_EQ(nr_lines, nr_keys);
	directory = &snapshot.header->profiles;
	rows = directory->count;
	ASSERT_EQ(2 + rows + snapshot.header->scalars.count + ESTIMATES, nr_keys);
	expect_times(_metadata, &snapshot, keys);
	for (i = 0; i < rows; i++) {
		const struct kmprof_image_profile *profile =
			snapshot_entry(&snapshot, directory, i);

		snprintf(line, sizeof(line), "rows.%s %u",
			 snapshot_string(&snapshot, profile->name), profile->rows.count);
		EXPECT_STREQ(line, keys[2 + i]);
	}
	expect_scalars(_metadata, &snapshot, keys + 2 + rows, nr_keys - 2 - rows);
	expect_estimates(_metadata, keys + nr_keys - ESTIMATES);
	snapshot_free(&snapshot);
	free(stats);
}

TEST_F(text, debugfs_is_the_same)
{
	static const char *const names[] = { "heap", "allocs" };
	struct profile profile;
	unsigned int i;
	char path[64];
	int fd;

	alloc_some(_metadata, self->store);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), DEBUGFS "%s", names[i]);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		ASSERT_LE(0, fd);
		take_profile(_metadata, fd, 65536, &profile);
		EXPECT_STREQ(names[i], value_of(&profile, "profile"));
		compare_with_image(_metadata, self->dev, &profile);
		free_profile(&profile);
		close(fd);
	}

	expect_stats(_metadata, self->dev);
}

/* Frames carry names: those of the chains, with their module. */
TEST_F(text, frames_have_names)
{
	unsigned int chain, i;
	char *text;

	alloc_some(_metadata, self->store);
	text = read_all(self->dev, 65536);
	ASSERT_NE(NULL, text);
	for (chain = 0; chain < KMPROF_TEST_CHAINS; chain++) {
		static const char *const parts[] = { "leaf", "middle", "outer" };

		for (i = 0; i < ARRAY_SIZE(parts); i++) {
			char name[64], *found;

			snprintf(name, sizeof(name), "\tkmprof_test_c%02u_%s+0x", chain, parts[i]);
			found = strstr(text, name);
			ASSERT_NE(NULL, found)
				TH_LOG("no frame%s", name);
			found[strcspn(found, "\n")] = '\0';
			EXPECT_NE(NULL, strstr(found, " [kmprof_test]"));
			found[strlen(found)] = '\n';
		}
	}
	free(text);
}

/* The header's estimates are the ones that the samples give. */
TEST_F(text, estimates)
{
	struct kmprof_test_op op = {
		.op = KMPROF_TEST_CHURN, .chain = 2, .size = 1024, .count = 5000,
	};
	double estimate = 0, variance = 0, inuse = 0;
	struct snapshot snapshot;
	struct profile profile;
	uint32_t i;

	ASSERT_EQ(0, guest_set_rate(self->dev, 4096));
	ASSERT_EQ(0, guest_reset(self->dev));
	ASSERT_EQ(0, order_run(self->store, &op));
	op.op = KMPROF_TEST_ALLOC;
	op.size = 2048;
	op.count = 500;
	ASSERT_EQ(0, order_run(self->store, &op));

	take_profile(_metadata, self->dev, 65536, &profile);
	EXPECT_EQ(2 * 4096, profile.rate);
	take_published(_metadata, self->dev, &snapshot);
	ASSERT_EQ(snapshot.cycle, number_of(_metadata, &profile, "cycle"));
	for (i = 0; i < snapshot_rows(&snapshot, "heap"); i++) {
		struct kmprof_image_sample sample = *snapshot_sample(&snapshot, i);
		double unused = 0;

		estimate_add(&sample, &estimate, &variance);
		sample.allocs -= sample.frees;
		estimate_add(&sample, &inuse, &unused);
	}
	/* Integers in the kernel, floating point here: equal to 1 in 1000. */
	EXPECT_GE(estimate / 1000, fabs(estimate - number_of(_metadata, &profile,
							    "estimate.alloc_bytes")));
	EXPECT_GE(inuse / 1000, fabs(inuse - number_of(_metadata, &profile,
						      "estimate.inuse_bytes")));
	EXPECT_GE(sqrt(variance) / 100,
		  fabs(sqrt(variance) - number_of(_metadata, &profile,
						  "estimate.alloc_bytes.standard_error")));
	snapshot_free(&snapshot);
	free_profile(&profile);
}

/*
 * Samples of several periods: scaled by the first line's rate, as pprof does,
 * they still add up to what was allocated.
 */
TEST_F(text, rescaled_to_one_rate)
{
	double sum = 0, period;
	struct profile profile;
	unsigned int i;

	ASSERT_EQ(0, guest_reset(self->dev));
	for (i = 0; i < 3; i++) {
		struct kmprof_test_op op = {
			.op = KMPROF_TEST_CHURN, .chain = 17, .size = 512, .count = 20000,
		};

		ASSERT_EQ(0, guest_set_rate(self->dev, 1ULL << (6 * i)));
		ASSERT_EQ(0, order_run(self->store, &op));
	}
	take_profile(_metadata, self->dev, 65536, &profile);
	EXPECT_EQ(2 * 4096, profile.rate);
	period = profile.rate / 2;
	for (i = 0; i < profile.nr_stacks; i++) {
		char *frame = profile.stacks[i] + strlen(profile.stacks[i]) + 1;
		struct counts counts = { 0 };
		double size;
		int end;

		if (!strstr(frame, "\tkmprof_test_c17_leaf+"))
			continue;
		ASSERT_TRUE(parse_counts(profile.stacks[i], &counts, &end));
		if (!counts.allocs)
			continue;
		size = (double)counts.alloc_bytes / counts.allocs;
		sum += counts.alloc_bytes / -expm1(-size / period);
	}
	/* About 2300 samples at the coarsest rate: 2.2 % standard error. */
	EXPECT_LE(0.95 * 3 * 20000 * 512, sum);
	EXPECT_GE(1.05 * 3 * 20000 * 512, sum);
	free_profile(&profile);
}

/* Whether any number in the text could be an address of the kernel. */
static int shows_address(const char *text)
{
	const char *at = text;

	while ((at = strstr(at, "0x"))) {
		if (strtoull(at, NULL, 16) >= 0x8000000000000000ULL)
			return 1;
		at += 2;
	}
	return 0;
}

/* 0: shows none, 1: shows addresses, -1: failed. */
static int device_shows_addresses(void)
{
	int fd = open(KMPROF_DEVICE_PATH, O_RDONLY | O_CLOEXEC), image_fd, shows;
	struct kmprof_snapshot taken;
	struct snapshot snapshot;
	char *text;
	uint32_t i;

	if (fd < 0)
		return -1;
	text = read_all(fd, 65536);
	if (!text || strncmp(text, "heap profile: ", 14))
		return -1;
	shows = shows_address(text);
	free(text);

	image_fd = snapshot_ioctl(fd, 0, &taken);
	if (image_fd < 0 || snapshot_read(image_fd, &snapshot) || snapshot_wrong(&snapshot))
		return -1;
	/* Text and image agree, and the flag tells the truth. */
	if (!!(snapshot.header->flags & KMPROF_IMAGE_ADDRESSES) != shows)
		return -1;
	for (i = 0; !shows && i < snapshot.header->frames.count; i++)
		if (((uint64_t *)((char *)snapshot.image + snapshot.header->frames.offset))[i])
			return -1;
	if (!snapshot_rows(&snapshot, "heap"))
		return -1;
	snapshot_free(&snapshot);
	close(image_fd);
	close(fd);
	return shows;
}

/* The same, asked by somebody who has the capabilities in @keep only. */
static int shows_addresses_to(uint64_t keep)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {
		{ .effective = keep, .permitted = keep },
		{ .effective = keep >> 32, .permitted = keep >> 32 },
	};
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return -1;
	if (!pid) {
		if (syscall(SYS_capset, &header, data))
			_exit(100);
		_exit(device_shows_addresses() & 0x7f);
	}
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) > 1)
		return -1;
	return WEXITSTATUS(status);
}

TEST_F(text, addresses_for_the_entitled_only)
{
	const uint64_t perfmon = 1ULL << CAP_PERFMON, syslog = 1ULL << CAP_SYSLOG;

	alloc_some(_metadata, self->store);
	ASSERT_EQ(0, guest_write_file(KPTR_RESTRICT, "0"));
	EXPECT_EQ(1, device_shows_addresses());
	ASSERT_EQ(0, guest_write_file(KPTR_RESTRICT, "1"));
	EXPECT_EQ(1, device_shows_addresses());
	EXPECT_EQ(0, shows_addresses_to(perfmon));
	EXPECT_EQ(1, shows_addresses_to(perfmon | syslog));
	ASSERT_EQ(0, guest_write_file(KPTR_RESTRICT, "2"));
	EXPECT_EQ(0, device_shows_addresses());
	EXPECT_EQ(0, shows_addresses_to(perfmon | syslog));
}

/* debugfs keeps to the same rule. */
TEST_F(text, debugfs_hides_addresses)
{
	char *text;

	alloc_some(_metadata, self->store);
	ASSERT_EQ(0, guest_write_file(KPTR_RESTRICT, "1"));
	ASSERT_EQ(0, guest_read_file(DEBUGFS "heap", &text, NULL));
	EXPECT_TRUE(shows_address(text));
	free(text);
	ASSERT_EQ(0, guest_write_file(KPTR_RESTRICT, "2"));
	ASSERT_EQ(0, guest_read_file(DEBUGFS "heap", &text, NULL));
	EXPECT_FALSE(shows_address(text));
	EXPECT_EQ(0, strncmp(text, "heap profile: ", 14));
	free(text);
}

/* The lines that the text has to have for what a profile counts, sorted. */
static char **expected_delays(const struct snapshot *snapshot, const char *profile,
			      unsigned int *count)
{
	const uint32_t rows = snapshot_rows(snapshot, profile);
	char **lines = calloc(rows + 1, sizeof(*lines));
	const uint64_t half = 1 << (KMPROF_WAIT_COUNT_SHIFT - 1);
	uint32_t i, k;

	for (i = 0; lines && i < rows; i++) {
		const struct kmprof_image_contention *bucket =
			snapshot_contention(snapshot, profile, i);
		const uint64_t *frames = snapshot_frames(snapshot, &bucket->row);
		size_t bytes;
		FILE *stream = open_memstream(&lines[i], &bytes);

		if (!stream)
			return NULL;
		fprintf(stream, "%" PRIu64 " %" PRIu64 " @", (uint64_t)bucket->delay_ns,
			(uint64_t)((bucket->count + half) >> KMPROF_WAIT_COUNT_SHIFT));
		for (k = 0; k < bucket->row.nr_frames; k++)
			fprintf(stream, " 0x%" PRIx64, frames[k]);
		/* What nobody is blamed for is in no function. */
		if (!bucket->row.nr_frames)
			fprintf(stream, " 0x0");
		if (fclose(stream))
			return NULL;
	}
	if (lines)
		qsort(lines, rows, sizeof(*lines), by_text);
	*count = rows;
	return lines;
}

/* Cuts a text into lines and keeps those of the buckets, sorted. Returns their number. */
static unsigned int delays_of(char *text, char **lines, unsigned int most)
{
	unsigned int count = 0;
	char *line, *rest;

	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (strstr(line, " @") && *line >= '0' && *line <= '9' && count < most)
			lines[count++] = line;
	qsort(lines, count, sizeof(*lines), by_text);
	return count;
}

/* A text of waits or releases, and the snapshot of the cycle that it shows. */
static void expect_delays(struct __test_metadata *_metadata, int dev, char *text,
			  const char *profile, const char *head)
{
	char mark[64], **expected, **found, *keys[MOST_KEYS], *header;
	unsigned int count, i, nr_keys;
	struct snapshot snapshot;

	ASSERT_NE(NULL, text);
	take_published(_metadata, dev, &snapshot);

	snprintf(mark, sizeof(mark), "%s# profile %s\n", head, profile);
	EXPECT_EQ(0, strncmp(text, mark, strlen(mark)))
		TH_LOG("%.100s", text);
	snprintf(mark, sizeof(mark), "\n# total.blamed_ns %llu\n",
		 (unsigned long long)snapshot_scalar(&snapshot, "total.blamed_ns"));
	EXPECT_NE(NULL, strstr(text, mark));
	EXPECT_EQ(!strcmp(profile, "mutex"), !!strstr(text, ", not attributable, "));
	header = strdup(text);
	ASSERT_NE(NULL, header);
	nr_keys = keys_of(header, keys);
	expect_header(_metadata, &snapshot, profile, profile, keys, nr_keys);
	free(header);

	expected = expected_delays(&snapshot, profile, &count);
	found = calloc(count + 1, sizeof(*found));
	ASSERT_NE(NULL, expected);
	ASSERT_NE(NULL, found);
	EXPECT_LT(1, count);
	ASSERT_EQ(count, delays_of(text, found, count + 1));
	for (i = 0; i < count; i++) {
		EXPECT_STREQ(expected[i], found[i]);
		free(expected[i]);
	}
	free(expected);
	free(found);
	free(text);
	snapshot_free(&snapshot);
}

TEST_F(text, waits_and_releases)
{
	static const struct {
		const char *name;
		const char *head;
	} profiles[] = {
		{ "block", "--- contention:\ncycles/second=1000000000\n" },
		{ "mutex", "--- mutex:\ncycles/second=1000000000\nsampling period=1\n" },
	};
	char path[64], *text;
	struct play play;
	unsigned int i;

	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	ASSERT_EQ(0, guest_set_block_rate(self->dev, 1));
	ASSERT_EQ(0, guest_set_mutex_fraction(self->dev, 1));
	for (i = 0; i < SCENES; i++)
		ASSERT_EQ(0, scene_play(self->store, &scenes[i], 0, 2, 1000, &play));
	for (i = 0; i < ARRAY_SIZE(profiles); i++) {
		ASSERT_EQ(0, guest_select(self->dev, profiles[i].name));
		expect_delays(_metadata, self->dev, read_all(self->dev, 4096),
			      profiles[i].name, profiles[i].head);
		snprintf(path, sizeof(path), DEBUGFS "%s", profiles[i].name);
		ASSERT_EQ(0, guest_read_file(path, &text, NULL));
		expect_delays(_metadata, self->dev, text, profiles[i].name, profiles[i].head);
	}
}

TEST_HARNESS_MAIN
