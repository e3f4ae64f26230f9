// Elements in packs and the loop over them. See element_mesh.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/element_mesh.h"

#include "base/array.h"
#include "linalg/sink.h"

enum {
    DIRECT_PACKS = 16,    // packs whose results are scattered at once
    PARALLEL_PACKS = 128, // fewer are not worth waking threads for
    PACK_GRAIN = 32,      // packs of a chunk
    POINT_GRAIN = 1024,   // points of a chunk
    MOST_RESULTS = 256,   // reals of a pack whose results are all kept; larger ones are scattered a block at a time
    BLOCK_PACKS = 2048,   // packs of such a block
};

// ---------------------------------------------------------------------------------------------------
// Making
// ---------------------------------------------------------------------------------------------------

static bool find_wrong(const uint32_t *elements, size_t count, int size, size_t points, size_t *wrong) {
    for (size_t i = 0; i < count * (size_t)size; i++)
        if (elements[i] >= points) {
            *wrong = i / (size_t)size;
            return true;
        }
    return false;
}

static void fill_nodes(st_element_mesh *mesh, const uint32_t *elements) {
    const size_t size = (size_t)mesh->size;
    for (size_t e = 0; e < mesh->packs * ST_PACK_SIZE; e++) {
        const uint32_t *from = elements + (e < mesh->count ? e : mesh->count - 1) * size;
        uint32_t *to = mesh->nodes + e / ST_PACK_SIZE * ST_PACK_SIZE * size + e % ST_PACK_SIZE;
        for (size_t i = 0; i < size; i++) to[i * ST_PACK_SIZE] = from[i];
    }
}

// Compressed rows: count, sum up, fill. Going through the elements in order keeps each row in order.
static void fill_corners(st_element_mesh *mesh, const uint32_t *elements) {
    const size_t size = (size_t)mesh->size, total = mesh->count * size;
    uint32_t *starts = mesh->starts;
    for (size_t i = 0; i < total; i++) starts[elements[i] + 1]++;
    for (size_t n = 0; n < mesh->points; n++) starts[n + 1] += starts[n];
    for (size_t i = total; i-- > 0;) { // from the end, so that starts + 1 moves down to the beginning of its row
        const size_t e = i / size, corner = i % size;
        mesh->corners[--starts[elements[i] + 1]] =
            (uint32_t)((e / ST_PACK_SIZE * size + corner) * ST_PACK_SIZE + e % ST_PACK_SIZE);
    }
    // starts[n + 1] is now the beginning of row n
    for (size_t n = 0; n < mesh->points; n++) starts[n] = starts[n + 1];
    starts[mesh->points] = (uint32_t)total;
}

st_status st_element_mesh_make(st_element_mesh *mesh, st_pool *pool, const uint32_t *elements, size_t count, int size,
                               size_t points, int width, size_t *wrong) {
    st_element_mesh_free(mesh);
    if (count == 0) return ST_OK;
    if (count > UINT32_MAX / (size_t)size - ST_PACK_SIZE) return ST_OUT_OF_MEMORY; // places are 32 bits wide
    if (find_wrong(elements, count, size, points, wrong)) return ST_INVALID;
    mesh->size = size;
    mesh->width = width;
    mesh->count = count;
    mesh->packs = (count + ST_PACK_SIZE - 1) / ST_PACK_SIZE;
    mesh->points = points;
    const bool parallel = st_pool_threads(pool) > 1 && mesh->packs >= PARALLEL_PACKS;
    const bool large = size * width * ST_PACK_SIZE >= MOST_RESULTS && mesh->packs > BLOCK_PACKS;
    mesh->result_packs = !parallel ? DIRECT_PACKS : large ? BLOCK_PACKS : mesh->packs;
    mesh->nodes = st_alloc(mesh->packs * ST_PACK_SIZE, (size_t)size * sizeof *mesh->nodes);
    mesh->starts = st_alloc(points + 1, sizeof *mesh->starts);
    mesh->corners = st_alloc(count, (size_t)size * sizeof *mesh->corners);
    mesh->results = st_alloc(mesh->result_packs, ST_PACK_SIZE * (size_t)(size * width) * sizeof *mesh->results);
    if (!mesh->nodes || !mesh->starts || !mesh->corners || !mesh->results) {
        st_element_mesh_free(mesh);
        return ST_OUT_OF_MEMORY;
    }
    fill_nodes(mesh, elements);
    fill_corners(mesh, elements);
    return ST_OK;
}

void st_element_mesh_free(st_element_mesh *mesh) {
    st_free(mesh->nodes);
    st_free(mesh->starts);
    st_free(mesh->corners);
    st_free(mesh->results);
    *mesh = (st_element_mesh){0};
}

st_pack *st_packs_create(const st_element_mesh *mesh, size_t width) {
    return st_alloc(mesh->packs ? mesh->packs : 1, width * sizeof(st_pack));
}

// ---------------------------------------------------------------------------------------------------
// The loop
// ---------------------------------------------------------------------------------------------------

typedef struct loop {
    st_element_mesh *mesh;
    st_element_kernel *kernel;
    void *context;
    st_real *target;
    size_t first; // pack whose results stand first
} loop;

static size_t pack_results(const st_element_mesh *mesh) { return ST_PACK_SIZE * (size_t)(mesh->size * mesh->width); }

static inline void add_result(st_real *target, const st_real *result, int width) {
    for (int k = 0; k < width; k++) target[k] += result[k * ST_PACK_SIZE];
}

static inline void scatter_pack(const st_element_mesh *mesh, size_t p, const st_real *results, st_real *target,
                                int width) {
    const size_t rest = mesh->count - p * ST_PACK_SIZE;
    const int lanes = rest < ST_PACK_SIZE ? (int)rest : ST_PACK_SIZE;
    const uint32_t *nodes = mesh->nodes + p * ST_PACK_SIZE * (size_t)mesh->size;
    for (int lane = 0; lane < lanes; lane++)
        for (int i = 0; i < mesh->size; i++)
            add_result(target + nodes[i * ST_PACK_SIZE + lane] * (size_t)width,
                       results + i * width * ST_PACK_SIZE + lane, width);
}

// The results of packs [begin, end), which stand at the beginning of the list.
static void scatter(const loop *l, size_t begin, size_t end) {
    const st_element_mesh *mesh = l->mesh;
    const st_real *results = mesh->results;
    for (size_t p = begin; p < end; p++, results += pack_results(mesh)) {
        if (mesh->width == 3) scatter_pack(mesh, p, results, l->target, 3);
        else scatter_pack(mesh, p, results, l->target, mesh->width);
    }
}

// One after another: computed, then scattered while still in the nearest cache.
static void run_direct(const loop *l) {
    const st_element_mesh *mesh = l->mesh;
    for (size_t p = 0; p < mesh->packs; p += DIRECT_PACKS) {
        const size_t end = p + DIRECT_PACKS < mesh->packs ? p + DIRECT_PACKS : mesh->packs;
        l->kernel(l->context, p, end, mesh->results);
        scatter(l, p, end);
    }
}

static void run_kernel(void *context, size_t begin, size_t end) {
    const loop *l = context;
    l->kernel(l->context, l->first + begin, l->first + end, l->mesh->results + begin * pack_results(l->mesh));
}

// Large results: threads compute a block of them, one scatters it.
static void run_blocks(loop *l, st_pool *pool) {
    const st_element_mesh *mesh = l->mesh;
    for (l->first = 0; l->first < mesh->packs; l->first += mesh->result_packs) {
        const size_t rest = mesh->packs - l->first, count = rest < mesh->result_packs ? rest : mesh->result_packs;
        st_parallel_for(pool, count, PACK_GRAIN, run_kernel, l);
        scatter(l, l->first, l->first + count);
    }
}

static inline void gather(const loop *l, size_t begin, size_t end, int width) {
    const st_element_mesh *mesh = l->mesh;
    for (size_t n = begin; n < end; n++) {
        st_real *target = l->target + n * (size_t)width;
        for (uint32_t c = mesh->starts[n]; c < mesh->starts[n + 1]; c++) {
            const size_t place = mesh->corners[c];
            add_result(target,
                       mesh->results + place / ST_PACK_SIZE * ST_PACK_SIZE * (size_t)width + place % ST_PACK_SIZE,
                       width);
        }
    }
}

static void run_gather(void *context, size_t begin, size_t end) {
    const loop *l = context;
    if (l->mesh->width == 3) gather(l, begin, end, 3);
    else gather(l, begin, end, l->mesh->width);
}

void st_element_loop(st_pool *pool, st_element_mesh *mesh, st_element_kernel *kernel, void *context, st_real *target) {
    loop l = {.mesh = mesh, .kernel = kernel, .context = context, .target = target};
    if (mesh->count == 0) return;
    if (mesh->result_packs < DIRECT_PACKS + 1 || mesh->packs < PARALLEL_PACKS || st_pool_threads(pool) < 2) {
        run_direct(&l);
        return;
    }
    if (mesh->result_packs < mesh->packs) {
        run_blocks(&l, pool);
        return;
    }
    st_parallel_for(pool, mesh->packs, PACK_GRAIN, run_kernel, &l);
    st_parallel_for(pool, mesh->points, POINT_GRAIN, run_gather, &l);
}

static void run_each(void *context, size_t begin, size_t end) {
    const loop *l = context;
    l->kernel(l->context, begin, end, NULL);
}

void st_element_each(st_pool *pool, const st_element_mesh *mesh, st_element_kernel *kernel, void *context) {
    loop l = {.kernel = kernel, .context = context};
    st_parallel_for(pool, mesh->packs, PACK_GRAIN, run_each, &l);
}

// ---------------------------------------------------------------------------------------------------
// Assembly
// ---------------------------------------------------------------------------------------------------

// One pack after another.
static void assemble_packs(const st_element_mesh *mesh, int width, st_element_kernel *kernel, void *context,
                           st_sink *sink) {
    st_real matrices[ST_PACK_SIZE * ST_ELEMENT_SCALARS * ST_ELEMENT_SCALARS];
    const size_t side = (size_t)(mesh->size * width), count = side * side;
    for (size_t p = 0; p < mesh->packs; p++) {
        const size_t rest = mesh->count - p * ST_PACK_SIZE, lanes = rest < ST_PACK_SIZE ? rest : ST_PACK_SIZE;
        kernel(context, p, p + 1, matrices);
        for (size_t lane = 0; lane < lanes; lane++) {
            uint32_t nodes[ST_ELEMENT_CORNERS];
            st_element_nodes(mesh, p * ST_PACK_SIZE + lane, nodes);
            st_add_element(sink, mesh->size, nodes, width, matrices + lane * count);
        }
    }
}

void st_element_assemble(st_pool *pool, st_element_mesh *mesh, int width, st_element_kernel *kernel, void *context,
                         st_sink *sink) {
    const st_element_source source = {mesh->count, mesh->size, width, mesh->nodes, kernel, context};
    if (mesh->count == 0 || (sink->add_elements && sink->add_elements(sink, pool, &source))) return;
    assemble_packs(mesh, width, kernel, context, sink);
}
