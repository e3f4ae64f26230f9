// When another value of a field counts. Every field of every registered class is changed in the example of its class, and
// what its table declares must be true:
//
//     live        set after init, the steps that follow are those of a scene that was made with the new value
//     at reinit   the same after st_object_reinit
//     fixed       setting it is refused, and the value stays
//
// Each is tried twice: before the first step, and after two steps with the old value whose motion is put back (where the
// component has no memory of its own: a scene whose motion is put back must go on as it began). What is computed at the
// first step and kept must not be mistaken for live.
//
// SETTEE_CLASS=Name tests one class; SETTEE_LIVE_TABLE=1 prints what was found for each field instead of failing.
//
// labels: double-only no-sanitizer
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include <math.h>

#include "api/classes.h"
#include "base/text.h"
#include "scene/scene.h"

enum { STEPS = 3, WARM_STEPS = 2, TEXT = 1 << 16 };

typedef ST_LIST(double) numbers;

struct run;

typedef struct subject {
    const st_class *type;
    const char *before, *after; // what the example needs around it to be run
    bool memoryless;
    struct run *plain; // its own example
} subject;

typedef struct tally {
    size_t classes, fields, acting, fixed, wrong;
    bool table;
} tally;

// ---------------------------------------------------------------------------------------------------
// Scenes
// ---------------------------------------------------------------------------------------------------

// A system that cannot be solved keeps the solution of the last one: such a value shows nothing.
static void count_errors(void *user, const st_diagnostic *d) {
    if (d->severity >= ST_ERROR || strstr(d->text, "invalid linear system")) (*(size_t *)user)++;
    if (d->severity >= ST_ERROR && getenv("SETTEE_LIVE_LOG")) print_message("    %s: %s\n", d->component, d->text);
}

static const void *role_of(const st_class *type, size_t role) {
    for (; type; type = type->parent)
        if (*(const void *const *)((const char *)type + role)) return type;
    return NULL;
}

// The example with one attribute of the component replaced or added.
static void write_example(char *text, const st_class *type, const char *name, const char *value) {
    char tag[128];
    strcpy(text, type->example);
    if (!name) return;

    // its first element
    snprintf(tag, sizeof tag, "<%s", type->name);
    char *at = strstr(text, tag);
    while (at && !strchr(" />", at[strlen(tag)])) at = strstr(at + 1, tag);
    if (!at) return;
    at += strlen(tag);

    // the former value goes
    char *end = strchr(at, '>');
    char attribute[128];
    snprintf(attribute, sizeof attribute, " %s=", name);
    char *former = strstr(at, attribute);
    if (former && former < end) {
        char *opening = former + strlen(attribute);
        char *closing = strchr(opening + 1, *opening);
        memmove(former, closing + 1, strlen(closing + 1) + 1);
    }

    static char tail[TEXT];
    strcpy(tail, at);
    sprintf(at, " %s=\"%s\"%s", name, value, tail);
}

static st_scene *load_example(const subject *s, const char *name, const char *value, size_t *errors) {
    static char text[2 * TEXT], example[TEXT];
    write_example(example, s->type, name, value);
    snprintf(text, sizeof text, "<Node dt='0.01' gravity='0.3 -9 0.2'>%s%s%s</Node></Node>", s->before, example,
             s->after);

    *errors = 0;
    st_config config = st_default_config();
    config.log = count_errors;
    config.log_user = errors;
    config.read_only = true;
    st_scene *scene = st_scene_create(&config);
    if (st_succeeded(st_scene_load_text(scene, text, strlen(text), SETTEE_EXAMPLES))) return scene;
    st_scene_destroy(scene);
    return NULL;
}

// The component that was made first: the one whose attribute is replaced.
static st_object *find_subject(st_scene *scene, const st_class *type) {
    st_object *found = NULL, *object;
    for (size_t i = 0; (object = st_scene_object(scene, i)); i++)
        if (strcmp(object->type->name, type->name) == 0 && (!found || object->record->order < found->record->order))
            found = object;
    return found;
}

static st_state *next_state(st_scene *scene, size_t *i) {
    for (st_object *object; (object = st_scene_object(scene, *i)); ++*i)
        if (object->type->state && ((st_state *)object)->mechanical && st_is_valid(object)) {
            ++*i;
            return (st_state *)object;
        }
    return NULL;
}

static void keep(numbers *list, const st_real *values, size_t count) {
    for (size_t k = 0; k < count; k++) assert_true(st_list_push(list, (double)values[k]));
}

static void read_motion(st_scene *scene, numbers *out) {
    out->count = 0;
    st_state *state;
    for (size_t i = 0; (state = next_state(scene, &i));) {
        keep(out, state->coord[ST_COORD_POSITION].data,
             state->coord[ST_COORD_POSITION].count * st_state_dof(state)->coord);
        keep(out, state->deriv[ST_DERIV_VELOCITY].data,
             state->deriv[ST_DERIV_VELOCITY].count * st_state_dof(state)->deriv);
    }
}

// What the component itself has computed.
static void read_outputs(st_object *it, numbers *out) {
    out->count = 0;
    for (size_t i = 0; i < st_field_count(it); i++) {
        st_array array;
        const st_field *field = st_fields(it)[i];
        if (!(field->flags & ST_FIELD_OUTPUT) || st_object_array(it, field->name, &array) != ST_OK) continue;
        const double count = (double)array.count;
        assert_true(st_list_push(out, count));
        if (array.scalar == ST_SCALAR_REAL) keep(out, array.data, array.count * array.width);
        for (size_t k = 0; array.scalar != ST_SCALAR_REAL && k < array.count * array.width; k++) {
            const double v = array.scalar == ST_SCALAR_BOOL ? ((bool *)array.data)[k] : ((int32_t *)array.data)[k];
            assert_true(st_list_push(out, v));
        }
    }
}

// Puts positions and velocities of independent states back to those of read_motion, moved a little.
static void put_back(st_scene *scene, const numbers *start, bool moved) {
    unsigned seed = 12345;
    size_t at = 0;
    st_state *state;
    for (size_t i = 0; (state = next_state(scene, &i));) {
        const st_dof *dof = st_state_dof(state);
        st_reals *x = &state->coord[ST_COORD_POSITION], *v = &state->deriv[ST_DERIV_VELOCITY];
        const bool independent = !state->mapped && !state->transient;
        for (size_t k = 0; independent && k < x->count * dof->coord; k++) x->data[k] = (st_real)start->data[at + k];
        at += x->count * dof->coord;
        for (size_t k = 0; independent && k < v->count * dof->deriv; k++) v->data[k] = (st_real)start->data[at + k];
        at += v->count * dof->deriv;

        for (size_t n = 0; moved && independent && n < state->size; n++) {
            st_real d[6];
            for (size_t k = 0; k < dof->deriv; k++) d[k] = physics_random(&seed) / 50;
            st_dof_add(dof, x->data + n * dof->coord, d, 1);
        }
        if (independent && x->count) st_touch(&state->object, x);
    }
}

typedef enum change { NONE, SET, SET_AND_REINIT } change;

typedef struct run {
    numbers start;  // motion after init
    numbers motion; // after the steps
    numbers output; // what the component computes
    size_t errors;
} run;

static void free_run(run *r) {
    st_list_free(&r->start);
    st_list_free(&r->motion);
    st_list_free(&r->output);
}

// Steps with the old value; then time and motion are put back.
static bool warm_up(st_scene *scene, const numbers *start) {
    const st_real time = scene->root->time;
    bool ok = true;
    put_back(scene, start, true);
    for (int i = 0; ok && i < WARM_STEPS; i++) ok = st_scene_step(scene, 0) == ST_OK;

    numbers now = {0};
    read_motion(scene, &now);
    ok = ok && now.count == start->count; // as many points as before
    st_list_free(&now);
    if (ok) put_back(scene, start, false);
    scene->root->time = time;
    st_propagate_context(scene);
    return ok;
}

// Makes a scene and steps. With a `model`, the field is changed after init, and the motion begins where that of the model
// began. False: it could not be done.
static bool run_example(const subject *s, const char *name, const char *value, change how, bool warm, const run *model,
                        run *out) {
    st_scene *scene = load_example(s, how == NONE ? name : NULL, value, &out->errors);
    if (!scene) return false;
    st_object *it = find_subject(scene, s->type);
    bool ok = it && st_succeeded(st_scene_init(scene)) && st_is_valid(it);
    if (ok) read_motion(scene, &out->start);
    if (ok && warm) ok = warm_up(scene, &out->start);

    if (ok && how != NONE) ok = st_object_set(it, name, value) == ST_OK;
    if (ok && how == SET_AND_REINIT) ok = st_object_reinit(it) == ST_OK;

    // what follows the component by links does so now, not in the middle of the motion
    if (ok) st_update_internal(scene);
    if (ok) put_back(scene, model && model->start.count == out->start.count ? &model->start : &out->start, true);
    for (int i = 0; ok && i < STEPS; i++) ok = st_scene_step(scene, 0) == ST_OK;
    if (ok) {
        read_motion(scene, &out->motion);
        read_outputs(it, &out->output);
    }
    st_scene_destroy(scene);
    return ok;
}

static bool is_equal(const numbers *a, const numbers *b) {
    if (a->count != b->count) return false;
    double size = 1e-3;
    for (size_t i = 0; i < a->count; i++) size = fmax(size, fabs(b->data[i]));
    for (size_t i = 0; i < a->count; i++)
        if (!(fabs(a->data[i] - b->data[i]) <= 1e-10 * size) && !(isnan(a->data[i]) && isnan(b->data[i]))) return false;
    return true;
}

// The motion is compared where as many points move: a state keeps its number of points after init.
static bool is_same(const run *a, const run *b) {
    const bool resized = a->start.count != b->start.count;
    return (resized || is_equal(&a->motion, &b->motion)) && is_equal(&a->output, &b->output);
}

// ---------------------------------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------------------------------

static void change_numbers(char *out, const st_object *it, const st_field *field, const st_array *array, int attempt) {
    const st_syntax syntax = field->type->syntax;
    const bool indices =
        syntax == ST_SYNTAX_RANGES || syntax == ST_SYNTAX_SET || (array->list && array->scalar == ST_SCALAR_UINT);
    const double factor = attempt ? 0.8 : 1.25, step = attempt ? -1 : 1;
    const size_t width = st_field_width(it, field->type);
    *out = 0;

    // a list of indices loses its last element, one that is empty gets an element
    size_t count = array->count;
    if (indices && count > 1) count--;
    else if (indices && count == 1 && width > 1) return;
    else if (indices && count == 1) {
        sprintf(out, ((uint32_t *)array->data)[0] ? "0" : "1");
        return;
    }
    if (array->list && count == 0) {
        for (size_t k = 0; k < width; k++) strcat(out, array->scalar == ST_SCALAR_REAL ? "0.5 " : k ? "1 " : "0 ");
        return;
    }

    for (size_t k = 0; k < count * width && strlen(out) < TEXT / 4; k++) {
        char *end = out + strlen(out);
        switch (array->scalar) {
        case ST_SCALAR_BOOL: sprintf(end, "%d ", !((bool *)array->data)[k]); break;
        case ST_SCALAR_INT: sprintf(end, "%d ", (int)(((int32_t *)array->data)[k] + step)); break;
        case ST_SCALAR_UINT:
            sprintf(end, "%u ",
                    indices ? ((uint32_t *)array->data)[k] : ((uint32_t *)array->data)[k] + (attempt ? 2 : 1));
            break;
        default: {
            const double v = (double)((st_real *)array->data)[k];
            sprintf(end, "%.9g ", v == 0 ? 0.125 * step : v * factor);
        }
        }
    }
    out[strlen(out) - 1] = 0;
}

// Another value than the example has; false: none is known.
static bool make_value(char *out, st_object *it, const st_field *field, int attempt) {
    st_array array;
    if (field->options) {
        size_t count = 0;
        while (field->options[count]) count++;
        const size_t now = *(const uint32_t *)st_member(it, field);
        snprintf(out, TEXT, "%s", field->options[(now + 1 + (size_t)attempt) % count]);
        return count > 1 && (now + 1 + (size_t)attempt) % count != now;
    }
    if (st_object_array(it, field->name, &array) != ST_OK) return false;
    change_numbers(out, it, field, &array, attempt);
    return *out != 0;
}

// ---------------------------------------------------------------------------------------------------
// One field
// ---------------------------------------------------------------------------------------------------

static bool is_refused(const subject *s, const char *name, const char *value) {
    size_t errors;
    st_scene *scene = load_example(s, NULL, NULL, &errors);
    st_object *it = find_subject(scene, s->type);
    assert_true(st_succeeded(st_scene_init(scene)));
    char *before = st_object_get(it, name, 17);
    const bool refused = st_object_set(it, name, value) == ST_INVALID;
    char *after = st_object_get(it, name, 17);
    const bool same = strcmp(before, after) == 0;
    st_string_free(before);
    st_string_free(after);
    st_scene_destroy(scene);
    return refused && same;
}

// Does the change, made so, give what a scene with the new value gives?
static bool holds(const subject *s, const char *name, const char *value, change how, const run *fresh) {
    run cold = {0}, warm = {0};
    bool ok = run_example(s, name, value, how, false, fresh, &cold) && is_same(&cold, fresh);
    if (ok && s->memoryless) ok = run_example(s, name, value, how, true, fresh, &warm) && is_same(&warm, fresh);
    free_run(&cold);
    free_run(&warm);
    return ok;
}

// Components that integrate a motion of their own from init on: another value counts from the next step, but where they
// are by then is not where a scene that began with it is.
static bool has_own_motion(const st_class *type) {
    return st_has_word("LinearVelocityProjectiveConstraint PositionBasedDynamicsProjectiveConstraint", type->name);
}

static void test_field(const subject *s, st_object *it, const st_field *field, const char *from, tally *t) {
    static char value[TEXT];
    const st_live_rule rule = st_field_rule(field);
    const unsigned skipped =
        ST_FIELD_OUTPUT | ST_FIELD_REMOVED | ST_FIELD_DEPRECATED | ST_FIELD_NO_EFFECT | ST_FIELD_DISPLAY;
    if (field->flags & skipped) return;

    // a value that the component takes
    run fresh = {0};
    bool known = false;
    for (int attempt = 0; !known && attempt < 2; attempt++)
        known = make_value(value, it, field, attempt) &&
                run_example(s, field->name, value, NONE, false, NULL, &fresh) && fresh.errors <= s->plain->errors;
    if (!known) {
        if (t->table) print_message("%s\t%s\t%s\tunknown\n", s->type->name, field->name, from);
        free_run(&fresh);
        return;
    }

    t->fields++;
    const bool acts = !is_same(&fresh, s->plain) || fresh.start.count != s->plain->start.count;
    t->acting += acts;
    if (t->table) {
        const bool live = rule == ST_FIXED ? false : holds(s, field->name, value, SET, &fresh);
        const bool reinit = live || rule == ST_FIXED ? live : holds(s, field->name, value, SET_AND_REINIT, &fresh);
        print_message("%s\t%s\t%s\t%s\t%s\t%s\t%.60s\n", s->type->name, field->name, from,
                      rule == ST_FIXED ? "isfixed"
                      : live           ? "live"
                      : reinit         ? "reinit"
                                       : "neither",
                      st_live_rule_name(rule), acts ? "acts" : "silent", value);
    } else if (rule == ST_FIXED) {
        t->fixed++;
        if (!is_refused(s, field->name, value)) {
            t->wrong++;
            print_error("%s.%s is fixed after init, but \"%.60s\" is taken\n", s->type->name, field->name, value);
        }
    } else if (!holds(s, field->name, value, rule == ST_LIVE ? SET : SET_AND_REINIT, &fresh)) {
        t->wrong++;
        print_error("%s.%s is declared as '%s', which does not hold for \"%.60s\"\n", s->type->name, field->name,
                    st_live_rule_name(rule), value);
    }
    free_run(&fresh);
}

// ---------------------------------------------------------------------------------------------------
// One class
// ---------------------------------------------------------------------------------------------------

// What must be around the example: a loop, an integrator, a mass, constraints, unless it has its own.
static void choose_surroundings(subject *s) {
    static char before[512], after[512];
    const char *example = s->type->example;
    const bool constrained = role_of(s->type, ST_ROLE(law)) || role_of(s->type, ST_ROLE(correction)) ||
                             role_of(s->type, ST_ROLE(constraint_solver)) || strstr(example, "Lagrangian");
    const bool own_loop = strstr(example, "AnimationLoop") != NULL;
    const bool own_solver = strstr(example, "EulerImplicit") || strstr(example, "StaticSolver") ||
                            role_of(s->type, ST_ROLE(integrator)) || strstr(example, "OdeSolver") ||
                            strstr(example, "EulerExplicit") || strstr(example, "RungeKutta") ||
                            strstr(example, "Newmark");
    const bool own_linear = strstr(example, "LinearSolver") || strstr(example, "LDLSolver") ||
                            role_of(s->type, ST_ROLE(linear_solver)) || strstr(example, "CholeskySolver");

    snprintf(before, sizeof before, "%s%s<Node name='part'>%s%s",
             own_loop      ? ""
             : constrained ? "<FreeMotionAnimationLoop/>"
                           : "<DefaultAnimationLoop/>",
             constrained && !strstr(example, "ConstraintSolver") ? "<BlockGaussSeidelConstraintSolver/>" : "",
             own_solver ? "" : "<EulerImplicitSolver rayleighStiffness='0.01' rayleighMass='0.01'/>",
             own_linear ? "" : "<SparseLDLSolver/>");
    snprintf(after, sizeof after, "%s%s",
             strstr(example, "Mass") || !strstr(example, "MechanicalObject") ? "" : "<UniformMass totalMass='1'/>",
             constrained && !strstr(example, "Correction") ? "<GenericConstraintCorrection/>" : "");
    s->before = before;
    s->after = after;
}

static void test_class(const st_class *type, tally *t) {
    run plain = {0}, again = {0};
    subject s = {.type = type, .plain = &plain};
    size_t errors;
    choose_surroundings(&s);
    if (has_own_motion(type)) return;

    if (!run_example(&s, NULL, NULL, NONE, false, NULL, &plain)) {
        if (t->table) print_message("%s\t-\t-\tnot run\n", type->name);
        free_run(&plain);
        return;
    }
    t->classes++;
    s.memoryless = run_example(&s, NULL, NULL, NONE, true, NULL, &again) && is_same(&again, &plain);
    free_run(&again);

    // as it is before init: what init computes is no value of the example
    st_scene *scene = load_example(&s, NULL, NULL, &errors);
    st_object *it = find_subject(scene, type);
    for (size_t i = 0; i < st_field_count(it); i++) {
        const st_field *field = st_fields(it)[i];
        const st_class *owner = type;
        for (const st_class *c = type; c; c = c->parent)
            for (const st_field *f = c->fields; f && f->name; f++)
                if (f == field) owner = c;
        if (owner != &st_object_class) test_field(&s, it, field, owner->name, t);
    }
    st_scene_destroy(scene);
    free_run(&plain);
}

static void every_field_counts_when_its_table_says(void **unused) {
    (void)unused;
    const char *only = getenv("SETTEE_CLASS");
    tally t = {.table = getenv("SETTEE_LIVE_TABLE") != NULL};
    for (const st_class *const *type = st_builtin_classes; *type; type++) {
        if (((*type)->flags & (ST_CLASS_ABSTRACT | ST_CLASS_INERT)) || !(*type)->example) continue;
        if (only && strcmp(only, (*type)->name) != 0) continue;
        test_class(*type, &t);
    }

    print_message("%zu fields of %zu classes; %zu of them act in their example; %zu are fixed\n", t.fields, t.classes,
                  t.acting, t.fixed);
    assert_int_equal(t.wrong, 0);
    if (!only) assert_true(t.classes >= 200 && t.acting >= 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_field_counts_when_its_table_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
