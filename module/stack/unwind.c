// SPDX-License-Identifier: GPL-2.0
/*
 * Learning what the ORC unwinder does at an address: it is sent one step from
 * there on a made-up stack, several times, with other stack and frame pointers.
 * How the results follow the pointers is the rule.
 */
#include <linux/bitops.h>
#include <linux/bug.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/processor.h>
#include <linux/sched/task.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include <linux/vmalloc.h>
#include <asm/unwind.h>

#include "compat/compat.h"
#include "stack/unwind.h"

u64 *kmprof_unwind_rules __read_mostly;

/* Of the news of modules; innermost. */
static DEFINE_MUTEX(module_lock);

#ifdef KMPROF_COMPAT_ORC

enum {
	STACK_WORDS	= 8192,
	/* Where a step's pointers are; no frame has as many words as lie between. */
	SP_WORD		= 1024,
	BP_WORD		= 3072,
	OTHER_WORDS	= 16,
	NR_STEPS	= 3,
	/* Addresses that are learned in one go: some 2000 instructions each. */
	LESSON		= 8,
};

/**
 * struct school - what learning needs; too much for a probe's stack
 * @stack: made up: what lies in a word is the address of another one, and two
 *	words' contents never differ by as much as their addresses do
 * @symbol: name of an address
 */
struct school {
	unsigned long stack[STACK_WORDS];
	char symbol[KSYM_SYMBOL_LEN];
};

static struct school *school;

/* Bit 0: somebody is learning; who comes meanwhile learns another time. */
static unsigned long school_busy;

static bool school_try_enter(void)
{
	return !test_and_set_bit_lock(0, &school_busy);
}

static void school_leave(void)
{
	clear_bit_unlock(0, &school_busy);
}

/**
 * struct step - what has come of a step
 * @kind: KMPROF_UNWIND_SP: a call's frame; _REGS, _TOP, _OTHER
 * @frame: where the caller's frame begins, or the registers are; in words
 * @saved: which word the frame pointer was taken from, or -1
 */
struct step {
	enum kmprof_unwind_kind kind;
	long frame;
	long saved;
};

static unsigned long content(long word)
{
	return (unsigned long)&school->stack[(word * 5 + 7) % STACK_WORDS];
}

/* Which word has such a content, or -1. */
static long word_with(unsigned long value)
{
	/* 5 * 3277 == 1 modulo STACK_WORDS */
	long word = ((long *)value - (long *)school->stack + STACK_WORDS - 7) * 3277 % STACK_WORDS;

	return word >= 0 && content(word) == value ? word : -1;
}

static struct step step(unsigned long ip, long sp, long bp)
{
	unsigned long *stack = school->stack;
	struct unwind_state state = {
		.stack_info	= {
			.type	= STACK_TYPE_TASK,
			.begin	= stack,
			.end	= stack + STACK_WORDS,
		},
		/* Not the current one, whose trouble the unwinder tells the log. */
		.task		= &init_task,
		.ip		= ip,
		.sp		= (unsigned long)(stack + sp),
		.bp		= (unsigned long)(stack + bp),
	};
	struct step s = { .kind = KMPROF_UNWIND_OTHER, .saved = -1 };
	bool more = unwind_next_frame(&state);

	if (state.error)
		return s;
	if (!more) {
		s.kind = KMPROF_UNWIND_TOP;
		return s;
	}
	if (state.regs) {
		if (state.full_regs) {
			s.kind = KMPROF_UNWIND_REGS;
			s.frame = (unsigned long *)state.regs - stack;
		}
		return s;
	}
	s.kind = KMPROF_UNWIND_SP;
	s.frame = (unsigned long *)state.sp - stack;
	if (state.bp != (unsigned long)(stack + bp)) {
		s.saved = word_with(state.bp);
		if (s.saved < 0)
			s.kind = KMPROF_UNWIND_OTHER;
	}
	return s;
}

/* All of a frame is seen to follow the same pointer. */
static u32 find_rule(unsigned long ip)
{
	static const struct { short sp, bp; } at[NR_STEPS] = {
		{ SP_WORD, BP_WORD },
		{ SP_WORD + OTHER_WORDS, BP_WORD },
		{ SP_WORD, BP_WORD + OTHER_WORDS },
	};
	bool follows_sp = true, follows_bp = true, fits = true;
	enum kmprof_unwind_kind kind;
	struct step s[NR_STEPS];
	long words, saved;
	int i;

	for (i = 0; i < NR_STEPS; i++) {
		s[i] = step(ip, at[i].sp, at[i].bp);
		if (s[i].kind != s[0].kind || s[i].kind == KMPROF_UNWIND_OTHER)
			return KMPROF_UNWIND_OTHER;
		follows_sp &= s[i].frame - at[i].sp == s[0].frame - at[0].sp;
		follows_bp &= s[i].frame - at[i].bp == s[0].frame - at[0].bp;
		/* The saved frame pointer is always as far from the frame. */
		fits &= s[i].saved < 0 ? s[0].saved < 0 :
			s[i].frame - s[i].saved == s[0].frame - s[0].saved;
	}
	kind = s[0].kind;
	if (kind == KMPROF_UNWIND_TOP)
		return kind;
	if (!fits || follows_sp == follows_bp)
		return KMPROF_UNWIND_OTHER;
	if (follows_bp) {
		if (kind != KMPROF_UNWIND_SP)
			return KMPROF_UNWIND_OTHER;
		kind = KMPROF_UNWIND_BP;
	}
	words = s[0].frame - (follows_sp ? at[0].sp : at[0].bp);
	saved = s[0].saved < 0 ? 0 : s[0].frame - s[0].saved;
	if (words < 0 || words > KMPROF_UNWIND_WORDS_MASK ||
	    saved < 0 || saved > KMPROF_UNWIND_WORDS_MASK)
		return KMPROF_UNWIND_OTHER;
	return kind | words << KMPROF_UNWIND_FRAME_SHIFT | saved << KMPROF_UNWIND_SAVED_SHIFT;
}

/*
 * Modules that were seen to go, by hashes of their names, the oldest one being
 * forgotten. What runs of them yet, asynchronous work, is not learned any more.
 */
static u32 going[8];
static unsigned int next_going;

static u32 name_hash(const char *name, size_t length)
{
	return full_name_hash(NULL, name, length) | 1;
}

static void note_module(const struct module *module, unsigned long state)
{
	u32 hash = name_hash(module->name, strlen(module->name));
	unsigned int i;

	if (state == MODULE_STATE_GOING) {
		WRITE_ONCE(going[next_going++ % ARRAY_SIZE(going)], hash);
		return;
	}
	for (i = 0; i < ARRAY_SIZE(going); i++)
		if (going[i] == hash)
			WRITE_ONCE(going[i], 0);
}

/*
 * Is it code that stays what it is, until there is news of a module? Generated
 * code, which kallsyms show as [bpf] or [__builtin__...], does not. And
 * return_to_handler(), which stands in for others, is nobody's caller.
 */
static bool is_lasting(unsigned long ip)
{
	const char *name, *end;
	unsigned int i;
	u32 hash;

	sprint_symbol_no_offset(school->symbol, ip);
	name = strchr(school->symbol, '[');
	if (!name)
		return strncmp(school->symbol, "0x", 2) &&
		       strcmp(school->symbol, "return_to_handler");
	end = strchr(++name, ']');
	if (!end || !strncmp(name, "__builtin", 9) || !strncmp(name, "bpf]", 4))
		return false;
	hash = name_hash(name, end - name);
	for (i = 0; i < ARRAY_SIZE(going); i++)
		if (READ_ONCE(going[i]) == hash)
			return false;
	return true;
}

/* In the first of the address's two places; what was there goes to the other. */
static void keep(unsigned long ip, u32 rule)
{
	u32 place = kmprof_unwind_place(ip);
	u64 before = READ_ONCE(kmprof_unwind_rules[place]);

	if (before)
		WRITE_ONCE(kmprof_unwind_rules[place ^ 1], before);
	WRITE_ONCE(kmprof_unwind_rules[place], (u64)ip << 32 | rule);
}

/**
 * kmprof_unwind_learn() - find the rules of addresses that have none
 * @ips: return addresses that the kernel's unwinder has found on this stack
 * @nr: how many
 * @flags_of: says what to remember of an address beside its rule, four bits
 *
 * A few of them; the others when they are met again. Addresses from below an
 * interrupt's entry are not to be given: they are where it happened to come.
 *
 * Context: Any but NMI. Preemption off.
 */
void kmprof_unwind_learn(const unsigned long *ips, unsigned int nr,
			 unsigned int (*flags_of)(unsigned long ip))
{
	unsigned int i, learned = 0;
	u32 rule;

	/* It stands in for another task, see step(). */
	if (current == &init_task || !school_try_enter())
		return;
	for (i = 0; i < nr && learned < LESSON; i++) {
		if (kmprof_unwind_rule(ips[i]))
			continue;
		rule = is_lasting(ips[i]) ? find_rule(ips[i]) : KMPROF_UNWIND_OTHER;
		rule |= flags_of(ips[i]) << KMPROF_UNWIND_FLAGS_SHIFT;
		keep(ips[i], rule);
		learned++;
	}
	school_leave();
}

static int school_open(void)
{
	long i;

	school = __vmalloc(sizeof(*school), GFP_KERNEL | __GFP_NOWARN);
	if (!school)
		return -ENOMEM;
	for (i = 0; i < STACK_WORDS; i++)
		school->stack[i] = content(i);
	return 0;
}

static void school_close(void)
{
	vfree(school);
}

#else /* every walk is lost */

static bool school_try_enter(void)
{
	return true;
}

static void school_leave(void)
{
}

static void note_module(const struct module *module, unsigned long state)
{
}

void kmprof_unwind_learn(const unsigned long *ips, unsigned int nr,
			 unsigned int (*flags_of)(unsigned long ip))
{
}

static int school_open(void)
{
	return 0;
}

static void school_close(void)
{
}

#endif

/*
 * A module comes, has given its init text back, or goes: other code can take the
 * place of what it had.
 */
static int on_module(struct notifier_block *nb, unsigned long state, void *module)
{
	unsigned int i;

	mutex_lock(&module_lock);
	note_module(module, state);
	/* Who is just learning has not seen the note: clear what comes of it, too. */
	while (!school_try_enter())
		cpu_relax();
	for (i = 0; i < BIT(KMPROF_UNWIND_BITS); i++)
		WRITE_ONCE(kmprof_unwind_rules[i], 0);
	school_leave();
	mutex_unlock(&module_lock);
	return NOTIFY_DONE;
}

static struct notifier_block module_notifier = {
	.notifier_call = on_module,
};

/**
 * kmprof_unwind_init() - allocate the rules
 *
 * Return: 0 or a negative errno.
 */
int kmprof_unwind_init(void)
{
	int err;

	kmprof_unwind_rules = __vmalloc(sizeof(*kmprof_unwind_rules) << KMPROF_UNWIND_BITS,
					GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
	if (!kmprof_unwind_rules)
		return -ENOMEM;
	err = school_open();
	if (err)
		goto undo_rules;
	err = register_module_notifier(&module_notifier);
	if (err)
		goto undo_school;
	return 0;

undo_school:
	school_close();
undo_rules:
	vfree(kmprof_unwind_rules);
	return err;
}

/**
 * kmprof_unwind_exit() - free them
 *
 * Context: Process context, after the last probe.
 */
void kmprof_unwind_exit(void)
{
	unregister_module_notifier(&module_notifier);
	school_close();
	vfree(kmprof_unwind_rules);
}
