/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CONTEND_H
#define CONTEND_H

struct kmprof_test_lock;
struct kmprof_test_lock_state;

int contend_run(struct kmprof_test_lock *order);
int contend_state(struct kmprof_test_lock_state *state);

#endif /* CONTEND_H */
