// settee._program: the program `settee` as a module, for scenes that are Python scripts. The program runs without the
// interpreter lock; when it needs a scene it calls back (settee/_program_host.py):
//
//     load(path, words of --argv, config) -> address of the st_scene that a script has filled
//     init(address), end(address)
//
// SPDX-License-Identifier: Apache-2.0
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>
#include <stdlib.h>

#include "cli.h"

typedef struct host {
    PyObject *load, *init, *end;
} host;

// An exception of a script is printed: the program says no more than that it failed.
static st_scene *host_load(void *user, const st_cli_options *options, const st_config *config) {
    const host *h = user;
    const PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *path = PyUnicode_DecodeFSDefault(options->operand);
    PyObject *capsule = PyCapsule_New((void *)config, "st_config", NULL), *words = PyList_New(0);

    // what follows --argv
    bool ok = path && capsule && words;
    for (size_t i = 0; ok && i < options->script_words.count; i++) {
        PyObject *word = PyUnicode_DecodeFSDefault(options->script_words.data[i]);
        ok = word && PyList_Append(words, word) == 0;
        Py_XDECREF(word);
    }

    PyObject *address = ok ? PyObject_CallFunctionObjArgs(h->load, path, words, capsule, NULL) : NULL;
    st_scene *scene = address ? PyLong_AsVoidPtr(address) : NULL;
    if (PyErr_Occurred()) PyErr_Print();
    Py_XDECREF(address);
    Py_XDECREF(words);
    Py_XDECREF(capsule);
    Py_XDECREF(path);
    PyGILState_Release(lock);
    return scene;
}

static bool call(PyObject *function, st_scene *scene) {
    const PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *address = PyLong_FromVoidPtr(scene);
    PyObject *result = address ? PyObject_CallFunctionObjArgs(function, address, NULL) : NULL;
    const bool ok = result != NULL;
    if (!ok) PyErr_Print();
    Py_XDECREF(result);
    Py_XDECREF(address);
    PyGILState_Release(lock);
    return ok;
}

static st_status host_init(void *user, st_scene *scene) {
    return call(((const host *)user)->init, scene) ? ST_OK : ST_INVALID;
}
static void host_end(void *user, st_scene *scene) { call(((const host *)user)->end, scene); }

// run(words, load, init, end) -> the exit code of the program.
static PyObject *run(PyObject *module, PyObject *args) {
    (void)module;
    host h;
    PyObject *words;
    if (!PyArg_ParseTuple(args, "O!OOO:run", &PyList_Type, &words, &h.load, &h.init, &h.end)) return NULL;

    // the words stay with their list
    const Py_ssize_t count = PyList_Size(words);
    char **texts = calloc((size_t)count + 1, sizeof *texts);
    if (!texts) return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *word = PyList_GetItem(words, i);
        texts[i] = PyBytes_Check(word) ? PyBytes_AsString(word) : NULL;
        if (!texts[i]) {
            free(texts);
            return PyErr_Format(PyExc_TypeError, "words are bytes, not %R", word);
        }
    }

    const st_cli_host program = {host_load, host_init, host_end, &h};
    PyThreadState *state = PyEval_SaveThread();
    const int code = st_cli_program((int)count, texts, &program);
    PyEval_RestoreThread(state);
    free(texts);
    return PyLong_FromLong(code);
}

static PyMethodDef methods[] = {{"run", run, METH_VARARGS, NULL}, {0}};
static PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_program",
    .m_doc = "The program settee; use python3 -m settee.",
    .m_methods = methods,
};

PyMODINIT_FUNC PyInit__program(void) { return PyModuleDef_Init(&definition); }
