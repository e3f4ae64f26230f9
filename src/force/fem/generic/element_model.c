// Linear elastic elements of any kind: their rest shape and stiffness, forces and blocks. See element_model.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/generic/element_model.h"

#include "base/array.h"
#include "force/fem/generic/stiffness.h"
#include "math/decompose.h"

enum { FORCE, PRODUCT, MATRIX };

static st_element_kernel *kernel_of(const st_element_model *model, const st_pool *pool, int what) {
    const st_element_kernels *kernels = ST_BEST_KERNELS(st_element_kernels, pool);
    if (model->d == 3 && model->mesh.size == 4) return kernels->tetra[what][model->rotated];
    if (model->d == 3 && model->mesh.size == 8) return kernels->hexa[what][model->rotated];
    return kernels->any[model->d - 1][what][model->rotated];
}

// ---------------------------------------------------------------------------------------------------
// Rest shape
// ---------------------------------------------------------------------------------------------------

static void nodes_of(const st_element_model *model, size_t e, const st_real *rest, st_real *x) {
    uint32_t nodes[ST_ELEMENT_CORNERS];
    const size_t d = model->d;
    st_element_nodes(&model->mesh, e, nodes);
    for (size_t i = 0; i < model->mesh.size; i++)
        for (size_t k = 0; k < d; k++) x[i * d + k] = rest[nodes[i] * d + k];
}

// Rows: the mean edges along x, y and z.
static void mean_edges(st_real edges[9], const st_real *x) {
    for (int k = 0; k < 3; k++) {
        const st_real *n = x + k;
        edges[k] = (n[3] - n[0] + n[6] - n[9] + n[15] - n[12] + n[18] - n[21]) * ST_R(0.25);
        edges[3 + k] = (n[9] - n[0] + n[6] - n[3] + n[21] - n[12] + n[18] - n[15]) * ST_R(0.25);
        edges[6 + k] = (n[12] - n[0] + n[15] - n[3] + n[21] - n[9] + n[18] - n[6]) * ST_R(0.25);
    }
}

// F(x), rows are the axes. False when it does not exist.
static bool element_model_frame_of(const st_element_model *model, const st_real *x, st_real frame[9]) {
    st_real edges[9];

    // the edges that the method looks at
    if (model->method == ST_ROTATION_HEXAHEDRON || model->method == ST_ROTATION_EDGES) {
        mean_edges(edges, x);
    } else {
        st_vec3_sub(edges, x + 3, x);
        st_vec3_sub(edges + 3, x + 6, x);
    }

    if (model->method == ST_ROTATION_EDGES) return st_polar(frame, edges);
    st_frame_rows(frame, edges, edges + 3);
    return true;
}

// y_i = F(x) x_i: the nodes as K_e sees them.
static void turn_into_frame(st_element_model *model, const st_real *x, st_real *y, st_real frame[9]) {
    if (!element_model_frame_of(model, x, frame)) __atomic_store_n(&model->singular, true, __ATOMIC_RELAXED);
    for (size_t i = 0; i < model->mesh.size; i++) st_mat3_times_vec(y + 3 * i, frame, x + 3 * i);
}

static void element_model_set_rest(st_element_model *model, size_t e, const st_real *rest) {
    const size_t n = model->mesh.size, d = model->d;
    st_real x[ST_ELEMENT_SCALARS], frame[9];
    nodes_of(model, e, rest, x);
    if (!model->rotated) {
        st_pack_put(model->rest, n * d, e, x);
        return;
    }

    // in the frame of the element: F(X) X_i
    if (model->framed) {
        st_real y[ST_ELEMENT_SCALARS], rotation[9];
        turn_into_frame(model, x, y, frame);
        st_mat3_transpose(rotation, frame);
        st_pack_put(model->rest, n * d, e, y);
        st_pack_put(model->rest_frame, 9, e, frame);
        st_pack_put(model->rotation, 9, e, rotation);
        return;
    }

    st_mat3_identity(frame);
    if (d == 3 && model->method >= ST_ROTATION_TRIANGLE) (void)element_model_frame_of(model, x, frame);
    st_pack_put(model->rest_frame, 9, e, frame);

    // X_i - t0
    for (size_t k = 0; k < d; k++) {
        st_real t = x[k];
        for (size_t i = 1; i < n; i++) t += x[i * d + k];
        t /= (st_real)n;
        for (size_t i = 0; i < n; i++) x[i * d + k] -= t;
    }
    st_pack_put(model->rest, n * d, e, x);
}

static bool element_model_make_lists(st_element_model *model) {
    const st_element_mesh *mesh = &model->mesh;
    const size_t n = mesh->size, d = model->d;
    model->entries = st_stiffness_entries(n, d);
    model->place = st_alloc(mesh->packs, sizeof *model->place);
    model->rest = st_packs_create(mesh, n * d);

    // corotational: the frame at rest, and the rotation since
    if (model->rotated) {
        model->rest_frame = st_packs_create(mesh, 9);
        model->rotation = st_packs_create(mesh, 9);
        if (!model->rest_frame || !model->rotation) return false;
    }

    return model->place && model->rest;
}

static void element_model_free_lists(st_element_model *model) {
    st_free(model->place);
    st_free(model->own);
    st_free(model->shared);
    st_free(model->rest);
    st_free(model->rest_frame);
    st_free(model->rotation);

    model->place = NULL;
    model->shared = NULL;
    model->own = model->rest = model->rest_frame = model->rotation = NULL;
    model->own_room = 0;
    model->evaluated = false;
}

st_status st_element_model_make(st_element_model *model, st_pool *pool, const uint32_t *elements, size_t count,
                                const st_real *rest, size_t points, size_t *wrong) {
    element_model_free_lists(model);
    const st_status status = st_element_mesh_make(&model->mesh, pool, elements, count, st_element_size[model->kind],
                                                  points, model->d, wrong);
    if (status != ST_OK || count == 0) return status;

    if (!element_model_make_lists(model)) {
        st_element_model_free(model);
        return ST_OUT_OF_MEMORY;
    }

    // lanes beyond the last element repeat it
    for (size_t e = 0; e < model->mesh.packs * ST_PACK_SIZE; e++) element_model_set_rest(model, e, rest);
    return ST_OK;
}

void st_element_model_free(st_element_model *model) {
    element_model_free_lists(model);
    st_element_mesh_free(&model->mesh);
}

// ---------------------------------------------------------------------------------------------------
// Stiffness
// ---------------------------------------------------------------------------------------------------

// Elements of the same shape: their nodes seen from the first one, up to the rounding of the coordinates, and their
// marks.
typedef struct shape_key {
    st_real nodes[ST_ELEMENT_SCALARS];
    st_real marks[ST_ELEMENT_MARKS];
    st_real rounding;
} shape_key;

enum {
    MOST_SHARED = 16,         // more different elements than that are no regular grid
    CACHE_BYTES = 1024 * 1024 // matrices that fit into a cache are not worth sharing: each keeps its own last bits
};

typedef struct stiffness_call {
    st_element_model *model;
    const st_element_law *law;
    const st_real *positions; // whose shape the elements have
} stiffness_call;

// Lanes beyond the last element repeat it.
static size_t element_of_lane(const st_element_model *model, size_t lane) {
    return lane < model->mesh.count ? lane : model->mesh.count - 1;
}

static void set_key(const stiffness_call *call, size_t e, shape_key *key) {
    const st_element_model *model = call->model;
    const size_t d = model->d, size = model->mesh.size * d;
    st_real largest = 0, x[ST_ELEMENT_SCALARS];
    nodes_of(model, e, call->positions, x);

    // a shape is known up to a shift: nodes relative to the first, to within rounding of the largest coordinate
    for (size_t i = 0; i < size; i++) {
        const st_real a = fabs(x[i]);
        largest = a > largest ? a : largest;
        key->nodes[i] = x[i] - x[i % d];
    }
    key->rounding = 8 * ST_REAL_EPSILON * largest;

    call->law->marks(call->law->user, element_of_lane(model, e), key->marks);
}

// False for numbers that are not finite, too.
static bool same_shape(const shape_key *a, const shape_key *b, size_t size) {
    const st_real rounding = a->rounding > b->rounding ? a->rounding : b->rounding;

    for (int i = 0; i < ST_ELEMENT_MARKS; i++)
        if (!(a->marks[i] == b->marks[i])) return false;

    for (size_t i = 0; i < size; i++)
        if (!(fabs(a->nodes[i] - b->nodes[i]) <= rounding)) return false;
    return true;
}

typedef struct shapes {
    shape_key keys[MOST_SHARED];
    size_t first[MOST_SHARED]; // an element that has it
    size_t count;
} shapes;

// The number of the element's shape; MOST_SHARED when there are too many.
static size_t find_shape(const stiffness_call *call, size_t e, shapes *list) {
    const size_t size = call->model->mesh.size * call->model->d;
    shape_key key;
    set_key(call, e, &key);
    for (size_t i = list->count; i-- > 0;) // the last one found is the likeliest
        if (same_shape(&list->keys[i], &key, size)) return i;

    if (list->count == MOST_SHARED) return MOST_SHARED;
    list->keys[list->count] = key;
    list->first[list->count] = e;
    return list->count++;
}

// Packs whose four elements are alike get the place of their shape, the others a place of their own. Gives the number
// of the latter.
static size_t find_places(const stiffness_call *call, shapes *list) {
    st_element_model *model = call->model;
    const bool share = call->law->marks && model->mesh.packs > CACHE_BYTES / (model->entries * sizeof(st_pack));
    size_t own = 0;

    // a pack shares a matrix when its four lanes have the same shape
    for (size_t p = 0; p < model->mesh.packs; p++) {
        size_t shape = share ? find_shape(call, p * ST_PACK_SIZE, list) : MOST_SHARED;
        for (size_t lane = 1; lane < ST_PACK_SIZE && shape < MOST_SHARED; lane++)
            if (find_shape(call, p * ST_PACK_SIZE + lane, list) != shape) shape = MOST_SHARED;

        model->place[p] = shape < MOST_SHARED ? (uint32_t)shape | ST_SHARED : (uint32_t)own++;
    }
    return own;
}

// K_e of an element, its upper triangle in the order of element_model.h.
static void compute_stiffness(const stiffness_call *call, size_t e, st_real *stored) {
    st_element_model *model = call->model;
    const size_t n = model->mesh.size, d = model->d, size = n * d;
    st_real x[ST_ELEMENT_SCALARS], y[ST_ELEMENT_SCALARS], frame[9], k[ST_ELEMENT_SCALARS * ST_ELEMENT_SCALARS];

    // in the frame of the element, where the force uses it
    nodes_of(model, e, call->positions, x);
    if (model->framed) turn_into_frame(model, x, y, frame);
    call->law->stiffness(call->law->user, element_of_lane(model, e), model->framed ? y : x, k);

    // the upper triangle, node pair by node pair
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++)
            for (size_t r = 0; r < d; r++)
                for (size_t c = i == j ? r : 0; c < d; c++) *stored++ = k[(i * d + r) * size + j * d + c];
}

static void own_kernel(void *context, size_t begin, size_t end, st_real *results) {
    (void)results;
    const stiffness_call *call = context;
    st_element_model *model = call->model;
    st_real stored[ST_ELEMENT_SCALARS * (ST_ELEMENT_SCALARS + 1) / 2];

    for (size_t p = begin; p < end; p++) {
        if (model->place[p] & ST_SHARED) continue;

        for (size_t lane = 0; lane < ST_PACK_SIZE; lane++) {
            compute_stiffness(call, p * ST_PACK_SIZE + lane, stored);
            st_pack_put(model->own, model->entries, model->place[p] * (size_t)ST_PACK_SIZE + lane, stored);
        }
    }
}

bool st_element_model_set_stiffness(st_element_model *model, st_pool *pool, const st_element_law *law,
                                    const st_real *x) {
    shapes list = {.count = 0};
    if (model->mesh.count == 0) return true;

    stiffness_call call = {.model = model, .law = law, .positions = x};
    const size_t own = find_places(&call, &list);

    // room for the shared matrices and for those of single packs
    if (list.count && !model->shared) {
        model->shared = st_alloc(MOST_SHARED, model->entries * sizeof *model->shared);
        if (!model->shared) return false;
    }
    if (own > model->own_room) {
        st_free(model->own);
        model->own = st_alloc(own, model->entries * sizeof *model->own);
        model->own_room = model->own ? own : 0;
        if (!model->own) return false;
    }

    // each shape once; the others pack by pack, shared by the threads
    for (size_t i = 0; i < list.count; i++) compute_stiffness(&call, list.first[i], model->shared + i * model->entries);
    if (own) st_element_each(pool, &model->mesh, own_kernel, &call);
    return true;
}

void st_element_model_matrix(const st_element_model *model, size_t e, st_real *k) {
    const size_t n = model->mesh.size, d = model->d, size = n * d;
    const uint32_t place = model->place[e / ST_PACK_SIZE];
    st_real stored[ST_ELEMENT_SCALARS * (ST_ELEMENT_SCALARS + 1) / 2];

    if (place & ST_SHARED)
        memcpy(stored, model->shared + (place & ~ST_SHARED) * model->entries, model->entries * sizeof *stored);
    else st_pack_take(model->own, model->entries, place * (size_t)ST_PACK_SIZE + e % ST_PACK_SIZE, stored);

    // both triangles from the upper one
    const st_real *from = stored;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++)
            for (size_t r = 0; r < d; r++)
                for (size_t c = i == j ? r : 0; c < d; c++, from++) {
                    k[(i * d + r) * size + j * d + c] = *from;
                    k[(j * d + c) * size + i * d + r] = *from;
                }
}

// ---------------------------------------------------------------------------------------------------
// Hooke's law
// ---------------------------------------------------------------------------------------------------

static void hooke_stiffness(const void *user, size_t element, const st_real *nodes, st_real *k) {
    const st_element_hooke *hooke = user;
    const st_lame lame =
        st_lame_of(st_elastic_young(hooke->material, element), st_elastic_poisson(hooke->material, element), hooke->d);
    st_element_stiffness(hooke->kind, nodes, hooke->d, lame, k);
}

static void hooke_marks(const void *user, size_t element, st_real marks[ST_ELEMENT_MARKS]) {
    const st_element_hooke *hooke = user;
    marks[0] = st_elastic_young(hooke->material, element);
    marks[1] = st_elastic_poisson(hooke->material, element);
    marks[2] = 0;
}

st_element_law st_element_hooke_law(const st_element_hooke *hooke) {
    return (st_element_law){.stiffness = hooke_stiffness, .marks = hooke_marks, .user = hooke};
}

// ---------------------------------------------------------------------------------------------------
// Loops and blocks
// ---------------------------------------------------------------------------------------------------

// Where elements turn, R comes with the first force, or with the frame at rest.
static bool has_rotation(const st_element_model *model) { return !model->rotated || model->framed || model->evaluated; }

void st_element_model_add_force(st_element_model *model, st_pool *pool, const st_real *x, st_real *f) {
    if (model->mesh.count == 0) return;

    st_element_call call = {.model = model, .x = x};
    model->evaluated = true;
    st_element_loop(pool, &model->mesh, kernel_of(model, pool, FORCE), &call, f);
}

void st_element_model_product(st_element_model *model, st_pool *pool, st_real factor, const st_real *dx, st_real *df) {
    if (model->mesh.count == 0 || !has_rotation(model)) return;

    st_element_call call = {.model = model, .x = dx, .factor = factor};
    st_element_loop(pool, &model->mesh, kernel_of(model, pool, PRODUCT), &call, df);
}

void st_element_model_stiffness(st_element_model *model, st_pool *pool, st_sink *sink) {
    if (model->mesh.count == 0 || !has_rotation(model)) return;

    st_element_call call = {.model = model};
    st_element_assemble(pool, &model->mesh, model->d, kernel_of(model, pool, MATRIX), &call, sink);
}

// ---------------------------------------------------------------------------------------------------
// Energy
// ---------------------------------------------------------------------------------------------------

// u of element_model.h.
static void element_model_displacement(const st_element_model *model, size_t e, const st_real *positions, st_real *u) {
    const size_t n = model->mesh.size, d = model->d;
    st_real x[ST_ELEMENT_SCALARS], rest[ST_ELEMENT_SCALARS], rotation[9];
    nodes_of(model, e, positions, x);
    st_pack_take(model->rest, n * d, e, rest);
    if (model->rotated) st_pack_take(model->rotation, 9, e, rotation);

    // x_i - t
    for (size_t k = 0; k < d && model->rotated && !model->framed; k++) {
        st_real t = 0;
        for (size_t i = 0; i < n; i++) t += x[i * d + k];
        for (size_t i = 0; i < n; i++) x[i * d + k] -= t / (st_real)n;
    }

    // Rᵀ (x_i - t) - (X_i - t0)
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < d; k++) {
            st_real sum = model->rotated ? 0 : x[i * d + k];
            for (size_t m = 0; m < d && model->rotated; m++) sum += rotation[m * d + k] * x[i * d + m];
            u[i * d + k] = sum - rest[i * d + k];
        }
}

st_real st_element_model_potential(const st_element_model *model, const st_real *x) {
    const size_t size = model->mesh.size * model->d;
    st_real energy = 0, u[ST_ELEMENT_SCALARS], k[ST_ELEMENT_SCALARS * ST_ELEMENT_SCALARS];
    if (!has_rotation(model)) return 0;

    // ½ uᵀ K u with the displacement in the frame of the element
    for (size_t e = 0; e < model->mesh.count; e++) {
        element_model_displacement(model, e, x, u);
        st_element_model_matrix(model, e, k);
        for (size_t r = 0; r < size; r++)
            for (size_t c = 0; c < size; c++) energy += u[r] * k[r * size + c] * u[c];
    }
    return energy / 2;
}
