// SPDX-License-Identifier: GPL-2.0
/* The contexts of kmprof_test, for kmprof_client: an object file cannot be in two modules. */
#include "context.c"
