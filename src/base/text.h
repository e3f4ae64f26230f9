// Numbers in text, the same in every locale; distance of words; growing strings.
//
// Reading follows the stream extraction of libstdc++ in the C locale, because scene files were written against it:
// blanks are skipped, numbers are decimal (0x10 reads 0 and leaves x10; inf and nan are bad), the longest run of
// characters that may belong to a number is consumed, and then it either is a number or fails as a whole (1e, +, .).
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_BASE_TEXT_H
#define SETTEE_BASE_TEXT_H

#include "settee/types.h"

// What a reading function met. Lists accept END and CUT at their end in silence, and report BAD.
typedef enum st_text_result {
    ST_TEXT_OK,
    ST_TEXT_END, // only blanks up to the end: the value is unchanged
    ST_TEXT_CUT, // failed, and the end of the text was reached ("-", "1e", "1e999"): the value is 0, or the limit
    ST_TEXT_BAD, // failed before the end: the value is 0, or the limit of the type when the number is too large
} st_text_result;

// Read one number from [*cursor, end) and move the cursor behind what was consumed, on failure too.
st_text_result st_text_read_real(const char **cursor, const char *end, st_real *value);
st_text_result st_text_read_int(const char **cursor, const char *end, int32_t *value);
st_text_result st_text_read_uint(const char **cursor, const char *end, uint32_t *value); // -1 gives 4294967295

// The whole string as C's strtof reads it (rounded to float; inf, nan and hexadecimal are numbers), for short-hand
// attributes. False and value unchanged when it is empty or something follows the number.
bool st_text_read_float(const char *text, st_real *value);

bool st_text_is_blank(char c); // space, \t \n \v \f \r
const char *st_text_skip_blanks(const char *cursor, const char *end);
bool st_text_is(const char *word, size_t length, const char *expected);
bool st_text_ends_with(const char *text, const char *end); // letters of any case; nothing (NULL) ends with nothing

// printf's %.*g in the C locale. Returns the length as snprintf does. 6 digits are SOFA's; ST_TEXT_EXACT_DIGITS are
// enough to read the same number back.
int st_text_write_real(char *buffer, size_t size, st_real value, int digits);
#ifdef SETTEE_REAL_FLOAT
enum { ST_TEXT_EXACT_DIGITS = 9 };
#else
enum { ST_TEXT_EXACT_DIGITS = 17 };
#endif

// Levenshtein's distance: how many letters must be inserted, removed or changed to make b of a. For spelling
// suggestions: words of more than 255 letters are taken to have nothing in common.
size_t st_text_distance(const char *a, const char *b);

// A growing string. Zero bytes are an empty one; data is NULL until something was appended, and terminated after.
// Appending returns false when out of memory and leaves the text as it was.
typedef struct st_text {
    char *data;
    size_t length;
    size_t capacity;
} st_text;

bool st_text_append(st_text *text, const char *addition);
bool st_text_append_n(st_text *text, const char *addition, size_t length);
bool st_text_append_char(st_text *text, char c);
bool st_text_append_real(st_text *text, st_real value, int digits);
bool st_text_appendf(st_text *text, const char *format, ...) ST_PRINTF(2, 3); // C locale
void st_text_clear(st_text *text);                                            // keeps the memory
char *st_text_take(st_text *text); // the string, for st_free, never NULL unless out of memory; the text is empty
void st_text_free(st_text *text);

#endif
