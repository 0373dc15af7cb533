/* SPDX-License-Identifier: GPL-2.0 */
/* Claims functions whose calls are redirected, so that no live patch redirects them as well. */
#ifndef KMPROF_CLAIM_H
#define KMPROF_CLAIM_H

#include <linux/types.h>

struct kprobe;

bool kmprof_claim_is_needed(const struct kprobe *p);
int kmprof_claim(const struct kprobe *p);
void kmprof_claim_drop(const struct kprobe *p);
void kmprof_claims_exit(void);

#endif
