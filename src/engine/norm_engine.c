// NormEngine: the norm (sum |x|^p)^(1/p) of each element of a list. p = 0 counts the components that are not zero, a
// negative p is the largest of them.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

typedef struct norm_engine {
    st_object object;
    st_reals input, output;
    int32_t type;
} norm_engine;

static const st_field fields[] = {
    ST_INPUT(norm_engine, input, "input", st_type_coords, NULL, "vectors"),
    ST_INPUT(norm_engine, type, "normType", st_type_int, "2", "p; negative: the largest component"),
    ST_OUTPUT(norm_engine, output, "output", st_type_reals, "norm of each"),
    ST_FIELDS_END,
};

static st_real norm(const st_real *x, size_t width, int32_t p) {
    st_real sum = 0;

    for (size_t i = 0; i < width; i++) {
        const st_real a = fabs(x[i]);
        if (p < 0) sum = st_max(sum, a);
        else if (p == 0) sum += a != 0;
        else if (p == 1) sum += a;
        else if (p == 2) sum += a * a;
        else sum += pow(a, (st_real)p);
    }

    // p < 2 needs no root: the sum itself is the norm
    if (p == 2) return sqrt(sum);
    return p > 2 ? pow(sum, 1 / (st_real)p) : sum;
}

static void norm_engine_update(st_object *object) {
    norm_engine *engine = (norm_engine *)object;
    const size_t width = st_engine_width(object);
    const bool ok = st_engine_resize(object, &engine->output, engine->input.count);

    for (size_t i = 0; ok && i < engine->input.count; i++)
        engine->output.data[i] = norm(engine->input.data + i * width, width, engine->type);

    st_engine_done(object, ok);
}

const st_class st_norm_engine_class = {
    .name = "NormEngine",
    .help = "computes the norms of vectors",
    .parent = &st_engine_class,
    .templates = "Vec1 Vec2 Vec3 Vec6",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(norm_engine),
    .update = norm_engine_update,
};
