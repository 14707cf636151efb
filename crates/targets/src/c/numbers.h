/*
 * Numbers: multiples of 1/65,536 in 64 bits. Every operation is exact, then rounded down to such a multiple and cut to
 * the range (docs/openqueue-semantics.md, section 3).
 */
#ifndef OQ_NUMBERS_H
#define OQ_NUMBERS_H

#include "oq_division.h"

#define OQ_MOST ((oq_i64)0x7fffffffffffffffLL)
#define OQ_LEAST (-OQ_MOST - 1)

/* A whole number that is a constant. */
#define OQ_WHOLE(n) ((oq_i64)(n) * 65536)

OQ_INLINE oq_u64 oq_magnitude(oq_i64 x)
{
	return x < 0 ? 0 - (oq_u64)x : (oq_u64)x;
}

/* A whole number, cut. */
OQ_INLINE oq_i64 oq_whole(oq_u64 x)
{
	return x >> 47 ? OQ_MOST : (oq_i64)(x << 16);
}

/* The whole number below or at x. */
OQ_INLINE oq_i64 oq_floor(oq_i64 x)
{
	return x >> 16;
}

/* A magnitude with its sign, cut. If `up` is set, what is negative goes one further from 0: it was rounded towards 0. */
OQ_INLINE oq_i64 oq_cut(int negative, oq_u64 high, oq_u64 low, int up)
{
	if (!negative)
		return high || low >> 63 ? OQ_MOST : (oq_i64)low;
	if (high || low >> 63)
		return OQ_LEAST;
	return -(oq_i64)low - (up ? 1 : 0);
}

OQ_INLINE oq_i64 oq_add(oq_i64 x, oq_i64 y)
{
	oq_i64 sum = (oq_i64)((oq_u64)x + (oq_u64)y);

	if (((x ^ sum) & (y ^ sum)) < 0)
		return x < 0 ? OQ_LEAST : OQ_MOST;
	return sum;
}

OQ_INLINE oq_i64 oq_sub(oq_i64 x, oq_i64 y)
{
	oq_i64 difference = (oq_i64)((oq_u64)x - (oq_u64)y);

	if (((x ^ y) & (x ^ difference)) < 0)
		return x < 0 ? OQ_LEAST : OQ_MOST;
	return difference;
}

OQ_INLINE oq_i64 oq_neg(oq_i64 x)
{
	return x == OQ_LEAST ? OQ_MOST : -x;
}

OQ_INLINE oq_i64 oq_min(oq_i64 x, oq_i64 y)
{
	return x < y ? x : y;
}

OQ_INLINE oq_i64 oq_max(oq_i64 x, oq_i64 y)
{
	return x > y ? x : y;
}

/* How x * y compares with a * b, which are neither rounded nor cut: -1, 0 or 1. */
OQ_GLOBAL int oq_compare_products(oq_i64 x, oq_i64 y, oq_i64 a, oq_i64 b)
{
	struct oq_wide left = oq_product(oq_magnitude(x), oq_magnitude(y));
	struct oq_wide right = oq_product(oq_magnitude(a), oq_magnitude(b));
	int left_negative = (x < 0) != (y < 0) && (left.high | left.low);
	int right_negative = (a < 0) != (b < 0) && (right.high | right.low);
	int more;

	if (left_negative != right_negative)
		return left_negative ? -1 : 1;
	if (left.high != right.high)
		more = left.high > right.high;
	else if (left.low != right.low)
		more = left.low > right.low;
	else
		return 0;
	return more != left_negative ? 1 : -1;
}

OQ_INLINE int oq_divides_evenly(void)
{
	return !(oq_remainder.high | oq_remainder.low);
}

OQ_INLINE oq_i64 oq_mul(oq_i64 x, oq_i64 y)
{
	struct oq_wide product = oq_product(oq_magnitude(x), oq_magnitude(y));
	oq_u64 low = (product.high << 48) | (product.low >> 16);

	return oq_cut((x < 0) != (y < 0), product.high >> 16, low, (product.low & 0xffff) != 0);
}

OQ_GLOBAL oq_i64 oq_div(oq_i64 x, oq_i64 y)
{
	oq_u64 size = oq_magnitude(x);

	if (!y)
		return 0;
	oq_divide(size >> 48, size << 16, 0, oq_magnitude(y));
	return oq_cut((x < 0) != (y < 0), oq_quotient.high, oq_quotient.low, !oq_divides_evenly());
}

/* Has the sign of y. */
OQ_INLINE oq_i64 oq_mod(oq_i64 x, oq_i64 y)
{
	oq_u64 by = oq_magnitude(y);
	oq_u64 rest;

	if (!by)
		return 0;
	rest = oq_magnitude(x) % by;
	if (rest && (x < 0) != (y < 0))
		rest = by - rest;
	return y < 0 ? -(oq_i64)rest : (oq_i64)rest;
}

/* x * c for the constant c = whole + part / by in size; by is at most 1,000,000, and part below it. */
OQ_INLINE oq_i64 oq_times(oq_i64 x, oq_u64 whole, oq_u64 part, oq_u64 by, int negative)
{
	oq_u64 size = oq_magnitude(x);
	struct oq_wide product = oq_product(size, whole);
	struct oq_wide parts = oq_product(size, part);
	oq_u64 upper = (parts.high << 32) | (parts.low >> 32);
	oq_u64 lower = ((upper % by) << 32) | (parts.low & 0xffffffffu);
	oq_u64 low = product.low + ((upper / by) << 32) + lower / by;

	return oq_cut((x < 0) != !!negative, product.high + (low < product.low), low, lower % by != 0);
}

/* x / c for the constant c = (high, low) / by in size. */
OQ_GLOBAL oq_i64 oq_over(oq_i64 x, oq_u64 by, oq_u64 high, oq_u64 low, int negative)
{
	struct oq_wide product = oq_product(oq_magnitude(x), by);

	oq_divide(product.high, product.low, high, low);
	return oq_cut((x < 0) != !!negative, oq_quotient.high, oq_quotient.low, !oq_divides_evenly());
}

/* c / x for a constant c: (high, low) is 2^32 times c in size, rounded down, which `inexact` says. */
OQ_GLOBAL oq_i64 oq_under(oq_u64 high, oq_u64 low, int inexact, int negative, oq_i64 x)
{
	if (!x)
		return 0;
	oq_divide(high, low, 0, oq_magnitude(x));
	return oq_cut((x < 0) != !!negative, oq_quotient.high, oq_quotient.low, inexact || !oq_divides_evenly());
}

/* mod(a, m) / by of wide numbers, where a and m have the signs given. */
OQ_INLINE oq_i64 oq_mod_wide(struct oq_wide a, struct oq_wide m, int differ, int negative, oq_u64 by)
{
	struct oq_wide rest;

	oq_divide(a.high, a.low, m.high, m.low);
	rest = oq_remainder;
	if (differ && (rest.high | rest.low)) {
		rest.high = m.high - rest.high - (m.low < rest.low ? 1 : 0);
		rest.low = m.low - rest.low;
	}
	oq_divide(rest.high, rest.low, 0, by);
	return oq_cut(negative, oq_quotient.high, oq_quotient.low, !oq_divides_evenly());
}

/* mod(x, c) for a constant c: (high, low) is 65,536 by times c in size. */
OQ_GLOBAL oq_i64 oq_mod_by(oq_i64 x, oq_u64 by, oq_u64 high, oq_u64 low, int negative)
{
	struct oq_wide modulus = { .high = high, .low = low };

	return oq_mod_wide(oq_product(oq_magnitude(x), by), modulus, (x < 0) != !!negative, negative, by);
}

/* mod(c, x) for a constant c: (high, low) is 65,536 by times c in size. */
OQ_GLOBAL oq_i64 oq_mod_of(oq_u64 high, oq_u64 low, oq_u64 by, int negative, oq_i64 x)
{
	struct oq_wide constant = { .high = high, .low = low };

	if (!x)
		return 0;
	return oq_mod_wide(constant, oq_product(oq_magnitude(x), by), (x < 0) != !!negative, x < 0, by);
}

#endif
