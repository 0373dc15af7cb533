/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LEFTOVER_H
#define LEFTOVER_H

void leftover_exit(void);

#endif /* LEFTOVER_H */
