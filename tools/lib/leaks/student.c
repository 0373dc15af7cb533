// SPDX-License-Identifier: GPL-2.0
/*
 * P(T > t) = I(df / (df + t^2); df / 2, 1 / 2) / 2 for t >= 0, where I is the regularised
 * incomplete beta function, computed by its continued fraction. Source: Abramowitz and
 * Stegun, Handbook of Mathematical Functions, 26.5.8 and 26.7.1; the fraction is evaluated
 * by Lentz's method.
 */
#include <float.h>
#include <math.h>

#include "leaks/student.h"

enum { TERMS = 500 };

/* Where a denominator would be 0. */
#define TINY	DBL_MIN

static double away_from_0(double v)
{
	return fabs(v) < TINY ? TINY : v;
}

/* Converges fast for x < (a + 1) / (a + b + 2). */
static double fraction(double x, double a, double b)
{
	double c = 1, d = 1 / away_from_0(1 - (a + b) * x / (a + 1)), sum = d, factor, step;
	int m;

	for (m = 1; m < TERMS; m++) {
		factor = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		d = 1 / away_from_0(1 + factor * d);
		c = away_from_0(1 + factor / c);
		sum *= d * c;
		factor = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 / away_from_0(1 + factor * d);
		c = away_from_0(1 + factor / c);
		step = d * c;
		sum *= step;
		if (fabs(step - 1) < 4 * DBL_EPSILON)
			break;
	}
	return sum;
}

/* @y is 1 - @x, without the digits that the difference would lose. */
static double incomplete_beta(double x, double y, double a, double b)
{
	double front;

	if (x <= 0 || y <= 0)
		return x <= 0 ? 0 : 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(y));
	if (x < (a + 1) / (a + b + 2))
		return front * fraction(x, a, b) / a;
	return 1 - front * fraction(y, b, a) / b;
}

double kmprof_student_tail(double t, unsigned int df)
{
	double n = df, square = t * t, half;

	if (isinf(square))
		return t > 0 ? 0 : 1;
	half = incomplete_beta(n / (n + square), square / (n + square), n / 2, 0.5) / 2;
	return t > 0 ? half : 1 - half;
}
