/* SPDX-License-Identifier: GPL-2.0 */
/* CPUs that come and go. */
#ifndef CPUS_H
#define CPUS_H

int cpus_use(unsigned int count);

#endif /* CPUS_H */
