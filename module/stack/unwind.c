// SPDX-License-Identifier: GPL-2.0
/*
 * Learns what the ORC unwinder does at an address: lets it go one step from there on a
 * made-up stack, three times with different stack and frame pointers. How the results
 * follow the pointers is the rule.
 */
#include <linux/bug.h>
#include <linux/kernel.h>
#include <linux/sched/task.h>
#include <linux/vmalloc.h>
#include <asm/unwind.h>

#include "compat/compat.h"
#include "stack/unwind.h"

#ifdef KMPROF_COMPAT_ORC

enum {
	STACK_WORDS	= 8192,
	/* First stack and frame pointer; no frame is longer than what lies between. */
	SP_WORD		= 1024,
	BP_WORD		= 3072,
	OTHER_WORDS	= 16,
	NR_STEPS	= 3,
};

/**
 * struct school - memory for learning, too large for a stack
 * @stack: the made-up stack: word i holds content(i), the address of word
 *	(5 * i + 7) % STACK_WORDS. Each address occurs once. A pointer that moves by
 *	OTHER_WORDS moves what it points to by 5 * OTHER_WORDS: a step that goes through
 *	memory is not mistaken for one that follows the pointer
 */
struct school {
	unsigned long stack[STACK_WORDS];
};

static struct school *school;

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

/**
 * kmprof_unwind_find_rule() - find the rule of a return address by three steps
 * @ip: return address
 *
 * It is a rule only if the frame, and the place of the saved frame pointer, always move with
 * the same pointer. The unwinder turns preemption off for each step, for some 700
 * instructions.
 *
 * Context: Process context, in a worker. One caller at a time.
 * Return: the rule, without flags.
 */
u32 kmprof_unwind_find_rule(unsigned long ip)
{
	static const struct { short sp, bp; } at[NR_STEPS] = {
		{ SP_WORD, BP_WORD },
		{ SP_WORD + OTHER_WORDS, BP_WORD },
		{ SP_WORD, BP_WORD + OTHER_WORDS },
	};
	bool follows_sp = true, follows_bp = true, fits = true;
	enum kmprof_unwind_kind kind;
	struct step s[NR_STEPS];
	long words, saved, least;
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
	/* Each step goes up: the return address lies below the caller's frame. */
	least = kind == KMPROF_UNWIND_REGS ? 0 : 1;
	if (words < least || words > KMPROF_UNWIND_FRAME_MAX ||
	    saved < 0 || saved > KMPROF_UNWIND_SAVED_MAX)
		return KMPROF_UNWIND_OTHER;
	return kind | words << KMPROF_UNWIND_FRAME_SHIFT | saved << KMPROF_UNWIND_SAVED_SHIFT;
}

/**
 * kmprof_unwind_init() - allocate what kmprof_unwind_find_rule() needs
 *
 * Context: Process context.
 * Return: 0 or -ENOMEM.
 */
int kmprof_unwind_init(void)
{
	long i;

	school = __vmalloc(sizeof(*school), GFP_KERNEL | __GFP_NOWARN);
	if (!school)
		return -ENOMEM;
	for (i = 0; i < STACK_WORDS; i++)
		school->stack[i] = content(i);
	return 0;
}

/**
 * kmprof_unwind_exit() - free it
 *
 * Context: Process context, when nothing is learned any more.
 */
void kmprof_unwind_exit(void)
{
	vfree(school);
}

#else /* no rules: every walk fails */

u32 kmprof_unwind_find_rule(unsigned long ip)
{
	return KMPROF_UNWIND_OTHER;
}

int kmprof_unwind_init(void)
{
	return 0;
}

void kmprof_unwind_exit(void)
{
}

#endif
