/* SPDX-License-Identifier: GPL-2.0 */
/* Student's t distribution. */
#ifndef KMPROF_LEAKS_STUDENT_H
#define KMPROF_LEAKS_STUDENT_H

/**
 * kmprof_student_tail() - probability that Student's t is larger than a value
 * @t: the value
 * @df: degrees of freedom, at least 1
 *
 * Return: P(T > t), to a relative error of 1e-10 or better.
 */
double kmprof_student_tail(double t, unsigned int df);

#endif
