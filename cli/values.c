// Strict readers of option values: the whole word must be read, and the value must lie in its range.
//
// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

// Digits alone: strtoull would take blanks, a sign and, as a wrapped number, "-1".
static bool read_digits(const char **text, size_t *value) {
    const size_t length = strspn(*text, "0123456789");
    if (length == 0) return false;

    errno = 0;
    const unsigned long long number = strtoull(*text, NULL, 10);
    if (errno || number > SIZE_MAX) return false;

    *text += length;
    *value = (size_t)number;
    return true;
}

bool st_cli_read_choice(const char *text, const char *choices) {
    const size_t length = strlen(text);
    for (const char *at = choices; *at;) {
        const size_t n = strcspn(at, "|");
        if (n == length && memcmp(at, text, n) == 0) return true;
        at += n + (at[n] == '|');
    }
    return false;
}

bool st_cli_read_count(const char *text, double least, double most, size_t *value) {
    size_t number;
    if (!read_digits(&text, &number) || *text) return false;
    if ((double)number < least || (double)number > most) return false;
    *value = number;
    return true;
}

static bool read_number(const char **text, double *value) {
    if (!strchr("+-.0123456789", **text)) return false; // no blanks, no "nan", no "inf"

    char *end;
    errno = 0;
    *value = strtod(*text, &end);
    const bool ok = end != *text && isfinite(*value) && (errno == 0 || *value == 0);

    *text = end;
    return ok;
}

bool st_cli_read_real(const char *text, double least, double most, double *value) {
    double number;
    if (!*text || !read_number(&text, &number) || *text) return false;
    if (number < least || number > most) return false;

    *value = number;
    return true;
}

bool st_cli_read_pixels(const char *text, double most, size_t size[2]) {
    size_t width, height;
    if (!read_digits(&text, &width) || (*text != 'x' && *text != 'X')) return false;

    text++;
    if (!read_digits(&text, &height) || *text) return false;

    // limits of the library, so that a mistake is found before the run
    if (width < 1 || height < 1 || (double)width > most || (double)height > most) return false;
    if (width * height > ST_CLI_MOST_PIXELS) return false;

    size[0] = width;
    size[1] = height;
    return true;
}

// Numbers with commas between.
static bool read_numbers(const char *text, double *numbers, int count) {
    for (int k = 0; k < count; k++) {
        const bool last = k == count - 1;
        if (!*text || !read_number(&text, &numbers[k]) || fabs(numbers[k]) > 1e30) return false;
        if (*text != (last ? 0 : ',')) return false;
        text += !last;
    }
    return true;
}

bool st_cli_read_point(const char *text, st_cli_point *point) {
    return point->given = read_numbers(text, point->at, 3);
}

bool st_cli_read_range(const char *text, double range[2]) {
    return read_numbers(text, range, 2) && range[0] < range[1];
}

bool st_cli_read_direction(const char *text, double view[3]) {
    double direction[3];
    if (!read_numbers(text, direction, 3)) return false;
    if (direction[0] == 0 && direction[1] == 0 && direction[2] == 0) return false;
    memcpy(view, direction, sizeof direction);
    return true;
}

static int compare_steps(const void *a, const void *b) {
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

bool st_cli_read_steps(const char *text, st_cli_steps *steps) {
    free(steps->data); // given twice: the last one counts
    *steps = (st_cli_steps){.given = true, .all = strcmp(text, "all") == 0};
    if (steps->all) return true;

    // at most every other character is a number
    steps->data = malloc((strlen(text) / 2 + 1) * sizeof *steps->data);
    if (!steps->data) return false;

    for (;; text++) {
        if (!read_digits(&text, &steps->data[steps->count])) return false;
        steps->count++;
        if (*text == 0) break;
        if (*text != ',') return false;
    }

    qsort(steps->data, steps->count, sizeof *steps->data, compare_steps);
    return true;
}
