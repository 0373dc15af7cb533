// SPDX-License-Identifier: GPL-2.0
/* The module around the suites; loading it runs them. */
#include <linux/module.h>

MODULE_DESCRIPTION("KUnit suites of the system-wide sampled allocation profiler");
MODULE_AUTHOR("The kmprof developers");
MODULE_LICENSE("GPL");
