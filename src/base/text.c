// Numbers in text.
//
// Reading a real is the hot part: meshes hold millions. The digits are gathered as one integer m of up to 19 digits and
// an exponent of ten k. Then:
// - m < 2^53 and |k| <= 22: m and 10^|k| are exact doubles, so one multiplication or division is correctly rounded.
// - -19 <= k <= 0: the quotient is taken in 128-bit integers and rounded once.
// - Else strtod on a terminated copy.
// In a float build the limits of the first way are 24 bits and 10^10.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <float.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <tgmath.h>

#include "base/array.h"

enum { MAX_DIGITS = 19, STACK_TOKEN = 128, MAX_WORD = 255 };

// More than any text has digits, and far from overflow.
static const int64_t MAX_EXPONENT = INT64_C(1000000000000000);

__extension__ typedef unsigned __int128 uint128;

// Integers of EXACT_BITS bits and these powers of ten are exact as st_real.
#ifdef SETTEE_REAL_FLOAT
#define EXACT_BITS FLT_MANT_DIG
#define EXACT_POWERS 1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f
#else
#define EXACT_BITS DBL_MANT_DIG
#define EXACT_POWERS                                                                                                   \
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,      \
        1e20, 1e21, 1e22
#endif

// --- locale ---------------------------------------------------------------------------------------------------------

// strtod and printf obey the locale of the thread; the C locale is put in place around them. The system keeps one
// constant object for it, so this costs no allocation.
typedef struct c_locale {
    locale_t c, previous;
} c_locale;

static c_locale enter_c_locale(void) {
    c_locale change = {.c = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    change.previous = change.c ? uselocale(change.c) : (locale_t)0;
    return change;
}

static void leave_c_locale(c_locale change) {
    if (!change.c) return;
    uselocale(change.previous);
    freelocale(change.c);
}

// --- characters -----------------------------------------------------------------------------------------------------

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool st_text_is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

const char *st_text_skip_blanks(const char *cursor, const char *end) {
    while (cursor < end && st_text_is_blank(*cursor)) cursor++;
    return cursor;
}

bool st_text_is(const char *word, size_t length, const char *expected) {
    return length == strlen(expected) && memcmp(word, expected, length) == 0;
}

bool st_text_ends_with(const char *text, const char *end) {
    const size_t length = text ? strlen(text) : 0, tail = strlen(end);
    return text && length >= tail && strcasecmp(text + length - tail, end) == 0;
}

static st_text_result text_failure(const char *cursor, const char *end) {
    return cursor == end ? ST_TEXT_CUT : ST_TEXT_BAD;
}

// --- reals: the digits of a number ----------------------------------------------------------------------------------

typedef struct decimal {
    uint64_t mantissa; // the first 19 significant digits
    int64_t exponent;  // of ten, for the mantissa
    bool negative;
    bool digits;   // there was at least one
    bool complete; // the exponent, if begun, has digits
    bool exact;    // no significant digit was left out
} decimal;

// Digits before or after the point. Digits beyond the 19th only move the exponent, and make the mantissa inexact.
static const char *scan_digits(const char *p, const char *end, bool fraction, decimal *number, int *significant) {
    for (; p < end && is_digit(*p); p++) {
        number->digits = true;

        // the first 19 significant digits make the mantissa, zeros in front do not count
        if (*significant < MAX_DIGITS) {
            number->mantissa = 10 * number->mantissa + (uint64_t)(*p - '0');
            *significant += number->mantissa != 0;
            number->exponent -= fraction;
        } else {
            number->exact = number->exact && *p == '0';
            number->exponent += !fraction;
        }
    }
    return p;
}

static const char *scan_sign(const char *p, const char *end, bool *negative) {
    *negative = p < end && *p == '-';
    return p < end && (*p == '-' || *p == '+') ? p + 1 : p;
}

static const char *scan_exponent(const char *p, const char *end, decimal *number) {
    bool negative;
    int64_t exponent = 0;
    p = scan_sign(p, end, &negative);

    // an exponent that is begun must have a digit; one that is too large stops growing
    number->complete = p < end && is_digit(*p);
    for (; p < end && is_digit(*p); p++)
        if (exponent < MAX_EXPONENT) exponent = 10 * exponent + (*p - '0');

    number->exponent += negative ? -exponent : exponent;
    return p;
}

static const char *scan_decimal(const char *p, const char *end, decimal *number) {
    int significant = 0;
    *number = (decimal){.complete = true, .exact = true};

    // [sign] digits [. digits] [e exponent]
    p = scan_sign(p, end, &number->negative);
    p = scan_digits(p, end, false, number, &significant);
    if (p < end && *p == '.') p = scan_digits(p + 1, end, true, number, &significant);
    if (number->digits && p < end && (*p == 'e' || *p == 'E')) p = scan_exponent(p + 1, end, number);
    return p;
}

// --- reals: the value -----------------------------------------------------------------------------------------------

// m / 10^k in integers: q = floor(m 2^s / 10^k) has more than 63 bits, and the remainder enters its last bit, far below
// those that are kept; converting q then rounds as if all digits were there, and the power of two is exact.
static bool convert_long(uint64_t mantissa, int64_t exponent, st_real *value) {
    if (mantissa == 0 || exponent < -19 || exponent > 0) return false;

    uint64_t divisor = 1;
    for (; exponent < 0; exponent++) divisor *= 10;

    // the dividend m 2^s has 127 bits, so that the quotient has more than 63
    const int shift = 63 + __builtin_clzll(mantissa);
    const uint128 dividend = (uint128)mantissa << shift;
    const uint128 quotient = dividend / divisor;
    const bool remainder = quotient * divisor != dividend;

    *value = ldexp((st_real)(quotient | remainder), -shift);
    return true;
}

// The absolute value of the number, when a single rounding gives it.
static bool convert_fast(const decimal *number, st_real *value) {
    static const st_real powers[] = {EXACT_POWERS};
    const int64_t exponent = number->exponent, largest = (int64_t)(sizeof powers / sizeof *powers) - 1;

    if (!number->exact) return false;
    if (number->mantissa >> EXACT_BITS != 0 || exponent < -largest || exponent > largest)
        return convert_long(number->mantissa, exponent, value);

    // both are exact: one rounding
    const st_real m = (st_real)number->mantissa;
    *value = exponent < 0 ? m / powers[-exponent] : m * powers[exponent];
    return true;
}

static st_real string_to_real(const char *token) {
    const c_locale change = enter_c_locale();
#ifdef SETTEE_REAL_FLOAT
    const st_real value = strtof(token, NULL);
#else
    const st_real value = strtod(token, NULL);
#endif
    leave_c_locale(change);
    return value;
}

// The token may end where the file ends: strtod gets a terminated copy.
static bool convert_slow(const char *token, size_t length, st_real *value) {
    char buffer[STACK_TOKEN];
    char *copy = length < sizeof buffer ? buffer : st_alloc(length + 1, 1);
    if (!copy) return false;

    memcpy(copy, token, length);
    copy[length] = '\0';

    *value = string_to_real(copy);
    if (copy != buffer) st_free(copy);
    return true;
}

st_text_result st_text_read_real(const char **cursor, const char *end, st_real *value) {
    const char *token = st_text_skip_blanks(*cursor, end);
    decimal number;
    st_real result = 0;

    *cursor = token;
    if (token == end) return ST_TEXT_END;

    // the longest run of characters of a number, which may still be none
    *cursor = scan_decimal(token, end, &number);
    *value = 0;
    if (!number.digits || !number.complete) return text_failure(*cursor, end);

    // the usual ways, then strtod
    if (convert_fast(&number, &result)) {
        *value = number.negative ? -result : result;
        return ST_TEXT_OK;
    }
    if (!convert_slow(token, (size_t)(*cursor - token), &result)) return text_failure(*cursor, end);

    const bool overflow = isinf(result);
    *value = !overflow ? result : result < 0 ? -ST_REAL_MAX : ST_REAL_MAX;
    return overflow ? text_failure(*cursor, end) : ST_TEXT_OK;
}

// --- integers -------------------------------------------------------------------------------------------------------

typedef struct integer {
    uint64_t magnitude; // stops growing beyond 32 bits
    bool negative;
} integer;

// OK, END, or CUT/BAD when there is no digit.
static st_text_result scan_integer(const char **cursor, const char *end, integer *number) {
    const char *p = st_text_skip_blanks(*cursor, end);
    *cursor = p;
    *number = (integer){0};
    if (p == end) return ST_TEXT_END;

    // the magnitude stops growing beyond 32 bits: enough to see an overflow
    p = scan_sign(p, end, &number->negative);
    const char *first = p;
    for (; p < end && is_digit(*p); p++)
        if (number->magnitude <= UINT32_MAX) number->magnitude = 10 * number->magnitude + (uint64_t)(*p - '0');

    *cursor = p;
    return p == first ? text_failure(p, end) : ST_TEXT_OK;
}

st_text_result st_text_read_int(const char **cursor, const char *end, int32_t *value) {
    integer number;
    const st_text_result result = scan_integer(cursor, end, &number);
    if (result == ST_TEXT_END) return result;

    // what does not fit becomes the limit of the type
    const uint64_t limit = number.negative ? (uint64_t)INT32_MAX + 1 : INT32_MAX;
    const bool overflow = number.magnitude > limit;
    const int64_t magnitude = (int64_t)(overflow ? limit : number.magnitude);
    *value = (int32_t)(number.negative ? -magnitude : magnitude);
    return result == ST_TEXT_OK && overflow ? text_failure(*cursor, end) : result;
}

st_text_result st_text_read_uint(const char **cursor, const char *end, uint32_t *value) {
    integer number;
    const st_text_result result = scan_integer(cursor, end, &number);
    if (result == ST_TEXT_END) return result;

    const bool overflow = number.magnitude > UINT32_MAX;
    const uint32_t magnitude = (uint32_t)number.magnitude;
    *value = overflow ? UINT32_MAX : number.negative ? 0 - magnitude : magnitude;
    return result == ST_TEXT_OK && overflow ? text_failure(*cursor, end) : result;
}

// --- short-hand floats ----------------------------------------------------------------------------------------------

bool st_text_read_float(const char *text, st_real *value) {
    char *rest;
    const c_locale change = enter_c_locale();
    const float result = strtof(text, &rest);
    leave_c_locale(change);

    if (rest == text || *rest != '\0') return false;
    *value = result;
    return true;
}

// --- writing --------------------------------------------------------------------------------------------------------

int st_text_write_real(char *buffer, size_t size, st_real value, int digits) {
    const c_locale change = enter_c_locale();
    const int length = snprintf(buffer, size, "%.*g", digits, (double)value);
    leave_c_locale(change);
    return length;
}

// --- distance of words ----------------------------------------------------------------------------------------------

static size_t text_smaller(size_t a, size_t b) { return a < b ? a : b; }

size_t st_text_distance(const char *a, const char *b) {
    const size_t length_a = strlen(a), length_b = strlen(b);
    size_t row[MAX_WORD + 1]; // row[j]: distance of the first letters of a to the first j letters of b

    if (length_a > MAX_WORD || length_b > MAX_WORD) return length_a > length_b ? length_a : length_b;
    for (size_t j = 0; j <= length_b; j++) row[j] = j;

    // row by row: a letter is changed, inserted or removed
    for (size_t i = 1; i <= length_a; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            const size_t change = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = text_smaller(change, text_smaller(row[j - 1], row[j]) + 1);
        }
    }
    return row[length_b];
}

// --- growing strings ------------------------------------------------------------------------------------------------

// Room for `length` more characters and the terminator.
static bool text_make_room(st_text *text, size_t length) {
    if (length >= SIZE_MAX / 2 - text->length) return false;

    const size_t needed = text->length + length + 1;
    if (needed <= text->capacity) return true;

    // at least doubles, so that appending costs the same on average
    const size_t capacity = needed < 2 * text->capacity ? 2 * text->capacity : needed < 32 ? 32 : needed;

    char *data = st_resize(text->data, text->capacity, capacity, 1);
    if (!data) return false;
    text->data = data;
    text->capacity = capacity;
    return true;
}

bool st_text_append_n(st_text *text, const char *addition, size_t length) {
    if (!text_make_room(text, length)) return false;

    if (length) memcpy(text->data + text->length, addition, length);
    text->length += length;
    text->data[text->length] = '\0';
    return true;
}

bool st_text_append(st_text *text, const char *addition) { return st_text_append_n(text, addition, strlen(addition)); }

bool st_text_append_char(st_text *text, char c) { return st_text_append_n(text, &c, 1); }

bool st_text_append_real(st_text *text, st_real value, int digits) {
    return st_text_appendf(text, "%.*g", digits, (double)value);
}

// Tries in the room that there is; a second time when it was too small.
static bool ST_PRINTF(2, 0) append_formatted(st_text *text, const char *format, va_list arguments) {
    // the first try uses up the arguments
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(text->data + text->length, text->capacity - text->length, format, arguments);
    const bool fits = length >= 0 && (size_t)length < text->capacity - text->length;

    bool done = fits;
    if (!fits && length >= 0 && text_make_room(text, (size_t)length)) {
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        done = true;
    }

    va_end(again);

    if (done) text->length += (size_t)length;
    text->data[text->length] = '\0';
    return done;
}

bool st_text_appendf(st_text *text, const char *format, ...) {
    if (!text_make_room(text, 0)) return false;

    va_list arguments;
    va_start(arguments, format);
    const c_locale change = enter_c_locale();
    const bool done = append_formatted(text, format, arguments);
    leave_c_locale(change);
    va_end(arguments);
    return done;
}

void st_text_clear(st_text *text) {
    text->length = 0;
    if (text->data) text->data[0] = '\0';
}

char *st_text_take(st_text *text) {
    if (!text_make_room(text, 0)) return NULL;

    char *data = text->data;
    *text = (st_text){0};
    return data;
}

void st_text_free(st_text *text) {
    st_free(text->data);
    *text = (st_text){0};
}
