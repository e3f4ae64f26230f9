// Recording the pattern of a matrix and adding into its known slots. See sink_assembly.h.
//
// A block that is handed over need not stand on the grid of the matrix's own blocks: it is cut along the grid, and
// each piece is one addition of the stream, row of pieces by row of pieces.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/sink_assembly.h"

#include "base/array.h"
#include "base/pool.h"
#include "linalg/add_block.h"
#include "math/pack.h"
#include "math/simd.h"

st_status st_assembly_begin_record(st_assembly *a, int32_t block, size_t size, size_t part_count, bool keep) {
    if (block < 1 || size % (size_t)block != 0 || size / (size_t)block > INT32_MAX) return ST_INVALID;
    const int32_t rows = (int32_t)(size / (size_t)block);
    if (!st_list_set_count(&a->parts, part_count, 1)) return ST_OUT_OF_MEMORY;
    st_status status = st_pattern_begin(&a->pattern, rows, rows);
    if (status == ST_OK) status = st_pattern_record_diagonal(&a->pattern);
    if (status == ST_OK && keep && a->matrix.block == block && a->matrix.rows == rows && a->matrix.starts)
        status = st_pattern_record_matrix(&a->pattern, &a->matrix);
    if (status != ST_OK) return status;
    a->block = block;
    a->skipped = a->pattern.additions.count;
    for (size_t i = 0; i < part_count; i++) a->parts.data[i] = SIZE_MAX;
    a->recording = true;
    a->status = ST_OK;
    return ST_OK;
}

st_status st_assembly_end_record(st_assembly *a) {
    a->recording = false;
    st_status status = a->status;
    if (status == ST_OK) status = st_pattern_compress(&a->pattern);
    st_bsr_free(&a->matrix);
    if (status == ST_OK) status = st_pattern_create_matrix(&a->pattern, a->block, &a->matrix);
    if (status == ST_OK)
        status = st_slots_take(&a->slots, &a->pattern, a->skipped, a->pattern.additions.count, a->matrix.starts,
                               a->matrix.columns);
    st_pattern_free(&a->pattern);
    if (status != ST_OK) st_assembly_free(a);
    return status;
}

void st_assembly_begin_add(st_assembly *a) {
    st_bsr_zero(&a->matrix);
    a->slots.cursor = 0;
    a->misses = 0;
    a->grown = false;
}

void st_assembly_part(st_assembly *a, size_t part) {
    if (part >= a->parts.count) return;
    if (a->recording) a->parts.data[part] = a->pattern.additions.count - a->skipped;
    // A part that was not recorded starts beyond the end: all its additions are looked up.
    else a->slots.cursor = a->parts.data[part];
}

bool st_assembly_is_stale(const st_assembly *a) { return st_slots_is_stale(&a->slots, a->misses); }

void st_assembly_free(st_assembly *a) {
    st_bsr_free(&a->matrix);
    st_pattern_free(&a->pattern);
    st_slots_free(&a->slots);
    st_list_free(&a->parts);
    *a = (st_assembly){0};
}

// ---------------------------------------------------------------------------------------------------
// Recording
// ---------------------------------------------------------------------------------------------------

static void record(st_sink *sink, size_t row, size_t col, int rows, int cols, const st_real *block) {
    (void)block; // the pattern does not depend on values
    st_matrix_sink *s = (st_matrix_sink *)sink;
    if (!st_window_holds(&s->window, row, col, rows, cols)) {
        st_refuse_addition(&s->refusals, row, col, rows, cols);
        return;
    }
    if (rows == 0 || cols == 0) return;
    st_assembly *a = s->assembly;
    const size_t b = (size_t)a->block, i = s->window.row + row, j = s->window.col + col;
    for (size_t r = i / b; r <= (i + (size_t)rows - 1) / b; r++) {
        for (size_t c = j / b; c <= (j + (size_t)cols - 1) / b; c++) {
            const st_status status = st_pattern_record(&a->pattern, (int32_t)r, (int32_t)c);
            if (status == ST_INVALID) st_refuse_addition(&s->refusals, row, col, rows, cols);
            else if (status != ST_OK) a->status = status;
        }
    }
}

// ---------------------------------------------------------------------------------------------------
// Adding
// ---------------------------------------------------------------------------------------------------

// The block of the matrix that the next addition goes to; NULL when there is none.
static inline st_real *next_block(st_assembly *a, int32_t row, int32_t col, size_t area) {
    const uint32_t slot = st_slots_next(&a->slots, row, col);
    if (slot != ST_INVALID_INDEX) return &a->matrix.values[slot * area];
    a->misses++;
    const size_t found = st_bsr_find(&a->matrix, row, col);
    if (found != SIZE_MAX) return &a->matrix.values[found * area];
    a->grown = true;
    return NULL;
}

// One piece: scalars [top, bottom) × [left, right) of the matrix, all in one of its blocks.
typedef struct piece {
    size_t top, bottom, left, right;
} piece;

static void add_piece(const st_matrix_sink *s, size_t i, size_t j, int cols, const st_real *block, piece p, size_t b) {
    st_real *target = next_block(s->assembly, (int32_t)(p.top / b), (int32_t)(p.left / b), b * b);
    if (!target) return;
    for (size_t r = p.top; r < p.bottom; r++)
        for (size_t c = p.left; c < p.right; c++)
            target[r % b * b + c % b] += s->factor * block[(r - i) * (size_t)cols + (c - j)];
}

static void add_pieces(const st_matrix_sink *s, size_t i, size_t j, int rows, int cols, const st_real *block,
                       size_t b) {
    const size_t bottom = i + (size_t)rows, right = j + (size_t)cols;
    piece p;
    for (p.top = i; p.top < bottom; p.top = p.bottom) {
        p.bottom = st_piece_end(p.top, bottom, b);
        for (p.left = j; p.left < right; p.left = p.right) {
            p.right = st_piece_end(p.left, right, b);
            add_piece(s, i, j, cols, block, p, b);
        }
    }
}

// The common case: the block given is a block of the matrix.
static inline void add_aligned(const st_matrix_sink *s, size_t i, size_t j, const st_real *block, size_t b) {
    st_real *target = next_block(s->assembly, (int32_t)(i / b), (int32_t)(j / b), b * b);
    if (!target) return;
    if (b == 3) {
        st_add_block_3(target, block, 3, s->factor);
        return;
    }
    for (size_t k = 0; k < b * b; k++) target[k] += s->factor * block[k];
}

// A block that consists of whole 3 x 3 blocks of the matrix: a rigid body, a beam.
static void add_blocks_3(const st_matrix_sink *s, size_t i, size_t j, int rows, int cols, const st_real *block) {
    for (size_t r = 0; r < (size_t)rows; r += 3)
        for (size_t c = 0; c < (size_t)cols; c += 3) {
            st_real *target = next_block(s->assembly, (int32_t)((i + r) / 3), (int32_t)((j + c) / 3), 9);
            if (target) st_add_block_3(target, block + r * (size_t)cols + c, (size_t)cols, s->factor);
        }
}

static inline void add(st_sink *sink, size_t row, size_t col, int rows, int cols, const st_real *block, size_t b) {
    st_matrix_sink *s = (st_matrix_sink *)sink;
    const size_t i = s->window.row + row, j = s->window.col + col;
    if (!st_window_holds(&s->window, row, col, rows, cols)) st_refuse_addition(&s->refusals, row, col, rows, cols);
    else if ((size_t)rows == b && (size_t)cols == b && i % b == 0 && j % b == 0) add_aligned(s, i, j, block, b);
    else if (b == 3 && rows % 3 == 0 && cols % 3 == 0 && i % 3 == 0 && j % 3 == 0)
        add_blocks_3(s, i, j, rows, cols, block);
    else add_pieces(s, i, j, rows, cols, block, b);
}

static void add_1(st_sink *sink, size_t row, size_t col, int rows, int cols, const st_real *block) {
    add(sink, row, col, rows, cols, block, 1);
}
static void add_2(st_sink *sink, size_t row, size_t col, int rows, int cols, const st_real *block) {
    add(sink, row, col, rows, cols, block, 2);
}
static void add_3(st_sink *sink, size_t row, size_t col, int rows, int cols, const st_real *block) {
    add(sink, row, col, rows, cols, block, 3);
}
static void add_any(st_sink *sink, size_t row, size_t col, int rows, int cols, const st_real *block) {
    add(sink, row, col, rows, cols, block, (size_t)((st_matrix_sink *)sink)->assembly->block);
}

// Does the window hold all nodes of an element, and does it stand on the grid of 3 x 3 blocks?
static bool holds_nodes(const st_window *window, int count, const uint32_t *nodes) {
    if (window->row % 3 || window->col % 3) return false;
    for (int i = 0; i < count; i++)
        if (!st_window_holds(window, 3 * (size_t)nodes[i], 3 * (size_t)nodes[i], 3, 3)) return false;
    return true;
}

// The blocks of an element, each looked up if it has to be.
static void add_element_anyhow(const st_matrix_sink *s, int count, const uint32_t *nodes, const st_real *matrix) {
    const size_t stride = 3 * (size_t)count;
    const int32_t row = (int32_t)(s->window.row / 3), col = (int32_t)(s->window.col / 3);
    for (int i = 0; i < count; i++, matrix += 3 * stride) {
        for (int j = 0; j < count; j++) {
            st_real *target = next_block(s->assembly, row + (int32_t)nodes[i], col + (int32_t)nodes[j], 9);
            if (target) st_add_block_3(target, matrix + 3 * j, stride, s->factor);
        }
    }
}

// Are the count² additions of the stream from `at` on those of this element?
static bool is_element(const st_slots *slots, size_t at, int count, const uint32_t *nodes, int32_t row, int32_t col) {
    if (at > slots->list.count || slots->list.count - at < (size_t)count * (size_t)count) return false;
    const uint32_t *next = slots->list.data + at;
    bool right = true;
    for (int i = 0; i < count; i++) {
        const size_t *starts = slots->starts + row + (int32_t)nodes[i];
        for (int j = 0; j < count; j++, next++)
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
    const st_pack f = st_pack_splat(factor);
    const st_pack head = __builtin_shufflevector(st_pack_load(block), st_pack_load(second - 3), 0, 1, 2, 7);
    const st_pack middle = __builtin_shufflevector(st_pack_load(second + 1), st_pack_load(third - 2), 0, 1, 6, 7);
    st_pack_store(target, st_pack_load(target) + f * head);
    st_pack_store(target + 4, st_pack_load(target + 4) + f * middle);
    target[8] += factor * third[2];
}

// The slots of the element after this one are known, too: their blocks are asked for before they are needed.
typedef struct known_element {
    int count;
    const uint32_t *next; // slot of its first block
    size_t ahead;         // additions to the next element; 0: there is none
    const int32_t *columns;
    const st_real *matrix;
    st_real factor, *values;
} known_element;

ST_PACK_INLINE void add_known(const known_element *e) {
    const size_t stride = 3 * (size_t)e->count;
    const uint32_t *next = e->next;
    const st_real *matrix = e->matrix;
    for (int i = 0; i < e->count; i++, matrix += 3 * stride) {
        __builtin_prefetch(&e->columns[next[e->ahead]]);
        for (int j = 0; j < e->count; j++, next++) {
            __builtin_prefetch(&e->values[(size_t)next[e->ahead] * 9], 1);
            add_block_packs(&e->values[(size_t)*next * 9], matrix + 3 * j, stride, e->factor);
        }
    }
}
static void add_known_portable(const known_element *e) { add_known(e); }
ST_AVX2 static void add_known_avx2(const known_element *e) { add_known(e); }

// A whole element into a matrix of 3 x 3 blocks: the checks are made once, not for each of its blocks.
static void add_element_3(st_sink *sink, int count, const uint32_t *nodes, int width, const st_real *matrix) {
    const st_matrix_sink *s = (st_matrix_sink *)sink;
    if (width != 3 || !holds_nodes(&s->window, count, nodes)) {
        st_add_element_blocks(sink, count, nodes, width, matrix);
        return;
    }
    st_slots *slots = &s->assembly->slots;
    const size_t blocks = (size_t)count * (size_t)count, cursor = slots->cursor;
    if (!is_element(slots, cursor, count, nodes, (int32_t)(s->window.row / 3), (int32_t)(s->window.col / 3))) {
        add_element_anyhow(s, count, nodes, matrix);
        return;
    }
    const known_element element = {.count = count,
                                   .next = slots->list.data + cursor,
                                   .ahead = slots->list.count - cursor >= 2 * blocks ? blocks : 0,
                                   .columns = slots->columns,
                                   .matrix = matrix,
                                   .factor = s->factor,
                                   .values = s->assembly->matrix.values};
    (ST_HAS_AVX2() ? add_known_avx2 : add_known_portable)(&element);
    slots->cursor = cursor + blocks;
}

// Does value times the identity of n rows lie in one block of the matrix, on its diagonal?
static bool is_block_diagonal(const st_matrix_sink *s, size_t row, size_t col, int n) {
    const size_t b = (size_t)s->assembly->block;
    return (size_t)n == b && (s->window.row + row) % b == 0 && (s->window.col + col) % b == 0 &&
           st_window_holds(&s->window, row, col, n, n);
}

static void record_diagonal(st_sink *sink, size_t row, size_t col, int n, st_real value) {
    if (is_block_diagonal((st_matrix_sink *)sink, row, col, n)) record(sink, row, col, n, n, &value);
    else st_add_diagonal_scalars(sink, row, col, n, value);
}

static void add_diagonal(st_sink *sink, size_t row, size_t col, int n, st_real value) {
    const st_matrix_sink *s = (st_matrix_sink *)sink;
    if (!is_block_diagonal(s, row, col, n)) {
        st_add_diagonal_scalars(sink, row, col, n, value);
        return;
    }
    const size_t b = (size_t)n;
    st_real *target =
        next_block(s->assembly, (int32_t)((s->window.row + row) / b), (int32_t)((s->window.col + col) / b), b * b);
    for (size_t k = 0; target && k < b; k++) target[k * (b + 1)] += s->factor * value;
}

// --- many elements

// The rows of the matrix are dealt out to the threads, each gets a stretch of them. A thread goes through all elements
// in their order, computes the matrices of those that have a node among its rows, and adds these rows: every sum is
// made in the order of the stream, whatever the number of threads, and no matrix goes from one thread to another.
// Elements on the border between two stretches are computed twice.
enum { FEW_ELEMENTS = 256, PACK_GRAIN = 64 };

typedef struct batch {
    const st_matrix_sink *sink;
    const st_element_source *source;
    size_t cursor;  // first addition in the stream
    size_t threads; // stretches
    bool unknown;   // an addition is not the recorded one
} batch;

static size_t lanes_of(const st_element_source *source, size_t pack) {
    const size_t rest = source->elements - pack * ST_PACK_SIZE;
    return rest < ST_PACK_SIZE ? rest : ST_PACK_SIZE;
}

static void look_up_elements(void *context, size_t begin, size_t end) {
    batch *b = context;
    const st_element_source *source = b->source;
    const st_slots *slots = &b->sink->assembly->slots;
    const int32_t row = (int32_t)(b->sink->window.row / 3), col = (int32_t)(b->sink->window.col / 3);
    const size_t size = (size_t)source->size, blocks = size * size;
    bool known = true;
    for (size_t p = begin; p < end && known; p++)
        for (size_t lane = 0; lane < lanes_of(source, p) && known; lane++) {
            uint32_t nodes[ST_ELEMENT_SCALARS / 3];
            const size_t at = b->cursor + (p * ST_PACK_SIZE + lane) * blocks;
            for (size_t i = 0; i < size; i++) nodes[i] = source->nodes[(p * size + i) * ST_PACK_SIZE + lane];
            known = holds_nodes(&b->sink->window, source->size, nodes) &&
                    is_element(slots, at, source->size, nodes, row, col);
        }
    if (!known) __atomic_store_n(&b->unknown, true, __ATOMIC_RELAXED);
}

// The first node of a stretch: each has the same share of the entries of the matrix.
static uint32_t stretch_begin(const batch *b, size_t stretch) {
    const st_bsr *matrix = &b->sink->assembly->matrix;
    const size_t first = b->sink->window.row / 3, rows = b->sink->window.rows / 3;
    const size_t entries = (size_t)(matrix->starts[first + rows] - matrix->starts[first]);
    size_t low = 0, high = rows;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if ((size_t)(matrix->starts[first + middle] - matrix->starts[first]) < entries / b->threads * stretch)
            low = middle + 1;
        else high = middle;
    }
    return (uint32_t)(stretch == b->threads ? rows : low);
}

static bool is_between(uint32_t node, uint32_t first, uint32_t end) { return node - first < end - first; }

// Rows [first, end) of the elements of a pack.
ST_PACK_INLINE void add_pack(const batch *b, size_t p, uint32_t first, uint32_t end) {
    const st_element_source *source = b->source;
    const st_assembly *a = b->sink->assembly;
    const size_t size = (size_t)source->size, stride = 3 * size, ahead = size * size;
    const uint32_t *nodes = source->nodes + p * size * ST_PACK_SIZE;
    st_real matrices[ST_PACK_SIZE * ST_ELEMENT_SCALARS * ST_ELEMENT_SCALARS];
    source->matrices(source->context, p, p + 1, matrices);
    for (size_t lane = 0; lane < lanes_of(source, p); lane++) {
        const size_t at = b->cursor + (p * ST_PACK_SIZE + lane) * ahead;
        const size_t last = a->slots.list.count - 1;
        for (size_t i = 0; i < size; i++) {
            if (!is_between(nodes[i * ST_PACK_SIZE + lane], first, end)) continue;
            const uint32_t *next = a->slots.list.data + at + i * size;
            const st_real *row = matrices + (lane * size + i) * 3 * stride;
            const size_t later = at + (i + 1) * size - 1 + ahead <= last ? ahead : 0;
            for (size_t j = 0; j < size; j++) {
                __builtin_prefetch(&a->matrix.values[(size_t)next[j + later] * 9], 1);
                add_block_packs(&a->matrix.values[(size_t)next[j] * 9], row + 3 * j, stride, b->sink->factor);
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
    const size_t corners = (size_t)source->size * ST_PACK_SIZE;
    const size_t packs = (source->elements + ST_PACK_SIZE - 1) / ST_PACK_SIZE;
    for (size_t stretch = begin; stretch < end; stretch++) {
        const uint32_t first = stretch_begin(b, stretch), last = stretch_begin(b, stretch + 1);
        const uint32_t *nodes = source->nodes;
        for (size_t p = 0; p < packs; p++, nodes += corners) {
            bool any = false;
            for (size_t i = 0; i < corners; i++) any |= is_between(nodes[i], first, last);
            if (any) (ST_HAS_AVX2() ? add_pack_avx2 : add_pack_portable)(b, p, first, last);
        }
    }
}

static bool add_elements_3(st_sink *sink, st_pool *pool, const st_element_source *source) {
    st_matrix_sink *s = (st_matrix_sink *)sink;
    batch b = {
        .sink = s, .source = source, .cursor = s->assembly->slots.cursor, .threads = (size_t)st_pool_threads(pool)};
    if (b.threads < 2 || source->elements < FEW_ELEMENTS || source->width != 3) return false;
    if (source->size * source->width > ST_ELEMENT_SCALARS) return false;
    st_parallel_for(pool, (source->elements + ST_PACK_SIZE - 1) / ST_PACK_SIZE, PACK_GRAIN, look_up_elements, &b);
    if (b.unknown) return false;
    st_parallel_for(pool, b.threads, 1, add_stretches, &b);
    s->assembly->slots.cursor += source->elements * (size_t)(source->size * source->size);
    return true;
}

void st_matrix_sink_init(st_matrix_sink *sink, st_assembly *assembly, st_window window, st_real factor) {
    *sink = (st_matrix_sink){.window = window, .factor = factor, .assembly = assembly};
    sink->sink.add_diagonal = assembly->recording ? record_diagonal : add_diagonal;
    if (assembly->recording) sink->sink.add = record;
    else if (assembly->block == 1) sink->sink.add = add_1;
    else if (assembly->block == 2) sink->sink.add = add_2;
    else if (assembly->block == 3) {
        sink->sink.add = add_3;
        sink->sink.add_element = add_element_3;
        sink->sink.add_elements = add_elements_3;
    } else sink->sink.add = add_any;
}
