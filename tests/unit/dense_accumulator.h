// An accumulator that fills one dense matrix, to compare with.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TESTS_DENSE_ACCUMULATOR_H
#define SETTEE_TESTS_DENSE_ACCUMULATOR_H

#include "dense_sink.h"

// factor · block into one row-major matrix of both states, `state` first; `values` has (n + m)² numbers.
typedef struct dense_accumulator {
    st_pair_accumulator pairs;
    dense_sink sinks[ST_PAIRS];
} dense_accumulator;

static inline void dense_accumulator_init(dense_accumulator *accumulator, st_real factor, const st_state *state,
                                          const st_state *other, st_real *values) {
    const st_state *states[2] = {state, other};
    const size_t count = other && other != state ? 2 : 1;
    const size_t sizes[2] = {st_state_scalars(state), count == 2 ? st_state_scalars(other) : 0};
    const size_t firsts[2] = {0, sizes[0]};

    // a window of one matrix for each pair of states
    st_pair_accumulator_init(&accumulator->pairs);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            dense_sink *sink = &accumulator->sinks[i * count + j];
            const st_window window = {firsts[i], firsts[j], sizes[i], sizes[j]};
            dense_sink_init(sink, window, factor, values, sizes[0] + sizes[1]);
            st_pair_accumulator_put(&accumulator->pairs, states[i], states[j], &sink->sink);
        }
    }
}

#endif
