/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Walks up the current stack by learned rules.
 *
 * What the kernel's ORC unwinder does at a return address depends on that address only: the
 * caller's frame begins a fixed distance above the stack or frame pointer, and the frame
 * pointer is saved in a fixed place of it. The unwinder needs some 350 instructions to look
 * that up for a frame. Here it is asked once for each address, and its answer is kept as a
 * rule; a frame then takes some 50 instructions.
 *
 * A step is exact or fails: where a rule is missing, or a frame is not that of a call, the
 * walk fails, and the caller uses the kernel's unwinder.
 */
#ifndef KMPROF_UNWIND_H
#define KMPROF_UNWIND_H

#include <linux/compiler.h>
#include <linux/ptrace.h>
#include <linux/thread_info.h>
#include <linux/types.h>
#include <asm/asm.h>

#include "stack/rules.h"

/*
 * The bits of a rule:
 *
 *	bits 31-20	words from the saved frame pointer up to the caller's frame;
 *			0: it was not saved
 *	bits 19-8	words from the base to the caller's frame
 *	bits 7-4	flags: what the callback of kmprof_learn_init() has returned
 *	bits 3-0	enum kmprof_unwind_kind
 */
enum kmprof_unwind_kind {
	KMPROF_UNWIND_UNKNOWN,	/* no rule */
	KMPROF_UNWIND_SP,	/* the base is the stack pointer */
	KMPROF_UNWIND_BP,	/* the base is the frame pointer */
	KMPROF_UNWIND_REGS,	/* base SP, struct pt_regs instead of a frame */
	KMPROF_UNWIND_TOP,	/* the outermost frame */
	KMPROF_UNWIND_OTHER,	/* anything else: the walk fails */
};

enum {
	KMPROF_UNWIND_FLAGS_SHIFT	= 4,
	KMPROF_UNWIND_FRAME_SHIFT	= 8,
	KMPROF_UNWIND_SAVED_SHIFT	= 20,
	KMPROF_UNWIND_KIND_MASK		= 0xf,
	KMPROF_UNWIND_FLAGS_MASK	= 0xf,
	KMPROF_UNWIND_WORDS_MASK	= 0xfff,
};

/**
 * struct kmprof_unwind - a walk, at one frame
 * @ip: return address
 * @rule: rule of @ip
 * @sp: stack pointer after the return to @ip
 * @bp: frame pointer of the function that contains @ip
 * @start: @sp of the first frame
 */
struct kmprof_unwind {
	unsigned long ip;
	u32 rule;
	unsigned long sp;
	unsigned long bp;
	unsigned long start;
};

/* Read a word of the stack. If a rule is wrong, the walk fails instead of faulting. */
static __always_inline bool kmprof_unwind_read(unsigned long *word, const unsigned long *from)
{
	int err;

	asm volatile("movl $1, %[err]\n"
		     "1: movq %[from], %[word]\n"
		     "xorl %[err], %[err]\n"
		     "2:\n"
		     _ASM_EXTABLE(1b, 2b)
		     : [err] "=&r" (err), [word] "=&r" (*word)
		     : [from] "m" (*from));
	return likely(!err);
}

static __always_inline unsigned int kmprof_unwind_kind(const struct kmprof_unwind *u)
{
	return u->rule & KMPROF_UNWIND_KIND_MASK;
}

/* Words from the rule's base to the caller's frame or the registers. */
static __always_inline unsigned long kmprof_unwind_words(const struct kmprof_unwind *u)
{
	return u->rule >> KMPROF_UNWIND_FRAME_SHIFT & KMPROF_UNWIND_WORDS_MASK;
}

/**
 * kmprof_unwind_flags() - get the flags of the current frame's rule
 * @u: the walk
 *
 * Context: Any.
 * Return: four bits; 0 without a rule.
 */
static __always_inline unsigned int kmprof_unwind_flags(const struct kmprof_unwind *u)
{
	return u->rule >> KMPROF_UNWIND_FLAGS_SHIFT & KMPROF_UNWIND_FLAGS_MASK;
}

/**
 * kmprof_unwind_start() - start a walk at the caller of the current function
 * @u: the walk
 *
 * The current function must not be inlined.
 *
 * Context: Any but NMI. Preemption off until the walk ends.
 */
static __always_inline void kmprof_unwind_start(struct kmprof_unwind *u)
{
	const unsigned long *frame = __builtin_frame_address(0);

	u->bp = frame[0];
	u->ip = frame[1];
	u->sp = (unsigned long)(frame + 2);
	u->start = u->sp;
	u->rule = kmprof_rules_find(u->ip);
}

/**
 * kmprof_unwind_caller() - get the return address of a probed function
 * @regs: registers at the function's entry: the stack pointer points to the return address
 *
 * Context: In a probe at the entry of the function.
 * Return: the return address, or the address with which a tracer has replaced it.
 */
static __always_inline unsigned long kmprof_unwind_caller(const struct pt_regs *regs)
{
	return *(const unsigned long *)regs->sp;
}

/**
 * kmprof_unwind_start_at() - start a walk at the caller of a probed function
 * @u: the walk
 * @regs: registers at the function's entry
 *
 * Context: Any but NMI. Preemption off until the walk ends.
 */
static __always_inline void kmprof_unwind_start_at(struct kmprof_unwind *u,
						   const struct pt_regs *regs)
{
	u->bp = regs->bp;
	u->ip = kmprof_unwind_caller(regs);
	u->sp = regs->sp + sizeof(long);
	u->start = u->sp;
	u->rule = kmprof_rules_find(u->ip);
}

/**
 * kmprof_unwind_start_return() - start a walk where a probed function returns to
 * @u: the walk
 * @regs: registers at the function's return
 *
 * Context: Any but NMI. Preemption off until the walk ends.
 */
static __always_inline void kmprof_unwind_start_return(struct kmprof_unwind *u,
						       const struct pt_regs *regs)
{
	u->bp = regs->bp;
	u->ip = regs->ip;
	u->sp = regs->sp;
	u->start = u->sp;
	u->rule = kmprof_rules_find(u->ip);
}

/**
 * kmprof_unwind_is_top() - is the current frame the outermost one?
 * @u: the walk
 *
 * Context: Any but NMI.
 * Return: true when the frame has no caller, or its caller is in user space.
 */
static __always_inline bool kmprof_unwind_is_top(const struct kmprof_unwind *u)
{
	const unsigned long *regs = (unsigned long *)u->sp + kmprof_unwind_words(u);
	unsigned int kind = kmprof_unwind_kind(u);
	struct pt_regs copy = {};
	unsigned long cs;

	if (kind != KMPROF_UNWIND_REGS)
		return kind == KMPROF_UNWIND_TOP;
	if (!kmprof_unwind_read(&cs, &regs[offsetof(struct pt_regs, cs) / sizeof(*regs)]))
		return false;
	copy.cs = cs;
	return user_mode(&copy);
}

/**
 * kmprof_unwind_next() - go to the caller's frame
 * @u: the walk
 *
 * Context: Any but NMI. Preemption off since the walk began.
 * Return: false when the walk fails.
 */
static __always_inline bool kmprof_unwind_next(struct kmprof_unwind *u)
{
	unsigned long words = kmprof_unwind_words(u);
	unsigned int kind = kmprof_unwind_kind(u), saved;
	unsigned long *caller;

	if (likely(kind == KMPROF_UNWIND_SP))
		caller = (unsigned long *)u->sp + words;
	else if (kind == KMPROF_UNWIND_BP)
		caller = (unsigned long *)u->bp + words;
	else
		return false;
	if (unlikely((unsigned long)caller <= u->sp ||
		     (unsigned long)caller - u->start >= THREAD_SIZE))
		return false;
	saved = u->rule >> KMPROF_UNWIND_SAVED_SHIFT;
	if (saved && !kmprof_unwind_read(&u->bp, caller - saved))
		return false;
	if (!kmprof_unwind_read(&u->ip, caller - 1))
		return false;
	u->sp = (unsigned long)caller;
	u->rule = kmprof_rules_find(u->ip);
	return true;
}

u32 kmprof_unwind_find_rule(unsigned long ip);
int kmprof_unwind_init(void);
void kmprof_unwind_exit(void);

#endif
