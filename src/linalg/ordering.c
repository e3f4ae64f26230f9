// Orderings of the unknowns of a symmetric system; see ordering.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/ordering.h"

#include <limits.h>
#include <metis.h>
#include <pthread.h>
#include <suitesparse/amd.h>
#include <suitesparse/colamd.h>

#include "base/array.h"

static st_status order_amd(const st_graph *g, const int *starts, int32_t *permutation) {
    const int result = amd_order(g->n, starts, g->neighbors, permutation, NULL, NULL);
    if (result == AMD_OUT_OF_MEMORY) return ST_OUT_OF_MEMORY;
    return result == AMD_INVALID ? ST_INVALID : ST_OK;
}

// COLAMD orders the columns of A for AᵀA. It wants the diagonal, too, and gives its answer in place of the starts.
static st_status order_colamd(const st_graph *g, const int *starts, int32_t *permutation) {
    const size_t room = colamd_recommended(starts[g->n] + g->n, g->n, g->n);
    if (room == 0 || room > INT_MAX) return ST_OUT_OF_MEMORY;
    int *rows = st_alloc(room, sizeof *rows), *order = st_alloc((size_t)g->n + 1, sizeof *order);
    int stats[COLAMD_STATS];
    int ok = 0;

    // the columns of A with their diagonal
    if (rows && order) {
        int next = 0;
        for (int32_t i = 0; i < g->n; i++) {
            order[i] = next;
            rows[next++] = i;
            for (int s = starts[i]; s < starts[i + 1]; s++) rows[next++] = g->neighbors[s];
        }
        order[g->n] = next;

        ok = colamd(g->n, g->n, (int)room, rows, order, NULL, stats);
        for (int32_t i = 0; ok && i < g->n; i++) permutation[i] = order[i];
    }

    st_free(rows);
    st_free(order);
    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}

// METIS draws from the random numbers of the C library, which it starts again each time: one call after the other gives
// the same order again, two at once would not.
static pthread_mutex_t metis_mutex = PTHREAD_MUTEX_INITIALIZER;

static st_status order_metis(const st_graph *g, int *starts, int32_t *permutation) {
    if (starts[g->n] == 0) { // METIS wants edges
        for (int32_t i = 0; i < g->n; i++) permutation[i] = i;
        return ST_OK;
    }

    // nested dissection, from the same seed each time
    int32_t *inverse = st_alloc((size_t)g->n, sizeof *inverse);
    if (!inverse) return ST_OUT_OF_MEMORY;
    idx_t n = g->n, options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_NUMBERING] = 0;
    options[METIS_OPTION_SEED] = 1;

    pthread_mutex_lock(&metis_mutex);
    const int result = METIS_NodeND(&n, starts, g->neighbors, NULL, options, permutation, inverse);
    pthread_mutex_unlock(&metis_mutex);
    st_free(inverse);
    if (result == METIS_ERROR_MEMORY) return ST_OUT_OF_MEMORY;

    return result == METIS_OK ? ST_OK : ST_INVALID;
}

st_status st_ordering_compute(st_ordering ordering, const st_graph *g, int32_t *permutation) {
    if (g->n < 0 || (g->n > 0 && g->starts[g->n] > INT_MAX - (size_t)g->n)) return ST_INVALID;
    if (ordering == ST_ORDERING_NATURAL || g->n < 2) {
        for (int32_t i = 0; i < g->n; i++) permutation[i] = i;
        return ST_OK;
    }

    // the libraries count in int
    int *starts = st_alloc((size_t)g->n + 1, sizeof *starts);
    if (!starts) return ST_OUT_OF_MEMORY;
    for (int32_t i = 0; i <= g->n; i++) starts[i] = (int)g->starts[i];
    st_status status = ST_INVALID;

    if (ordering == ST_ORDERING_COLAMD) status = order_colamd(g, starts, permutation);
    else if (ordering == ST_ORDERING_METIS) status = order_metis(g, starts, permutation);
    else status = order_amd(g, starts, permutation);

    st_free(starts);
    return status;
}
