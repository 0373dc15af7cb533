/* SPDX-License-Identifier: GPL-2.0 */
#ifndef STUCK_H
#define STUCK_H

void stuck_exit(void);

#endif /* STUCK_H */
