// Records of springs between rigids: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/spring/spring_records.h"

#include <string.h>

#include "base/array.h"
#include "base/word_file.h"

static bool spring_records_refuse(const st_object *object, const char *what, const char *word) {
    st_message(object, ST_ERROR, "%s '%s' in a spring: the spring is ignored", what, word);
    return false;
}

static int find_keyword(const st_record_grammar *grammar, const char *word) {
    for (int k = 0; grammar->keywords[k].word; k++)
        if (strcmp(grammar->keywords[k].word, word) == 0) return k;
    return -1;
}

// After BEGIN_SPRING, up to and with END_SPRING.
static bool read_record(const st_object *object, st_word_file *file, const st_record_grammar *grammar,
                        st_spring_record *record) {
    char word[ST_WORD_MAX] = "";
    memcpy(record->values, grammar->defaults, sizeof record->values);

    // the numbers of DOFs, then keywords in any order
    for (int i = 0; i < grammar->indices; i++)
        if (!st_word_file_index(file, &record->index[i])) return spring_records_refuse(object, "missing", "index");

    while (st_word_file_word(file, word) && strcmp(word, "END_SPRING") != 0) {
        const int k = find_keyword(grammar, word);
        if (k < 0) return spring_records_refuse(object, "unknown keyword", word);
        if (!st_word_file_reals(file, record->values + grammar->keywords[k].place, grammar->keywords[k].count))
            return spring_records_refuse(object, "missing numbers after", word);
        record->given |= 1u << k;
    }

    return strcmp(word, "END_SPRING") == 0 || spring_records_refuse(object, "missing", "END_SPRING");
}

bool st_spring_records_read(const st_object *object, const char *text, const st_record_grammar *grammar,
                            st_spring_records *records) {
    char word[ST_WORD_MAX];
    records->count = 0;
    if (!text) return true;

    st_word_file file = st_word_file_of_text(text, strlen(text));

    // text between records is skipped
    while (st_word_file_word(&file, word)) {
        st_spring_record record = {0};
        if (strcmp(word, "BEGIN_SPRING") != 0) continue;
        if (read_record(object, &file, grammar, &record) && !st_list_push(records, record)) return false;
    }
    return true;
}
