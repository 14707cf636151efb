/*
 * Division of numbers of 128 bits, digit by digit of 32 bits (Knuth, The Art of Computer Programming, volume 2, 4.3.1,
 * algorithm D).
 *
 * It has no loop. A verifier that follows a loop bit by bit sees other numbers in every round and takes each for a new
 * state: of 128 rounds Linux 7.3 refuses the program after 717,000 instructions, and of this code it reads fewer than 500.
 */
#ifndef OQ_DIVISION_H
#define OQ_DIVISION_H

/* 128 bits. */
struct oq_wide {
	oq_u64 high;
	oq_u64 low;
};

/* What the last oq_divide has found. */
OQ_STATE struct oq_wide oq_quotient;
OQ_STATE struct oq_wide oq_remainder;

/* The product of two numbers of 64 bits, by their halves. */
OQ_INLINE struct oq_wide oq_product(oq_u64 x, oq_u64 y)
{
	oq_u64 xl = x & 0xffffffffu, xh = x >> 32;
	oq_u64 yl = y & 0xffffffffu, yh = y >> 32;
	oq_u64 low = xl * yl;
	oq_u64 middle = xh * yl + (low >> 32);
	oq_u64 other = xl * yh + (middle & 0xffffffffu);
	struct oq_wide product = {
		.high = xh * yh + (middle >> 32) + (other >> 32),
		.low = (other << 32) | (low & 0xffffffffu),
	};

	return product;
}

/* How many bits of x stand above its first 1; x is not 0. */
OQ_GLOBAL oq_u32 oq_zeros(oq_u64 x)
{
	oq_u32 zeros = 0;

	if (!(x >> 32)) {
		zeros += 32;
		x <<= 32;
	}
	if (!(x >> 48)) {
		zeros += 16;
		x <<= 16;
	}
	if (!(x >> 56)) {
		zeros += 8;
		x <<= 8;
	}
	if (!(x >> 60)) {
		zeros += 4;
		x <<= 4;
	}
	if (!(x >> 62)) {
		zeros += 2;
		x <<= 2;
	}
	return zeros + (x >> 63 ? 0 : 1);
}

/* x shifted to the left, with what comes in from `low` at its right. */
OQ_INLINE oq_u64 oq_shift_in(oq_u64 x, oq_u64 low, oq_u32 shift)
{
	return x << shift | low >> 1 >> (63 - shift);
}

/*
 * A digit of a quotient: `rest`, followed by the 32 bits of `next`, divided by `by`, of which the first bit is 1; `rest` is
 * below it. The first halves of both estimate the digit, at most 2 too high.
 */
OQ_GLOBAL oq_u64 oq_digit(oq_u64 rest, oq_u64 next, oq_u64 by)
{
	oq_u64 upper = by >> 32, lower = by & 0xffffffffu;
	oq_u64 digit = upper ? rest / upper : 0;
	oq_u64 left = rest - digit * upper;

	if (digit >> 32 || digit * lower > (left << 32 | next)) {
		digit--;
		left += upper;
		if (!(left >> 32) && (digit >> 32 || digit * lower > (left << 32 | next)))
			digit--;
	}
	return digit;
}

/* Two digits of a quotient: (high, low) divided by `by`, of which the first bit is 1; `high` is below it. */
OQ_INLINE oq_u64 oq_two_digits(oq_u64 high, oq_u64 low, oq_u64 by, oq_u64 *rest)
{
	oq_u64 first, second;

	first = oq_digit(high, low >> 32, by);
	high = (high << 32 | low >> 32) - first * by;
	second = oq_digit(high, low & 0xffffffffu, by);
	*rest = (high << 32 | (low & 0xffffffffu)) - second * by;
	return first << 32 | second;
}

/* Divides by a number of more than 64 bits: the first 64 of it estimate the quotient. */
OQ_INLINE void oq_divide_by_wide(oq_u64 high, oq_u64 low, oq_u64 by_high, oq_u64 by_low)
{
	oq_u32 shift = oq_zeros(by_high);
	oq_u64 rest, quotient;
	struct oq_wide product;

	quotient = oq_two_digits(high >> 1, high << 63 | low >> 1, oq_shift_in(by_high, by_low, shift), &rest);
	quotient >>= 63 - shift;
	/* The estimate is right or 1 too high; from 1 below, it is right or 1 too low. */
	if (quotient)
		quotient--;
	product = oq_product(quotient, by_low);
	product.high += quotient * by_high;
	high -= product.high + (low < product.low ? 1 : 0);
	low -= product.low;
	if (high > by_high || (high == by_high && low >= by_low)) {
		quotient++;
		high -= by_high + (low < by_low ? 1 : 0);
		low -= by_low;
	}
	oq_quotient.high = 0;
	oq_quotient.low = quotient;
	oq_remainder.high = high;
	oq_remainder.low = low;
}

/* Divides numbers of 128 bits, the divisor not 0: into oq_quotient and oq_remainder. */
OQ_GLOBAL int oq_divide(oq_u64 high, oq_u64 low, oq_u64 by_high, oq_u64 by_low)
{
	oq_u64 first, rest;
	oq_u32 shift;

	if (by_high) {
		oq_divide_by_wide(high, low, by_high, by_low);
		return 0;
	}
	if (!by_low)
		return 0;
	oq_remainder.high = 0;
	if (!high) {
		oq_quotient.high = 0;
		oq_quotient.low = low / by_low;
		oq_remainder.low = low % by_low;
		return 0;
	}
	first = high / by_low;
	high %= by_low;
	shift = oq_zeros(by_low);
	oq_quotient.high = first;
	oq_quotient.low = oq_two_digits(oq_shift_in(high, low, shift), low << shift, by_low << shift, &rest);
	oq_remainder.low = rest >> shift;
	return 0;
}

#endif
