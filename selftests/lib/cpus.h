/* SPDX-License-Identifier: GPL-2.0 */
/* CPUs that there can be, and that come and go. */
#ifndef CPUS_H
#define CPUS_H

unsigned int cpus_possible(void);
int cpus_use(unsigned int count);

#endif /* CPUS_H */
