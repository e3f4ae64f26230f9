// Object: a component or a node of a scene. The same one is the same Python object as long as somebody holds it.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "binding.h"
#include "settee/plugin/component.h"

// ---------------------------------------------------------------------------------------------------
// From C to Python
// ---------------------------------------------------------------------------------------------------

static PyObject *type_of(scene_object *owner, st_object *object) {
    const char *name = st_object_class_name(object);
    PyObject *own = PyDict_GetItemString(owner->classes, name);
    if (own) return Py_NewRef(own);
    return PyObject_CallFunction(st_binding.type_of, "sO", name, st_object_as_node(object) ? Py_True : Py_False);
}

PyObject *object_wrap(scene_object *owner, st_object *object) {
    if (!object) Py_RETURN_NONE;

    // the one that somebody holds
    PyObject *key = PyLong_FromVoidPtr(object);
    PyObject *weak = key ? PyDict_GetItemWithError(owner->wrappers, key) : NULL;
    PyObject *wrapper = weak ? PyWeakref_GetObject(weak) : NULL;
    if (wrapper && wrapper != Py_None) {
        Py_DECREF(key);
        return Py_NewRef(wrapper);
    }

    PyTypeObject *type = key ? (PyTypeObject *)type_of(owner, object) : NULL;
    object_object *self = type ? (object_object *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0) : NULL;
    Py_XDECREF((PyObject *)type);
    if (self) {
        self->owner = (scene_object *)Py_NewRef((PyObject *)owner);
        self->object = object;
    }

    weak = self ? PyWeakref_NewRef((PyObject *)self, NULL) : NULL;
    if (!weak || PyDict_SetItem(owner->wrappers, key, weak) != 0) Py_CLEAR(self);
    Py_XDECREF(weak);
    Py_XDECREF(key);
    return (PyObject *)self;
}

PyObject *object_keep(scene_object *owner, st_object *object) {
    PyObject *wrapper = object_wrap(owner, object);
    if (!wrapper) return NULL;

    const int known = PySequence_Contains(owner->kept, wrapper);
    const bool ok = known == 1 || (known == 0 && PyList_Append(owner->kept, wrapper) == 0);
    Py_DECREF(wrapper);
    return ok ? wrapper : NULL;
}

st_object *object_usable(PyObject *object) {
    object_object *self = (object_object *)object;
    if (self->owner && self->object) return scene_is_usable(self->owner) ? self->object : NULL;
    PyErr_SetString(PyExc_TypeError, "components are made by Node.add, nodes by Node.add_child");
    return NULL;
}

static int object_traverse(PyObject *object, visitproc visit, void *arg) {
    object_object *self = (object_object *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->owner);
    Py_VISIT(self->arrays);
    return 0;
}

static int object_clear(PyObject *object) {
    object_object *self = (object_object *)object;
    Py_CLEAR(self->owner);
    Py_CLEAR(self->arrays);
    return 0;
}

static void object_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    object_clear(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

// ---------------------------------------------------------------------------------------------------
// Fields
// ---------------------------------------------------------------------------------------------------

static PyObject *object_get(PyObject *self, PyObject *name) {
    if (!PyUnicode_Check(name)) return PyErr_Format(PyExc_TypeError, "the name of a field is a text, not %R", name);
    return field_get((object_object *)self, name);
}

static PyObject *object_set(PyObject *self, PyObject *args) {
    PyObject *name, *value;
    if (!PyArg_ParseTuple(args, "UO:set", &name, &value) || field_set((object_object *)self, name, value) != 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *object_get_text(PyObject *self, PyObject *args) {
    const char *name;
    int digits = 17;
    st_object *object;
    if (!PyArg_ParseTuple(args, "s|i:text", &name, &digits) || !(object = object_usable(self))) return NULL;
    if (digits < 1 || digits > 30) return PyErr_Format(PyExc_ValueError, "digits = %d must be from 1 to 30", digits);

    char *text = st_object_get(object, name, digits);
    if (!text) return PyErr_Format(PyExc_AttributeError, "%s has no field '%s'", st_object_class_name(object), name);
    PyObject *result = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
    st_string_free(text);
    return result;
}

static PyObject *object_set_text(PyObject *self, PyObject *args) {
    const char *name;
    PyObject *value;
    st_object *object;
    if (!PyArg_ParseTuple(args, "sU:set_text", &name, &value) || !(object = object_usable(self))) return NULL;
    const char *text = PyUnicode_AsUTF8AndSize(value, NULL);
    if (!text) return NULL;
    return scene_conclude(((object_object *)self)->owner, st_object_set(object, name, text), name, value);
}

PyObject *field_describe(const st_field_description *d) {
    PyObject *options = PyList_New(0);
    for (const char *const *o = d->options; options && o && *o; o++) {
        PyObject *text = PyUnicode_FromString(*o);
        if (!text || PyList_Append(options, text) != 0) Py_CLEAR(options);
        Py_XDECREF(text);
    }
    if (!options) return NULL;

    return Py_BuildValue(
        "{ss ss ss ss ss sN ss sO sO sO sO sO sO sO si si ss}", "name", d->name, "type", d->type, "default",
        d->value ? d->value : "", "help", d->help ? d->help : "", "aliases", d->aliases ? d->aliases : "", "options",
        options, "inherited_from", d->inherited_from ? d->inherited_from : "", "output", d->output ? Py_True : Py_False,
        "required", d->required ? Py_True : Py_False, "display", d->display ? Py_True : Py_False, "no_effect",
        d->no_effect ? Py_True : Py_False, "deprecated", d->deprecated ? Py_True : Py_False, "shorthand",
        d->shorthand ? Py_True : Py_False, "list", d->list ? Py_True : Py_False, "scalar", (int)d->scalar, "width",
        d->width, "live", st_live_rule_name(d->live));
}

static PyObject *object_describe(PyObject *self, PyObject *none) {
    (void)none;
    const st_object *object = object_usable(self);
    PyObject *list = object ? PyList_New(0) : NULL;

    st_field_description d;
    for (size_t i = 0; list && st_object_describe_field(object, i, &d); i++) {
        PyObject *item = field_describe(&d);
        if (!item || PyList_Append(list, item) != 0) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *object_field_state(PyObject *self, PyObject *name) {
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    const st_object *object = text ? object_usable(self) : NULL;
    if (!object) return NULL;

    st_field_state state;
    if (st_object_field_state(object, text, &state) != ST_OK)
        return PyErr_Format(PyExc_AttributeError, "%s has no field '%s'", st_object_class_name(object), text);
    return Py_BuildValue("(OOkO)", state.set ? Py_True : Py_False, state.linked ? Py_True : Py_False,
                         (unsigned long)state.version, state.dirty ? Py_True : Py_False);
}

static PyObject *object_touch(PyObject *self, PyObject *name) {
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    st_object *object = text ? object_usable(self) : NULL;
    if (!object) return NULL;
    return scene_conclude(((object_object *)self)->owner, st_object_touch(object, text), text, NULL);
}

// A buffer on a list of numbers, for readers and writers that know what they do.
static PyObject *object_buffer(PyObject *self, PyObject *args) {
    PyObject *name;
    int writable = 0;
    st_object *object;
    st_field_description d;
    if (!PyArg_ParseTuple(args, "U|p:buffer", &name, &writable) || !(object = object_usable(self)) ||
        !field_find((object_object *)self, name, &d))
        return NULL;

    st_view *view = st_view_create(object, d.name);
    if (view) return buffer_of_view(view, field_has_rows(&d), writable);
    return PyErr_Format(PyExc_TypeError, "%s.%s is no list of numbers", st_object_class_name(object), d.name);
}

// ---------------------------------------------------------------------------------------------------
// Links between fields
// ---------------------------------------------------------------------------------------------------

// An argument that must be an object of the same scene.
static st_object *same_scene(PyObject *self, PyObject *other) {
    if (!PyObject_TypeCheck(other, st_binding.object)) {
        PyErr_Format(PyExc_TypeError, "a component or a node is expected, not %R", other);
        return NULL;
    }
    st_object *object = object_usable(other);
    if (object && ((object_object *)self)->owner != ((object_object *)other)->owner) {
        PyErr_SetString(PyExc_ValueError, "it belongs to another scene");
        return NULL;
    }
    return object;
}

static PyObject *object_link(PyObject *self, PyObject *args) {
    const char *name, *source_name;
    PyObject *source;
    st_object *object, *from;
    if (!PyArg_ParseTuple(args, "sOs:link", &name, &source, &source_name) || !(object = object_usable(self)) ||
        !(from = same_scene(self, source)))
        return NULL;
    return scene_conclude(((object_object *)self)->owner, st_object_link_field(object, name, from, source_name), name,
                          source);
}

static PyObject *object_unlink(PyObject *self, PyObject *name) {
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    st_object *object = text ? object_usable(self) : NULL;
    if (!object) return NULL;
    return scene_conclude(((object_object *)self)->owner, st_object_unlink_field(object, text), text, NULL);
}

static PyObject *object_source(PyObject *self, PyObject *name) {
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL), *field = NULL;
    const st_object *object = text ? object_usable(self) : NULL;
    if (!object) return NULL;

    st_object *source = st_object_source(object, text, &field);
    if (!source) Py_RETURN_NONE;
    return Py_BuildValue("(Ns)", object_wrap(((object_object *)self)->owner, source), field ? field : "");
}

static PyObject *object_add_field(PyObject *self, PyObject *args) {
    const char *name, *type, *help;
    st_object *object;
    if (!PyArg_ParseTuple(args, "sss:add_field", &name, &type, &help) || !(object = object_usable(self))) return NULL;
    return scene_conclude(((object_object *)self)->owner, st_object_add_field(object, name, type, NULL, help), name,
                          NULL);
}

// ---------------------------------------------------------------------------------------------------
// Life of components and nodes
// ---------------------------------------------------------------------------------------------------

static PyObject *object_export(PyObject *self, PyObject *none) {
    (void)none;
    st_object *object = object_usable(self);
    if (!object) return NULL;
    return scene_conclude(((object_object *)self)->owner, st_object_export(object), "export", NULL);
}

static PyObject *object_reinit(PyObject *self, PyObject *none) {
    (void)none;
    st_object *object = object_usable(self);
    return object ? scene_conclude(((object_object *)self)->owner, st_object_reinit(object), "reinit", NULL) : NULL;
}

static PyObject *object_init(PyObject *self, PyObject *none) {
    (void)none;
    scene_object *owner = ((object_object *)self)->owner;
    st_object *object = object_usable(self);
    st_node *node = st_object_as_node(object);
    if (!object) return NULL;
    if (!node) node = st_object_node(object);

    PyThreadState *state = scene_release_lock(owner);
    const st_status status = st_node_init(node);
    scene_take_lock(owner, state);
    return scene_conclude(owner, status, "init", NULL);
}

static PyObject *object_remove(PyObject *self, PyObject *none) {
    (void)none;
    st_object *object = object_usable(self);
    if (!object) return NULL;

    st_node *node = st_object_as_node(object);
    const st_status status = node ? st_node_remove(node) : st_object_remove(object);
    return scene_conclude(((object_object *)self)->owner, status, "remove", NULL);
}

static PyObject *object_attach(PyObject *self, PyObject *parent) {
    st_object *object = object_usable(self);
    st_object *to = object ? same_scene(self, parent) : NULL;
    if (!to) return NULL;

    st_node *node = st_object_as_node(object), *target = st_object_as_node(to);
    const st_status status = node ? st_node_attach(node, target) : st_object_attach(object, target);
    return scene_conclude(((object_object *)self)->owner, status, "attach", parent);
}

// --- attributes of new components: a list of pairs of texts ---------------------------------------------

static st_attribute_text *attributes_of(PyObject *list, size_t *count) {
    *count = (size_t)PyList_Size(list);
    st_attribute_text *attributes = calloc(*count + 1, sizeof *attributes);
    if (!attributes) PyErr_NoMemory();

    for (size_t i = 0; attributes && i < *count; i++) {
        PyObject *pair = PyList_GetItem(list, (Py_ssize_t)i);
        const bool is_pair = PyTuple_Check(pair);
        if (!is_pair) PyErr_Format(PyExc_TypeError, "attribute %zu is no pair of a name and a text: %R", i, pair);
        if (is_pair && PyArg_ParseTuple(pair, "ss", &attributes[i].name, &attributes[i].value)) continue;
        free(attributes);
        return NULL;
    }
    return attributes;
}

// A new child (`child`) or component of a node.
static PyObject *add(PyObject *self, PyObject *args, bool child) {
    const char *name;
    PyObject *pairs;
    scene_object *owner = ((object_object *)self)->owner;
    st_object *object;
    if (!PyArg_ParseTuple(args, "sO!:add", &name, &PyList_Type, &pairs) || !(object = object_usable(self))) return NULL;
    st_node *node = st_object_as_node(object);
    if (!node) {
        PyErr_SetString(PyExc_TypeError, "only a node holds components and nodes");
        return NULL;
    }

    // as a scene file would have made it
    size_t count;
    st_attribute_text *attributes = attributes_of(pairs, &count);
    if (!attributes) return NULL;
    st_object *made = child ? st_node_as_object(st_node_add_child(node, name, attributes, count))
                            : st_node_add_object(node, name, attributes, count);
    free(attributes);

    PyObject *what = PyUnicode_FromString(name);
    const bool ok = what && scene_concluded(owner, made ? ST_OK : ST_INVALID, name, what);
    Py_XDECREF(what);
    return ok ? object_wrap(owner, made) : NULL;
}

static PyObject *object_add_child(PyObject *self, PyObject *args) { return add(self, args, true); }
static PyObject *object_add_object(PyObject *self, PyObject *args) { return add(self, args, false); }

// ---------------------------------------------------------------------------------------------------
// Nodes
// ---------------------------------------------------------------------------------------------------

static PyObject *list_of(PyObject *self, bool children) {
    st_object *object = object_usable(self);
    const st_node *node = st_object_as_node(object);
    if (!object) return NULL;

    PyObject *list = PyList_New(0);
    const size_t count = children ? st_node_child_count(node) : st_node_object_count(node);
    for (size_t i = 0; list && i < count; i++) {
        st_object *item = children ? st_node_as_object(st_node_child(node, i)) : st_node_object(node, i);
        PyObject *wrapper = object_wrap(((object_object *)self)->owner, item);
        if (!wrapper || PyList_Append(list, wrapper) != 0) Py_CLEAR(list);
        Py_XDECREF(wrapper);
    }
    return list;
}

static PyObject *object_children(PyObject *self, PyObject *none) {
    (void)none;
    return list_of(self, true);
}
static PyObject *object_objects(PyObject *self, PyObject *none) {
    (void)none;
    return list_of(self, false);
}

static PyObject *object_parent(PyObject *self, PyObject *none) {
    (void)none;
    st_object *object = object_usable(self);
    if (!object) return NULL;
    st_node *node = st_object_as_node(object);
    st_node *above = node ? st_node_parent(node) : st_object_node(object);
    return object_wrap(((object_object *)self)->owner, st_node_as_object(above));
}

static PyObject *object_find(PyObject *self, PyObject *path) {
    const char *text = PyUnicode_AsUTF8AndSize(path, NULL);
    scene_object *owner = ((object_object *)self)->owner;
    st_object *object = text ? object_usable(self) : NULL;
    if (!object) return NULL;

    st_object *found = st_node_find(st_object_as_node(object), text);
    return scene_concluded(owner, ST_OK, "find", path) ? object_wrap(owner, found) : NULL;
}

static PyObject *object_send_event(PyObject *self, PyObject *args) {
    const char *name;
    int key = 0;
    PyObject *data = NULL;
    st_object *object;
    if (!PyArg_ParseTuple(args, "s|iO:send_event", &name, &key, &data) || !(object = object_usable(self))) return NULL;

    // the data go to those who get the event, which may send another one
    scene_object *owner = ((object_object *)self)->owner;
    PyObject *before = owner->sent;
    owner->sent = data;
    PyThreadState *state = scene_release_lock(owner);
    const st_status status = st_node_send_event(st_object_as_node(object), name, key, data);
    scene_take_lock(owner, state);
    owner->sent = before;
    return scene_conclude(owner, status, "send_event", NULL);
}

static PyObject *object_message(PyObject *self, PyObject *args) {
    int severity;
    const char *text;
    const st_object *object;
    if (!PyArg_ParseTuple(args, "is:message", &severity, &text) || !(object = object_usable(self))) return NULL;
    if (severity < ST_INFO || severity > ST_FATAL)
        return PyErr_Format(PyExc_ValueError, "severity %d must be from 0 to %d", severity, (int)ST_FATAL);
    st_message(object, (st_severity)severity, "%s", text);
    return scene_conclude(((object_object *)self)->owner, ST_OK, "message", NULL);
}

static PyObject *object_keep_alive(PyObject *self, PyObject *none) {
    (void)none;
    if (!object_usable(self) || !object_keep(((object_object *)self)->owner, ((object_object *)self)->object))
        return NULL;
    Py_RETURN_NONE;
}

// ---------------------------------------------------------------------------------------------------
// Properties
// ---------------------------------------------------------------------------------------------------

// What is asked for is the closure's address.
static const char PATH[] = "path", CLASS[] = "class", TEMPLATE[] = "template", KIND[] = "kind", FILE_[] = "file";

static PyObject *object_text(PyObject *self, void *closure) {
    st_object *object = object_usable(self);
    if (!object) return NULL;

    const st_node *node = st_object_as_node(object);
    const char *text = closure == PATH       ? (node ? st_node_path(node) : st_object_path(object))
                       : closure == CLASS    ? st_object_class_name(object)
                       : closure == TEMPLATE ? st_object_template(object)
                       : closure == KIND     ? (node ? "node" : st_object_kind(object))
                                             : st_object_file(object, NULL);
    if (!text) Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static PyObject *object_line(PyObject *self, void *closure) {
    (void)closure;
    int line = 0;
    const st_object *object = object_usable(self);
    if (object) st_object_file(object, &line);
    return object ? PyLong_FromLong(line) : NULL;
}

static const char VALID[] = "valid", INERT[] = "inert", READY[] = "initialized", ATTACHED[] = "attached";

static PyObject *object_is(PyObject *self, void *closure) {
    const st_object *object = object_usable(self);
    if (!object) return NULL;
    return PyBool_FromLong(closure == VALID   ? st_object_is_valid(object)
                           : closure == INERT ? st_object_is_inert(object)
                           : closure == READY ? st_object_is_initialized(object)
                                              : st_object_is_attached(object));
}

static PyObject *object_scene(PyObject *self, void *closure) {
    (void)closure;
    scene_object *owner = ((object_object *)self)->owner;
    return Py_NewRef(owner ? (PyObject *)owner : Py_None);
}

static PyMethodDef methods[] = {
    {"_get", object_get, METH_O, NULL},
    {"_set", object_set, METH_VARARGS, NULL},
    {"_describe", object_describe, METH_NOARGS, NULL},
    {"_field_state", object_field_state, METH_O, NULL},
    {"_buffer", object_buffer, METH_VARARGS, NULL},
    {"_link", object_link, METH_VARARGS, NULL},
    {"_unlink", object_unlink, METH_O, NULL},
    {"_source", object_source, METH_O, NULL},
    {"_add_field", object_add_field, METH_VARARGS, NULL},
    {"_init", object_init, METH_NOARGS, NULL},
    {"_attach", object_attach, METH_O, NULL},
    {"_add_child", object_add_child, METH_VARARGS, NULL},
    {"_add_object", object_add_object, METH_VARARGS, NULL},
    {"_children", object_children, METH_NOARGS, NULL},
    {"_objects", object_objects, METH_NOARGS, NULL},
    {"_parent", object_parent, METH_NOARGS, NULL},
    {"_find", object_find, METH_O, NULL},
    {"_send_event", object_send_event, METH_VARARGS, NULL},
    {"_message", object_message, METH_VARARGS, NULL},
    {"_add_points", object_add_points, METH_O, NULL},
    {"_remove_points", object_remove_points, METH_O, NULL},
    {"_keep", object_keep_alive, METH_NOARGS, NULL},
    {"text", object_get_text, METH_VARARGS,
     "text(field, digits=17)\n--\n\nA field as the text of a scene file; 17 digits are exact."},
    {"set_text", object_set_text, METH_VARARGS,
     "set_text(field, text)\n--\n\nSets a field by the text of a scene file."},
    {"touch", object_touch, METH_O,
     "touch(field)\n--\n\nSays that the memory of a field was written: what follows it is brought up to date."},
    {"_export", object_export, METH_NOARGS, NULL},
    {"reinit", object_reinit, METH_NOARGS,
     "reinit()\n--\n\nRuns the component's own reinitialization after its fields were changed."},
    {"remove", object_remove, METH_NOARGS,
     "remove()\n--\n\nTakes it out of the scene. It stays readable and can be put back by Node.attach."},
    {0},
};

static PyGetSetDef properties[] = {
    {"scene", object_scene, NULL, "The scene that it belongs to.", NULL},
    {"path", object_text, NULL, "Its path from the root, such as /Liver/dofs.", (void *)PATH},
    {"class_name", object_text, NULL, "The name of its class.", (void *)CLASS},
    {"template", object_text, NULL, "Its template, such as Vec3; '' without one.", (void *)TEMPLATE},
    {"kind", object_text, NULL, "mass, force, integrator, ..., node.", (void *)KIND},
    {"file", object_text, NULL, "The scene file that it comes from, or None.", (void *)FILE_},
    {"line", object_line, NULL, "Its line there; 0 when unknown.", NULL},
    {"is_valid", object_is, NULL, "False: its init failed, or it was switched off.", (void *)VALID},
    {"is_inert", object_is, NULL, "True: known so that scenes load; it does nothing.", (void *)INERT},
    {"is_initialized", object_is, NULL, "False: the next step or Node.init will do it.", (void *)READY},
    {"is_attached", object_is, NULL, "Is it part of the scene?", (void *)ATTACHED},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, object_dealloc}, {Py_tp_traverse, object_traverse}, {Py_tp_clear, object_clear},
    {Py_tp_methods, methods},        {Py_tp_getset, properties},        {0, NULL},
};
PyType_Spec st_object_spec = {
    .name = "settee._settee.Object",
    .basicsize = sizeof(object_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .slots = slots,
};
