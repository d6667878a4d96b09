/// Decimal numbers in files, read and written without the C library, whose locale may want commas.
#include "file.h"
#include <math.h>

/// Ten to a power in [0, 400], by squaring; infinite beyond 308.
static double power_of_ten(int exponent)
{
    double result = 1;
    double base = 10;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1) {
            result *= base;
        }
        base *= base;
    }
    return result;
}

static bool is_digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

/// Digits with one point among them: `digits` keeps the first 18 that count, *scale the power of
/// ten that the rest makes of them.
static bool read_digits(const char **at, const char *end, uint64_t *digits, int *scale)
{
    bool any = false;
    bool point = false;
    for (;; (*at)++) {
        if (*at < end && **at == '.' && !point) {
            point = true;
            continue;
        }
        if (!is_digit(*at, end)) {
            return any;
        }
        any = true;
        bool kept = *digits < 100000000000000000u;
        if (kept) {
            *digits = *digits * 10 + (uint64_t)(**at - '0');
        }
        if (kept == point && *scale > -100000 && *scale < 100000) {
            *scale += kept ? -1 : 1;
        }
    }
}

/// e, sign and digits, where they are complete; otherwise *at stays.
static void read_exponent(const char **at, const char *end, int *scale)
{
    const char *here = *at;
    if (here >= end || (*here != 'e' && *here != 'E')) {
        return;
    }
    here++;
    bool minus = here < end && *here == '-';
    here += here < end && (*here == '-' || *here == '+');
    if (!is_digit(here, end)) {
        return;
    }
    int exponent = 0;
    for (; is_digit(here, end); here++) {
        exponent = exponent < 100000 ? exponent * 10 + (*here - '0') : exponent;
    }
    *scale += minus ? -exponent : exponent;
    *at = here;
}

bool thg_number_read(const char **at, const char *end, double *value)
{
    const char *here = *at;
    bool minus = here < end && *here == '-';
    here += here < end && (*here == '-' || *here == '+');
    uint64_t digits = 0;
    int scale = 0;
    if (!read_digits(&here, end, &digits, &scale)) {
        return false;
    }
    read_exponent(&here, end, &scale);
    double result = (double)digits;
    if (digits == 0 || scale < -350) {
        result = 0;
    } else if (scale < 0) {
        // In two halves, so that denormal results do not divide by infinity.
        int half = -scale > 300 ? 300 : -scale;
        result = result / power_of_ten(half) / power_of_ten(-scale - half);
    } else {
        result *= scale > 308 ? INFINITY : power_of_ten(scale);
    }
    if (!isfinite(result)) {
        return false;
    }
    *value = minus ? -result : result;
    *at = here;
    return true;
}

bool thg_whole_read(const char **at, const char *end, long low, long high, long *value)
{
    const char *here = *at;
    bool minus = here < end && *here == '-';
    here += minus;
    if (!is_digit(here, end)) {
        return false;
    }
    long result = 0;
    for (; is_digit(here, end); here++) {
        if (result > 1000000000) {
            return false;
        }
        result = result * 10 + (*here - '0');
    }
    result = minus ? -result : result;
    if (result < low || result > high) {
        return false;
    }
    *value = result;
    *at = here;
    return true;
}

int thg_number_write(char *text, double value, int decimals)
{
    static const int64_t powers[10] = {1,      10,      100,      1000,      10000,
                                       100000, 1000000, 10000000, 100000000, 1000000000};
    double magnitude = value < 0 ? -value : value;
    int64_t units = (int64_t)(magnitude * (double)powers[decimals] + 0.5);
    const char *sign = value < 0 && units > 0 ? "-" : "";
    long long whole = (long long)(units / powers[decimals]);
    if (decimals == 0) {
        return snprintf(text, 32, "%s%lld", sign, whole);
    }
    return snprintf(text, 32, "%s%lld.%0*lld", sign, whole, decimals,
                    (long long)(units % powers[decimals]));
}
