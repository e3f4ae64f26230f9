// Many blocks at once into a matrix of 3 x 3 blocks whose slots are known. See known_elements.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "assembly/known_elements.h"

#include "linalg/add_block.h"
#include "math/pack.h"
#include "math/simd.h"

// Does the window hold all nodes of an element, and does it start on the grid of 3 x 3 blocks?
static bool holds_nodes(const st_window *window, size_t count, const uint32_t *nodes) {
    if (window->row % 3 || window->col % 3) return false;

    // as an addition of its own each would be checked, too
    for (size_t i = 0; i < count; i++)
        if (!st_window_holds(window, 3 * (size_t)nodes[i], 3 * (size_t)nodes[i], 3, 3)) return false;
    return true;
}

// Are the count² additions of the stream from `at` on those of this element?
static bool is_element(const st_slots *slots, size_t at, size_t count, const uint32_t *nodes, int32_t row,
                       int32_t col) {
    if (at > slots->list.count || slots->list.count - at < count * count) return false;
    const uint32_t *next = slots->list.data + at;
    bool right = true;

    // a slot is right if its column is, and if it lies within its row
    for (size_t i = 0; i < count; i++) {
        const size_t *starts = slots->starts + row + (int32_t)nodes[i];
        for (size_t j = 0; j < count; j++, next++)
            right &= (slots->columns[*next] == col + (int32_t)nodes[j]) & (*next - starts[0] < starts[1] - starts[0]);
    }

    return right;
}

// st_add_block_3 on packs. The nine scalars of the target are two packs and one; so are those of the block
//
//     a a a          once the rows are put together: a a a b | b b c c | c. What is read beside them are neighbors in
//     b b b          the rows above and below, never beyond the matrix of the element.
//     c c c
ST_PACK_INLINE void add_block_packs(st_real *target, const st_real *block, size_t stride, st_real factor) {
    const st_real *second = block + stride, *third = second + stride;

    // a a a b | b b c c | c
    const st_pack f = st_pack_splat(factor);
    const st_pack head = __builtin_shufflevector(st_pack_load(block), st_pack_load(second - 3), 0, 1, 2, 7);
    const st_pack middle = __builtin_shufflevector(st_pack_load(second + 1), st_pack_load(third - 2), 0, 1, 6, 7);

    st_pack_store(target, st_pack_load(target) + f * head);
    st_pack_store(target + 4, st_pack_load(target + 4) + f * middle);
    target[8] += factor * third[2];
}

// The slots of the element after this one are known, too: their blocks are asked for before they are needed.
typedef struct known_element {
    size_t count;
    const uint32_t *next; // slot of its first block
    size_t ahead;         // additions to the next element; 0: there is none
    const int32_t *columns;
    const st_real *matrix;
    st_real factor, *values;
} known_element;

ST_PACK_INLINE void add_known(const known_element *e) {
    const size_t stride = 3 * e->count;
    const uint32_t *next = e->next;
    const st_real *matrix = e->matrix;

    for (size_t i = 0; i < e->count; i++, matrix += 3 * stride) {
        __builtin_prefetch(&e->columns[next[e->ahead]]);
        for (size_t j = 0; j < e->count; j++, next++) {
            __builtin_prefetch(&e->values[(size_t)next[e->ahead] * 9], 1);
            add_block_packs(&e->values[(size_t)*next * 9], matrix + 3 * j, stride, e->factor);
        }
    }
}
static void add_known_portable(const known_element *e) { add_known(e); }
ST_AVX2 static void add_known_avx2(const known_element *e) { add_known(e); }

bool st_add_known_element(const st_known_blocks *to, size_t count, const uint32_t *nodes, const st_real *matrix) {
    st_slots *slots = to->slots;
    const size_t blocks = count * count, cursor = slots->cursor;
    if (!holds_nodes(&to->window, count, nodes)) return false;
    if (!is_element(slots, cursor, count, nodes, (int32_t)(to->window.row / 3), (int32_t)(to->window.col / 3)))
        return false;

    const known_element element = {.count = count,
                                   .next = slots->list.data + cursor,
                                   .ahead = slots->list.count - cursor >= 2 * blocks ? blocks : 0,
                                   .columns = slots->columns,
                                   .matrix = matrix,
                                   .factor = to->factor,
                                   .values = to->values};

    (ST_HAS_AVX2() ? add_known_avx2 : add_known_portable)(&element);
    slots->cursor = cursor + blocks;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Many elements
// ---------------------------------------------------------------------------------------------------

// The rows of the matrix are dealt out to the threads, each gets a stretch of them. A thread goes through all elements
// in their order, computes the matrices of those that have a node among its rows, and adds these rows: every sum is
// made in the order of the stream, whatever the number of threads, and no matrix goes from one thread to another.
// Elements on the border between two stretches are computed twice.
enum { FEW_ELEMENTS = 256, PACK_GRAIN = 64 };

typedef struct batch {
    const st_known_blocks *to;
    const st_element_source *source;
    size_t cursor;  // first addition in the stream
    size_t threads; // stretches
    bool unknown;   // an addition is not the recorded one
} batch;

static size_t lanes_of(const st_element_source *source, size_t pack) {
    // the last pack may have fewer
    const size_t rest = source->elements - pack * ST_PACK_SIZE;
    return rest < ST_PACK_SIZE ? rest : ST_PACK_SIZE;
}

static void look_up_elements(void *context, size_t begin, size_t end) {
    batch *b = context;
    const st_element_source *source = b->source;
    const st_slots *slots = b->to->slots;
    const int32_t row = (int32_t)(b->to->window.row / 3), col = (int32_t)(b->to->window.col / 3);
    const size_t size = source->size, blocks = size * size;
    bool known = true;

    for (size_t p = begin; p < end && known; p++)
        for (size_t lane = 0; lane < lanes_of(source, p) && known; lane++) {
            // nodes are stored lane by lane
            uint32_t nodes[ST_ELEMENT_SCALARS / 3];
            const size_t at = b->cursor + (p * ST_PACK_SIZE + lane) * blocks;
            for (size_t i = 0; i < size; i++) nodes[i] = source->nodes[(p * size + i) * ST_PACK_SIZE + lane];
            known = holds_nodes(&b->to->window, source->size, nodes) &&
                    is_element(slots, at, source->size, nodes, row, col);
        }

    if (!known) __atomic_store_n(&b->unknown, true, __ATOMIC_RELAXED);
}

// The first node of a stretch: each has the same share of the entries of the matrix.
static uint32_t stretch_begin(const batch *b, size_t stretch) {
    const size_t *starts = b->to->slots->starts;
    const size_t first = b->to->window.row / 3, rows = b->to->window.rows / 3;
    const size_t entries = (starts[first + rows] - starts[first]);

    size_t low = 0, high = rows;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if ((starts[first + middle] - starts[first]) < entries / b->threads * stretch) low = middle + 1;
        else high = middle;
    }

    return (uint32_t)(stretch == b->threads ? rows : low);
}

static bool is_between(uint32_t node, uint32_t first, uint32_t end) { return node - first < end - first; }

// Rows [first, end) of the elements of a pack.
ST_PACK_INLINE void add_pack(const batch *b, size_t p, uint32_t first, uint32_t end) {
    const st_element_source *source = b->source;
    const st_slots *slots = b->to->slots;
    st_real *values = b->to->values;
    const size_t size = source->size, stride = 3 * size, ahead = size * size;
    const uint32_t *nodes = source->nodes + p * size * ST_PACK_SIZE;

    st_real matrices[ST_PACK_SIZE * ST_ELEMENT_SCALARS * ST_ELEMENT_SCALARS];
    source->matrices(source->context, p, p + 1, matrices);

    // rows of the stretch; the slots of the next pack's elements are asked for ahead
    for (size_t lane = 0; lane < lanes_of(source, p); lane++) {
        const size_t at = b->cursor + (p * ST_PACK_SIZE + lane) * ahead;
        const size_t last = slots->list.count - 1;
        for (size_t i = 0; i < size; i++) {
            if (!is_between(nodes[i * ST_PACK_SIZE + lane], first, end)) continue;

            const uint32_t *next = slots->list.data + at + i * size;
            const st_real *row = matrices + (lane * size + i) * 3 * stride;
            const size_t later = at + (i + 1) * size - 1 + ahead <= last ? ahead : 0;
            for (size_t j = 0; j < size; j++) {
                __builtin_prefetch(&values[(size_t)next[j + later] * 9], 1);
                add_block_packs(&values[(size_t)next[j] * 9], row + 3 * j, stride, b->to->factor);
            }
        }
    }
}
static void add_pack_portable(const batch *b, size_t p, uint32_t first, uint32_t end) { add_pack(b, p, first, end); }
ST_AVX2 static void add_pack_avx2(const batch *b, size_t p, uint32_t first, uint32_t end) {
    add_pack(b, p, first, end);
}

static void add_stretches(void *context, size_t begin, size_t end) {
    const batch *b = context;
    const st_element_source *source = b->source;
    const size_t corners = source->size * ST_PACK_SIZE;
    const size_t packs = (source->elements + ST_PACK_SIZE - 1) / ST_PACK_SIZE;

    for (size_t stretch = begin; stretch < end; stretch++) {
        const uint32_t first = stretch_begin(b, stretch), last = stretch_begin(b, stretch + 1);
        const uint32_t *nodes = source->nodes;
        for (size_t p = 0; p < packs; p++, nodes += corners) {
            // is there a node of the stretch in the pack?
            bool any = false;
            for (size_t i = 0; i < corners; i++) any |= is_between(nodes[i], first, last);
            if (any) (ST_HAS_AVX2() ? add_pack_avx2 : add_pack_portable)(b, p, first, last);
        }
    }
}

bool st_add_known_elements(const st_known_blocks *to, st_pool *pool, const st_element_source *source) {
    batch b = {.to = to, .source = source, .cursor = to->slots->cursor, .threads = (size_t)st_pool_threads(pool)};
    if (b.threads < 2 || source->elements < FEW_ELEMENTS || source->width != 3) return false;
    if (source->size * source->width > ST_ELEMENT_SCALARS) return false;

    // every slot is checked before anything is added
    st_parallel_for(pool, (source->elements + ST_PACK_SIZE - 1) / ST_PACK_SIZE, PACK_GRAIN, look_up_elements, &b);
    if (b.unknown) return false;

    st_parallel_for(pool, b.threads, 1, add_stretches, &b);
    to->slots->cursor += source->elements * (source->size * source->size);

    return true;
}

// ---------------------------------------------------------------------------------------------------
// Blocks that go to different slots
// ---------------------------------------------------------------------------------------------------

// Threads share them without more ado. That all slots differ is seen from their increasing.
enum { BLOCK_GRAIN = 1024, ROW_GRAIN = 128 };

typedef struct diagonal_batch {
    const st_known_blocks *to;
    const st_diagonals *diagonals;
    size_t cursor;
    bool unknown;
} diagonal_batch;

static void look_up_diagonals(void *context, size_t begin, size_t end) {
    diagonal_batch *b = context;
    const st_known_blocks *to = b->to;
    bool known = true;

    for (size_t k = begin; k < end && known; k++) {
        const uint32_t dof = b->diagonals->dofs ? b->diagonals->dofs[k] : (uint32_t)k;
        const size_t at = b->cursor + k;
        if (!holds_nodes(&to->window, 1, &dof)) known = false;
        else {
            const int32_t row = (int32_t)(to->window.row / 3 + dof), col = (int32_t)(to->window.col / 3 + dof);
            const uint32_t slot = st_slots_at(to->slots, at, row, col);
            known = slot != ST_INVALID_INDEX && (k == 0 || slot > to->slots->list.data[at - 1]);
        }
    }

    if (!known) __atomic_store_n(&b->unknown, true, __ATOMIC_RELAXED);
}

static void add_diagonals(void *context, size_t begin, size_t end) {
    const diagonal_batch *b = context;
    const st_diagonals *d = b->diagonals;

    for (size_t k = begin; k < end; k++) {
        // the three entries on the diagonal of the block
        st_real *block = &b->to->values[(size_t)b->to->slots->list.data[b->cursor + k] * 9];
        const st_real value = b->to->factor * d->values[d->same ? 0 : k];
        for (size_t i = 0; i < 3; i++) block[4 * i] += value;
    }
}

bool st_add_known_diagonals(const st_known_blocks *to, st_pool *pool, const st_diagonals *diagonals) {
    diagonal_batch b = {.to = to, .diagonals = diagonals, .cursor = to->slots->cursor};
    if (diagonals->n != 3 || b.cursor > to->slots->list.count) return false;
    if (diagonals->count > to->slots->list.count - b.cursor || diagonals->count > UINT32_MAX) return false;

    st_parallel_for(pool, diagonals->count, BLOCK_GRAIN, look_up_diagonals, &b);
    if (b.unknown) return false;

    st_parallel_for(pool, diagonals->count, BLOCK_GRAIN, add_diagonals, &b);
    to->slots->cursor += diagonals->count;

    return true;
}

typedef struct row_batch {
    const st_known_blocks *to;
    const st_bsr *rows;
    size_t cursor;
    bool unknown;
} row_batch;

static void look_up_rows(void *context, size_t begin, size_t end) {
    row_batch *b = context;
    const int32_t first = (int32_t)(b->to->window.row / 3), left = (int32_t)(b->to->window.col / 3);
    bool known = true;

    // addition by addition, as the stream was recorded
    for (size_t r = begin; r < end; r++)
        for (size_t s = b->rows->starts[r]; s < b->rows->starts[r + 1]; s++)
            known &= st_slots_at(b->to->slots, b->cursor + s, first + (int32_t)r, left + b->rows->columns[s]) !=
                     ST_INVALID_INDEX;

    if (!known) __atomic_store_n(&b->unknown, true, __ATOMIC_RELAXED);
}

static void add_rows(void *context, size_t begin, size_t end) {
    const row_batch *b = context;

    // no two blocks go to the same slot
    for (size_t s = b->rows->starts[begin]; s < b->rows->starts[end]; s++)
        st_add_block_3(&b->to->values[(size_t)b->to->slots->list.data[b->cursor + s] * 9], &b->rows->values[s * 9], 3,
                       b->to->factor);
}

bool st_add_known_rows(const st_known_blocks *to, st_pool *pool, const st_bsr *rows) {
    row_batch b = {.to = to, .rows = rows, .cursor = to->slots->cursor};
    if (to->window.row % 3 || to->window.col % 3) return false;

    // every slot is checked before anything is added
    st_parallel_for(pool, (size_t)rows->rows, ROW_GRAIN, look_up_rows, &b);
    if (b.unknown) return false;

    st_parallel_for(pool, (size_t)rows->rows, ROW_GRAIN, add_rows, &b);
    to->slots->cursor += st_bsr_count(rows);

    return true;
}
