/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a case of the catalogue is made of. Each family of cases is a file with a table of them; a
 * case is a function that is called over and over again.
 */
#ifndef CATALOGUE_H
#define CATALOGUE_H

#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/workqueue.h>

#include "../kmprof_catalogue.h"

enum catalogue_context {
	CATALOGUE_TASK = 0,
	CATALOGUE_ATOMIC,	/* a task with a spinlock held and interrupts off */
	CATALOGUE_SOFTIRQ,
	CATALOGUE_HARDIRQ,	/* with PREEMPT_RT, a thread in its place */
	CATALOGUE_WORK,
	CATALOGUE_THREAD,
};

/**
 * struct catalogue_case - a leak or a look-alike
 * @name: its name
 * @about: what it does
 * @kind: enum kmprof_catalogue_kind
 * @memory: enum kmprof_catalogue_memory
 * @context: where @call runs
 * @lost: a leak: objects lost per KMPROF_CATALOGUE_CYCLE calls, at least
 * @holds: a look-alike: most objects it has when it has settled
 * @call: one call; @n counts the calls from 0
 * @settle: or NULL: waits until nothing is left to be done later. Returns 0 or a negative errno
 * @cleanup: or NULL: frees what the case has, but for what it has lost
 * @calls: number of calls
 * @objects: what is in use of @memory
 */
struct catalogue_case {
	const char *name;
	const char *about;
	enum kmprof_catalogue_kind kind;
	enum kmprof_catalogue_memory memory;
	enum catalogue_context context;
	unsigned int lost;
	unsigned int holds;
	void (*call)(struct catalogue_case *c, unsigned int n);
	int (*settle)(struct catalogue_case *c);
	void (*cleanup)(struct catalogue_case *c);
	unsigned int calls;
	atomic_long_t objects;
};

/* The function of a case. Neither inlined nor cloned: kmprof shows it by this name. */
#define CATALOGUE_CALL(name_)						\
	static __attribute__((noipa)) void				\
	cat_##name_##__call(struct catalogue_case *c, unsigned int n)

/* Entries of a family's table. */
#define CATALOGUE_LEAK(name_, lost_, about_, ...) {			\
	.name = #name_, .about = about_, .kind = KMPROF_CATALOGUE_LEAK,	\
	.lost = lost_, .call = cat_##name_##__call, ##__VA_ARGS__ }
#define CATALOGUE_LOOKALIKE(name_, holds_, about_, ...) {		\
	.name = #name_, .about = about_, .kind = KMPROF_CATALOGUE_LOOKALIKE, \
	.holds = holds_, .call = cat_##name_##__call, ##__VA_ARGS__ }

/**
 * struct catalogue_family - cases with something in common
 * @init: or NULL: makes what they share. Returns 0 or a negative errno
 * @exit: or NULL: the reverse, after the cleanup of all cases; also after @init has failed
 * @cases: the cases
 * @count: how many
 */
struct catalogue_family {
	int (*init)(void);
	void (*exit)(void);
	struct catalogue_case *cases;
	unsigned int count;
};

extern const struct catalogue_family catalogue_plain;
extern const struct catalogue_family catalogue_bounded;
extern const struct catalogue_family catalogue_caches;
extern const struct catalogue_family catalogue_containers;
extern const struct catalogue_family catalogue_rcu;
extern const struct catalogue_family catalogue_references;
extern const struct catalogue_family catalogue_contexts;
extern const struct catalogue_family catalogue_handover;
extern const struct catalogue_family catalogue_skb;
extern const struct catalogue_family catalogue_kernel;
extern const struct catalogue_family catalogue_percpu;
extern const struct catalogue_family catalogue_vmalloc;
extern const struct catalogue_family catalogue_pages;

/* main.c: the work of the cases runs there. */
extern struct workqueue_struct *catalogue_works;

/* where.c */
int catalogue_run(struct catalogue_case *c, unsigned int calls);

/* objects.c */
void *catalogue_made(struct catalogue_case *c, void *object);
void catalogue_kfree(struct catalogue_case *c, void *object);
void catalogue_count(struct catalogue_case *c, long objects);
int catalogue_wait(struct catalogue_case *c, long objects);
void catalogue_lose(struct catalogue_case *c, void *object, unsigned int nr,
		    void (*release)(void *object));
void catalogue_forget(struct catalogue_case *c, void *object);
bool catalogue_is_full(void);
void catalogue_release(struct catalogue_case *c);
int catalogue_objects_init(void);
void catalogue_objects_exit(void);

#endif /* CATALOGUE_H */
