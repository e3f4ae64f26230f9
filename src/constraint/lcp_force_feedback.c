// LCPForceFeedback: the force on a tool as a function of where its device is, between two steps of the simulation.
//
// At the end of each step the constraint problem, the tool's rows of it and its free motion are copied
// (haptic_problem.h). Whoever asks for a force gets the solution of the newest copy for a tool at the asked place:
//
//     simulation thread      step ── copy into the place `back`, publish ── step ── ...
//     haptic thread          take the newest copy, shift it, solve it, forceCoef Hᵀ f        (1 kHz)
//
// The copies go through three places (base/triple.h): neither thread waits for the other. Threads that ask the same
// feedback take turns. Attributes that a haptic thread reads are kept beside the fields, as atomics.
//
// NullForceFeedback and NullForceFeedbackT give zeros.
//
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

#include "base/triple.h"
#include "constraint/haptic_problem.h"
#include "settee/plugin/haptics.h"

typedef struct feedback_base {
    st_object object;
    bool activate;
    int32_t index;
} feedback_base;

typedef struct feedback {
    feedback_base base;
    st_real coefficient, timeout;
    int32_t iterations;
    bool rotations, one_frame;

    st_constraint_solver *solver;
    st_state *tool;
    bool has_lock, ready; // `ready`: init has found both

    // what other threads see
    st_triple places;
    st_haptic_problem copies[3];
    pthread_mutex_t readers;
    atomic_bool is_active;
    _Atomic(st_real) seen_coefficient, seen_timeout;
    atomic_int seen_iterations;
    atomic_bool seen_rotations, seen_one_frame;
} feedback;

static const st_field base_fields[] = {
    ST_FIELD(feedback_base, activate, "activate", st_type_bool, "0", "give forces to those who ask"),
    ST_FIELD(feedback_base, index, "indice", st_type_int, "0", "number of the tool: that of its device"),
    ST_FIELDS_END,
};

static const st_field fields[] = {
    ST_FIELD(feedback, coefficient, "forceCoef", st_type_real, "0.03", "factor of forces and torques"),
    ST_FIELD(feedback, timeout, "solverTimeout", st_type_real, "0.0008", "time limit of one solution, in seconds"),
    ST_FIELD(feedback, iterations, "solverMaxIt", st_type_int, "100", "most sweeps of one solution"),
    ST_FIELD(feedback, rotations, "derivRotations", st_type_bool, "0",
             "rotations of the device shift the contacts, too; else its place alone"),
    ST_FIELD(feedback, one_frame, "localHapticConstraintAllFrames", st_type_bool, "0",
             "contacts of all DOFs act on the first one"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// The thread of the simulation
// ---------------------------------------------------------------------------------------------------

static void show_attributes(feedback *self) {
    atomic_store(&self->is_active, self->base.activate);
    atomic_store(&self->seen_coefficient, self->coefficient);
    atomic_store(&self->seen_timeout, self->timeout);
    atomic_store(&self->seen_iterations, (int)self->iterations);
    atomic_store(&self->seen_rotations, self->rotations);
    atomic_store(&self->seen_one_frame, self->one_frame);
}

static void lcp_force_feedback_written(st_object *object, const st_field *field, bool by_link) {
    (void)field, (void)by_link;
    show_attributes((feedback *)object);
}

static void lcp_force_feedback_event(st_object *object, st_event *event) {
    feedback *self = (feedback *)object;
    if (event->kind != ST_EVENT_ANIMATE_END || !self->ready || !self->solver->problem->node) return;

    // what cannot be captured gives no force
    st_haptic_problem *copy = &self->copies[self->places.back];
    const st_status status = st_haptic_problem_capture(copy, self->solver, self->tool);
    if (status != ST_OK) st_haptic_problem_clear(copy);
    if (status == ST_OUT_OF_MEMORY)
        st_message_once(object, "memory", ST_ERROR, "out of memory: %zu constraints", self->solver->problem->size);
    else if (status != ST_OK)
        st_message_once(object, "compliance", ST_ERROR, "%s has no compliance matrix: forces are 0",
                        self->solver->object.type->name);
    st_triple_publish(&self->places);
}

static void lcp_force_feedback_reset(st_object *object) {
    feedback *self = (feedback *)object;
    if (!self->ready) return;
    st_haptic_problem_clear(&self->copies[self->places.back]);
    st_triple_publish(&self->places);
}

// ---------------------------------------------------------------------------------------------------
// Any thread
// ---------------------------------------------------------------------------------------------------

static st_status lcp_force_feedback_force(st_object *object, const st_real *x, size_t count, st_real *forces) {
    feedback *self = (feedback *)object;
    if (!atomic_load(&self->is_active)) return ST_FAILED;
    const size_t deriv = object->dof->deriv;
    memset(forces, 0, count * deriv * sizeof *forces);
    if (!self->ready) return ST_OK;

    pthread_mutex_lock(&self->readers);
    st_triple_take(&self->places);
    const st_haptic_limits limits = {atomic_load(&self->seen_timeout), atomic_load(&self->seen_iterations),
                                     atomic_load(&self->seen_rotations), atomic_load(&self->seen_one_frame)};
    const bool ok = st_haptic_problem_solve(&self->copies[self->places.front], &limits, x, count, forces);
    pthread_mutex_unlock(&self->readers);

    const st_real factor = atomic_load(&self->seen_coefficient);
    for (size_t k = 0; k < count * deriv; k++) forces[k] *= factor;
    return ok ? ST_OK : ST_INVALID;
}

// ---------------------------------------------------------------------------------------------------
// Classes
// ---------------------------------------------------------------------------------------------------

static bool force_feedback_accepts(st_object *object) {
    const st_object *state = st_find(object->node, ST_ROLE(state), ST_LOCAL);
    if (state && state->dof == object->dof) return true;
    return st_refuse(object, "its node has no mechanical state of type %s", object->dof ? object->dof->name : "(none)");
}

static st_status lcp_force_feedback_construct(st_object *object) {
    feedback *self = (feedback *)object;
    st_triple_init(&self->places);
    self->has_lock = pthread_mutex_init(&self->readers, NULL) == 0;
    return self->has_lock ? ST_OK : ST_OUT_OF_MEMORY;
}

// The solver is looked for once, upwards.
static st_status lcp_force_feedback_init(st_object *object) {
    feedback *self = (feedback *)object;
    show_attributes(self);
    self->solver = (st_constraint_solver *)st_find(object->node, ST_ROLE(constraint_solver), ST_UP);
    self->tool = (st_state *)st_find(object->node, ST_ROLE(state), ST_LOCAL);
    if (!self->solver) st_message(object, ST_ERROR, "there is no constraint solver in its node or above: forces are 0");
    if (!self->tool) st_message(object, ST_ERROR, "there is no mechanical state in its node: forces are 0");
    self->ready = self->solver && self->tool && self->tool->object.dof == object->dof;
    return ST_OK;
}

static void lcp_force_feedback_destroy(st_object *object) {
    feedback *self = (feedback *)object;
    for (int i = 0; i < 3; i++) st_haptic_problem_free(&self->copies[i]);
    if (self->has_lock) pthread_mutex_destroy(&self->readers);
}

extern const st_class st_force_feedback_class;
const st_class st_force_feedback_class = {
    .name = "ForceFeedback",
    .help = "what every force feedback has",
    .parent = &st_object_class,
    .fields = base_fields,
    .size = sizeof(feedback_base),
    .flags = ST_CLASS_ABSTRACT,
};

static const st_force_feedback_ops ops = {.force = lcp_force_feedback_force};

const st_class st_lcp_force_feedback_class = {
    .name = "LCPForceFeedback",
    .help = "the force of constraints on a tool as a function of its position, for haptic devices (settee/haptics.h)",
    .parent = &st_force_feedback_class,
    .templates = "Rigid3 Vec1",
    .fields = fields,
    .size = sizeof(feedback),
    .example = "<FreeMotionAnimationLoop/><LCPConstraintSolver maxIt='100' tolerance='1e-6'/>\n"
               "<Node name='tool'>\n"
               "    <MechanicalObject template='Rigid3'/><UniformMass totalMass='1'/>\n"
               "    <LCPForceFeedback activate='1' forceCoef='0.1'/>\n"
               "</Node>",
    .flags = ST_CLASS_LISTENING,
    .accepts = force_feedback_accepts,
    .construct = lcp_force_feedback_construct,
    .init = lcp_force_feedback_init,
    .reset = lcp_force_feedback_reset,
    .written = lcp_force_feedback_written,
    .event = lcp_force_feedback_event,
    .destroy = lcp_force_feedback_destroy,
    .force_feedback = &ops,
};

// Zeros, whether it is active or not; DOFs of a Rigid3.
static st_status null_force_feedback_force(st_object *object, const st_real *x, size_t count, st_real *forces) {
    (void)x;
    memset(forces, 0, count * (object->dof ? object->dof->deriv : 6) * sizeof *forces);
    return ST_OK;
}

static const st_force_feedback_ops null_ops = {.force = null_force_feedback_force};

const st_class st_null_force_feedback_class = {
    .name = "NullForceFeedback",
    .help = "a force feedback that gives zeros",
    .parent = &st_force_feedback_class,
    .size = sizeof(feedback_base),
    .force_feedback = &null_ops,
};

const st_class st_null_force_feedback_t_class = {
    .name = "NullForceFeedbackT",
    .help = "a force feedback that gives zeros, for the DOFs of a template",
    .parent = &st_force_feedback_class,
    .templates = "Rigid3 Vec1",
    .size = sizeof(feedback_base),
    .accepts = force_feedback_accepts,
    .force_feedback = &null_ops,
};
