/* SPDX-License-Identifier: GPL-2.0 */
/* Learns unwind rules, in process context. */
#ifndef KMPROF_LEARN_H
#define KMPROF_LEARN_H

void kmprof_learn(const unsigned long *ips, unsigned int nr);
int kmprof_learn_init(unsigned int (*flags_of)(unsigned long ip));
void kmprof_learn_exit(void);

#endif
