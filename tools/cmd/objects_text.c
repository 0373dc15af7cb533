// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "cmd/objects.h"
#include "cmd/term.h"
#include "image/memory.h"
#include "profile/nowhere.h"
#include "symbols/frame_name.h"
#include "util/printable.h"

enum {
	AGE_COLUMN	= 7,
	CYCLE_COLUMN	= 7,
	SIZE_COLUMN	= 8,
	KIND_COLUMN	= 7,
	ADDRESS_COLUMN	= 18,
	TASK_COLUMN	= 22,
	/* With the blank behind each. */
	COLUMNS		= AGE_COLUMN + CYCLE_COLUMN + SIZE_COLUMN + KIND_COLUMN +
			  ADDRESS_COLUMN + TASK_COLUMN + 6,
	TASK_TEXT	= KMPROF_COMM_LEN + 16,
	BYTES_IN_LINE	= 16,
};

static void put_head(const struct kmprof_inuse *inuse, const struct objects_request *r)
{
	size_t shown = objects_shown(r, inuse);

	printf("heap: %zu sampled object%s in use", inuse->all, inuse->all == 1 ? "" : "s");
	if (inuse->nr < inuse->all)
		printf(", %zu chosen", inuse->nr);
	puts(shown ? ", the oldest first\n" : "");
	if (!shown)
		return;
	printf("%s%*s %*s %*s %-*s %-*s %-*s %s%s\n", term_bold(), AGE_COLUMN, "AGE",
	       CYCLE_COLUMN, "CYCLE", SIZE_COLUMN, "SIZE", KIND_COLUMN, "KIND", ADDRESS_COLUMN,
	       "ADDRESS", TASK_COLUMN, "TASK", "STACK, LEAF < CALLERS", term_plain());
}

/* "comm/tid"; a task can have any name. */
static const char *task_of(char text[TASK_TEXT], const struct kmprof_image_object *object)
{
	if (!object->comm[0])
		return "-";
	if (object->tid)
		snprintf(text, TASK_TEXT, "%s/%u", object->comm, object->tid);
	else
		snprintf(text, TASK_TEXT, "%s", object->comm);
	kmprof_make_printable(text);
	return text;
}

/* As many frames as there is room for, the last one cut. */
static void put_stack(const struct kmprof_resolver *resolver,
		      const struct kmprof_image_sample *sample, int room)
{
	const __u64 *frames = kmprof_image_stack(resolver->image, &sample->row);
	char text[KMPROF_FRAME_NAME];
	__u32 i;

	if (!sample->row.nr_frames)
		printf("%.*s", room, kmprof_nowhere_names[KMPROF_NO_STACK]);
	for (i = 0; i < sample->row.nr_frames && room > 0; i++) {
		if (i)
			room -= printf("%.*s", room, " < ");
		kmprof_frame_name(text, resolver, frames[i]);
		room -= printf("%.*s", room, text);
	}
	putchar('\n');
}

static void put_object(const struct kmprof_resolver *resolver,
		       const struct kmprof_inuse_object *o, int room)
{
	char age[HUMAN_TEXT], size[HUMAN_TEXT], kind[KMPROF_MEMORY_NAME], task[TASK_TEXT];
	char address[24] = "-";

	if (o->object->address)
		snprintf(address, sizeof(address), "%#llx", o->object->address);
	printf("%*s %*llu %*s %-*s %-*s %-*s ",
	       AGE_COLUMN, human_age(age, (double)o->object->age_ns),
	       CYCLE_COLUMN, o->object->cycle,
	       SIZE_COLUMN, human_bytes(size, (double)o->sample->object_size * o->nr, false),
	       KIND_COLUMN, kmprof_memory_name(o->kind, kind), ADDRESS_COLUMN, address,
	       TASK_COLUMN, task_of(task, o->object));
	put_stack(resolver, o->sample, room);
}

static void put_line(const unsigned char *byte, unsigned int from, unsigned int nr)
{
	unsigned int i;

	printf("    +%02x ", from);
	for (i = from; i < from + BYTES_IN_LINE; i++) {
		if (i < nr)
			printf("%s%02x", i % 8 ? " " : "  ", byte[i]);
		else
			printf("%s  ", i % 8 ? " " : "  ");
	}
	fputs("  |", stdout);
	for (i = from; i < nr && i < from + BYTES_IN_LINE; i++)
		putchar(byte[i] >= 0x20 && byte[i] < 0x7f ? byte[i] : '.');
	puts("|");
}

/* What is an address of a function or a variable of the kernel tells most of what an object is. */
static void put_addresses(const struct kmprof_resolver *resolver, const unsigned char *byte,
			  unsigned int nr)
{
	struct kmprof_symbol symbol;
	unsigned int i;
	__u64 word;

	for (i = 0; i + sizeof(word) <= nr; i += sizeof(word)) {
		memcpy(&word, byte + i, sizeof(word));
		if (!kmprof_resolver_address(resolver, word, &symbol))
			continue;
		printf("    +%02x  ", i);
		kmprof_symbol_write(stdout, &symbol, word);
		putchar('\n');
	}
}

static void put_bytes(const struct kmprof_resolver *resolver,
		      const struct kmprof_image_object *object)
{
	unsigned int i;

	if (!object->nr_bytes)
		puts("    no bytes");
	for (i = 0; i < object->nr_bytes; i += BYTES_IN_LINE)
		put_line(object->bytes, i, object->nr_bytes);
	put_addresses(resolver, object->bytes, object->nr_bytes);
}

int objects_text(const struct objects_request *r, const struct kmprof_inuse *inuse,
		 const struct kmprof_resolver *resolver)
{
	size_t i, shown = objects_shown(r, inuse);
	int room = term_room(COLUMNS);

	put_head(inuse, r);
	for (i = 0; i < shown; i++) {
		put_object(resolver, &inuse->object[i], room);
		if (r->bytes)
			put_bytes(resolver, inuse->object[i].object);
	}
	if (shown < inuse->nr)
		printf("... and %zu more; -n 0 shows all\n", inuse->nr - shown);
	if (shown && objects_lack_owners(resolver->image))
		puts("owners=0: tasks are not remembered; 'kmprof set owners=1' changes that");
	return finish_stdout();
}
