// SPDX-License-Identifier: GPL-2.0
/*
 * Labels: what is put behind a stack is what is read from there; who interrupts a
 * task is not that task; a bucket with labels has them and its stack.
 */
#include <kunit/test.h>
#include <linux/preempt.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "events.h"

#include "stack/labels.c"
#include "stack/labels_setting.c"
#include "core/setting_text.c"
#include "core/bucket.h"
#include "core/cycle.h"
#include "core/drain.h"
#include "lock/contention.h"
#include "rig.h"

/* Nobody writes the parameter here. */
const struct kernel_param_ops kmprof_setting_param_ops;

/* Holds the stacks of a test: where labels are put, nothing can be allocated. */
static int labels_test_init(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct kmprof_scratch), GFP_KERNEL);
	if (!test->priv)
		return -ENOMEM;
	kmprof_contention_set_rate(1);
	return rig_create(test, &rig_wide_limits) ?: rig_pin();
}

static void labels_test_exit(struct kunit *test)
{
	kmprof_labels_set(0);
	kmprof_contention_set_rate(0);
}

/* Labels of this context behind a stack of @nr frames. Preemption is off. */
static void append(struct kunit *test, unsigned int nr, u32 labels, struct kmprof_stack *stack)
{
	struct kmprof_scratch *scratch = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(scratch->frames); i++)
		scratch->frames[i] = 0x1234;
	*stack = (struct kmprof_stack){ .nr = nr, .labels = ~0 };
	kmprof_labels_set(labels);
	kmprof_labels_append(scratch, stack);
}

/*
 * Reads what append() has put behind the stack, and expects that it has changed
 * nothing else. Returns what the stack is labelled with. Preemption is on.
 */
static u32 read_back(struct kunit *test, const struct kmprof_stack *stack, u32 labels,
		     struct kmprof_image_label *label)
{
	const struct kmprof_scratch *scratch = test->priv;
	unsigned int i, end = stack->nr + kmprof_label_words(labels);

	for (i = 0; i < ARRAY_SIZE(scratch->frames); i++)
		if (i < stack->nr || i >= end)
			KUNIT_EXPECT_EQ(test, scratch->frames[i], 0x1234);
	kmprof_labels_read(label, stack->labels, &scratch->frames[stack->nr]);
	return stack->labels;
}

static void what_is_read_is_what_was_put(struct kunit *test)
{
	static const unsigned int depths[] = { 1, 64, KMPROF_STACK_DEPTH_MAX };
	struct kmprof_image_label label;
	struct kmprof_stack stack;
	char comm[TASK_COMM_LEN];
	u32 labels;
	int i;

	get_task_comm(comm, current);
	for (labels = 0; labels <= KMPROF_LABELS; labels++) {
		for (i = 0; i < ARRAY_SIZE(depths); i++) {
			preempt_disable();
			append(test, depths[i], labels, &stack);
			preempt_enable();
			KUNIT_EXPECT_EQ(test, read_back(test, &stack, labels, &label), labels);
			KUNIT_EXPECT_EQ(test, label.labels, labels);
			KUNIT_EXPECT_STREQ(test, label.comm,
					   labels & KMPROF_LABEL_COMM ? comm : "");
			KUNIT_EXPECT_EQ(test, label.pid,
					labels & KMPROF_LABEL_PID ? task_tgid_nr(current) : 0);
			if (!(labels & KMPROF_LABEL_CGROUP) || !IS_ENABLED(CONFIG_CGROUPS))
				KUNIT_EXPECT_EQ(test, label.cgroup, 0);
			else
				KUNIT_EXPECT_NE(test, label.cgroup, 0);
		}
	}
}

/* The node is put behind the labels of the task, whichever there are. */
static void a_node_is_behind_them(struct kunit *test)
{
	struct kmprof_scratch *scratch = test->priv;
	struct kmprof_image_label label;
	struct kmprof_stack stack;
	u32 labels;

	for (labels = 0; labels <= KMPROF_LABELS; labels++) {
		const u32 all = labels | KMPROF_LABEL_NODE;
		const u32 node = labels % 2 ? labels : KMPROF_NO_NODE;

		preempt_disable();
		append(test, 3, all, &stack);
		kmprof_labels_put_node(scratch, &stack, node);
		preempt_enable();
		KUNIT_EXPECT_EQ(test, read_back(test, &stack, all, &label), all);
		KUNIT_EXPECT_EQ(test, label.node, node);
		KUNIT_EXPECT_EQ(test, label.pid,
				labels & KMPROF_LABEL_PID ? task_tgid_nr(current) : 0);
		KUNIT_EXPECT_EQ(test, !!*label.comm, !!(labels & KMPROF_LABEL_COMM));
	}
}

/* Leaves what is behind the name as it was. */
static void rename_self(const char *comm)
{
	task_lock(current);
	strscpy(current->comm, comm, sizeof(current->comm));
	task_unlock(current);
}

/* What was in a name before is not in the next: both are in the key. */
static void a_name_is_nothing_but_itself(struct kunit *test)
{
	static const char * const comms[] = { "", "a", "fifteen letters", "b" };
	char was[TASK_COMM_LEN], padded[KMPROF_COMM_LEN];
	struct kmprof_image_label label;
	struct kmprof_stack stack;
	unsigned int i;

	get_task_comm(was, current);
	for (i = 0; i < ARRAY_SIZE(comms); i++) {
		rename_self(comms[i]);
		preempt_disable();
		append(test, 1, KMPROF_LABEL_COMM, &stack);
		preempt_enable();
		read_back(test, &stack, KMPROF_LABEL_COMM, &label);
		strscpy_pad(padded, comms[i], sizeof(padded));
		KUNIT_EXPECT_EQ(test, memcmp(label.comm, padded, sizeof(padded)), 0);
	}
	rename_self(was);
}

static void an_interrupt_has_no_task(struct kunit *test)
{
	static const struct {
		unsigned int offset;
		const char *comm;
	} contexts[] = {
		{ HARDIRQ_OFFSET, "[hardirq]" }, { SOFTIRQ_OFFSET, "[softirq]" },
	};
	struct kmprof_image_label label;
	struct kmprof_stack stack;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(contexts); i++) {
		event_interrupt_begin(contexts[i].offset);
		append(test, 3, KMPROF_LABELS, &stack);
		event_interrupt_end(contexts[i].offset);
		read_back(test, &stack, KMPROF_LABELS, &label);
		KUNIT_EXPECT_STREQ(test, label.comm, contexts[i].comm);
		KUNIT_EXPECT_EQ(test, label.pid, 0);
		KUNIT_EXPECT_EQ(test, label.cgroup, 0);
	}
}

static void wait_once(void)
{
	event_wait_begin(rig_lock(1), KMPROF_LOCK_RWSEM, KMPROF_WAIT_WRITE);
	event_pass(100);
	event_wait_end(rig_lock(1), KMPROF_WAIT_FAILED, event_site(3));
}

/* Also in the ring, and with each set of labels another one. */
static void a_bucket_has_labels_and_stack(struct kunit *test)
{
	struct kmprof_image_label label;
	struct kmprof_bucket *b;
	u32 labels;

	for (labels = 0; labels <= KMPROF_LABELS; labels++) {
		kmprof_labels_set(labels);
		wait_once();
		kmprof_drain_stop();
		/* Known now. */
		wait_once();
		KUNIT_EXPECT_EQ(test, rig_nr_buckets(), labels + 1);
	}
	mutex_lock(&kmprof_cycle_lock);
	kmprof_cycle_advance();
	kmprof_cycle_for_each_bucket(b) {
		labels = kmprof_bucket_labels(&b->key);
		KUNIT_EXPECT_EQ(test, kmprof_bucket_kind(&b->key), KMPROF_LOCK_RWSEM);
		KUNIT_EXPECT_EQ(test, kmprof_bucket_flags(&b->key),
				KMPROF_WAIT_WRITE | KMPROF_WAIT_FAILED);
		KUNIT_EXPECT_EQ(test, kmprof_bucket_nr_frames(&b->key), 4);
		KUNIT_EXPECT_EQ(test, b->active.delay, 200);
		kmprof_labels_read(&label, labels, &b->frames[4]);
		if (labels & KMPROF_LABEL_PID)
			KUNIT_EXPECT_EQ(test, label.pid, task_tgid_nr(current));
		if (labels & KMPROF_LABEL_COMM)
			KUNIT_EXPECT_STREQ(test, label.comm, current->comm);
	}
	mutex_unlock(&kmprof_cycle_lock);
}

static void names_are_read(struct kunit *test)
{
	static const struct {
		const char *text;
		int ret;
		u64 labels;
	} texts[] = {
		{ "", 0, 0 }, { "none", 0, 0 }, { "none\n", 0, 0 }, { "\n", 0, 0 },
		{ "comm", 0, KMPROF_LABEL_COMM }, { "pid\n", 0, KMPROF_LABEL_PID },
		{ "cgroup,comm", 0, KMPROF_LABEL_CGROUP | KMPROF_LABEL_COMM },
		{ "comm,pid,cgroup", 0, KMPROF_LABELS }, { "pid,pid", 0, KMPROF_LABEL_PID },
		{ "comm,", -EINVAL }, { ",", -EINVAL }, { "none,pid", -EINVAL },
		{ "comms", -EINVAL }, { "com", -EINVAL }, { "comm pid", -EINVAL },
		{ "1", -EINVAL },
		{ "comm,pid,cgroup,comm,pid,cgroup,comm,pid,cgroup,pid,cgroup,pid,cg", -EINVAL },
	};
	const struct kmprof_setting *s = &kmprof_labels_setting;
	unsigned int i;
	u64 labels;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		KUNIT_EXPECT_EQ_MSG(test, kmprof_setting_parse(s, texts[i].text, &labels),
				    texts[i].ret, "\"%s\"", texts[i].text);
		if (!texts[i].ret)
			KUNIT_EXPECT_EQ_MSG(test, labels, texts[i].labels, "\"%s\"",
					    texts[i].text);
	}
}

/* What is written can be read. */
static void names_are_written(struct kunit *test)
{
	char text[KMPROF_TEXT_LEN];
	u64 labels, read;

	for (labels = 0; labels <= KMPROF_LABELS; labels++) {
		memset(text, 'x', sizeof(text));
		kmprof_setting_format(&kmprof_labels_setting, text, labels);
		KUNIT_EXPECT_LT(test, strnlen(text, sizeof(text)), sizeof(text) - 1);
		KUNIT_EXPECT_EQ(test, strcspn(text, "\n"), strlen(text));
		KUNIT_EXPECT_EQ(test, kmprof_setting_parse(&kmprof_labels_setting, text, &read), 0);
		KUNIT_EXPECT_EQ(test, read, labels);
	}
	kmprof_setting_format(&kmprof_labels_setting, text, 0);
	KUNIT_EXPECT_STREQ(test, text, "none");
	kmprof_setting_format(&kmprof_labels_setting, text, KMPROF_LABEL_COMM | KMPROF_LABEL_PID);
	KUNIT_EXPECT_STREQ(test, text, "comm,pid");
}

static struct kunit_case labels_cases[] = {
	KUNIT_CASE(what_is_read_is_what_was_put),
	KUNIT_CASE(a_node_is_behind_them),
	KUNIT_CASE(a_name_is_nothing_but_itself),
	KUNIT_CASE(an_interrupt_has_no_task),
	KUNIT_CASE(a_bucket_has_labels_and_stack),
	KUNIT_CASE(names_are_read),
	KUNIT_CASE(names_are_written),
	{}
};

static struct kunit_suite labels_suite = {
	.name		= "kmprof_labels",
	.init		= labels_test_init,
	.exit		= labels_test_exit,
	.test_cases	= labels_cases,
};

kunit_test_suite(labels_suite);
