// Components written in Python: classes made from Python classes, and what all kinds of them share.
//
// A Python class that derives from settee.ForceField and its like becomes an st_class, by what the package says of it
// (class_of): name, help, kind, templates, and a table of fields that follow the struct. It is registered in a scene when
// it is first used there, and is a component like any other from then on.
//
// An exception in Python code is kept, the running step fails with it, and the call that ran the step raises it.
//
// SPDX-License-Identifier: Apache-2.0
#include "component.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------
// Calls
// ---------------------------------------------------------------------------------------------------

python_side *side_of(st_object *object) {
    if (object->type->mass) return &((python_mass *)object)->side;
    if (object->type->force) return &((python_force *)object)->side;
    if (object->type->mapping) return &((python_mapping *)object)->side;
    if (object->type->law) return &((python_law *)object)->side;
    return &((python_plain *)object)->side;
}

static bool enter(st_object *object, python_call *call, bool also_after_failure) {
    if (!Py_IsInitialized()) return false;
    call->lock = PyGILState_Ensure();
    call->scene = scene_of(object->scene);

    // its Python object is made when it is first needed
    python_side *side = side_of(object);
    const bool able = call->scene && (!call->scene->failure || also_after_failure);
    if (able && !side->self) {
        side->self = object_keep(call->scene, object);
        if (!side->self) scene_fail(call->scene);
    }

    // this thread, which may be a worker of the engine, uses the scene until python_leave
    call->self = side->self;
    if (able && side->self) {
        call->before = scene_serve(call->scene);
        return true;
    }
    PyGILState_Release(call->lock);
    return false;
}

bool python_enter(st_object *object, python_call *call) { return enter(object, call, false); }
bool python_enter_mapping(st_object *object, python_call *call) { return enter(object, call, true); }

void python_leave(python_call *call, PyObject *result) {
    if (!result) scene_fail(call->scene);
    Py_XDECREF(result);
    scene_serve(call->before);
    PyGILState_Release(call->lock);
}

bool python_has(PyObject *self, const char *method) {
    PyObject *found = PyObject_GetAttrString((PyObject *)Py_TYPE(self), method);
    PyErr_Clear();
    Py_XDECREF(found);
    return found != NULL;
}

PyObject *python_coords(const st_state *state, const st_real *x, bool writable) {
    return array_of(buffer_of_memory(x, 'r', x ? state->size : 0, st_state_dof(state)->coord, true, writable));
}

PyObject *python_derivs(const st_state *state, const st_real *v, bool writable) {
    return array_of(buffer_of_memory(v, 'r', v ? state->size : 0, st_state_dof(state)->deriv, true, writable));
}

python_lent python_lend(const st_state *state, const st_real *v) {
    python_lent lent = {0};
    lent.array = array_of(buffer_of_reals(v, v ? state->size : 0, st_state_dof(state)->deriv, &lent.copy));
    return lent;
}

void python_take_back(python_lent *lent, const st_state *state, st_real *v) {
    if (lent->array && v) memcpy(v, lent->copy, python_scalars(state) * sizeof *v);
    Py_CLEAR(lent->array);
}

// ---------------------------------------------------------------------------------------------------
// Life, the same for all kinds
// ---------------------------------------------------------------------------------------------------

// A method without arguments, where the class has it. One that raised says so; one that was not called does not.
static st_status call_plain(st_object *object, const char *method) {
    python_call call;
    if (!python_enter(object, &call)) return ST_INVALID;
    const bool there = python_has(call.self, method);
    PyObject *result = there ? PyObject_CallMethod(call.self, method, NULL) : Py_NewRef(Py_None);
    const bool ok = result != NULL;
    python_leave(&call, result);
    return ok ? ST_OK : st_invalid(object, "its method %s has raised an exception", method);
}

st_status python_init(st_object *object) { return call_plain(object, "init"); }

static void python_reset(st_object *object) { call_plain(object, "reset"); }

static st_status python_reinit(st_object *object) {
    blocks_free(&side_of(object)->matrix);
    return call_plain(object, "reinit");
}

static void python_update(st_object *object) { call_plain(object, "update"); }

static void python_event(st_object *object, st_event *event) {
    python_call call;
    if (!python_enter(object, &call)) return;

    PyObject *data = event_data(call.scene, event->data);
    PyObject *result =
        PyObject_CallMethod(call.self, "event", "sdiO", st_event_name(event), (double)event->dt, event->key, data);
    const int handled = result ? PyObject_IsTrue(result) : 0;
    if (handled < 0) Py_CLEAR(result);
    if (handled > 0) event->handled = true;
    Py_XDECREF(data);
    python_leave(&call, result);
}

static void python_destroy(st_object *object) {
    python_side *side = side_of(object);
    blocks_free(&side->stiffness);
    blocks_free(&side->damping);
    blocks_free(&side->matrix);
}

// The outputs of an engine are out of date from the start: an input counts as written.
static st_status engine_construct(st_object *object) {
    for (const st_field *f = object->type->fields; f && f->name; f++) {
        const void *member = (const char *)object + f->offset;
        if (!(f->flags & ST_FIELD_INPUT)) continue;
        st_touch(object, member);
        st_unset(object, member);
        break;
    }
    return ST_OK;
}

const st_class python_engine_class = {
    .parent = &st_object_class,
    .size = sizeof(python_plain),
    .construct = engine_construct,
    .init = python_init,
    .update = python_update,
};
const st_class python_controller_class = {
    .parent = &st_object_class,
    .size = sizeof(python_plain),
    .init = python_init,
    .flags = ST_CLASS_LISTENING,
};

// ---------------------------------------------------------------------------------------------------
// Classes
// ---------------------------------------------------------------------------------------------------

typedef struct python_class {
    st_class type;
    st_field *fields;
    char **texts; // names and helps, NULL at the end
    size_t text_count;
    st_force_ops force; // those of its kind without what the class does not define
    st_mapping_ops mapping;
} python_class;

static const st_type *type_by_name(const char *name) {
    // names are those of the types in settee/plugin/component.h
    static const struct {
        const char *name;
        const st_type *type;
    } types[] = {
        {"bool", &st_type_bool},           {"int", &st_type_int},
        {"uint", &st_type_uint},           {"real", &st_type_real},
        {"string", &st_type_string},       {"file", &st_type_file},
        {"color", &st_type_color},         {"vec2", &st_type_vec2},
        {"vec3", &st_type_vec3},           {"vec4", &st_type_vec4},
        {"vec6", &st_type_vec6},           {"quat", &st_type_quat},
        {"mat3", &st_type_mat3},           {"mat4", &st_type_mat4},
        {"reals", &st_type_reals},         {"ints", &st_type_ints},
        {"bools", &st_type_bools},         {"indices", &st_type_indices},
        {"words", &st_type_words},         {"vec2s", &st_type_vec2s},
        {"vec3s", &st_type_vec3s},         {"vec4s", &st_type_vec4s},
        {"vec6s", &st_type_vec6s},         {"quats", &st_type_quats},
        {"edges", &st_type_edges},         {"triangles", &st_type_triangles},
        {"quads", &st_type_quads},         {"tetrahedra", &st_type_tetrahedra},
        {"hexahedra", &st_type_hexahedra}, {"coord", &st_type_coord},
        {"deriv", &st_type_deriv},         {"coords", &st_type_coords},
        {"derivs", &st_type_derivs},       {"link", &st_type_link},
        {"links", &st_type_links},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strcmp(types[i].name, name)) return types[i].type;

    PyErr_Format(PyExc_ValueError, "'%s' is no type of a field", name);
    return NULL;
}

// Bytes of a member, a multiple of those that any member is aligned to.
static size_t size_of(const st_type *type) {
    const size_t width = type->width > 0 ? (size_t)type->width : ST_WIDTH_MAX;
    const size_t bytes = type->list                         ? sizeof(st_reals)
                         : type->scalar == ST_SCALAR_BOOL   ? width * sizeof(bool)
                         : type->scalar == ST_SCALAR_REAL   ? width * sizeof(st_real)
                         : type->scalar == ST_SCALAR_STRING ? sizeof(char *)
                         : type->scalar == ST_SCALAR_LINK   ? sizeof(st_object *)
                                                            : width * sizeof(int32_t);
    return (bytes + 15) / 16 * 16;
}

static const char *keep_text(python_class *c, const char *text) {
    char **texts = text ? realloc(c->texts, (c->text_count + 1) * sizeof *texts) : NULL;
    if (texts) c->texts = texts;
    char *copy = texts ? strdup(text) : NULL;
    if (copy) c->texts[c->text_count++] = copy;
    return copy;
}

static void class_free(PyObject *capsule) {
    python_class *c = PyCapsule_GetPointer(capsule, NULL);
    for (size_t i = 0; i < c->text_count; i++) free(c->texts[i]);
    free(c->texts);
    free(c->fields);
    free(c);
}

// Fields of the Python class: a list of (name, type, default, help, input, output).
static bool make_fields(python_class *c, PyObject *list) {
    const size_t count = (size_t)PyList_Size(list);
    c->fields = calloc(count + 1, sizeof *c->fields);
    if (!c->fields) return PyErr_NoMemory() != NULL;
    c->type.size = (c->type.size + 15) / 16 * 16;

    // each begins where the one before it ends
    for (size_t i = 0; i < count; i++) {
        const char *name, *type_name, *value, *help;
        int input, output;
        if (!PyArg_ParseTuple(PyList_GetItem(list, (Py_ssize_t)i), "sszspp", &name, &type_name, &value, &help, &input,
                              &output))
            return false;
        const st_type *type = type_by_name(type_name);
        if (!type) return false;
        if (output && (type->scalar == ST_SCALAR_STRING || type->scalar == ST_SCALAR_LINK)) {
            PyErr_Format(PyExc_TypeError, "the output '%s' must be made of numbers", name);
            return false;
        }

        c->fields[i] = (st_field){
            .name = keep_text(c, name),
            .type = type,
            .offset = c->type.size,
            .value = value ? keep_text(c, value) : NULL,
            .help = keep_text(c, help),
            .flags = (input ? ST_FIELD_INPUT : 0) | (output ? ST_FIELD_OUTPUT : 0),
        };
        c->type.size += size_of(type);
    }
    c->type.fields = c->fields;
    return true;
}

static const st_class *base_of(const char *kind) {
    const struct {
        const char *kind;
        const st_class *base;
    } bases[] = {
        {"force", &python_force_class}, {"mass", &python_mass_class},     {"mapping", &python_mapping_class},
        {"law", &python_law_class},     {"engine", &python_engine_class}, {"controller", &python_controller_class},
    };
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
        if (!strcmp(bases[i].kind, kind)) return bases[i].base;
    PyErr_Format(PyExc_ValueError, "'%s' is no kind of component", kind);
    return NULL;
}

static bool class_has(PyObject *type, const char *method) {
    PyObject *found = PyObject_GetAttrString(type, method);
    PyErr_Clear();
    Py_XDECREF(found);
    return found != NULL;
}

// What the Python class does not define is absent in its table of operations, too.
static void choose_operations(python_class *c, PyObject *type) {
    if (c->type.force) {
        c->force = *c->type.force;
        if (!class_has(type, "stiffness") && !c->type.mass) c->force.stiffness = NULL;
        if (!class_has(type, "damping")) c->force.damping = NULL;
        if (!class_has(type, "product")) c->force.product = NULL;
        if (!class_has(type, "potential") && !c->type.mass) c->force.potential = NULL;
        if (!c->force.stiffness && !c->type.mass) c->type.flags |= ST_CLASS_NO_TANGENT;
        if (!c->force.damping) c->type.flags |= ST_CLASS_EXPLICIT_DAMPING;
        c->type.force = &c->force;
    }
    if (c->type.mapping) {
        c->mapping = *c->type.mapping;
        if (!class_has(type, "geometric")) c->mapping.geometric = NULL;
        if (!class_has(type, "curvature")) c->mapping.add_curvature = NULL;
        if (!class_has(type, "apply_j")) c->mapping.apply_j = NULL;
        if (!class_has(type, "apply_jt")) c->mapping.apply_jt = NULL;
        c->type.mapping = &c->mapping;
    }

    // life and events
    if (class_has(type, "event")) {
        c->type.event = python_event;
        c->type.flags |= ST_CLASS_LISTENING;
    }
    if (class_has(type, "reset")) c->type.reset = python_reset;
    c->type.reinit = python_reinit;
    c->type.destroy = python_destroy;
}

static bool make_class(python_class *c, PyObject *type) {
    PyObject *description = PyObject_CallFunctionObjArgs(st_binding.class_of, type, NULL);
    const char *name, *help, *kind, *templates;
    PyObject *fields;
    bool ok =
        description && PyArg_ParseTuple(description, "ssszO!", &name, &help, &kind, &templates, &PyList_Type, &fields);
    const st_class *base = ok ? base_of(kind) : NULL;
    ok = ok && base;

    // the class of its kind, with a name and fields of its own
    if (ok) {
        c->type = *base;
        c->type.name = keep_text(c, name);
        c->type.help = keep_text(c, help);
        c->type.kind = keep_text(c, kind);
        c->type.templates = templates ? keep_text(c, templates) : NULL;
        c->type.flags &= ~(unsigned)ST_CLASS_ABSTRACT;
        choose_operations(c, type);
        ok = make_fields(c, fields);
        if (ok && (!c->type.name || !c->type.help || !c->type.kind)) ok = PyErr_NoMemory() != NULL;
    }
    Py_XDECREF(description);
    return ok;
}

// The st_class of a Python class in a capsule, made once and kept with it; borrowed.
static PyObject *class_of(PyObject *type) {
    static const char place[] = "_settee_class";
    PyObject *own = PyObject_GetAttrString(type, "__dict__");
    PyObject *capsule = own ? PyMapping_GetItemString(own, place) : NULL;
    Py_XDECREF(own);
    PyErr_Clear();
    if (capsule) {
        Py_DECREF(capsule); // the class holds it
        return capsule;
    }

    python_class *c = calloc(1, sizeof *c);
    capsule = c ? PyCapsule_New(c, NULL, class_free) : PyErr_NoMemory();
    if (!capsule) return NULL;
    const bool ok = make_class(c, type) && PyObject_SetAttrString(type, place, capsule) == 0;
    Py_DECREF(capsule);
    return ok ? capsule : NULL;
}

static python_class *table_of(PyObject *capsule) { return capsule ? PyCapsule_GetPointer(capsule, NULL) : NULL; }

// ---------------------------------------------------------------------------------------------------
// Outputs
// ---------------------------------------------------------------------------------------------------

static const st_field *own_output(PyObject *self, const char *name) {
    PyObject *kind = PyObject_GetAttrString((PyObject *)Py_TYPE(self), "_kind");
    const bool python = kind && kind != Py_None;
    Py_XDECREF(kind);
    PyErr_Clear();

    const python_class *c = python ? table_of(class_of((PyObject *)Py_TYPE(self))) : NULL;
    if (!c) PyErr_Clear();
    for (const st_field *f = c ? c->fields : NULL; f && f->name; f++)
        if (!strcmp(f->name, name) && (f->flags & ST_FIELD_OUTPUT)) return f;
    return NULL;
}

// One integer into a member of bools, ints or unsigned ints; false: it does not fit.
static bool put_integer(st_scalar scalar, void *to, size_t at, int64_t value) {
    if (scalar == ST_SCALAR_BOOL) ((bool *)to)[at] = value != 0;
    else if (scalar == ST_SCALAR_INT && value >= INT32_MIN && value <= INT32_MAX) ((int32_t *)to)[at] = (int32_t)value;
    else if (scalar == ST_SCALAR_UINT && value >= 0 && value <= UINT32_MAX) ((uint32_t *)to)[at] = (uint32_t)value;
    else {
        PyErr_Format(PyExc_ValueError, "number %zu is %lld, which does not fit", at, (long long)value);
        return false;
    }
    return true;
}

int python_write(object_object *self, const st_field_description *d, PyObject *value) {
    const st_field *field = own_output((PyObject *)self, d->name);
    if (!field) return 0;
    const bool real = d->scalar == ST_SCALAR_REAL;
    numbers n;
    if (!numbers_read(value, real, &n)) return -1;

    // the member itself, as a component in C writes it
    void *member = (char *)self->object + field->offset;
    bool ok = object_usable((PyObject *)self) && field_check_shape(self, d, &n);
    if (ok && d->list && !st_resize_member(self->object, member, n.count)) ok = PyErr_NoMemory() != NULL;
    void *to = d->list ? ((st_reals *)member)->data : member;
    if (ok && real && to) memcpy(to, n.reals, n.count * n.width * sizeof *n.reals);
    for (size_t i = 0; ok && !real && i < n.count * n.width; i++) ok = put_integer(d->scalar, to, i, n.integers[i]);

    numbers_free(&n);
    if (ok) st_touch(self->object, member);
    return ok ? 1 : -1;
}

PyObject *scene_register(PyObject *object, PyObject *type) {
    scene_object *self = (scene_object *)object;
    if (!scene_is_usable(self)) return NULL;
    if (!PyType_Check(type) || !PyType_IsSubtype((PyTypeObject *)type, st_binding.object))
        return PyErr_Format(PyExc_TypeError, "a class derived from settee.ForceField or its like is expected, not %R",
                            type);

    PyObject *capsule = class_of(type);
    const python_class *c = table_of(capsule);
    if (!c) return NULL;
    PyObject *known = PyDict_GetItemString(self->classes, c->type.name);
    if (known == type) Py_RETURN_NONE;

    // the table lives as long as the scene
    PyObject **tables = realloc(self->tables, (self->table_count + 1) * sizeof(PyObject *));
    if (!tables) return PyErr_NoMemory();
    self->tables = tables;
    self->tables[self->table_count++] = Py_NewRef(capsule);

    // a name that another class has is refused by the engine
    const st_status status = st_register_class(self->scene, &c->type);
    if (status != ST_OK) Py_DECREF(self->tables[--self->table_count]);
    if (status == ST_OK && PyDict_SetItemString(self->classes, c->type.name, type) != 0) return NULL;
    return scene_conclude(self, status, c->type.name, type);
}
