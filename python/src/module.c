// The module settee._settee: its types, and what is known of the classes from their tables.
//
// SPDX-License-Identifier: Apache-2.0
#include "binding.h"

binding st_binding;

// ---------------------------------------------------------------------------------------------------
// Classes
// ---------------------------------------------------------------------------------------------------

static PyObject *class_names(PyObject *module, PyObject *none) {
    (void)module, (void)none;
    PyObject *list = PyList_New(0);
    st_class_description d;
    for (size_t i = 0; list && st_describe_class(i, &d); i++) {
        PyObject *item = Py_BuildValue("(si)", d.name, (int)i);
        if (!item || PyList_Append(list, item) != 0) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *describe_class(PyObject *module, PyObject *index) {
    (void)module;
    const size_t i = PyLong_AsSize_t(index);
    if (i == (size_t)-1 && PyErr_Occurred()) return NULL;
    st_class_description d;
    if (!st_describe_class(i, &d)) return PyErr_Format(PyExc_IndexError, "there is no class %zu", i);

    // its fields, those of its bases first
    PyObject *fields = PyList_New(0);
    st_field_description f;
    for (size_t k = 0; fields && st_describe_field(d.name, k, &f); k++) {
        PyObject *item = field_describe(&f);
        if (!item || PyList_Append(fields, item) != 0) Py_CLEAR(fields);
        Py_XDECREF(item);
    }
    if (!fields) return NULL;
    return Py_BuildValue("{ss ss ss ss ss ss sO sO sN}", "name", d.name, "help", d.help ? d.help : "", "kind", d.kind,
                         "templates", d.templates, "aliases", d.aliases, "example", d.example, "inert",
                         d.inert ? Py_True : Py_False, "deprecated", d.deprecated ? Py_True : Py_False, "fields",
                         fields);
}

// The class that any name means: (class or None, suggestion or None, explanation or None).
static PyObject *class_by_any_name(PyObject *module, PyObject *name) {
    (void)module;
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL), *suggestion = NULL, *explanation = NULL;
    if (!text) return NULL;
    const char *found = st_class_by_any_name(text, &suggestion, &explanation);
    return Py_BuildValue("(zzz)", found, suggestion, explanation);
}

// ---------------------------------------------------------------------------------------------------
// The module
// ---------------------------------------------------------------------------------------------------

static PyObject *setup(PyObject *module, PyObject *args) {
    (void)module;
    PyObject **const places[] = {&st_binding.conclude, &st_binding.type_of,   &st_binding.as_array,
                                 &st_binding.detach,   &st_binding.normalize, &st_binding.class_of};
    PyObject *given[6];
    if (!PyArg_ParseTuple(args, "OOOOOO:setup", &given[0], &given[1], &given[2], &given[3], &given[4], &given[5]))
        return NULL;
    for (int i = 0; i < 6; i++) {
        PyObject *before = *places[i];
        *places[i] = Py_NewRef(given[i]);
        Py_XDECREF(before);
    }
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"setup", setup, METH_VARARGS, NULL},
    {"class_names", class_names, METH_NOARGS, NULL},
    {"describe_class", describe_class, METH_O, NULL},
    {"class_by_any_name", class_by_any_name, METH_O, NULL},
    {0},
};

static bool add_type(PyObject *module, const char *name, PyType_Spec *spec, PyTypeObject **type) {
    if (!*type) *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    return *type && PyModule_AddObjectRef(module, name, (PyObject *)*type) == 0;
}

static int execute(PyObject *module) {
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
        PyErr_SetString(PyExc_ImportError, "settee cannot be imported in a subinterpreter; use the main one");
        return -1;
    }

    const bool ok = add_type(module, "Scene", &st_scene_spec, &st_binding.scene) &&
                    add_type(module, "Object", &st_object_spec, &st_binding.object) &&
                    add_type(module, "Buffer", &st_buffer_spec, &st_binding.buffer) &&
                    add_type(module, "Field", &st_field_spec, &st_binding.field) &&
                    PyModule_AddStringConstant(module, "version", st_version()) == 0 &&
                    PyModule_AddStringConstant(module, "build_info", st_build_info()) == 0;
    return ok ? 0 : -1;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, execute}, {0, NULL}};
static PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_settee",
    .m_doc = "The engine behind the package settee; use the package.",
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__settee(void) { return PyModuleDef_Init(&definition); }
