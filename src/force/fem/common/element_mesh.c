// Elements in packs and the loop over them. See element_mesh.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/common/element_mesh.h"

#include "base/array.h"

enum {
    DIRECT_PACKS = 16,    // packs whose results are scattered at once
    PACK_GRAIN = 16,      // packs of a chunk where there is nothing to scatter
    PARALLEL_PACKS = 128, // fewer are not worth waking threads for
    POINT_GRAIN = 256,    // border points of a chunk
    NOT_KEPT = UINT32_MAX // the results of a pack
};

// ---------------------------------------------------------------------------------------------------
// Lists
// ---------------------------------------------------------------------------------------------------

static bool find_wrong(const uint32_t *elements, size_t count, size_t size, size_t points, size_t *wrong) {
    for (size_t i = 0; i < count * size; i++)
        if (elements[i] >= points) {
            *wrong = i / size;
            return true;
        }
    return false;
}

static void fill_nodes(st_element_mesh *mesh, const uint32_t *elements) {
    const size_t size = mesh->size;

    // lanes beyond the last element repeat it
    for (size_t e = 0; e < mesh->packs * ST_PACK_SIZE; e++) {
        const uint32_t *from = elements + (e < mesh->count ? e : mesh->count - 1) * size;
        uint32_t *to = mesh->nodes + e / ST_PACK_SIZE * ST_PACK_SIZE * size + e % ST_PACK_SIZE;

        for (size_t i = 0; i < size; i++) to[i * ST_PACK_SIZE] = from[i];
    }
}

// Compressed rows: count, sum up, fill. Going through the elements in order keeps each row in order.
static void fill_corners(st_element_mesh *mesh, const uint32_t *elements) {
    const size_t size = mesh->size, total = mesh->count * size;
    uint32_t *starts = mesh->starts;

    // how many each point has, summed up
    for (size_t i = 0; i < total; i++) starts[elements[i] + 1]++;
    for (size_t n = 0; n < mesh->points; n++) starts[n + 1] += starts[n];

    // from the end, so that starts + 1 moves down to the beginning of its row
    for (size_t i = total; i-- > 0;) {
        const size_t e = i / size, corner = i % size;
        mesh->corners[--starts[elements[i] + 1]] =
            (uint32_t)((e / ST_PACK_SIZE * size + corner) * ST_PACK_SIZE + e % ST_PACK_SIZE);
    }

    // starts[n + 1] is now the beginning of row n
    for (size_t n = 0; n < mesh->points; n++) starts[n] = starts[n + 1];
    starts[mesh->points] = (uint32_t)total;
}

// The same without the list of elements.
static void refill_corners(st_element_mesh *mesh) {
    const size_t size = mesh->size;
    uint32_t *starts = mesh->starts, nodes[ST_ELEMENT_CORNERS];
    for (size_t n = 0; n <= mesh->points; n++) starts[n] = 0;

    for (size_t e = 0; e < mesh->count; e++) {
        st_element_nodes(mesh, e, nodes);
        for (size_t i = 0; i < size; i++) starts[nodes[i] + 1]++;
    }
    for (size_t n = 0; n < mesh->points; n++) starts[n + 1] += starts[n];

    // from the end, as above
    for (size_t e = mesh->count; e-- > 0;) {
        st_element_nodes(mesh, e, nodes);
        for (size_t i = size; i-- > 0;)
            mesh->corners[--starts[nodes[i] + 1]] =
                (uint32_t)((e / ST_PACK_SIZE * size + i) * ST_PACK_SIZE + e % ST_PACK_SIZE);
    }
    for (size_t n = 0; n < mesh->points; n++) starts[n] = starts[n + 1];
    starts[mesh->points] = (uint32_t)(mesh->count * size);
}

static size_t pack_results(const st_element_mesh *mesh) { return ST_PACK_SIZE * (mesh->size * mesh->width); }

static size_t stretch_begin(const st_element_mesh *mesh, size_t stretch) {
    return mesh->packs * stretch / mesh->stretches;
}

static size_t pack_of_corner(const st_element_mesh *mesh, uint32_t corner) {
    return mesh->corners[corner] / (ST_PACK_SIZE * mesh->size);
}

// Points with elements of several stretches. The elements of a point are in order: the first and the last show it.
static size_t mark_border(st_element_mesh *mesh) {
    size_t count = 0, stretch = 0;
    uint32_t *stretch_of = mesh->kept; // for a while

    for (size_t p = 0; p < mesh->packs; p++) {
        while (p >= stretch_begin(mesh, stretch + 1)) stretch++;
        stretch_of[p] = (uint32_t)stretch;
    }

    for (size_t n = 0; n < mesh->points; n++) {
        const uint32_t begin = mesh->starts[n], end = mesh->starts[n + 1];
        mesh->on_border[n] =
            begin < end && stretch_of[pack_of_corner(mesh, begin)] != stretch_of[pack_of_corner(mesh, end - 1)];
        count += mesh->on_border[n];
    }
    return count;
}

// Lists the border points and gives the packs around them a place among the results that are kept.
static bool make_border(st_element_mesh *mesh) {
    mesh->kept = st_alloc(mesh->packs, sizeof *mesh->kept);
    mesh->on_border = st_alloc(mesh->points, sizeof *mesh->on_border);
    if (!mesh->kept || !mesh->on_border) return false;

    // the points
    const size_t count = mark_border(mesh);
    mesh->border = st_alloc(count ? count : 1, sizeof *mesh->border);
    if (!mesh->border) return false;
    for (size_t n = 0; n < mesh->points; n++)
        if (mesh->on_border[n]) mesh->border[mesh->border_count++] = (uint32_t)n;

    // the packs around them
    uint32_t kept = 0;
    for (size_t p = 0; p < mesh->packs; p++) {
        bool any = false;
        for (size_t i = 0; i < ST_PACK_SIZE * mesh->size; i++)
            any |= mesh->on_border[mesh->nodes[p * ST_PACK_SIZE * mesh->size + i]];
        mesh->kept[p] = any ? kept++ : NOT_KEPT;
    }

    mesh->results = st_alloc(kept ? kept : 1, pack_results(mesh) * sizeof *mesh->results);
    return mesh->results != NULL;
}

st_status st_element_mesh_make(st_element_mesh *mesh, st_pool *pool, const uint32_t *elements, size_t count,
                               size_t size, size_t points, size_t width, size_t *wrong) {
    st_element_mesh_free(mesh);
    if (count == 0) return ST_OK;

    // what was given must make sense
    *wrong = 0;
    if (size < 1 || width < 1 || size > ST_ELEMENT_CORNERS || width > ST_ELEMENT_RESULTS / size) return ST_INVALID;
    if (count > UINT32_MAX / size - ST_PACK_SIZE) return ST_OUT_OF_MEMORY; // places are 32 bits wide
    if (find_wrong(elements, count, size, points, wrong)) return ST_INVALID;

    mesh->size = size;
    mesh->width = width;
    mesh->count = count;
    mesh->packs = (count + ST_PACK_SIZE - 1) / ST_PACK_SIZE;
    mesh->points = points;
    mesh->stretches = mesh->packs < PARALLEL_PACKS ? 1 : (size_t)st_pool_threads(pool);

    // the lists, and the border where several threads share them
    mesh->nodes = st_alloc(mesh->packs * ST_PACK_SIZE, size * sizeof *mesh->nodes);
    mesh->starts = st_alloc(points + 1, sizeof *mesh->starts);
    mesh->corners = st_alloc(count, size * sizeof *mesh->corners);
    bool ok = mesh->nodes && mesh->starts && mesh->corners;
    if (ok) {
        fill_nodes(mesh, elements);
        fill_corners(mesh, elements);
    }
    if (ok && mesh->stretches > 1) ok = make_border(mesh);

    if (!ok) st_element_mesh_free(mesh);
    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}

void st_element_mesh_free(st_element_mesh *mesh) {
    st_free(mesh->nodes);
    st_free(mesh->starts);
    st_free(mesh->corners);
    st_free(mesh->results);
    st_free(mesh->kept);
    st_free(mesh->border);
    st_free(mesh->on_border);
    *mesh = (st_element_mesh){0};
}

// ---------------------------------------------------------------------------------------------------
// Changes
// ---------------------------------------------------------------------------------------------------

void st_element_mesh_take_out(st_element_mesh *mesh, size_t e) {
    const size_t last = --mesh->count, size = mesh->size;
    uint32_t nodes[ST_ELEMENT_CORNERS];
    mesh->stale = true;
    mesh->packs = (mesh->count + ST_PACK_SIZE - 1) / ST_PACK_SIZE;

    // the last one into the gap, then lanes beyond the end repeat the one that is last now
    st_element_nodes(mesh, last, nodes);
    for (size_t i = 0; e != last && i < size; i++)
        mesh->nodes[(e / ST_PACK_SIZE * size + i) * ST_PACK_SIZE + e % ST_PACK_SIZE] = nodes[i];
    if (mesh->count == 0) return;
    st_element_nodes(mesh, mesh->count - 1, nodes);
    for (size_t lane = mesh->count; lane < mesh->packs * ST_PACK_SIZE; lane++)
        for (size_t i = 0; i < size; i++)
            mesh->nodes[(lane / ST_PACK_SIZE * size + i) * ST_PACK_SIZE + lane % ST_PACK_SIZE] = nodes[i];
}

void st_packs_take_out(st_pack *list, size_t width, size_t e, size_t count) {
    const size_t last = count - 1, packs = (last + ST_PACK_SIZE - 1) / ST_PACK_SIZE;
    for (size_t k = 0; k < width; k++) {
        if (e != last) *st_pack_entry(list, width, e, k) = *st_pack_entry(list, width, last, k);
        for (size_t lane = last; last && lane < packs * ST_PACK_SIZE; lane++)
            *st_pack_entry(list, width, lane, k) = *st_pack_entry(list, width, last - 1, k);
    }
}

st_status st_element_mesh_renumber(st_element_mesh *mesh, const uint32_t *elements, size_t points) {
    size_t wrong;
    if (points > mesh->points || find_wrong(elements, mesh->count, mesh->size, points, &wrong)) return ST_INVALID;
    mesh->points = points;
    mesh->stale = true;
    fill_nodes(mesh, elements);
    return ST_OK;
}

void st_element_mesh_update(st_element_mesh *mesh) {
    if (!mesh->stale || mesh->count == 0) return;
    mesh->stale = false;
    refill_corners(mesh);
    if (mesh->stretches < 2) return;

    // the border again; without memory for it one thread does all
    st_free(mesh->results);
    st_free(mesh->kept);
    st_free(mesh->border);
    st_free(mesh->on_border);
    mesh->results = NULL, mesh->kept = NULL, mesh->border = NULL, mesh->on_border = NULL;
    mesh->border_count = 0;
    if (make_border(mesh)) return;
    st_free(mesh->kept);
    mesh->kept = NULL;
    mesh->border_count = 0;
    mesh->stretches = 1;
}

st_pack *st_packs_create(const st_element_mesh *mesh, size_t width) {
    return st_alloc(mesh->packs ? mesh->packs : 1, width * sizeof(st_pack));
}

// ---------------------------------------------------------------------------------------------------
// The loop
// ---------------------------------------------------------------------------------------------------

typedef struct loop {
    const st_element_mesh *mesh;
    st_element_kernel *kernel;
    void *context;
    st_real *target;
} loop;

ST_PACK_INLINE void add_result(st_real *target, const st_real *result, size_t width) {
    if (width != 3) {
        for (size_t k = 0; k < width; k++) target[k] += result[k * ST_PACK_SIZE];
        return;
    }

    // what most elements have; at -O2 gcc would keep the loop
    target[0] += result[0];
    target[1] += result[ST_PACK_SIZE];
    target[2] += result[2 * ST_PACK_SIZE];
}

// All results, or with `skip` those of points that are not on the border. Inlined, so that the width 3 is a constant.
ST_PACK_INLINE void scatter_pack(const st_element_mesh *mesh, size_t p, const st_real *results, st_real *target,
                                 const bool *skip, size_t width) {
    const size_t rest = mesh->count - p * ST_PACK_SIZE;
    const int lanes = rest < ST_PACK_SIZE ? (int)rest : ST_PACK_SIZE;
    const uint32_t *nodes = mesh->nodes + p * ST_PACK_SIZE * mesh->size;
    const size_t size = mesh->size;

    // element after element, as a sequential loop adds: the order is part of the result
    for (int lane = 0; lane < lanes; lane++)
        for (size_t i = 0; i < size; i++) {
            const uint32_t node = nodes[i * ST_PACK_SIZE + lane];
            if (skip && skip[node]) continue;
            add_result(target + node * width, results + i * width * ST_PACK_SIZE + lane, width);
        }
}

static void element_mesh_scatter(const loop *l, size_t begin, size_t end, const st_real *results, const bool *skip) {
    const st_element_mesh *mesh = l->mesh;

    // three versions, so that the compiler knows the usual width and that nothing is skipped
    for (size_t p = begin; p < end; p++, results += pack_results(mesh)) {
        if (mesh->width != 3) scatter_pack(mesh, p, results, l->target, skip, mesh->width);
        else if (skip) scatter_pack(mesh, p, results, l->target, skip, 3);
        else scatter_pack(mesh, p, results, l->target, NULL, 3);
    }
}

// A few packs are computed, then scattered while their results are still in the nearest cache.
static void run_stretch(const loop *l, size_t p, size_t last) {
    const st_element_mesh *mesh = l->mesh;
    st_real buffer[DIRECT_PACKS * ST_PACK_SIZE * ST_ELEMENT_RESULTS];
    while (p < last) {
        // up to the next pack that is kept otherwise
        const bool keep = mesh->kept && mesh->kept[p] != NOT_KEPT;
        size_t end = p + 1;
        while (end < last && end < p + DIRECT_PACKS && keep == (mesh->kept && mesh->kept[end] != NOT_KEPT)) end++;

        st_real *results = keep ? mesh->results + mesh->kept[p] * pack_results(mesh) : buffer;
        l->kernel(l->context, p, end, results);
        element_mesh_scatter(l, p, end, results, keep ? mesh->on_border : NULL);
        p = end;
    }
}

static void run_stretches(void *context, size_t begin, size_t end) {
    const loop *l = context;
    for (size_t s = begin; s < end; s++) run_stretch(l, stretch_begin(l->mesh, s), stretch_begin(l->mesh, s + 1));
}

static void gather_border(void *context, size_t begin, size_t end) {
    const loop *l = context;
    const st_element_mesh *mesh = l->mesh;

    // element after element, as a sequential loop would add them
    for (size_t b = begin; b < end; b++) {
        const uint32_t n = mesh->border[b];
        for (uint32_t c = mesh->starts[n]; c < mesh->starts[n + 1]; c++) {
            const size_t p = pack_of_corner(mesh, c), lane = mesh->corners[c] % ST_PACK_SIZE;
            const size_t corner = mesh->corners[c] / ST_PACK_SIZE % mesh->size;

            add_result(l->target + n * mesh->width,
                       mesh->results + mesh->kept[p] * pack_results(mesh) + corner * mesh->width * ST_PACK_SIZE + lane,
                       mesh->width);
        }
    }
}

void st_element_loop(st_pool *pool, st_element_mesh *mesh, st_element_kernel *kernel, void *context, st_real *target) {
    loop l = {.mesh = mesh, .kernel = kernel, .context = context, .target = target};
    if (mesh->count == 0) return;
    if (mesh->stretches > 1) st_element_mesh_update(mesh);

    st_parallel_for(pool, mesh->stretches, 1, run_stretches, &l);
    st_parallel_for(pool, mesh->border_count, POINT_GRAIN, gather_border, &l);
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
static void assemble_packs(const st_element_mesh *mesh, size_t width, st_element_kernel *kernel, void *context,
                           st_sink *sink) {
    st_real matrices[ST_PACK_SIZE * ST_ELEMENT_SCALARS * ST_ELEMENT_SCALARS];
    const size_t side = mesh->size * width, count = side * side;
    for (size_t p = 0; p < mesh->packs; p++) {
        const size_t rest = mesh->count - p * ST_PACK_SIZE, lanes = rest < ST_PACK_SIZE ? rest : ST_PACK_SIZE;
        kernel(context, p, p + 1, matrices);

        // the last pack may be incomplete
        for (size_t lane = 0; lane < lanes; lane++) {
            uint32_t nodes[ST_ELEMENT_CORNERS];
            st_element_nodes(mesh, p * ST_PACK_SIZE + lane, nodes);
            st_add_element(sink, mesh->size, nodes, width, matrices + lane * count);
        }
    }
}

void st_element_assemble(st_pool *pool, st_element_mesh *mesh, size_t width, st_element_kernel *kernel, void *context,
                         st_sink *sink) {
    const st_element_source source = {.elements = mesh->count,
                                      .size = mesh->size,
                                      .width = width,
                                      .nodes = mesh->nodes,
                                      .matrices = kernel,
                                      .context = context};

    // sinks that know where the blocks go take all elements at once
    if (mesh->count == 0 || (sink->add_elements && sink->add_elements(sink, pool, &source))) return;
    assemble_packs(mesh, width, kernel, context, sink);
}
