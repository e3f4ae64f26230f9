// MathOp: one operation over several lists, element by element and from left to right: ((a op b) op c) ...
//
//     + - * /     arithmetic; with one input, - negates; whole numbers divide with truncation
//     < >         minimum, maximum
//     & | ^ !     and, or, exclusive or of what is not zero; ! negates each element of the one input
//     !& !| !^    the same, negated at the end
//
// The result is as long as the longest input; a shorter one repeats its last element.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "engine/engine.h"

typedef struct math_op {
    st_object object;
    uint32_t input_count;
    st_reals inputs[ST_ENGINE_INPUTS];
    char *operation;
    st_reals output;
} math_op;

#define OPERAND(n) ST_INPUT(math_op, inputs[n - 1], "input" #n, st_type_coords, NULL, "operand " #n),

static const st_field fields[] = {
    ST_INPUT(math_op, input_count, "nbInputs", st_type_uint, "2", "number of operands"),
    ST_INPUT(math_op, operation, "op", st_type_string, "+", "operation: + - * / < > & | ^ ! !& !| !^"),
    ST_EACH_INPUT(OPERAND) ST_OUTPUT(math_op, output, "output", st_type_coords, "the result"),
    ST_FIELDS_END,
};

static bool is_known(const char *operation) { return st_has_word("+ - * / < > & | ^ ! !& !| !^", operation); }

static st_real math_op_combine(char operation, st_real a, st_real b, bool whole) {
    // whole numbers divide with truncation, and by 0 to 0
    switch (operation) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    case '/': return whole ? (b != 0 ? trunc(a / b) : 0) : a / b;
    case '<': return b < a ? b : a;
    case '>': return a < b ? b : a;
    case '&': return a != 0 && b != 0;
    case '|': return a != 0 || b != 0;
    case '^': return (a != 0) != (b != 0);
    default: return a;
    }
}

static st_real scalar(const math_op *engine, size_t input, size_t element, size_t k) {
    const st_reals *list = &engine->inputs[input];

    if (list->count == 0) return 0;

    const size_t at = element < list->count ? element : list->count - 1;
    return list->data[at * st_engine_width(&engine->object) + k];
}

static st_real math_op_evaluate(const math_op *engine, size_t inputs, size_t element, size_t k) {
    const char *operation = engine->operation;
    const bool negated = operation[0] == '!' && operation[1], whole = st_engine_whole_values(&engine->object);
    st_real value = scalar(engine, 0, element, k);

    // operations of one operand
    if (strcmp(operation, "!") == 0) return value == 0;
    if (inputs == 1 && operation[0] == '-') return -value;

    // from left to right
    for (size_t i = 1; i < inputs; i++)
        value = math_op_combine(negated ? operation[1] : operation[0], value, scalar(engine, i, element, k), whole);

    return negated ? value == 0 : value;
}

static void math_op_update(st_object *object) {
    math_op *engine = (math_op *)object;
    const size_t width = st_engine_width(object), inputs = st_engine_inputs(object, engine->input_count);
    size_t count = 0;

    // as long as the longest input
    for (size_t i = 0; i < inputs; i++)
        if (engine->inputs[i].count > count) count = engine->inputs[i].count;

    if (!engine->operation || !is_known(engine->operation)) {
        st_message(object, ST_ERROR, "op \"%.20s\" is not known", engine->operation ? engine->operation : "");
        count = 0;
    }

    const bool ok = st_engine_resize(object, &engine->output, count);
    for (size_t i = 0; ok && i < count * width; i++)
        engine->output.data[i] = math_op_evaluate(engine, inputs, i / width, i % width);

    st_engine_done(object, ok);
}

const st_class st_math_op_class = {
    .name = "MathOp",
    .help = "combines lists element by element",
    .parent = &st_engine_class,
    .templates = ST_VECTOR_TEMPLATES,
    .default_template = "vector<d>",
    .fields = fields,
    .size = sizeof(math_op),
    .accepts = st_engine_accept_values,
    .update = math_op_update,
};
