// SPDX-License-Identifier: GPL-2.0
/*
 * Learns what the ORC unwinder does at an address: lets it go one step from there on a
 * made-up stack, three times with different stack and frame pointers. How the results
 * follow the pointers is the rule.
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

/* Serialises the module notifier. Innermost lock. */
static DEFINE_MUTEX(module_lock);

#ifdef KMPROF_COMPAT_ORC

enum {
	STACK_WORDS	= 8192,
	/* First stack and frame pointer; no frame is longer than what lies between. */
	SP_WORD		= 1024,
	BP_WORD		= 3072,
	OTHER_WORDS	= 16,
	NR_STEPS	= 3,
	/* Rules learned in one call, at some 2000 instructions each. */
	LESSON		= 8,
};

/**
 * struct school - memory for learning, too large for a probe's stack
 * @stack: the made-up stack: word i holds content(i), the address of word
 *	(5 * i + 7) % STACK_WORDS. Each address occurs once. A pointer that moves by
 *	OTHER_WORDS moves what it points to by 5 * OTHER_WORDS: a step that goes through
 *	memory is not mistaken for one that follows the pointer
 * @symbol: name of an address
 */
struct school {
	unsigned long stack[STACK_WORDS];
	char symbol[KSYM_SYMBOL_LEN];
};

static struct school *school;

/* Bit 0: a CPU is learning. Others do not wait, and learn another time. */
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
 * struct step - result of one step of the unwinder
 * @kind: KMPROF_UNWIND_SP for the frame of a call, _REGS, _TOP or _OTHER
 * @frame: where the caller's frame or the registers begin, as an index of a word
 * @saved: index of the word from which the frame pointer was read; -1: not read
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

/* Find the word whose content() is @value. Returns its index, or -1. */
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
		/* Not current: for that task the unwinder writes warnings to the log. */
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

/*
 * Find the rule of an address by three steps. It is a rule only if the frame, and the place
 * of the saved frame pointer, always move with the same pointer.
 */
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
		/* The distance from the saved frame pointer to the frame must not vary. */
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
 * Hashes of the names of the modules that went last. Code of such a module can still run
 * (asynchronous work) until its memory is freed: nothing is learned about it.
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
 * Does this code stay the same until the next module notification? Generated code, which
 * kallsyms shows as [bpf] or [__builtin__...], does not. return_to_handler() is refused
 * too: it stands in for the real return address.
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

/**
 * kmprof_unwind_learn() - learn the rules of some return addresses
 * @ips: return addresses that the kernel's unwinder found on this stack. No addresses behind
 *	an interrupt's entry: they are arbitrary, and not return addresses
 * @nr: number of addresses
 * @flags_of: callback: four bits to store with the rule of an address
 *
 * Learns at most LESSON rules; the rest when their addresses are met again.
 *
 * Context: Any but NMI. Preemption off.
 */
void kmprof_unwind_learn(const unsigned long *ips, unsigned int nr,
			 unsigned int (*flags_of)(unsigned long ip))
{
	unsigned int i, learned = 0;
	u32 rule;

	/* step() uses init_task as "not current". */
	if (current == &init_task || !school_try_enter())
		return;
	for (i = 0; i < nr && learned < LESSON; i++) {
		if (kmprof_rules_find(ips[i]))
			continue;
		rule = is_lasting(ips[i]) ? find_rule(ips[i]) : KMPROF_UNWIND_OTHER;
		rule |= flags_of(ips[i]) << KMPROF_UNWIND_FLAGS_SHIFT;
		kmprof_rules_keep(ips[i], rule);
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

#else /* no rules: every walk fails */

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

static bool is_any(unsigned long ip, const void *data)
{
	return true;
}

/*
 * A module has come, has freed its init text, or goes: other code can be at the addresses of
 * its code from now on. Forget all rules.
 */
static int on_module(struct notifier_block *nb, unsigned long state, void *module)
{
	mutex_lock(&module_lock);
	note_module(module, state);
	/*
	 * A CPU that is learning may have missed the note. Wait for it, and clear its rules
	 * as well.
	 */
	while (!school_try_enter())
		cpu_relax();
	kmprof_rules_forget(is_any, NULL);
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
 * Context: Process context, before any probe is armed.
 * Return: 0 or a negative errno.
 */
int kmprof_unwind_init(void)
{
	int err;

	err = kmprof_rules_init();
	if (err)
		return err;
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
	kmprof_rules_exit();
	return err;
}

/**
 * kmprof_unwind_exit() - free the rules
 *
 * Context: Process context, a grace period after the last probe ran.
 */
void kmprof_unwind_exit(void)
{
	unregister_module_notifier(&module_notifier);
	school_close();
	kmprof_rules_exit();
}
