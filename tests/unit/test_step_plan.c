// Events of a step: who gets them, in which order, and what happens when a listener changes the scene meanwhile.
//
// SPDX-License-Identifier: Apache-2.0
#include "loop/step.h"
#include "scene/scene.h"
#include "scene_probe.h"

static char heard[1024];      // names of the listeners, in order
static st_object *removed[4]; // taken out of the graph, to be destroyed at the end
static size_t removed_count;

// What it does when a step begins, once, after it wrote down its name.
typedef struct actor {
    st_object object;
    char *action; // add, add to, take itself, take the next
    st_node *to;
} actor;

static void act(actor *self) {
    st_object *object = &self->object;
    st_node *node = object->node;
    const char *action = self->action ? self->action : "";
    if (strcmp(action, "add") == 0) assert_non_null(st_add_object(node, "Actor", NULL, "new", false));
    if (strcmp(action, "add to") == 0) assert_non_null(st_add_object(self->to, "Actor", NULL, "new", false));
    if (strcmp(action, "add front") == 0) assert_non_null(st_add_object(node, "Actor", NULL, "new", true));
    if (strcmp(action, "take itself") == 0) {
        st_node_take(node, object);
        removed[removed_count++] = object;
    }
    if (strcmp(action, "destroy the next") == 0)
        for (size_t i = 0; i + 1 < node->objects.count; i++)
            if (node->objects.data[i] == object) {
                st_object *next = node->objects.data[i + 1];
                st_node_take(node, next);
                st_object_destroy(next);
            }
}

static void actor_event(st_object *object, st_event *event) {
    actor *self = (actor *)object;
    if (event->kind != ST_EVENT_ANIMATE_BEGIN) return;
    strcat(strcat(heard, *heard ? " " : ""), object->name);
    act(self);
    if (self->action) self->action[0] = '\0';
}

static const st_field fields[] = {
    ST_FIELD(actor, action, "action", st_type_string, NULL, "what it does in the first step"),
    ST_FIELD(actor, to, "to", st_type_link, NULL, "node to which it adds", .role = ST_ROLE_NODE),
    ST_FIELDS_END,
};

static const st_class actor_class = {
    .name = "Actor",
    .help = "changes the scene within an event",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(actor),
    .flags = ST_CLASS_LISTENING,
    .event = actor_event,
};

static st_scene *start(const char *inside) {
    char xml[2048];
    snprintf(xml, sizeof xml, "<Node><DefaultAnimationLoop/>%s</Node>", inside);
    st_scene *scene = probe_create(false);
    assert_int_equal(st_register_class(scene, &actor_class), ST_OK);
    if (probe_try(scene, xml) != ST_OK) fail_msg("%s", probe_messages);
    return scene;
}

static void expect_step(st_scene *scene, const char *names, int line) {
    heard[0] = '\0';
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    if (strcmp(heard, names) != 0) fail_msg("line %d: \"%s\", not \"%s\"", line, heard, names);
}
#define STEP(names) expect_step(scene, names, __LINE__)

static void end(st_scene *scene) {
    while (removed_count) st_object_destroy(removed[--removed_count]);
    st_scene_destroy(scene);
}

#define ACTOR(name, attributes) "<Actor name='" name "' " attributes "/>"

// ---------------------------------------------------------------------------------------------------

static void events_go_top_down(void **unused) {
    (void)unused;
    st_scene *scene = start("<Node name='n'>" ACTOR("b", "") "<Node>" ACTOR("c", "") "</Node>" ACTOR(
        "d", "") "</Node><Node>" ACTOR("e", "") "</Node>" ACTOR("a", ""));
    STEP("a b d c e");
    STEP("a b d c e");
    end(scene);
}

static void what_comes_behind_gets_the_event_too(void **unused) {
    (void)unused;
    st_scene *scene = start(ACTOR("a", "") ACTOR("b", "action='add'") ACTOR("c", ""));
    STEP("a b c new");
    STEP("a b c new");
    end(scene);
}

static void what_comes_before_waits_for_the_next(void **unused) {
    (void)unused;
    st_scene *scene = start("<Node name='n'>" ACTOR("a", "") "</Node><Node>" ACTOR("b", "action='add to' to='@/n'")
                                ACTOR("c", "") "</Node>");
    STEP("a b c");
    STEP("a new b c");
    end(scene);
    scene = start(ACTOR("a", "") ACTOR("b", "action='add front'") ACTOR("c", ""));
    STEP("a b c");
    STEP("new a b c");
    end(scene);
}

static void who_is_gone_gets_nothing(void **unused) {
    (void)unused;
    st_scene *scene = start(ACTOR("a", "") ACTOR("b", "action='destroy the next'") ACTOR("c", "") ACTOR("d", ""));
    STEP("a b d");
    STEP("a b d");
    end(scene);
}

static void who_leaves_keeps_nobody_else_out(void **unused) {
    (void)unused;
    st_scene *scene = start(ACTOR("a", "") ACTOR("b", "action='take itself'") ACTOR("c", "") ACTOR("d", ""));
    STEP("a b c d");
    STEP("a c d");
    end(scene);
    scene = start(ACTOR("a", "action='take itself'") ACTOR("b", ""));
    STEP("a b");
    STEP("b");
    end(scene);
}

static void switches_are_followed_while_running(void **unused) {
    (void)unused;
    st_scene *scene = start(ACTOR("a", "") "<Node name='n'>" ACTOR(
        "b", "") "</Node>"
                 "<Node name='m' activated='@/n.activated'>" ACTOR("c", "") "</Node>");
    STEP("a b c");
    st_object_set(st_scene_find(scene, "/a"), "listening", "0");
    STEP("b c");
    st_object_set(st_scene_find(scene, "/a"), "listening", "1");
    STEP("a b c");

    // the node that is linked follows when the links are pulled, after the first event of the step
    st_object_set(st_scene_find(scene, "/n"), "activated", "0");
    STEP("a c");
    STEP("a");
    st_object_set(st_scene_find(scene, "/n"), "activated", "1");
    STEP("a b");
    end(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_go_top_down),
        cmocka_unit_test(what_comes_behind_gets_the_event_too),
        cmocka_unit_test(what_comes_before_waits_for_the_next),
        cmocka_unit_test(who_is_gone_gets_nothing),
        cmocka_unit_test(who_leaves_keeps_nobody_else_out),
        cmocka_unit_test(switches_are_followed_while_running),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
