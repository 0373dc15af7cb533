/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A walk up the current stack, by rules that were learned.
 *
 * What the kernel's ORC unwinder does at a return address depends on nothing but
 * that address: the caller's frame begins so many bytes above the stack pointer or
 * the frame pointer, and the frame pointer is saved here or there. Looking that up
 * takes it some 350 instructions for each frame. So it is asked once for each
 * address, and its answer is kept; then a frame takes about 20.
 *
 * Each step is exact, or there is none: where a rule is missing, or the frame is
 * not one of a call, the walk is lost, and the caller asks the kernel.
 */
#ifndef KMPROF_UNWIND_H
#define KMPROF_UNWIND_H

#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/ptrace.h>
#include <linux/thread_info.h>
#include <linux/types.h>
#include <asm/asm.h>

/*
 * A rule is a word: the lower half of its address, which no two addresses of
 * kernel and modules share, and
 *
 *	bits 31-20	words from the caller's frame down to the saved frame
 *			pointer, 0: it was not saved
 *	bits 19-8	words from the base to the caller's frame
 *	bits 7-4	what the learner's flags_of() has said
 *	bits 3-0	enum kmprof_unwind_kind
 */
enum kmprof_unwind_kind {
	KMPROF_UNWIND_UNKNOWN,	/* no rule */
	KMPROF_UNWIND_SP,	/* the base is the stack pointer */
	KMPROF_UNWIND_BP,	/* the base is the frame pointer */
	KMPROF_UNWIND_REGS,	/* an entry's struct pt_regs are there, above SP */
	KMPROF_UNWIND_TOP,	/* nobody has called this */
	KMPROF_UNWIND_OTHER,	/* none of these */
};

enum {
	KMPROF_UNWIND_BITS		= 13,	/* log2 of the rules that there is room for */
	KMPROF_UNWIND_FLAGS_SHIFT	= 4,
	KMPROF_UNWIND_FRAME_SHIFT	= 8,
	KMPROF_UNWIND_SAVED_SHIFT	= 20,
	KMPROF_UNWIND_KIND_MASK		= 0xf,
	KMPROF_UNWIND_FLAGS_MASK	= 0xf,
	KMPROF_UNWIND_WORDS_MASK	= 0xfff,
};

/* Written once, before the first probe. What is in it changes at any time. */
extern u64 *kmprof_unwind_rules;

/**
 * struct kmprof_unwind - a walk
 * @ip: return address
 * @rule: of it
 * @sp: stack pointer, behind @ip
 * @bp: frame pointer of the function that @ip is in
 * @start: where the walk began
 */
struct kmprof_unwind {
	unsigned long ip;
	u32 rule;
	unsigned long sp;
	unsigned long bp;
	unsigned long start;
};

/* The other one is beside it: two addresses that meet can both stay. */
static __always_inline u32 kmprof_unwind_place(unsigned long ip)
{
	return hash_32((u32)ip, KMPROF_UNWIND_BITS);
}

static __always_inline u32 kmprof_unwind_rule(unsigned long ip)
{
	u32 place = kmprof_unwind_place(ip);
	u64 rule = READ_ONCE(kmprof_unwind_rules[place]);

	if (unlikely(rule >> 32 != (u32)ip))
		rule = READ_ONCE(kmprof_unwind_rules[place ^ 1]);
	return rule >> 32 == (u32)ip ? (u32)rule : 0;
}

/*
 * A word of the stack. Rules do not err; if one did, the walk would go wrong, but
 * not the machine.
 */
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

/* From the base to what the rule says is there. */
static __always_inline unsigned long kmprof_unwind_words(const struct kmprof_unwind *u)
{
	return u->rule >> KMPROF_UNWIND_FRAME_SHIFT & KMPROF_UNWIND_WORDS_MASK;
}

/**
 * kmprof_unwind_flags() - what flags_of() has said of the frame's address
 * @u: walk
 */
static __always_inline unsigned int kmprof_unwind_flags(const struct kmprof_unwind *u)
{
	return u->rule >> KMPROF_UNWIND_FLAGS_SHIFT & KMPROF_UNWIND_FLAGS_MASK;
}

/**
 * kmprof_unwind_start() - begin with the frame that called this function
 * @u: walk
 *
 * The function must not be inlined.
 *
 * Context: Any but NMI. Preemption off until the walk is over.
 */
static __always_inline void kmprof_unwind_start(struct kmprof_unwind *u)
{
	const unsigned long *frame = __builtin_frame_address(0);

	u->bp = frame[0];
	u->ip = frame[1];
	u->sp = (unsigned long)(frame + 2);
	u->start = u->sp;
	u->rule = kmprof_unwind_rule(u->ip);
}

/**
 * kmprof_unwind_caller() - who has called a function
 * @regs: at the function's entry, where its return address is on top of the stack
 *
 * Context: In a probe on the function.
 * Return: the return address, or what a tracer has put in its place.
 */
static __always_inline unsigned long kmprof_unwind_caller(const struct pt_regs *regs)
{
	return *(const unsigned long *)regs->sp;
}

/**
 * kmprof_unwind_start_at() - begin with the frame that called a function
 * @u: walk
 * @regs: as for kmprof_unwind_caller()
 *
 * Context: Any but NMI. Preemption off until the walk is over.
 */
static __always_inline void kmprof_unwind_start_at(struct kmprof_unwind *u,
						   const struct pt_regs *regs)
{
	u->bp = regs->bp;
	u->ip = kmprof_unwind_caller(regs);
	u->sp = regs->sp + sizeof(long);
	u->start = u->sp;
	u->rule = kmprof_unwind_rule(u->ip);
}

/**
 * kmprof_unwind_start_return() - begin with the frame that a function returns to
 * @u: walk
 * @regs: as the function has left them for its caller
 *
 * Context: Any but NMI. Preemption off until the walk is over.
 */
static __always_inline void kmprof_unwind_start_return(struct kmprof_unwind *u,
						       const struct pt_regs *regs)
{
	u->bp = regs->bp;
	u->ip = regs->ip;
	u->sp = regs->sp;
	u->start = u->sp;
	u->rule = kmprof_unwind_rule(u->ip);
}

/**
 * kmprof_unwind_is_top() - has nobody called the frame's function?
 * @u: walk
 *
 * An entry from user space is such a frame.
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
 * @u: walk
 *
 * Return: false when the walk is lost.
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
	u->rule = kmprof_unwind_rule(u->ip);
	return true;
}

void kmprof_unwind_learn(const unsigned long *ips, unsigned int nr,
			 unsigned int (*flags_of)(unsigned long ip));
int kmprof_unwind_init(void);
void kmprof_unwind_exit(void);

#endif
