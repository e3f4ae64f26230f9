// settee._viewer: the viewer in the browser (viewer/viewer.h) for the package settee. A viewer is a capsule with the table by
// which settee._settee lets it serve a scene; settee/_view.py makes both of it.
//
// SPDX-License-Identifier: Apache-2.0
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include "../src/server.h"
#include "viewer.h"

static st_scene *serve(void *viewer, st_scene *scene, double seconds) {
    return st_viewer_serve(viewer, scene, seconds);
}
static void nudge(void *viewer) { st_viewer_nudge(viewer); }
static void let_go(void *viewer) { st_viewer_let_go(viewer); }

static void destroy(PyObject *capsule) {
    scene_server *server = PyCapsule_GetPointer(capsule, SCENE_SERVER);
    if (!server) return;
    st_viewer_destroy(server->viewer);
    PyMem_Free(server);
}

static PyObject *create(PyObject *self, PyObject *args) {
    (void)self;
    st_viewer_options options = {0};
    int read_only = 0, playing = 0;
    if (!PyArg_ParseTuple(args, "szizpp:create", &options.title, &options.address, &options.port, &options.token,
                          &read_only, &playing))
        return NULL;
    options.read_only = read_only;
    options.playing = playing;
    if (options.port < 0 || options.port > 65535)
        return PyErr_Format(PyExc_ValueError, "port %d must be from 0 to 65535", options.port);

    char why[256];
    st_viewer *viewer = st_viewer_create(&options, why, sizeof why);
    if (!viewer) return PyErr_Format(PyExc_OSError, "%s", why);
    scene_server *server = PyMem_Malloc(sizeof *server);
    if (!server) {
        st_viewer_destroy(viewer);
        return PyErr_NoMemory();
    }
    *server = (scene_server){viewer, serve, nudge, let_go, st_viewer_log};

    PyObject *capsule = PyCapsule_New(server, SCENE_SERVER, destroy);
    if (!capsule) {
        st_viewer_destroy(viewer);
        PyMem_Free(server);
    }
    return capsule;
}

static PyObject *url(PyObject *self, PyObject *capsule) {
    (void)self;
    const scene_server *server = PyCapsule_GetPointer(capsule, SCENE_SERVER);
    return server ? PyUnicode_FromString(st_viewer_url(server->viewer)) : NULL;
}

static PyObject *nudge_it(PyObject *self, PyObject *capsule) {
    (void)self;
    const scene_server *server = PyCapsule_GetPointer(capsule, SCENE_SERVER);
    if (!server) return NULL;
    st_viewer_nudge(server->viewer);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"create", create, METH_VARARGS, "create(title, address, port, token, read_only, playing) -> viewer"},
    {"url", url, METH_O, "url(viewer): its address, with the token"},
    {"nudge", nudge_it, METH_O, "nudge(viewer): it gives the scene up after the running step"},
    {0},
};
static PyModuleDef_Slot slots[] = {{0, NULL}};
static PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_viewer",
    .m_doc = "The viewer behind settee.view; use that.",
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__viewer(void) { return PyModuleDef_Init(&definition); }
