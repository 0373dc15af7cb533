// SPDX-License-Identifier: GPL-2.0
/*
 * Modules that are gone: their stacks and locks keep their names, and what is loaded to the
 * same place has its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/command.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/snapshot.h"

enum {
	OBJECTS		= 10,
	TRIES		= 20,
	LOADS		= 2 * TRIES + 2,
	EXIT_LEAK	= 3,
	/* Namesz, descsz, type, "GNU": the id follows. */
	NOTE_HEADER	= 16,
};

#define SAVED	"/tmp/gone."

/* The objects that modules have left behind, as the next one takes them. */
static char *left_behind[LOADS];
static unsigned int nr_left;

FIXTURE(gone) {
	int dev;
	struct snapshot snapshot;
};

GUEST_SOURCE_VARIANTS(gone);

FIXTURE_SETUP(gone)
{
	memset(&self->snapshot, 0, sizeof(self->snapshot));
	ASSERT_EQ(0, guest_load(variant->source, "heap_rate=1 block_rate=1 " GUEST_ROOMY));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
}

/* A line of a file in a module's directory of sysfs, without its end; to be freed. */
static char *module_line(const char *module, const char *file)
{
	char path[128], *text;
	size_t bytes;

	snprintf(path, sizeof(path), "/sys/module/%s/%s", module, file);
	if (guest_read_file(path, &text, &bytes) || !bytes)
		return NULL;
	text[bytes - 1] = '\0';
	return text;
}

/* Loads a module that leaves objects behind. */
static int load(const char *module, unsigned int objects)
{
	char params[64];
	int ret;

	if (nr_left == LOADS)
		return -ENOSPC;
	snprintf(params, sizeof(params), "objects=%u", objects);
	ret = guest_insmod(module, params);
	if (ret)
		return ret;
	left_behind[nr_left] = module_line(module, "parameters/left");
	return left_behind[nr_left++] ? 0 : -EIO;
}

/* Has a module free objects that another one has left behind. */
static int take(const char *objects)
{
	char params[80];

	snprintf(params, sizeof(params), "take=%s", objects);
	return guest_insmod("kmprof_other", params) ?: guest_rmmod("kmprof_other");
}

/* All that they have left. */
static int free_left(void)
{
	int ret = 0;

	while (!ret && nr_left) {
		ret = take(left_behind[--nr_left]);
		free(left_behind[nr_left]);
	}
	return ret;
}

FIXTURE_TEARDOWN(gone)
{
	EXPECT_EQ(0, free_left());
	snapshot_free(&self->snapshot);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

static const struct kmprof_image_symbol *find_symbol(const struct snapshot *snapshot,
						     uint64_t address)
{
	const struct kmprof_table *table = &snapshot->header->symbols;
	const struct kmprof_image_symbol *symbol;
	uint32_t i;

	for (i = 0; i < table->count; i++) {
		symbol = snapshot_entry(snapshot, table, i);
		if (address - symbol->start < symbol->size)
			return symbol;
	}
	return NULL;
}

static const struct kmprof_image_module *module_of(const struct snapshot *snapshot,
						   const struct kmprof_image_symbol *symbol)
{
	return snapshot_entry(snapshot, &snapshot->header->modules, symbol->module);
}

/* Is an address in this function or variable of a module that is gone? */
static const struct kmprof_image_module *is_of(const struct snapshot *snapshot, uint64_t address,
					       const char *module, const char *name)
{
	const struct kmprof_image_symbol *symbol = find_symbol(snapshot, address);

	if (!symbol || strcmp(snapshot_string(snapshot, symbol->name), name) ||
	    strcmp(snapshot_string(snapshot, module_of(snapshot, symbol)->name), module))
		return NULL;
	return module_of(snapshot, symbol);
}

/**
 * struct left - what a function of a module that is gone has left
 * @rows: number of rows whose leaf is the function: one for each life of the module
 * @allocs: their allocations
 * @frees: their frees
 * @piece: where the function was, in the last one
 */
struct left {
	unsigned int rows;
	uint64_t allocs;
	uint64_t frees;
	const struct kmprof_image_module *piece;
};

static struct left left_by(const struct snapshot *snapshot, const char *module, const char *name)
{
	uint32_t i, rows = snapshot_rows(snapshot, "heap");
	const struct kmprof_image_module *piece;
	const struct kmprof_image_sample *sample;
	struct left left = { 0 };

	for (i = 0; i < rows; i++) {
		sample = snapshot_sample(snapshot, i);
		piece = is_of(snapshot, *snapshot_frames(snapshot, &sample->row) - 1, module, name);
		if (!piece)
			continue;
		left.rows++;
		left.allocs += sample->allocs;
		left.frees += sample->frees;
		left.piece = piece;
	}
	return left;
}

#define TAKE() do {							\
	snapshot_free(&self->snapshot);					\
	ASSERT_EQ(0, snapshot_take(self->dev, &self->snapshot));	\
	EXPECT_IMAGE(&self->snapshot);					\
} while (0)

/* Each row has all objects of one life. */
#define EXPECT_LEFT(module_, name_, rows_, frees_) do {				\
	const char *__module = (module_), *__name = (name_);			\
	unsigned int __rows = (rows_);						\
	struct left __left = left_by(&self->snapshot, __module, __name);	\
									\
	EXPECT_EQ(__rows, __left.rows)						\
		TH_LOG("[%s] %s", __module, __name);				\
	EXPECT_EQ(__rows * OBJECTS, __left.allocs);				\
	EXPECT_EQ(frees_, __left.frees);					\
} while (0)

TEST_F(gone, stacks_keep_their_names)
{
	struct left left;
	char *note, *text;
	size_t bytes;

	ASSERT_EQ(0, load("kmprof_brief", OBJECTS));
	ASSERT_EQ(0, guest_read_file("/sys/module/kmprof_brief/notes/.note.gnu.build-id", &note,
				     &bytes));
	/* The init part is gone already. */
	TAKE();
	EXPECT_LEFT("kmprof_brief", "brief_init_leak", 1, 0);
	EXPECT_LEFT("kmprof_brief", "brief_leak", 0, 0);
	ASSERT_EQ(0, guest_rmmod("kmprof_brief"));
	TAKE();
	EXPECT_LEFT("kmprof_brief", "brief_init_leak", 1, 0);
	EXPECT_LEFT("kmprof_brief", "brief_leak", 1, 0);

	left = left_by(&self->snapshot, "kmprof_brief", "brief_leak");
	ASSERT_NE(NULL, left.piece);
	EXPECT_EQ(bytes, NOTE_HEADER + left.piece->build_id_size);
	EXPECT_EQ(0, memcmp(note + NOTE_HEADER, left.piece->build_id, left.piece->build_id_size));
	free(note);

	text = command_output("cat /dev/kmprof");
	ASSERT_NE(NULL, text);
	EXPECT_NE(NULL, strstr(text, "\tbrief_leak+0x"));
	EXPECT_NE(NULL, strstr(text, "\tbrief_init_leak+0x"));
	EXPECT_NE(NULL, strstr(text, " [kmprof_brief]\n"));
	free(text);
}

/* Objects whose allocator was called from a module that is gone. */
static uint64_t allocated_by(const struct snapshot *snapshot, const char *module)
{
	return left_by(snapshot, module, "brief_leak").allocs +
	       left_by(snapshot, module, "brief_init_leak").allocs;
}

/* heap_filter=module: a module that comes, goes, and comes back, to where another one was. */
TEST_F(gone, a_filter_follows_its_module)
{
	static const char *const names[] = { "kmprof_brief", "kmprof_other" };
	unsigned int i, wanted;
	uint64_t filtered;

	for (wanted = 0; wanted < 2; wanted++) {
		char text[40];

		snprintf(text, sizeof(text), "module=%s", names[wanted]);
		ASSERT_EQ(0, guest_set_text(self->dev, KMPROF_SETTING_HEAP_FILTER, text));
		ASSERT_EQ(0, guest_reset(self->dev));
		/* Not loaded yet, loaded again, and in the place of each other. */
		for (i = 0; i < 4; i++) {
			ASSERT_EQ(0, load(names[i % 2], OBJECTS));
			if (i == 2)
				ASSERT_EQ(0, guest_set_text(self->dev,
							    KMPROF_SETTING_HEAP_FILTER, text));
			ASSERT_EQ(0, guest_rmmod(names[i % 2]));
		}
		TAKE();
		EXPECT_EQ(2 * 2 * OBJECTS, allocated_by(&self->snapshot, names[wanted]));
		EXPECT_EQ(0, allocated_by(&self->snapshot, names[!wanted]));
		filtered = snapshot_scalar(&self->snapshot, "filtered");
		EXPECT_LE(2 * 2 * OBJECTS, filtered);
	}
}

static int save(const char *name)
{
	char command[128], *text;

	snprintf(command, sizeof(command), "tools/kmprof dump --format image -o " SAVED "%s", name);
	text = command_output(command);
	free(text);
	return text ? 0 : -EIO;
}

static char *difference(const char *a, const char *b)
{
	char command[128];

	snprintf(command, sizeof(command), "tools/kmprof diff -n 0 " SAVED "%s " SAVED "%s", a, b);
	return command_output(command);
}

/* Is there a line of the table that is marked so, and whose stack begins with the function? */
static int has_line(const char *text, const char *state, const char *function)
{
	char line[128];

	snprintf(line, sizeof(line), " %-4s  %s [kmprof_brief] < ", state, function);
	return !!strstr(text, line);
}

/* Stacks of a module are the same while it is there and when it has gone. */
TEST_F(gone, differences_know_stacks)
{
	char *text;

	ASSERT_EQ(0, save("first"));
	ASSERT_EQ(0, load("kmprof_brief", OBJECTS));
	ASSERT_EQ(0, save("there"));
	ASSERT_EQ(0, guest_rmmod("kmprof_brief"));
	ASSERT_EQ(0, save("gone"));

	text = difference("first", "gone");
	ASSERT_NE(NULL, text);
	EXPECT_TRUE(strstr(text, "Note: one count: ") &&
		    has_line(text, "new", "brief_leak") && has_line(text, "new", "brief_init_leak"))
		TH_LOG("%s", text);
	free(text);
	text = difference("there", "gone");
	ASSERT_NE(NULL, text);
	EXPECT_TRUE(strstr(text, "Note: one count: ") && !strstr(text, "kmprof_brief") &&
		    !strstr(text, "have counted less"))
		TH_LOG("%s", text);
	free(text);

	/* After a reset it is another count of the same boot. */
	ASSERT_EQ(0, guest_reset(self->dev));
	ASSERT_EQ(0, save("reset"));
	text = difference("there", "reset");
	ASSERT_NE(NULL, text);
	EXPECT_TRUE(strstr(text, "Note: counting began anew between A and B ") &&
		    has_line(text, "gone", "brief_leak"))
		TH_LOG("%s", text);
	free(text);
	text = command_output("tools/kmprof diff --interval 100ms --json");
	ASSERT_NE(NULL, text);
	EXPECT_NE(NULL, strstr(text, "\"relation\": \"one_count\""))
		TH_LOG("%s", text);
	free(text);
}

#define LEFT	SAVED "left"

/* The build id of a module that is there, in hex digits; to be freed. */
static char *build_id_of(const char *module)
{
	char path[128], *note, *hex;
	size_t bytes, i;

	snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", module);
	if (guest_read_file(path, &note, &bytes) || bytes <= NOTE_HEADER)
		return NULL;
	hex = calloc(2, bytes);
	for (i = NOTE_HEADER; hex && i < bytes; i++)
		sprintf(hex + 2 * (i - NOTE_HEADER), "%02hhx", note[i]);
	free(note);
	return hex;
}

/* Is there a leak whose stack begins with a function of a module? */
static int has_leak(const char *text, const char *function, const char *module)
{
	char first[80], rest[80];
	const char *leak;

	snprintf(first, sizeof(first), "\n    %s+0x", function);
	snprintf(rest, sizeof(rest), " [%s]\n", module);
	for (leak = strstr(text, "\nLEAK"); leak; leak = strstr(leak + 1, "\nLEAK")) {
		const char *frame = strstr(leak, "\n    ");

		if (frame && !strncmp(frame, first, strlen(first)) &&
		    strchr(frame, '[') == strstr(frame, rest) + 1)
			return 1;
	}
	return 0;
}

/* The same of what LEFT tells of. */
static int take_left(void)
{
	FILE *file = fopen(LEFT, "r");
	int ret = file ? 0 : -errno;
	char line[64];

	while (!ret && fgets(line, sizeof(line), file))
		ret = take(line);
	if (file)
		fclose(file);
	return ret;
}

/* Runs kmprof leaks on modules that come and go; the output is to be freed. */
static char *leaks_of(const char *options, int *status)
{
	char command[128];

	snprintf(command, sizeof(command),
		 "tools/kmprof leaks %s -- selftests/robust/come-and-go " LEFT, options);
	return command_run(command, status);
}

/*
 * A module is loaded and removed in each round, and another one takes its place. Its leaks have its
 * name, its functions and its build id.
 */
/* A session of several rounds, which takes half a minute on a busy machine. */
TEST_F_TIMEOUT(gone, leaks_are_found, 180)
{
	char gone[128], *id, *text;
	int status;

	ASSERT_EQ(0, load("kmprof_brief", OBJECTS));
	id = build_id_of("kmprof_brief");
	ASSERT_NE(NULL, id);
	ASSERT_EQ(0, guest_rmmod("kmprof_brief"));
	unlink(LEFT);

	text = leaks_of("--rounds 8", &status);
	ASSERT_NE(NULL, text);
	snprintf(gone, sizeof(gone), "\n  [kmprof_brief] has been removed; its build id: %s\n", id);
	EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_LEAK &&
		    has_leak(text, "brief_leak", "kmprof_brief") &&
		    has_leak(text, "brief_init_leak", "kmprof_brief") &&
		    has_leak(text, "brief_leak", "kmprof_other") &&
		    has_leak(text, "brief_init_leak", "kmprof_other") && strstr(text, gone))
		TH_LOG("%d, %s\n%s", status, gone, text);
	free(text);

	/* Too few rounds for a verdict. */
	text = leaks_of("--json --rounds 3", &status);
	ASSERT_NE(NULL, text);
	snprintf(gone, sizeof(gone), "\"build_id\": \"%s\"", id);
	EXPECT_TRUE(WIFEXITED(status) && !WEXITSTATUS(status) && strstr(text, gone))
		TH_LOG("%d, %s\n%s", status, gone, text);
	free(text);
	free(id);
	EXPECT_EQ(0, take_left());
}

TEST_F(gone, locks_keep_their_names)
{
	const struct kmprof_image_contention *wait;
	unsigned int found = 0;
	uint32_t i;
	char *text;

	ASSERT_EQ(0, load("kmprof_brief", 0));
	ASSERT_EQ(0, guest_rmmod("kmprof_brief"));
	TAKE();
	for (i = 0; i < snapshot_rows(&self->snapshot, "block"); i++) {
		wait = snapshot_contention(&self->snapshot, "block", i);
		/* Others may have looked at the mutex, or waited for the spinlock in it. */
		found += is_of(&self->snapshot, wait->lock, "kmprof_brief", "brief_mutex") &&
			 is_of(&self->snapshot,
			       *snapshot_frames(&self->snapshot, &wait->row) - 1,
			       "kmprof_brief", "brief_wait");
	}
	EXPECT_EQ(1, found);
	text = command_output("cat /sys/kernel/debug/kmprof/block");
	ASSERT_NE(NULL, text);
	EXPECT_NE(NULL, strstr(text, " brief_mutex+0x0/0x"));
	free(text);
}

/*
 * Loads a module until it is where another one was; the kernel chooses. Returns how many times,
 * or -1.
 */
static int load_to(const char *module, const char *place)
{
	char *section;
	int i, there;

	for (i = 1; i <= TRIES; i++) {
		if (load(module, OBJECTS))
			return -1;
		section = module_line(module, "sections/.text");
		there = section && !strcmp(section, place);
		free(section);
		if (there)
			return i;
		if (guest_rmmod(module))
			return -1;
	}
	fprintf(stderr, "# %s: not loaded to %s in %d tries\n", module, place, TRIES);
	return -1;
}

TEST_F(gone, lives_do_not_merge)
{
	int others, again;
	char *place;

	ASSERT_EQ(0, load("kmprof_brief", OBJECTS));
	place = module_line("kmprof_brief", "sections/.text");
	ASSERT_NE(NULL, place);
	ASSERT_EQ(0, guest_rmmod("kmprof_brief"));
	others = load_to("kmprof_other", place);
	ASSERT_LT(0, others);
	TAKE();
	EXPECT_LEFT("kmprof_brief", "brief_leak", 1, 0);
	EXPECT_LEFT("kmprof_other", "brief_leak", others - 1, 0);
	ASSERT_EQ(0, guest_rmmod("kmprof_other"));
	again = load_to("kmprof_brief", place);
	ASSERT_LT(0, again);
	ASSERT_EQ(0, guest_rmmod("kmprof_brief"));
	TAKE();
	EXPECT_LEFT("kmprof_brief", "brief_leak", 1 + again, 0);
	EXPECT_LEFT("kmprof_other", "brief_leak", others, 0);
	free(place);
}

TEST_F(gone, objects_are_freed_later)
{
	ASSERT_EQ(0, load("kmprof_brief", OBJECTS));
	ASSERT_EQ(0, guest_rmmod("kmprof_brief"));
	ASSERT_EQ(0, free_left());
	TAKE();
	EXPECT_LEFT("kmprof_brief", "brief_init_leak", 1, OBJECTS);
	EXPECT_LEFT("kmprof_brief", "brief_leak", 1, OBJECTS);
}

TEST_F(gone, reset_forgets)
{
	ASSERT_EQ(0, load("kmprof_brief", OBJECTS));
	ASSERT_EQ(0, guest_rmmod("kmprof_brief"));
	TAKE();
	EXPECT_LT(0, self->snapshot.header->symbols.count);
	ASSERT_EQ(0, guest_reset(self->dev));
	TAKE();
	EXPECT_EQ(0, self->snapshot.header->modules.count);
	EXPECT_EQ(0, self->snapshot.header->symbols.count);
}

TEST_HARNESS_MAIN
