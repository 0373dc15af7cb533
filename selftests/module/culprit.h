/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CULPRIT_H
#define CULPRIT_H

int culprit_init(void);
void culprit_exit(void);

#endif /* CULPRIT_H */
