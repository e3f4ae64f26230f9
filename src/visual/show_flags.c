// Which kinds of things are shown: words of programs, and the VisualStyle of a scene.
//
// A VisualStyle holds for its node and all below, words that it does not mention are as above. Without any, visual models
// are shown.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "settee/drawing.h"
#include "visual/drawing.h"
#include "visual/visual_style.h"

static const char *const names[] = {"visual", "behavior",   "springs",  "collision", "wireframe", "normals",
                                    "forces", "velocities", "contacts", "fixed",     "rois",      "frames",
                                    "boxes",  "labels",     "trails",   "vectors"};
enum { NAMES = sizeof names / sizeof *names };

const char *st_show_flag_name(unsigned flag) {
    for (int i = 0; i < NAMES; i++)
        if (flag == 1u << i) return names[i];
    return "";
}

// The flags of a word, 0: unknown.
static unsigned flags_of(const char *word) {
    if (strcmp(word, "all") == 0) return ST_SHOW_ALL;
    for (int i = 0; i < NAMES; i++)
        if (strcmp(word, names[i]) == 0) return 1u << i;
    return 0;
}

bool st_parse_show_words(const char *words, unsigned *on, unsigned *off, char word[64]) {
    static const char between[] = ", \t\n";
    for (const char *at = words + strspn(words, between); *at; at += strspn(at, between)) {
        const size_t length = strcspn(at, between);
        char own[64] = "";
        memcpy(own, at, length < sizeof own ? length : sizeof own - 1);
        if (word) memcpy(word, own, sizeof own);
        at += length;

        // none is no-all
        const bool none = strcmp(own, "none") == 0, no = none || strncmp(own, "no-", 3) == 0;
        const unsigned flags = none ? ST_SHOW_ALL : flags_of(own + (no ? 3 : 0));
        if (!flags || length >= sizeof own) return false;
        *on = no ? *on & ~flags : *on | flags;
        *off = no ? *off | flags : *off & ~flags;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// VisualStyle
// ---------------------------------------------------------------------------------------------------

// Words of displayFlags after show or hide.
static const struct {
    const char *word;
    unsigned flags;
} styles[] = {
    {"All", ST_SHOW_VISUAL | ST_SHOW_BEHAVIOR | ST_SHOW_FORCE_FIELDS | ST_SHOW_COLLISION | ST_SHOW_FIXED},
    {"Visual", ST_SHOW_VISUAL},
    {"VisualModels", ST_SHOW_VISUAL},
    {"Behavior", ST_SHOW_BEHAVIOR | ST_SHOW_FORCE_FIELDS | ST_SHOW_FIXED},
    {"BehaviorModels", ST_SHOW_BEHAVIOR | ST_SHOW_FIXED},
    {"ForceFields", ST_SHOW_FORCE_FIELDS},
    {"InteractionForceFields", ST_SHOW_FORCE_FIELDS},
    {"Collision", ST_SHOW_COLLISION},
    {"CollisionModels", ST_SHOW_COLLISION},
    {"BoundingCollisionModels", ST_SHOW_BOXES},
    {"DetectionOutputs", ST_SHOW_CONTACTS},
    {"Wireframe", ST_SHOW_WIREFRAME},
    {"WireFrame", ST_SHOW_WIREFRAME},
    {"Normals", ST_SHOW_NORMALS},
};

static unsigned apply_style(const char *text, unsigned flags) {
    static const char blanks[] = " \t\n\r";
    for (const char *at = text + strspn(text, blanks); *at; at += strspn(at, blanks)) {
        const size_t length = strcspn(at, blanks);
        const bool show = strncmp(at, "show", 4) == 0, hide = strncmp(at, "hide", 4) == 0;

        // words that mean nothing here, such as showMappings, are ignored
        for (size_t i = 0; (show || hide) && i < sizeof styles / sizeof *styles; i++) {
            const bool same = strlen(styles[i].word) + 4 == length && memcmp(at + 4, styles[i].word, length - 4) == 0;
            if (same) flags = show ? flags | styles[i].flags : flags & ~styles[i].flags;
        }
        at += length;
    }
    return flags;
}

unsigned st_node_show_flags(const st_node *node, unsigned inherited) {
    for (size_t i = 0; i < node->objects.count; i++) {
        const st_object *object = node->objects.data[i];
        const char *text = st_is_a(object, &st_visual_style_class) ? st_visual_style_flags(object) : NULL;
        if (text) inherited = apply_style(text, inherited);
    }
    return inherited;
}
