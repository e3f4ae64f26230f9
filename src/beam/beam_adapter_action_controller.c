// BeamAdapterActionController: carries out a list of actions on an InterventionalRadiologyController, at given times.
//
//     0 nothing   1 forward   2 backward   3, 4 turn right, left   5, 6 next, former instrument   8, 9, 10 instrument 0, 1, 2
//
// One action a step at most: those that are late follow one another.
//
// SPDX-License-Identifier: Apache-2.0
#include "beam/radiology_controller.h"
#include "settee/plugin/change.h"

typedef struct action_controller {
    st_object object;
    bool write_mode;
    st_ints actions;
    char *action_string;
    st_reals times;
    st_object *controller;
    size_t next;
} action_controller;

static const st_field fields[] = {
    ST_FIELD(action_controller, write_mode, "writeMode", st_type_bool, "1",
             "0: the actions of the list are carried out"),
    ST_FIELD(action_controller, actions, "actions", st_type_ints, NULL, "what is done", .mesh = ST_NO_INDEX),
    ST_FIELD(action_controller, action_string, "actionString", st_type_string, NULL, "no effect, as in SOFA",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(action_controller, times, "timeSteps", st_type_reals, NULL, "when each action is done"),
    ST_FIELD(action_controller, controller, "interventionController", st_type_link, NULL,
             "the InterventionalRadiologyController"),
    ST_FIELDS_END,
};

static void choose(action_controller *self, st_radiology *c, int32_t wire) {
    if (wire >= 0 && (size_t)wire < c->wires.count) c->controlled = wire;
    else
        st_message(&self->object, ST_WARNING, "there is no instrument %d: %d stays the one that moves", (int)wire,
                   (int)c->controlled);
}

static void carry_out(action_controller *self, st_radiology *c, int32_t action) {
    if (c->controlled < 0 || (size_t)c->controlled >= c->wires.count) return;
    st_real *tip = &c->tips.data[c->controlled], *angle = &c->rotations.data[c->controlled];
    switch (action) {
    case 0: break;
    case 1: *tip += c->step; break;
    case 2: *tip -= c->step; break;
    case 3: *angle += c->angular_step; break;
    case 4: *angle -= c->angular_step; break;
    case 5: choose(self, c, c->controlled + 1); break;
    case 6: choose(self, c, c->controlled - 1); break;
    case 8:
    case 9:
    case 10: choose(self, c, action - 8); break;
    default: st_message(&self->object, ST_WARNING, "action %d is not known: nothing is done", (int)action);
    }
}

static void action_event(st_object *object, st_event *event) {
    action_controller *self = (action_controller *)object;
    st_radiology *c = (st_radiology *)self->controller;
    if (event->kind != ST_EVENT_ANIMATE_BEGIN || !c || c->wires.count == 0) return;

    const size_t k = self->next;
    if (!self->write_mode && k < self->actions.count && k < self->times.count &&
        object->node->time >= self->times.data[k]) {
        carry_out(self, c, self->actions.data[k]);
        self->next++;
    }
    st_radiology_apply(c);
}

// The controller may come later in the scene.
static st_status action_bwd_init(st_object *object) {
    action_controller *self = (action_controller *)object;
    self->next = 0;
    if (!self->controller)
        self->controller = st_find_class(object->node, &st_interventional_radiology_controller_class, ST_UP);
    if (!self->controller || !st_is_a(self->controller, &st_interventional_radiology_controller_class) ||
        !st_is_valid(self->controller)) {
        self->controller = NULL;
        return st_invalid(object, "interventionController names no InterventionalRadiologyController: nothing moves");
    }
    ((st_radiology *)self->controller)->driven = true;
    if (self->actions.count != self->times.count)
        st_message(object, ST_WARNING, "there are %zu actions and %zu timeSteps: the others are ignored",
                   self->actions.count, self->times.count);
    return ST_OK;
}

static void action_reset(st_object *object) { ((action_controller *)object)->next = 0; }

const st_class st_beam_adapter_action_controller_class = {
    .name = "BeamAdapterActionController",
    .kind = "beams",
    .help = "carries out a list of actions on an InterventionalRadiologyController",
    .parent = &st_object_class,
    .templates = "Rigid3",
    .fields = fields,
    .size = sizeof(action_controller),
    .flags = ST_CLASS_LISTENING,
    .bwd_init = action_bwd_init,
    .reset = action_reset,
    .event = action_event,
};
