/* SPDX-License-Identifier: GPL-2.0 */
/* Output of a command. */
#ifndef COMMAND_H
#define COMMAND_H

char *command_output(const char *command);
char *command_run(const char *command, int *status);

#endif /* COMMAND_H */
