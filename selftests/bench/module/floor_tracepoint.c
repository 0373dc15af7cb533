// SPDX-License-Identifier: GPL-2.0
/* Arming tracepoints, for kmprof_bench: an object file cannot be in two modules. */
#include "../../../module/probe/tracepoint.c"
