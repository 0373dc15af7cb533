// SPDX-License-Identifier: GPL-2.0
/* Tests of the library's parts that need no image and no program. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/config.h"
#include "profile/limit.h"
#include "profile/scale.h"
#include "symbols/buildid.h"
#include "symbols/mappings.h"
#include "symbols/symbols.h"
#include "tests/unit.h"
#include "util/output.h"

/*
 * 1 / (1 - exp(-x)) by its series 1/x + 1/2 + x/12 - x^3/720 + ..., for x << 1,
 * and by long double otherwise: neither shares the code's arithmetic.
 */
static long double true_scale(long double size, long double period)
{
	long double x = size / period;

	if (x < 0.01L)
		return 1 / x + 0.5L + x / 12 - x * x * x / 720;
	return 1 / -expm1l(-x);
}

static void scale_is_right(void)
{
	static const __u64 sizes[] = { 1, 8, 64, 200, 4096, 65536, 1 << 20, 1 << 26 };
	static const __u64 periods[] = { 2, 64, 4096, 524288, 1 << 30 };
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		for (j = 0; j < ARRAY_SIZE(periods); j++) {
			long double want = true_scale(sizes[i], periods[j]);

			EXPECT(fabsl(kmprof_scale(sizes[i], periods[j]) - want) < want / 1000000);
		}
		EXPECT(kmprof_scale(sizes[i], 1) == 1);
		EXPECT(kmprof_scale(sizes[i], 0) == 1);
	}
}

/* Of N objects with p = 1/2, the mean over all outcomes of n is known. */
static void estimate_is_unbiased(void)
{
	enum { N = 12 };
	__u64 period = 1000, size = 693;	/* p = 0.4999 */
	double p = 1 / kmprof_scale(size, period);
	double mean = 0, mean_square = 0, variance = 0, weight;
	int n;

	for (n = 0; n <= N; n++) {
		struct kmprof_amount a = { 0 };

		kmprof_amount_add(&a, (__u64)n, size, period);
		weight = exp(lgamma(N + 1) - lgamma(n + 1) - lgamma(N - n + 1)) * pow(p, n) *
			 pow(1 - p, N - n);
		mean += weight * a.bytes;
		mean_square += weight * a.bytes * a.bytes;
		variance += weight * a.variance;
	}
	EXPECT(fabs(mean - (double)(N * size)) < 0.000001);
	EXPECT(fabs(variance - (mean_square - mean * mean)) < 0.001);
}

static void amounts_saturate(void)
{
	struct kmprof_amount a = { 0 };

	kmprof_amount_add(&a, ~0ULL, ~0ULL, 1);
	EXPECT(a.whole_objects == LLONG_MAX && a.whole_bytes == LLONG_MAX);
	kmprof_amount_add(&a, ~0ULL, 1, 1 << 30);
	EXPECT(a.whole_objects == LLONG_MAX && isfinite(a.variance));
}

static void recount_keeps_the_estimate(void)
{
	/* Sampled at 4096, told at 524288: fewer samples for the same bytes. */
	double carry = 0, sum = 0;
	__u64 n = kmprof_scale_recount(1000000, 64, 4096, 524288, &carry);
	int i;
	double before = 1000000 * kmprof_scale(64, 4096), after = (double)n *
			kmprof_scale(64, 524288);

	EXPECT(fabs(before - after) <= kmprof_scale(64, 524288) / 2);
	EXPECT(kmprof_scale_recount(7, 64, 4096, 4096, &carry) == 7);
	/* Rate 1 scales nothing: the count is the estimate itself. */
	carry = 0;
	EXPECT(kmprof_scale_recount(10, 64, 4096, 1, &carry) ==
	       (__u64)round(10 * kmprof_scale(64, 4096)));

	/* Single samples that count half: every other one, not each. */
	carry = 0;
	for (i = 0; i < 1000; i++)
		sum += (double)kmprof_scale_recount(1, 8, 4096, 8192, &carry);
	EXPECT(fabs(sum - 1000 * kmprof_scale(8, 4096) / kmprof_scale(8, 8192)) <= 1);
}

/* Whatever the sizes are, objects of that many bytes are all missed in 5 of 100 cases. */
static void limit_is_right(void)
{
	static const __u64 sizes[] = { 1, 8, 200, 4096, 1 << 20, 1 << 26 };
	static const __u64 periods[] = { 2, 4096, 524288, 1 << 30 };
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		for (j = 0; j < ARRAY_SIZE(periods); j++) {
			double objects = kmprof_limit_of_period(periods[j]) / (double)sizes[i];
			double missed = 1 - 1 / kmprof_scale(sizes[i], periods[j]);

			/* An object that nearly always has a sample tells nothing. */
			if (sizes[i] / periods[j] < 8)
				EXPECT(fabs(pow(missed, objects) - 0.05) < 0.0001);
		}
	}
	EXPECT(kmprof_limit_of_period(1) == 0 && kmprof_limit_of_period(0) == 0);
}

static const char symbols_text[] =
	"0000000000000000 A fixed_percpu_data\n"
	"ffffffff81000000 T _stext\n"
	"ffffffff81000000 T _text\n"
	"ffffffff81001000 T first\n"
	"ffffffff81001000 t alias\n"
	"ffffffff81001080 t last\n"
	"ffffffff81002000 T _etext\n"
	"ffffffff82000000 D some_data\n"
	"ffffffff83000000 T init_function\n"
	"not a symbol line\n"
	"ffffffffc0000000 t mod_one\t[mod]\n"
	"ffffffffc0000100 t mod_two\t[mod]\n"
	"ffffffffc0000200 d mod_data\t[mod]\n"
	"ffffffffc0004000 t other\t[other_mod]\n"
	"ffffffffc0009000 d other_data\t[other_mod]\n"
	"ffffffffc0010000 t no_data\t[third_mod]\n"
	"ffffffffc0020000 t far_data\t[fourth_mod]\n"
	"ffffffffc0021800 t between\t[fifth_mod]\n"
	"ffffffffc0028000 d data\t[fourth_mod]\n";

static bool finds(const struct kmprof_symbols *s, __u64 address, const char *name,
		  const char *module, __u64 size)
{
	struct kmprof_symbol symbol;

	if (!kmprof_symbols_find(s, address, &symbol))
		return !name;
	if (!name || strcmp(symbol.name, name) || symbol.size != size)
		return false;
	return module ? symbol.module && !strcmp(symbol.module, module) : !symbol.module;
}

static void symbols_are_found(void)
{
	struct kmprof_symbols *s;
	struct kmprof_error err;
	__u64 start, end;

	EXPECT(!kmprof_symbols_load(&s, file_with("kallsyms", symbols_text), &err));
	if (!good)
		return;
	EXPECT(finds(s, 0xffffffff81001000, "first", NULL, 0x80));
	EXPECT(finds(s, 0xffffffff8100107f, "first", NULL, 0x80));
	EXPECT(finds(s, 0xffffffff81001080, "last", NULL, 0xf80));
	EXPECT(finds(s, 0xffffffff81001fff, "last", NULL, 0xf80));
	EXPECT(finds(s, 0xffffffff81002000, NULL, NULL, 0));
	EXPECT(finds(s, 0xffffffff82000000, NULL, NULL, 0));
	EXPECT(finds(s, 0xffffffff80000000, NULL, NULL, 0));
	EXPECT(finds(s, 0xffffffffc00000ff, "mod_one", "mod", 0x100));
	EXPECT(finds(s, 0xffffffffc0000100, "mod_two", "mod", 0x100));
	EXPECT(finds(s, 0xffffffffc0000200, NULL, NULL, 0));
	EXPECT(finds(s, 0xffffffffc0008abc, "other", "other_mod", 0x5000));
	EXPECT(finds(s, 0xffffffffc0009000, NULL, NULL, 0));
	EXPECT(finds(s, 0xffffffffc0010abc, "no_data", "third_mod", 0x1000));
	EXPECT(finds(s, 0xffffffffc0011000, NULL, NULL, 0));
	EXPECT(finds(s, 0xffffffffc00217ff, "far_data", "fourth_mod", 0x1800));
	EXPECT(finds(s, 0xffffffffc0021800, "between", "fifth_mod", 0x1000));
	kmprof_symbols_kernel_text(s, &start, &end);
	EXPECT(start == 0xffffffff81000000 && end == 0xffffffff81002000);
	kmprof_symbols_free(s);
}

static void hidden_symbols_are_explained(void)
{
	struct kmprof_symbols *s;
	struct kmprof_error err;

	EXPECT(kmprof_symbols_load(&s, file_with("zero", "0000000000000000 T _text\n"
						 "0000000000000000 t f\n"), &err) == -EACCES);
	EXPECT(strstr(err.hint, "kptr_restrict") && strstr(err.hint, "CAP_SYSLOG"));
	EXPECT(kmprof_symbols_load(&s, file_with("junk", "hello\n\n\n"), &err) == -EINVAL);
	EXPECT(kmprof_symbols_load(&s, path_of("nowhere"), &err) == -ENOENT);
}

static void buildids_are_found(void)
{
	static const unsigned char id[] = { 0xde, 0xad, 0xbe, 0xef, 0x01 };
	struct {
		Elf64_Nhdr other;
		char other_name[8];
		char other_desc[4];
		Elf64_Nhdr note;
		char name[4];
		unsigned char desc[8];
	} notes = {
		.other = { 6, 2, 1 }, .other_name = "Linux",
		.note = { 4, sizeof(id), NT_GNU_BUILD_ID }, .name = "GNU",
	};
	char hex[KMPROF_BUILD_ID_HEX];
	size_t cut;

	memcpy(notes.desc, id, sizeof(id));
	EXPECT(!kmprof_buildid_parse(&notes, sizeof(notes), hex) && !strcmp(hex, "deadbeef01"));
	for (cut = 0; cut < sizeof(notes); cut++) {
		void *copy = malloc(cut ? cut : 1);

		memcpy(copy, &notes, cut);
		EXPECT(kmprof_buildid_parse(copy, cut, hex) < 0 && !hex[0]);
		free(copy);
	}
	notes.note.n_descsz = ~0U;
	EXPECT(kmprof_buildid_parse(&notes, sizeof(notes), hex) < 0);
}

static void mappings_are_found(void)
{
	struct kmprof_mapping_files files = { 0 };
	struct kmprof_symbol symbol = { .module = "mod" };
	const struct kmprof_image image = { 0 };
	struct kmprof_symbols *s;
	struct kmprof_mappings m;
	struct kmprof_error err;
	char modules[PATH_MAX];

	EXPECT(!kmprof_symbols_load(&s, file_with("kallsyms", symbols_text), &err));
	strcpy(modules, file_with("modules", "mod 20480 1 - Live 0xffffffffc0000000 (OE)\n"
				  "hidden 4096 0 - Live 0x0000000000000000\n"));
	files.modules = modules;
	EXPECT(!kmprof_mappings_load(&m, &image, s, &files, &err));
	EXPECT(m.nr == 6);
	EXPECT(!strcmp(m.mapping[0].name, "[kernel.kallsyms]"));
	EXPECT(m.mapping[0].start == 0xffffffff81000000 && m.mapping[0].end == 0xffffffff81002000);
	EXPECT(!strcmp(m.mapping[1].name, "[mod]"));
	EXPECT(m.mapping[1].start == 0xffffffffc0000000 && m.mapping[1].end == 0xffffffffc0005000);
	EXPECT(!strcmp(m.mapping[2].name, "[other_mod]"));
	EXPECT(kmprof_mappings_find(&m, 0xffffffffc0004fff, NULL) == 1);
	EXPECT(kmprof_mappings_find(&m, 0xffffffffc0018000, NULL) == -1);
	EXPECT(kmprof_mappings_find(&m, 0, &symbol) == 1);
	kmprof_mappings_release(&m);
	kmprof_symbols_free(s);
}

/* As a module lists its settings; one of them is of a later module. */
static struct kmprof_setting_value have_settings[] = {
	{ .id = 0, .name = "heap_rate", .max = KMPROF_HEAP_RATE_MAX },
	{ .id = 1, .name = "block_rate", .max = KMPROF_BLOCK_RATE_MAX },
	{ .id = 2, .name = "mutex_fraction", .max = KMPROF_MUTEX_FRACTION_MAX },
	{ .id = 9, .name = "later", .max = 70 },
};

static const struct kmprof_settings have = { have_settings, ARRAY_SIZE(have_settings) };

static bool parses_as(const char *arg, __u32 id, __u64 want)
{
	struct kmprof_settings changes = { 0 };
	bool ret;

	ret = !kmprof_config_parse(&changes, &have, arg, NULL) && changes.nr == 1 &&
	      changes.setting[0].id == id && changes.setting[0].value == want &&
	      !changes.setting[0].flags;
	kmprof_settings_release(&changes);
	return ret;
}

static bool parses(const char *arg, __u64 want)
{
	return parses_as(arg, 0, want);
}

static bool parses_time(const char *arg, __u64 want)
{
	return parses_as(arg, 1, want);
}

static bool refused(const char *arg, const char *text, const char *hint)
{
	struct kmprof_settings changes = { 0 };
	struct kmprof_error err = { 0 };

	return kmprof_config_parse(&changes, &have, arg, &err) == -EINVAL && !changes.nr &&
	       strstr(err.text, text) && strstr(err.hint, hint);
}

static void settings_are_parsed(void)
{
	struct kmprof_settings changes = { 0 };

	EXPECT(parses("heap_rate=0", 0));
	EXPECT(parses("heap_rate=1", 1));
	EXPECT(parses("heap_rate=512K", 524288));
	EXPECT(parses("heap_rate=2m", 2 << 20));
	EXPECT(parses("heap_rate=1G", 1 << 30));
	EXPECT(refused("heap_rate=1073741825", "out of range", "1073741824"));
	EXPECT(refused("heap_rate=2G", "out of range", "0 to"));
	EXPECT(refused("heap_rate=18446744073709551616", "out of range", "0 to"));
	EXPECT(refused("heap_rate=99999999999G", "out of range", "0 to"));
	EXPECT(refused("heap_rate=18014398509481985K", "out of range", "0 to"));
	EXPECT(refused("heap_rate=-1", "not a number", "0 to"));
	EXPECT(refused("heap_rate=", "not a number", "0 to"));
	EXPECT(refused("heap_rate=1KB", "not a number", "0 to"));
	EXPECT(refused("rate=1", "no such setting", "heap_rate block_rate"));
	EXPECT(refused("heap_rate", "not a key=value", "key=value"));
	EXPECT(!kmprof_config_parse(&changes, &have, "heap_rate=1", NULL) &&
	       kmprof_config_parse(&changes, &have, "heap_rate=2", NULL) == -EINVAL);
	EXPECT(kmprof_config_parse(&changes, &have, "heap=2", NULL) == -EINVAL);
	EXPECT(changes.nr == 1 && changes.setting[0].value == 1);
	kmprof_settings_release(&changes);
	EXPECT(parses("heap=512K", 524288));
	EXPECT(refused("hea=1", "no such setting", "heap_rate"));
	EXPECT(refused("heap_=1", "no such setting", "heap_rate"));
}

static void times_are_parsed(void)
{
	struct kmprof_settings changes = { 0 };

	EXPECT(parses_time("block_rate=0", 0));
	EXPECT(parses_time("block_rate=1500", 1500));
	EXPECT(parses_time("block_rate=1500ns", 1500));
	EXPECT(parses_time("block_rate=10us", 10000));
	EXPECT(parses_time("block_rate=3ms", 3000000));
	EXPECT(parses_time("block_rate=2s", 2000000000));
	EXPECT(parses_time("block=10US", 10000));
	EXPECT(parses_time("block=68719476736", 68719476736));
	EXPECT(refused("block_rate=68719476737", "out of range", "68719476736"));
	EXPECT(refused("block_rate=69s", "out of range", "ns, us, ms or s"));
	/* It would be 290448384 without the bits that do not fit. */
	EXPECT(refused("block_rate=18446744074s", "out of range", "0 to"));
	EXPECT(refused("block_rate=10K", "not a number", "ns, us, ms or s"));
	EXPECT(refused("block_rate=us", "not a number", "0 to"));
	EXPECT(refused("block_rate=1.5ms", "not a number", "0 to"));
	EXPECT(refused("block_rate=1 us", "not a number", "0 to"));
	EXPECT(refused("heap_rate=10us", "not a number", "K, M or G"));
	EXPECT(!kmprof_config_parse(&changes, &have, "block=1us", NULL) &&
	       !kmprof_config_parse(&changes, &have, "heap=1K", NULL) && changes.nr == 2 &&
	       kmprof_settings_find(&changes, "block_rate")->value == 1000 &&
	       kmprof_settings_find(&changes, "heap_rate")->value == 1024);
	kmprof_settings_release(&changes);
}

static void other_settings_are_numbers(void)
{
	struct kmprof_settings no_heap = { have_settings + 1, 1 }, changes = { 0 };
	struct kmprof_error err = { 0 };

	EXPECT(parses_as("later=70", 9, 70));
	EXPECT(parses_as("later=0x10", 9, 16));
	EXPECT(parses_as("later=0", 9, 0));
	EXPECT(refused("later=71", "out of range", "later: 0 to 70 (a setting that this program"));
	EXPECT(refused("later=1K", "later: '1K' is not a number", "0 to 70"));
	EXPECT(refused("later=1us", "not a number", "0 to 70"));
	EXPECT(refused("later=none", "not a number", "0 to 70"));
	EXPECT(refused("late=1", "no such setting", "heap_rate block_rate mutex_fraction later"));
	/* What this program knows, and the module does not have. */
	EXPECT(kmprof_config_parse(&changes, &no_heap, "heap_rate=1", &err) == -EINVAL);
	EXPECT(strstr(err.text, "heap_rate: no such setting") &&
	       !strcmp(err.hint, "the module has: block_rate"));
	EXPECT(kmprof_config_parse(&changes, &no_heap, "heap=1", &err) == -EINVAL && !changes.nr);
}

static void opening_is_explained(void)
{
	struct kmprof_device dev;
	struct kmprof_error err;
	int status;
	pid_t child;

	EXPECT(kmprof_device_open(&dev, path_of("no-device"), &err) == -ENOENT);
	EXPECT(strstr(err.text, "not loaded") && strstr(err.hint, "insmod"));

	/* In a child, which gives up root for it. */
	file_with("private", "");
	EXPECT(!chmod(path_of("private"), 0));
	fflush(stdout);
	child = fork();
	if (!child) {
		if (!getuid() && setuid(65534))
			_exit(2);
		_exit(kmprof_device_open(&dev, path_of("private"), &err) == -EACCES &&
		      strstr(err.hint, "CAP_PERFMON") ? 0 : 1);
	}
	EXPECT(child > 0 && waitpid(child, &status, 0) == child && !status);
}

static void other_devices_are_refused(void)
{
	struct kmprof_device dev;
	struct kmprof_error err;
	struct kmprof_info info;

	EXPECT(!kmprof_device_open(&dev, "/dev/null", &err));
	EXPECT(kmprof_device_info(&dev, &info, &err) == -ENOTTY);
	EXPECT(strstr(err.hint, "kmprof device"));
	kmprof_device_close(&dev);
}

static void output_is_whole_or_nothing(void)
{
	struct kmprof_output output;
	struct kmprof_error err;
	char target[PATH_MAX], text[16] = "";
	struct stat st;
	int fd;

	strcpy(target, file_with("target", "old"));
	EXPECT(!kmprof_output_open(&output, target, &err));
	fputs("new", output.file);
	fflush(output.file);
	EXPECT(!stat(target, &st) && st.st_size == 3);
	kmprof_output_abort(&output);
	fd = open(target, O_RDONLY);
	EXPECT(read(fd, text, sizeof(text) - 1) == 3 && !strcmp(text, "old"));
	close(fd);

	EXPECT(!kmprof_output_open(&output, target, &err));
	fputs("newer", output.file);
	EXPECT(!kmprof_output_commit(&output, &err));
	EXPECT(!stat(target, &st) && st.st_size == 5 && (st.st_mode & 0777) == 0600);

	EXPECT(kmprof_output_open(&output, path_of("no/such/dir"), &err) == -ENOENT);
}

static const struct unit_test tests[] = {
	{ "scale: agrees with series and long double", scale_is_right },
	{ "scale: estimate and its variance are unbiased", estimate_is_unbiased },
	{ "scale: absurd counts saturate", amounts_saturate },
	{ "scale: recounting for another rate keeps the estimate", recount_keeps_the_estimate },
	{ "limit: of what is in use without a sample", limit_is_right },
	{ "symbols: aliases, ends of text and modules", symbols_are_found },
	{ "symbols: hidden, missing and senseless tables are explained",
	  hidden_symbols_are_explained },
	{ "buildid: found among notes, cut notes are refused", buildids_are_found },
	{ "mappings: kernel, modules from both files", mappings_are_found },
	{ "config: values, suffixes, ranges, unknown keys", settings_are_parsed },
	{ "config: times, short names", times_are_parsed },
	{ "config: a setting that only the module knows, and one that it does not have",
	  other_settings_are_numbers },
	{ "device: module not loaded, no permission", opening_is_explained },
	{ "device: another device is refused", other_devices_are_refused },
	{ "output: whole or nothing, private", output_is_whole_or_nothing },
};

int main(int argc, char **argv)
{
	return run_tests(tests, ARRAY_SIZE(tests), argc, argv);
}
