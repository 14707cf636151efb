/*
 * Every pair of numbers near 0, near each power of two and near both ends, through each operation of oq_numbers.h, against the same in
 * 128 bits. Prints the number of comparisons; stops at the first difference.
 */
#include "oq_base.h"
#include "oq_numbers.h"
#include <stdio.h>

typedef __int128 wide;

static long compared;

static wide floor_of(wide x, wide y)
{
	wide q = x / y;

	return q - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0);
}

static oq_i64 cut(wide x)
{
	return x > OQ_MOST ? OQ_MOST : x < OQ_LEAST ? OQ_LEAST : (oq_i64)x;
}

static int sign(wide x)
{
	return (x > 0) - (x < 0);
}

static int differs(const char *what, oq_i64 x, oq_i64 y, oq_i64 found, wide right)
{
	compared++;
	if (found == cut(right))
		return 0;
	printf("%s of %lld and %lld: %lld, not %lld\n", what, (long long)x, (long long)y, (long long)found, (long long)cut(right));
	return 1;
}

static int pair(oq_i64 x, oq_i64 y)
{
	wide a = x, b = y;

	return differs("add", x, y, oq_add(x, y), a + b) || differs("sub", x, y, oq_sub(x, y), a - b) ||
	       differs("neg", x, y, oq_neg(x), -a) || differs("floor", x, y, oq_floor(x), floor_of(a, 65536)) ||
	       differs("min", x, y, oq_min(x, y), a < b ? a : b) || differs("max", x, y, oq_max(x, y), a > b ? a : b) ||
	       differs("mul", x, y, oq_mul(x, y), floor_of(a * b, 65536)) ||
	       differs("div", x, y, oq_div(x, y), y ? floor_of(a * 65536, b) : 0) ||
	       differs("mod", x, y, oq_mod(x, y), y ? a - b * floor_of(a, b) : 0) ||
	       differs("compare", x, y, oq_compare_products(x, y, y, y), sign(a * b - b * b)) ||
	       differs("compare", x, y, oq_compare_products(x, x, y, ~y), sign(a * a - b * -(b + 1)));
}

int main(void)
{
	static oq_i64 numbers[1024];
	int count = 0;

	for (oq_i64 near = -3; near <= 3; near++) {
		numbers[count++] = near;
		numbers[count++] = OQ_MOST - near - 3;
		numbers[count++] = OQ_LEAST + near + 3;
	}
	for (int bit = 3; bit < 63; bit++) {
		for (oq_i64 near = -1; near <= 1; near++) {
			numbers[count++] = ((oq_i64)1 << bit) + near;
			numbers[count++] = -((oq_i64)1 << bit) + near;
		}
	}
	for (int i = 0; i < count; i++)
		for (int k = 0; k < count; k++)
			if (pair(numbers[i], numbers[k]))
				return 1;
	/* All small ones: 1/64 of a whole, in units. */
	for (oq_i64 x = -1024; x <= 1024; x++)
		for (oq_i64 y = -1024; y <= 1024; y++)
			if (pair(x, y) || pair(x * 4096, y))
				return 1;
	printf("%ld\n", compared);
	return 0;
}
