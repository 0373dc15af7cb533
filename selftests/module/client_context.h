/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CLIENT_CONTEXT_H
#define CLIENT_CONTEXT_H

#include "kmprof_client.h"

int client_context_run(enum kmprof_client_context context, unsigned int cpu, void (*fn)(void *arg),
		       void *arg);
int client_context_init(void);
void client_context_exit(void);

#endif /* CLIENT_CONTEXT_H */
