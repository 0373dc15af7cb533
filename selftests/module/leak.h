/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LEAK_H
#define LEAK_H

int leak_init(void);
void leak_exit(void);

#endif /* LEAK_H */
