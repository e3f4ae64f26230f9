// GroupFilterYoungModulus: one Young's modulus for each element, from groups of elements.
//
//   1. `groups` alone: mapGroupModulus, "name modulus;name modulus;", gives the moduli of groups by name; all other
//      elements have the default one
//   2. `groups` and `groupModulus`: group by group, as many elements as each has, with its own modulus
//   3. `elementsGroup`, the number of each element's group: mapGroupModulus is then "number modulus;..."
//   4. neither: the output stays as it is
//
// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "engine/engine.h"

typedef struct group_filter {
    st_object object;
    st_strings groups;
    st_uints primitives;
    ST_LIST(int32_t) elements_group;
    char *map;
    st_real fallback;
    st_reals group_modulus, modulus;
} group_filter;

// A run of elements.
typedef struct group {
    const char *name;
    size_t length; // of the name
    uint32_t first, count;
    st_real modulus;
    bool named; // by the map
} group;
typedef ST_LIST(group) group_list;

static const st_field fields[] = {
    ST_INPUT(group_filter, groups, "groups", st_type_map, NULL,
             "groups of elements, as loaders have them: name, material, number of the material, first element, count"),
    ST_INPUT(group_filter, primitives, "primitives", st_type_indices, NULL, "elements; only their number counts"),
    ST_FIELD(group_filter, elements_group, "elementsGroup", st_type_ints, NULL, "number of the group of each element",
             .flags = ST_FIELD_FIXED),
    ST_INPUT(group_filter, map, "mapGroupModulus", st_type_string, NULL,
             "moduli by the name, or with elementsGroup the number, of a group: name modulus;name modulus;"),
    ST_INPUT(group_filter, fallback, "defaultYoungModulus", st_type_real, "10000", "of elements of no group"),
    ST_INPUT(group_filter, group_modulus, "groupModulus", st_type_reals, NULL, "modulus of each group, by number"),
    ST_OUTPUT(group_filter, modulus, "youngModulus", st_type_reals, "modulus of each element"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Text
// ---------------------------------------------------------------------------------------------------

// The next word of [*at, end): its beginning and length; false: there is none.
static bool next_word(const char **at, const char *end, const char **word, size_t *length) {
    *word = *at = st_text_skip_blanks(*at, end);
    while (*at < end && !st_text_is_blank(**at)) (*at)++;
    *length = (size_t)(*at - *word);
    return *length > 0;
}

static bool word_to_number(const char *word, size_t length, uint32_t *value) {
    const char *at = word;
    return st_text_read_uint(&at, word + length, value) == ST_TEXT_OK && at == word + length;
}

static size_t count_words(const char *at, const char *end) {
    const char *word;
    size_t count = 0, length;
    while (next_word(&at, end, &word, &length)) count++;
    return count;
}

// One group of so many words; false: these are not the words of one.
static bool read_group(const char **at, const char *end, size_t words, group *g) {
    const char *word;
    size_t length;
    *g = (group){.named = false};

    for (size_t k = 0; k < words; k++) {
        if (!next_word(at, end, &word, &length)) return false;
        if (k == 0) g->name = word, g->length = length;
        if (k + 2 == words && !word_to_number(word, length, &g->first)) return false;
        if (k + 1 == words && !word_to_number(word, length, &g->count)) return false;
    }
    return (uint64_t)g->first + g->count <= ST_ENGINE_LARGEST;
}

// Lines "name material first count", as loaders give them here; or groups of five words, as SOFA prints them, with a
// number after the material.
static bool read_groups(const group_filter *engine, group_list *groups) {
    for (size_t i = 0; i < engine->groups.count; i++) {
        const char *at = engine->groups.data[i], *end = at + strlen(at);
        const size_t count = count_words(at, end), words = count == 4 ? 4 : 5;

        for (size_t k = 0; k < count; k += words) {
            group g;
            if (!read_group(&at, end, words, &g)) {
                st_message(&engine->object, ST_ERROR,
                           "groups: \"%.80s\" is not a list of groups: name, material, number, first element, count",
                           engine->groups.data[i]);
                break;
            }
            if (!st_list_push(groups, g)) return false;
        }
    }
    return true;
}

// One entry "name modulus;" of the map; what follows the last semicolon is ignored.
typedef struct entry {
    const char *name;
    size_t length;
    st_real modulus;
} entry;

static bool next_entry(const group_filter *engine, const char **at, entry *e) {
    for (const char *end; (end = strchr(*at, ';')); *at = end + 1) {
        const char *cursor = *at;
        const bool named = next_word(&cursor, end, &e->name, &e->length);
        if (!named || st_text_read_real(&cursor, end, &e->modulus) != ST_TEXT_OK) e->modulus = 0;

        if (named && e->modulus > 0) {
            *at = end + 1;
            return true;
        }
        st_message(&engine->object, ST_ERROR, "mapGroupModulus: \"%.*s\" is not a name and a modulus above 0",
                   (int)(end - *at < 80 ? end - *at : 80), *at);
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------
// Moduli
// ---------------------------------------------------------------------------------------------------

static group *find_group(group_list *groups, const entry *e) {
    for (size_t i = 0; i < groups->count; i++)
        if (groups->data[i].length == e->length && memcmp(groups->data[i].name, e->name, e->length) == 0)
            return &groups->data[i];
    return NULL;
}

static bool fill(group_filter *engine, size_t count) {
    if (!st_engine_resize(&engine->object, &engine->modulus, count)) return false;
    for (size_t i = 0; i < count; i++) engine->modulus.data[i] = engine->fallback;
    return true;
}

static bool set_by_name(group_filter *engine, group_list *groups) {
    size_t count = engine->primitives.count;
    entry e;

    // which groups the map names
    for (const char *at = engine->map ? engine->map : ""; next_entry(engine, &at, &e);) {
        group *g = find_group(groups, &e);
        if (!g) {
            st_message(&engine->object, ST_ERROR, "mapGroupModulus: there is no group %.*s",
                       (int)(e.length < 80 ? e.length : 80), e.name);
            continue;
        }

        // groups that begin at the same element count as one: the last entry is valid
        for (size_t i = 0; i < groups->count; i++)
            if (groups->data[i].first == g->first) groups->data[i].named = false;
        g->named = true;
        g->modulus = e.modulus;
        if ((size_t)g->first + g->count > count) count = (size_t)g->first + g->count;
    }
    if (!fill(engine, count)) return false;

    // by increasing first element: where groups overlap the later one is valid
    for (;;) {
        group *next = NULL;
        for (size_t i = 0; i < groups->count; i++)
            if (groups->data[i].named && (!next || groups->data[i].first < next->first)) next = &groups->data[i];
        if (!next) return true;

        for (size_t k = 0; k < next->count; k++) engine->modulus.data[next->first + k] = next->modulus;
        next->named = false;
    }
}

static bool append_by_number(group_filter *engine, const group_list *groups) {
    engine->modulus.count = 0;
    for (size_t i = 0; i < groups->count; i++) {
        const st_real modulus = i < engine->group_modulus.count ? engine->group_modulus.data[i] : engine->fallback;
        if (engine->modulus.count + groups->data[i].count > ST_ENGINE_LARGEST) return false;
        for (uint32_t k = 0; k < groups->data[i].count; k++)
            if (!st_list_push(&engine->modulus, modulus)) return false;
    }
    return true;
}

static bool set_by_element(group_filter *engine) {
    uint32_t largest = 0;
    entry e;
    if (!fill(engine, engine->elements_group.count)) return false;

    // numbers below the largest one of the map that it leaves out have the modulus 0
    for (const char *at = engine->map ? engine->map : ""; next_entry(engine, &at, &e);) {
        uint32_t number;
        if (!word_to_number(e.name, e.length, &number)) {
            st_message(&engine->object, ST_ERROR, "mapGroupModulus: %.*s is not the number of a group",
                       (int)(e.length < 80 ? e.length : 80), e.name);
            continue;
        }
        for (size_t i = 0; i < engine->modulus.count; i++) {
            const int64_t mine = engine->elements_group.data[i];
            if (mine == number) engine->modulus.data[i] = e.modulus;
            else if (mine >= largest && mine < number) engine->modulus.data[i] = 0;
        }
        if (number >= largest) largest = number + 1;
    }
    return true;
}

static void group_filter_young_modulus_update(st_object *object) {
    group_filter *engine = (group_filter *)object;
    group_list groups = {0};
    bool ok = read_groups(engine, &groups);

    if (ok && engine->groups.count)
        ok = engine->group_modulus.count ? append_by_number(engine, &groups) : set_by_name(engine, &groups);
    else if (ok && engine->elements_group.count) ok = set_by_element(engine);

    st_list_free(&groups);
    st_engine_done(object, ok);
}

const st_class st_group_filter_young_modulus_class = {
    .name = "GroupFilterYoungModulus",
    .help = "gives every element the Young's modulus of its group",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(group_filter),
    .example = "<GroupFilterYoungModulus name=\"moduli\" elementsGroup=\"0 1\" mapGroupModulus=\"0 500;1 2000;\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  0 1 0  0 0 1  1 1 1\"/>\n"
               "<MeshTopology tetrahedra=\"0 1 2 3  1 2 3 4\"/>\n"
               "<TetrahedronFEMForceField youngModulus=\"@moduli.youngModulus\" poissonRatio=\"0.3\"/>",
    .update = group_filter_young_modulus_update,
};
