// Suggestions for misspelled words: the candidate with the least edit distance, if it is near at all.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "cli.h"

enum { LONGEST = 64 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

// Number of letters to insert, remove, replace or swap with the next one. d[i][j] is the distance of the first i
// letters of a from the first j of b.
static size_t edit_distance(const char *a, const char *b) {
    size_t d[3][LONGEST + 1];
    const size_t m = strlen(a), n = strlen(b);
    if (m > LONGEST || n > LONGEST) return SIZE_MAX;

    // only the last three rows are kept
    for (size_t j = 0; j <= n; j++) d[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t *row = d[i % 3], *before = d[(i + 2) % 3], *earlier = d[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            row[j] = least(least(before[j], row[j - 1]) + 1, before[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], earlier[j - 2] + 1);
        }
    }

    return d[m % 3][n];
}

void st_cli_guess_try(st_cli_guess *guess, const char *candidate) {
    size_t distance = edit_distance(guess->word, candidate);

    // A beginning of a word means that word.
    const size_t length = strlen(guess->word);
    if (length >= 2 && strncmp(guess->word, candidate, length) == 0) distance = 1;

    // about one letter in three may differ
    const size_t near = strlen(candidate) < 4 ? 1 : strlen(candidate) / 3 + 1;
    if (distance > near || (guess->best && distance >= guess->distance)) return;

    guess->best = candidate;
    guess->distance = distance;
}
