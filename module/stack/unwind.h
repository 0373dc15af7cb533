/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Walks up the current stack by learned rules.
 *
 * What the kernel's ORC unwinder does at a return address depends on that address only: the
 * caller's frame begins a fixed distance above the stack or frame pointer, and the frame
 * pointer is saved in a fixed place of it. The unwinder needs some 350 instructions to look
 * that up for a frame. Here it is asked once for each address, and its answer is kept as a
 * rule; a frame then takes some 30 instructions.
 *
 * A step is exact or fails: where a rule is missing, or a frame is not that of a call, the
 * walk fails, and the caller uses the kernel's unwinder.
 */
#ifndef KMPROF_UNWIND_H
#define KMPROF_UNWIND_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/ptrace.h>
#include <linux/thread_info.h>
#include <linux/types.h>
#include <asm/asm.h>

#include "stack/rules.h"

/*
 * The bits of a rule:
 *
 *	bits 31-16	words from the base to the caller's frame, not 0; or to the registers
 *	bits 15-8	words from the saved frame pointer up to the caller's frame;
 *			0: it was not saved
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
	KMPROF_UNWIND_SAVED_SHIFT	= 8,
	KMPROF_UNWIND_FRAME_SHIFT	= 16,
	KMPROF_UNWIND_KIND_MASK		= 0xf,
	KMPROF_UNWIND_FLAGS_MASK	= 0xf,
	KMPROF_UNWIND_SAVED_MAX		= 0xff,
	KMPROF_UNWIND_FRAME_MAX		= 0xffff,
};

/**
 * struct kmprof_unwind - a walk, at one frame
 * @ip: return address
 * @rule: rule of @ip; its upper half is 0. As a u64 it is added to addresses without conversion
 * @sp: stack pointer after the return to @ip
 * @bp: frame pointer of the function that contains @ip
 * @end: no frame begins here or above
 * @rules: the table of rules
 */
struct kmprof_unwind {
	unsigned long ip;
	u64 rule;
	unsigned long sp;
	unsigned long bp;
	unsigned long end;
	const u64 *rules;
};

/*
 * Read a word of the stack. If a rule is wrong, the result is 0 instead of a fault. 0 is no
 * return address and no frame pointer, so that the walk fails.
 */
static __always_inline unsigned long kmprof_unwind_read(const unsigned long *from)
{
	unsigned long word;

	asm volatile("1: movq %[from], %[word]\n"
		     "2:\n"
		     _ASM_EXTABLE_TYPE_REG(1b, 2b, EX_TYPE_ZERO_REG, %[word])
		     : [word] "=r" (word)
		     : [from] "m" (*from));
	return word;
}

static __always_inline unsigned int kmprof_unwind_kind(const struct kmprof_unwind *u)
{
	return u->rule & KMPROF_UNWIND_KIND_MASK;
}

/* Words from the rule's base to the caller's frame or the registers. */
static __always_inline unsigned long kmprof_unwind_words(const struct kmprof_unwind *u)
{
	return u->rule >> KMPROF_UNWIND_FRAME_SHIFT;
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
 * kmprof_unwind_is_plain() - is the current frame like most of them?
 * @u: the walk
 *
 * Context: Any.
 * Return: true when the caller's frame is found from the stack pointer, and no flag is set.
 */
static __always_inline bool kmprof_unwind_is_plain(const struct kmprof_unwind *u)
{
	return (u->rule & GENMASK(KMPROF_UNWIND_SAVED_SHIFT - 1, 0)) == KMPROF_UNWIND_SP;
}

/* A walk that starts at a frame. */
static __always_inline struct kmprof_unwind kmprof_unwind_begin(unsigned long ip,
								unsigned long sp,
								unsigned long bp)
{
	const u64 *rules = kmprof_rules;

	return (struct kmprof_unwind) {
		.ip	= ip,
		.rule	= kmprof_rules_find(rules, ip),
		.sp	= sp,
		.bp	= bp,
		.end	= sp + THREAD_SIZE,
		.rules	= rules,
	};
}

/**
 * kmprof_unwind_start() - start a walk at the caller of a function
 * @frame: __builtin_frame_address(0) of the function, which is not inlined and still runs
 *
 * Context: Any but NMI. Preemption off until the walk ends.
 * Return: the walk.
 */
static __always_inline struct kmprof_unwind kmprof_unwind_start(const unsigned long *frame)
{
	return kmprof_unwind_begin(frame[1], (unsigned long)(frame + 2), frame[0]);
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
 * @regs: registers at the function's entry
 *
 * Context: Any but NMI. Preemption off until the walk ends.
 * Return: the walk.
 */
static __always_inline struct kmprof_unwind kmprof_unwind_start_at(const struct pt_regs *regs)
{
	return kmprof_unwind_begin(kmprof_unwind_caller(regs), regs->sp + sizeof(long), regs->bp);
}

/**
 * kmprof_unwind_start_return() - start a walk where a probed function returns to
 * @regs: registers at the function's return
 *
 * Context: Any but NMI. Preemption off until the walk ends.
 * Return: the walk.
 */
static __always_inline struct kmprof_unwind kmprof_unwind_start_return(const struct pt_regs *regs)
{
	return kmprof_unwind_begin(regs->ip, regs->sp, regs->bp);
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

	if (kind != KMPROF_UNWIND_REGS)
		return kind == KMPROF_UNWIND_TOP;
	copy.cs = kmprof_unwind_read(&regs[offsetof(struct pt_regs, cs) / sizeof(*regs)]);
	return user_mode(&copy);
}

/* Go to the caller's frame, which begins at @caller. */
static __always_inline bool kmprof_unwind_go(struct kmprof_unwind *u, unsigned long *caller)
{
	long saved = u->rule >> KMPROF_UNWIND_SAVED_SHIFT & KMPROF_UNWIND_SAVED_MAX;

	if (unlikely((unsigned long)caller >= u->end))
		return false;
	if (saved)
		u->bp = kmprof_unwind_read(&caller[-saved]);
	u->ip = kmprof_unwind_read(&caller[-1]);
	u->sp = (unsigned long)caller;
	u->rule = kmprof_rules_find(u->rules, u->ip);
	return true;
}

/**
 * kmprof_unwind_next_plain() - go to the caller's frame from a plain one
 * @u: the walk, at a frame for which kmprof_unwind_is_plain()
 *
 * Context: Any but NMI. Preemption off since the walk began.
 * Return: false when the walk fails.
 */
static __always_inline bool kmprof_unwind_next_plain(struct kmprof_unwind *u)
{
	return kmprof_unwind_go(u, (unsigned long *)u->sp + kmprof_unwind_words(u));
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
	unsigned int kind = kmprof_unwind_kind(u);
	unsigned long *caller;

	if (likely(kind == KMPROF_UNWIND_SP))
		return kmprof_unwind_next_plain(u);
	caller = (unsigned long *)u->bp + kmprof_unwind_words(u);
	if (kind != KMPROF_UNWIND_BP || (unsigned long)caller <= u->sp)
		return false;
	return kmprof_unwind_go(u, caller);
}

u32 kmprof_unwind_find_rule(unsigned long ip);
int kmprof_unwind_init(void);
void kmprof_unwind_exit(void);

#endif
