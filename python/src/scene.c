// Scene: owns an st_scene, from its creation to its end, and runs it with the interpreter lock released.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "binding.h"
#include "lent.h"
#include "server.h"

// What conclude gets in place of an st_status.
enum { CLOSED = -1, FORKED = -2 };

static scene_object *open_scenes; // changed under the interpreter lock

// The scene whose component in Python this thread is running: a worker of the engine, or the thread that uses the scene.
static _Thread_local const scene_object *served;

// ---------------------------------------------------------------------------------------------------
// Messages, statuses, exceptions
// ---------------------------------------------------------------------------------------------------

static void collect(void *user, const st_diagnostic *d) {
    scene_object *self = user;
    if (self->heard) self->heard(self->heard_user, d);
    if (!Py_IsInitialized() || (self->heard && self->depth > 0)) return;
    const PyGILState_STATE lock = PyGILState_Ensure();

    // an exception that is on its way must not be lost
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *message =
        Py_BuildValue("(izizzs)", (int)d->severity, d->file, d->line, d->path, d->component, d->text ? d->text : "");
    if (!message || !self->messages || PyList_Append(self->messages, message) != 0) PyErr_Clear();
    Py_XDECREF(message);
    PyErr_Restore(type, value, trace);
    const scene_server *server = self->server;

    PyGILState_Release(lock);
    if (server) server->log(server->viewer, d);
}

static PyObject *conclude(scene_object *self, int status, const char *what, PyObject *value) {
    PyObject *messages = self->messages ? self->messages : PyList_New(0);
    PyObject *failure = self->depth == 0 ? self->failure : NULL;
    self->messages = PyList_New(0);
    if (failure) self->failure = NULL;

    PyObject *result = PyObject_CallFunction(st_binding.conclude, "OisOOO", (PyObject *)self, status, what, messages,
                                             value ? value : Py_None, failure ? failure : Py_None);
    Py_XDECREF(messages);
    Py_XDECREF(failure);
    return result;
}

PyObject *scene_conclude(scene_object *self, st_status status, const char *what, PyObject *value) {
    const bool quiet = self->messages && PyList_Size(self->messages) == 0 && !(self->failure && self->depth == 0);
    if (status == ST_OK && quiet) Py_RETURN_NONE;
    return conclude(self, status, what, value);
}

bool scene_concluded(scene_object *self, st_status status, const char *what, PyObject *value) {
    PyObject *result = scene_conclude(self, status, what, value);
    Py_XDECREF(result);
    return result != NULL;
}

static void pause_without_lock(void) {
    PyThreadState *state = PyEval_SaveThread();
    nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    PyEval_RestoreThread(state);
}

// A viewer gives the scene up between two steps, and does not take it again while somebody waits. Afterwards it needs the
// interpreter lock, so that the scene is the caller's until that is released.
static void wait_for_viewer(scene_object *self) {
    self->waiting++;
    while (self->server && self->user && self->user != PyThread_get_thread_ident() && served != self) {
        self->server->nudge(self->server->viewer);
        pause_without_lock();
    }
    self->waiting--;
}

bool scene_is_usable(scene_object *self) {
    int status = ST_OK;
    if (self) wait_for_viewer(self);
    if (!self || !self->scene) status = CLOSED;
    else if (self->user && self->user != PyThread_get_thread_ident() && served != self) status = ST_BUSY;
    else if (self->threads > 1 && self->process != getpid()) status = FORKED;
    if (status == ST_OK) return true;

    // not by `conclude` above: the messages belong to the thread that uses the scene
    PyObject *result = PyObject_CallFunction(st_binding.conclude, "OisOOO", self ? (PyObject *)self : Py_None, status,
                                             "scene", Py_None, Py_None, Py_None);
    Py_XDECREF(result);
    return false;
}

scene_object *scene_of(const st_scene *scene) {
    for (scene_object *s = open_scenes; s; s = s->next)
        if (s->scene == scene) return s->closing ? NULL : s;
    return NULL;
}

void scene_fail(scene_object *self) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (value && trace) PyException_SetTraceback(value, trace);

    // the first one counts
    if (self->failure) PyErr_Clear();
    else self->failure = Py_XNewRef(value);
    PyObject *text = value ? PyObject_Str(value) : NULL;
    const char *reason = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    st_scene_fail_step(self->scene, reason && *reason ? reason : "an exception in Python code");
    PyErr_Clear();

    Py_XDECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
}

PyThreadState *scene_release_lock(scene_object *self) {
    if (self->depth++ == 0) self->user = PyThread_get_thread_ident();
    return PyEval_SaveThread();
}

void scene_take_lock(scene_object *self, PyThreadState *state) {
    PyEval_RestoreThread(state);
    if (--self->depth == 0) self->user = 0;
}

const scene_object *scene_serve(const scene_object *self) {
    const scene_object *before = served;
    served = self;
    return before;
}

// ---------------------------------------------------------------------------------------------------
// Life
// ---------------------------------------------------------------------------------------------------

// The paths of a sequence of texts, NULL at the end; `list` keeps the texts. False with an exception.
static bool read_paths(PyObject *paths, PyObject **list, const char **texts, size_t most) {
    *list = PySequence_List(paths);
    const Py_ssize_t count = *list ? PyList_Size(*list) : -1;
    if (count < 0) return false;
    if ((size_t)count >= most) {
        PyErr_Format(PyExc_ValueError, "%zd folders are too many", count);
        return false;
    }

    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PyList_GetItem(*list, i);
        texts[i] = PyUnicode_Check(item) ? PyUnicode_AsUTF8AndSize(item, NULL) : NULL;
        if (!texts[i] && !PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "folders are texts");
        if (!texts[i]) return false;
    }
    return true;
}

enum { PATHS = 256 };

static PyObject *scene_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"threads",    "strict",       "read_only", "compat", "fast",
                            "data_paths", "plugin_paths", "config",    NULL};
    int threads = 1, strict = 0, read_only = 0, compat = 1, fast = 0;
    PyObject *data = NULL, *plugins = NULL, *given = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$ippppOOO:Scene", names, &threads, &strict, &read_only, &compat,
                                     &fast, &data, &plugins, &given))
        return NULL;

    // of the program around the scene: all that it asks
    const st_config *whole = given ? PyCapsule_GetPointer(given, "st_config") : NULL;
    if (given && !whole) return NULL;
    if (whole) threads = whole->threads;
    if (threads < 1 || threads > 1024)
        return PyErr_Format(PyExc_ValueError, "threads = %d must be from 1 to 1024", threads);

    scene_object *self = (scene_object *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) return NULL;
    self->wrappers = PyDict_New();
    self->kept = PyList_New(0);
    self->classes = PyDict_New();
    self->callbacks = PyDict_New();
    self->messages = PyList_New(0);
    self->lent = PyList_New(0);
    self->process = getpid();
    self->threads = threads;

    // folders are copied by the library
    const char *data_paths[PATHS] = {0}, *plugin_paths[PATHS] = {0};
    PyObject *data_list = NULL, *plugin_list = NULL;
    const bool read = (!data || read_paths(data, &data_list, data_paths, PATHS)) &&
                      (!plugins || read_paths(plugins, &plugin_list, plugin_paths, PATHS));
    st_config config = {
        .log = collect,
        .log_user = self,
        .threads = threads,
        .data_paths = data_paths,
        .plugin_paths = plugin_paths,
        .strict = strict,
        .read_only = read_only,
        .no_compat = !compat,
        .fast = fast,
    };
    if (whole) {
        config = *whole;
        self->heard = config.log;
        self->heard_user = config.log_user;
        config.log = collect;
        config.log_user = self;
    }
    self->scene = read && self->lent ? st_scene_create(&config) : NULL;
    Py_XDECREF(data_list);
    Py_XDECREF(plugin_list);

    if (!self->scene) {
        Py_DECREF(self);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    self->next = open_scenes;
    open_scenes = self;
    return (PyObject *)self;
}

static void detach(scene_object *self) {
    if (!self->lent || PyList_Size(self->lent) == 0) return;
    PyObject *result = PyObject_CallFunctionObjArgs(st_binding.detach, (PyObject *)self->lent, NULL);
    if (!result) PyErr_WriteUnraisable((PyObject *)self);
    Py_XDECREF(result);
}

static void end_scene(scene_object *self) {
    if (!self->scene) return;
    self->closing = true;
    detach(self);
    lent_clear(self);
    for (scene_object **at = &open_scenes; *at; at = &(*at)->next)
        if (*at == self) {
            *at = self->next;
            break;
        }

    // the worker threads of the process that made it do not exist in this one: they cannot be ended
    st_scene *scene = self->scene;
    self->scene = NULL;
    if (self->threads == 1 || self->process == getpid()) st_scene_destroy(scene);
    for (size_t i = 0; i < self->table_count; i++) Py_DECREF(self->tables[i]);
    free(self->tables);
    self->tables = NULL;
    self->table_count = 0;
}

static int scene_clear(PyObject *object) {
    scene_object *self = (scene_object *)object;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    end_scene(self);
    PyErr_Restore(type, value, trace);

    Py_CLEAR(self->wrappers);
    Py_CLEAR(self->kept);
    Py_CLEAR(self->classes);
    Py_CLEAR(self->callbacks);
    Py_CLEAR(self->messages);
    Py_CLEAR(self->lent);
    Py_CLEAR(self->failure);
    return 0;
}

static int scene_traverse(PyObject *object, visitproc visit, void *arg) {
    scene_object *self = (scene_object *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->wrappers);
    Py_VISIT(self->kept);
    Py_VISIT(self->classes);
    Py_VISIT(self->callbacks);
    Py_VISIT(self->messages);
    Py_VISIT(self->lent);
    Py_VISIT(self->failure);
    return 0;
}

static void scene_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    scene_clear(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *scene_close(PyObject *object, PyObject *unused) {
    (void)unused;
    scene_object *self = (scene_object *)object;
    if (!self->scene) Py_RETURN_NONE;
    if (!scene_is_usable(self)) return NULL;
    if (self->depth > 0) return conclude(self, ST_BUSY, "close", NULL);

    // exporters put their files in place; that may fail
    PyThreadState *state = scene_release_lock(self);
    const st_status status = st_scene_finish(self->scene);
    scene_take_lock(self, state);
    end_scene(self);
    PyObject *result = scene_conclude(self, status, "close", NULL);
    PyDict_Clear(self->wrappers);
    PyList_SetSlice(self->kept, 0, PyList_Size(self->kept), NULL);
    PyDict_Clear(self->callbacks);
    return result;
}

// ---------------------------------------------------------------------------------------------------
// Calls that compute: the lock is released
// ---------------------------------------------------------------------------------------------------

typedef st_status scene_call(st_scene *scene, const void *argument);

// What was written into arrays is taken up before, matrices that borrow from the engine get memory of their own.
static PyObject *run(PyObject *object, const char *what, scene_call *call, const void *argument, PyObject *value) {
    scene_object *self = (scene_object *)object;
    if (!scene_is_usable(self)) return NULL;
    if (self->depth == 0) {
        detach(self);
        if (!lent_take_up(self)) return NULL;
    }

    // that may have run Python code, and another thread meanwhile
    if (!scene_is_usable(self)) return NULL;
    PyThreadState *state = scene_release_lock(self);
    const st_status status = call(self->scene, argument);
    scene_take_lock(self, state);

    if (self->depth == 0) lent_remember(self);
    return scene_conclude(self, status, what, value);
}

static st_status call_load(st_scene *scene, const void *path) { return st_scene_load(scene, path); }
static st_status call_plugin(st_scene *scene, const void *path) { return st_scene_load_plugin(scene, path); }
static st_status call_save(st_scene *scene, const void *path) { return st_scene_save_xml(scene, path); }
static st_status call_init(st_scene *scene, const void *none) {
    (void)none;
    return st_scene_init(scene);
}
static st_status call_step(st_scene *scene, const void *dt) { return st_scene_step(scene, *(const st_real *)dt); }
static st_status call_reset(st_scene *scene, const void *none) {
    (void)none;
    return st_scene_reset(scene);
}
static st_status call_finish(st_scene *scene, const void *none) {
    (void)none;
    return st_scene_finish(scene);
}

static PyObject *with_path(PyObject *self, PyObject *path, const char *what, scene_call *call) {
    PyObject *bytes = NULL;
    if (!PyUnicode_FSConverter(path, &bytes)) return NULL;
    PyObject *result = run(self, what, call, PyBytes_AsString(bytes), path);
    Py_DECREF(bytes);
    return result;
}

static PyObject *scene_load(PyObject *self, PyObject *path) { return with_path(self, path, "load", call_load); }
static PyObject *scene_plugin(PyObject *self, PyObject *path) {
    return with_path(self, path, "load_plugin", call_plugin);
}
static PyObject *scene_save(PyObject *self, PyObject *path) { return with_path(self, path, "save", call_save); }

typedef struct scene_text {
    const char *text, *directory;
    Py_ssize_t length;
} scene_text;
static st_status call_text(st_scene *scene, const void *argument) {
    const scene_text *t = argument;
    return st_scene_load_text(scene, t->text, (size_t)t->length, t->directory);
}

static PyObject *scene_load_text(PyObject *self, PyObject *args) {
    scene_text t = {0};
    if (!PyArg_ParseTuple(args, "s#|z:load_text", &t.text, &t.length, &t.directory)) return NULL;
    return run(self, "load_text", call_text, &t, NULL);
}

typedef struct scene_turn {
    const scene_server *server;
    double seconds;
} scene_turn;
static st_status call_serve(st_scene *scene, const void *argument) {
    const scene_turn *turn = argument;
    if (turn->seconds < 0) turn->server->let_go(turn->server->viewer);
    else turn->server->serve(turn->server->viewer, scene, turn->seconds);
    return ST_OK;
}

static PyObject *scene_view(PyObject *object, PyObject *args) {
    scene_object *self = (scene_object *)object;
    scene_turn turn;
    PyObject *capsule;
    if (!PyArg_ParseTuple(args, "Od:_serve", &capsule, &turn.seconds)) return NULL;
    turn.server = PyCapsule_GetPointer(capsule, SCENE_SERVER);
    while (self->waiting > 0) pause_without_lock();
    if (!turn.server || !scene_is_usable(self)) return NULL;
    if (self->depth > 0) return conclude(self, ST_BUSY, "view", NULL);

    // two viewers of a scene take turns, too
    self->server = turn.server;
    PyObject *result = run(object, "view", call_serve, &turn, NULL);
    self->server = NULL;
    return result;
}

static PyObject *scene_init(PyObject *self, PyObject *none) {
    (void)none;
    return run(self, "init", call_init, NULL, NULL);
}
static PyObject *scene_reset(PyObject *self, PyObject *none) {
    (void)none;
    return run(self, "reset", call_reset, NULL, NULL);
}
static PyObject *scene_finish(PyObject *self, PyObject *none) {
    (void)none;
    return run(self, "finish", call_finish, NULL, NULL);
}

static PyObject *scene_step(PyObject *self, PyObject *args) {
    Py_ssize_t count = 1;
    double dt = 0;
    if (!PyArg_ParseTuple(args, "|nd:step", &count, &dt)) return NULL;
    if (count < 0) return PyErr_Format(PyExc_ValueError, "%zd steps: the number must not be negative", count);
    if (!(dt >= 0 && dt <= ST_REAL_MAX)) {
        PyErr_SetString(PyExc_ValueError, "dt must be a number from 0 on; 0 means the root's");
        return NULL;
    }

    // the first step of a scene that was built in Python initializes it
    scene_object *scene = (scene_object *)self;
    if (!scene_is_usable(scene)) return NULL;
    if (!st_scene_is_initialized(scene->scene)) {
        PyObject *result = run(self, "init", call_init, NULL, NULL);
        if (!result) return NULL;
        Py_DECREF(result);
    }

    // Ctrl-C is noticed between steps
    const st_real real = (st_real)dt;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *result = run(self, "step", call_step, &real, NULL);
        if (!result || PyErr_CheckSignals() != 0) {
            Py_XDECREF(result);
            return NULL;
        }
        Py_DECREF(result);
    }
    Py_RETURN_NONE;
}

// ---------------------------------------------------------------------------------------------------
// A scene that the program around Python steps, see program.c
// ---------------------------------------------------------------------------------------------------

static PyObject *scene_address(PyObject *object, void *closure) {
    (void)closure;
    scene_object *self = (scene_object *)object;
    return scene_is_usable(self) ? PyLong_FromVoidPtr(self->scene) : NULL;
}

// Python code that the scene calls is inside of a step from now on.
static PyObject *scene_lend(PyObject *object, PyObject *none) {
    (void)none;
    scene_object *self = (scene_object *)object;
    if (!scene_is_usable(self)) return NULL;
    if (!self->heard || self->is_lent) {
        PyErr_SetString(PyExc_RuntimeError, "no program is around this scene, or it has the scene already");
        return NULL;
    }

    self->is_lent = true;
    self->depth++;
    Py_RETURN_NONE;
}

// The program is done with it. An exception of a component that stopped it is raised.
static PyObject *scene_take_back(PyObject *object, PyObject *none) {
    (void)none;
    scene_object *self = (scene_object *)object;
    if (!self->is_lent) return conclude(self, ST_INVALID, "take back", NULL);
    self->is_lent = false;
    self->depth--;
    return scene_conclude(self, ST_OK, "step", NULL);
}

// ---------------------------------------------------------------------------------------------------
// Nodes and components
// ---------------------------------------------------------------------------------------------------

static PyObject *scene_root(PyObject *object, void *closure) {
    (void)closure;
    scene_object *self = (scene_object *)object;
    if (!scene_is_usable(self)) return NULL;
    return object_wrap(self, st_node_as_object(st_scene_root(self->scene)));
}

static PyObject *scene_create_root(PyObject *object, PyObject *name) {
    scene_object *self = (scene_object *)object;
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    if (!text || !scene_is_usable(self)) return NULL;

    st_node *root = st_scene_create_root(self->scene, text);
    if (root) return object_wrap(self, st_node_as_object(root));
    return conclude(self, ST_INVALID, "the scene has a root already", name);
}

static PyObject *scene_find(PyObject *object, PyObject *path) {
    scene_object *self = (scene_object *)object;
    const char *text = PyUnicode_AsUTF8AndSize(path, NULL);
    if (!text || !scene_is_usable(self)) return NULL;

    // a node, or else a component
    st_node *node = st_scene_find_node(self->scene, text);
    st_object *found = node ? st_node_as_object(node) : st_scene_find(self->scene, text);
    return scene_concluded(self, ST_OK, "find", path) ? object_wrap(self, found) : NULL;
}

static PyObject *scene_objects(PyObject *object, PyObject *none) {
    (void)none;
    scene_object *self = (scene_object *)object;
    if (!scene_is_usable(self)) return NULL;

    PyObject *list = PyList_New(0);
    st_object *component;
    for (size_t i = 0; list && (component = st_scene_object(self->scene, i)); i++) {
        PyObject *item = object_wrap(self, component);
        if (!item || PyList_Append(list, item) != 0) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

// ---------------------------------------------------------------------------------------------------
// Callbacks of events
// ---------------------------------------------------------------------------------------------------

PyObject *event_data(scene_object *self, void *data) {
    return Py_NewRef(data && data == self->sent ? self->sent : Py_None);
}

static void call_back(void *user, st_scene *scene, const st_event_info *event) {
    const PyGILState_STATE lock = PyGILState_Ensure();
    scene_object *self = scene_of(scene);
    if (self) {
        PyObject *node = object_wrap(self, st_node_as_object(event->node));
        PyObject *data = event_data(self, event->data);
        PyObject *result =
            node ? PyObject_CallFunction(user, "sOdiO", event->name, node, (double)event->dt, event->key, data) : NULL;
        if (!result) scene_fail(self);
        Py_XDECREF(result);
        Py_XDECREF(node);
        Py_XDECREF(data);
    }
    PyGILState_Release(lock);
}

static PyObject *scene_add_callback(PyObject *object, PyObject *args) {
    scene_object *self = (scene_object *)object;
    const char *event;
    PyObject *function;
    if (!PyArg_ParseTuple(args, "zO:add_callback", &event, &function) || !scene_is_usable(self)) return NULL;
    if (!PyCallable_Check(function)) return PyErr_Format(PyExc_TypeError, "%R cannot be called", function);

    const uint32_t number = st_scene_add_callback(self->scene, event, call_back, function);
    PyObject *key = PyLong_FromUnsignedLong(number);
    if (!number || !key || PyDict_SetItem(self->callbacks, key, function) != 0) {
        st_scene_remove_callback(self->scene, number);
        Py_XDECREF(key);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    return key;
}

// The function is kept until the scene ends: it may be the one that runs.
static PyObject *scene_remove_callback(PyObject *object, PyObject *number) {
    scene_object *self = (scene_object *)object;
    const unsigned long value = PyLong_AsUnsignedLong(number);
    if ((value == (unsigned long)-1 && PyErr_Occurred()) || !scene_is_usable(self)) return NULL;

    const st_status status = st_scene_remove_callback(self->scene, (uint32_t)value);
    if (status == ST_OK && self->depth == 0 && PyDict_DelItem(self->callbacks, number) != 0) PyErr_Clear();
    return scene_conclude(self, status, "remove_callback", number);
}

static PyObject *scene_fail_step(PyObject *object, PyObject *reason) {
    const char *text = PyUnicode_AsUTF8AndSize(reason, NULL);
    if (!text || !scene_is_usable((scene_object *)object)) return NULL;
    st_scene_fail_step(((scene_object *)object)->scene, text);
    Py_RETURN_NONE;
}

// ---------------------------------------------------------------------------------------------------
// Numbers of the scene
// ---------------------------------------------------------------------------------------------------

static PyObject *scene_time(PyObject *self, void *closure) {
    (void)closure;
    scene_object *s = (scene_object *)self;
    return scene_is_usable(s) ? PyFloat_FromDouble((double)st_scene_time(s->scene)) : NULL;
}
static PyObject *scene_dt(PyObject *self, void *closure) {
    (void)closure;
    scene_object *s = (scene_object *)self;
    return scene_is_usable(s) ? PyFloat_FromDouble((double)st_scene_dt(s->scene)) : NULL;
}
static PyObject *scene_is_initialized(PyObject *self, void *closure) {
    (void)closure;
    scene_object *s = (scene_object *)self;
    return scene_is_usable(s) ? PyBool_FromLong(st_scene_is_initialized(s->scene)) : NULL;
}
static PyObject *scene_structure(PyObject *self, void *closure) {
    (void)closure;
    scene_object *s = (scene_object *)self;
    return scene_is_usable(s) ? PyLong_FromUnsignedLong(st_scene_structure(s->scene)) : NULL;
}
static PyObject *scene_closed(PyObject *self, void *closure) {
    (void)closure;
    return PyBool_FromLong(((scene_object *)self)->scene == NULL);
}
static PyObject *scene_lent(PyObject *self, void *closure) {
    (void)closure;
    return Py_NewRef(((scene_object *)self)->lent);
}

static PyObject *scene_message_count(PyObject *self, PyObject *severity) {
    const long value = PyLong_AsLong(severity);
    if ((value == -1 && PyErr_Occurred()) || !scene_is_usable((scene_object *)self)) return NULL;
    if (value < ST_INFO || value > ST_FATAL)
        return PyErr_Format(PyExc_ValueError, "severity %ld must be from 0 to %d", value, (int)ST_FATAL);
    return PyLong_FromSize_t(st_scene_message_count(((scene_object *)self)->scene, (st_severity)value));
}

static PyMethodDef methods[] = {
    {"_lend", scene_lend, METH_NOARGS, NULL},
    {"_take_back", scene_take_back, METH_NOARGS, NULL},
    {"_load", scene_load, METH_O, NULL},
    {"_load_text", scene_load_text, METH_VARARGS, NULL},
    {"_create_root", scene_create_root, METH_O, NULL},
    {"_register", scene_register, METH_O, NULL},
    {"_find", scene_find, METH_O, NULL},
    {"_objects", scene_objects, METH_NOARGS, NULL},
    {"_matrix", scene_matrix, METH_VARARGS, NULL},
    {"_vector", scene_vector, METH_VARARGS, NULL},
    {"_energy", scene_energy, METH_NOARGS, NULL},
    {"_mass", scene_mass, METH_NOARGS, NULL},
    {"_profile", scene_profile, METH_NOARGS, NULL},
    {"_write_png", scene_write_png, METH_VARARGS, NULL},
    {"_draw_pixels", scene_draw_pixels, METH_VARARGS, NULL},
    {"_check", scene_check, METH_NOARGS, NULL},
    {"_add_callback", scene_add_callback, METH_VARARGS, NULL},
    {"_remove_callback", scene_remove_callback, METH_O, NULL},
    {"_message_count", scene_message_count, METH_O, NULL},
    {"_serve", scene_view, METH_VARARGS, NULL},
    {"load_plugin", scene_plugin, METH_O, "load_plugin(path)\n--\n\nLoads a plug-in: a library with components."},
    {"init", scene_init, METH_NOARGS, "init()\n--\n\nInitializes all components; the first step does it, too."},
    {"step", scene_step, METH_VARARGS,
     "step(count=1, dt=0)\n--\n\nComputes so many steps of dt; 0: the root's. Other threads run meanwhile. A step that "
     "fails raises settee.StepError and leaves the last good state."},
    {"reset", scene_reset, METH_NOARGS, "reset()\n--\n\nBack to the state after init, with the same bits."},
    {"finish", scene_finish, METH_NOARGS,
     "finish()\n--\n\nNo step will follow: exporters put their files in place. close() does it, too."},
    {"close", scene_close, METH_NOARGS,
     "close()\n--\n\nEnds the scene and frees its memory. Arrays stay readable; components cannot be used any more."},
    {"save", scene_save, METH_O, "save(path)\n--\n\nWrites the scene as an .scn file that loads again."},
    {"xml", scene_xml, METH_NOARGS, "xml()\n--\n\nThe scene as the text of an .scn file."},
    {"dump", scene_dump, METH_VARARGS,
     "dump(step=0, topology=False)\n--\n\nEvery mechanical state, or every mesh, as the text of `settee run --dump`."},
    {"fail_step", scene_fail_step, METH_O,
     "fail_step(reason)\n--\n\nFrom a callback or a component: the running step fails, and the state before it is "
     "back."},
    {0},
};

static PyGetSetDef properties[] = {
    {"root", scene_root, NULL, "The root node.", NULL},
    {"time", scene_time, NULL, "Time of the simulation.", NULL},
    {"dt", scene_dt, NULL, "Time of a step.", NULL},
    {"is_initialized", scene_is_initialized, NULL, "Has init been done?", NULL},
    {"structure", scene_structure, NULL, "Goes up when nodes or components come or go.", NULL},
    {"closed", scene_closed, NULL, "Has the scene ended?", NULL},
    {"_address", scene_address, NULL, NULL, NULL},
    {"_lent", scene_lent, NULL, NULL, NULL},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_new, scene_new},
    {Py_tp_dealloc, scene_dealloc},
    {Py_tp_traverse, scene_traverse},
    {Py_tp_clear, scene_clear},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};
PyType_Spec st_scene_spec = {
    .name = "settee._settee.Scene",
    .basicsize = sizeof(scene_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .slots = slots,
};
