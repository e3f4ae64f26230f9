// The `spring` attribute of springs between rigids: records of keywords and numbers,
//
//     BEGIN_SPRING m1 m2  KS_T 0 10000  KD 0.1 ...  END_SPRING
//
// read by a table of keywords. Shared by FrameSpringForceField, GearSpringForceField and JointSpringForceField.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_SPRING_SPRING_RECORDS_H
#define SETTEE_FORCE_SPRING_SPRING_RECORDS_H

#include "settee/plugin/component.h"

enum { ST_RECORD_VALUES = 32, ST_RECORD_INDICES = 4 };

typedef struct st_spring_record {
    uint32_t index[ST_RECORD_INDICES];
    uint32_t given; // bit k: keyword k of the table was there
    st_real values[ST_RECORD_VALUES];
} st_spring_record;

typedef ST_LIST(st_spring_record) st_spring_records;

typedef struct st_record_keyword {
    const char *word;
    int count; // numbers that follow
    int place; // of the first of them among the values
} st_record_keyword;

typedef struct st_record_grammar {
    int indices;                       // numbers of DOFs at the beginning
    const st_record_keyword *keywords; // a nameless one at the end
    const st_real *defaults;           // ST_RECORD_VALUES of them
} st_record_grammar;

// All records of the text. A record with a word that is unknown or numbers that are missing is reported and ignored.
bool st_spring_records_read(const st_object *object, const char *text, const st_record_grammar *grammar,
                            st_spring_records *records);

#endif
