// RuleBasedContactManager: responses by rules for pairs of models.
//
// A rule is three words, "a b response": a and b are names of models, numbers of groups, or * for any. The response of
// a pair is, in this order,
//
//     1. contactResponse of the first model, else of the second
//     2. that of the first rule which fits the pair, either way around
//     3. that of CollisionResponse
//
// In a response $name$ is replaced by the value of the attribute `name`, which `variables` must list.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "base/text.h"
#include "collision/collision_response.h"

typedef struct variable {
    char *name, *value;
} variable;

typedef struct rule_based {
    st_collision_response base;
    st_strings names; // of variables
    st_strings words; // of rules
    ST_LIST(variable) variables;
    char *expanded; // work
} rule_based;

static const st_field fields[] = {
    ST_FIELD(rule_based, names, "variables", st_type_words, NULL,
             "names of further attributes, whose values rules use as $name$"),
    ST_FIELD(rule_based, words, "rules", st_type_words, NULL,
             "three words each: two of name, group number or *, and the response of such models"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Rules
// ---------------------------------------------------------------------------------------------------

static bool is_number(const char *word) { return *word && word[strspn(word, "0123456789-")] == '\0'; }

static bool describes(const char *word, const st_collision_model *model) {
    if (strcmp(word, "*") == 0) return true;
    if (!is_number(word)) return model->object.name && strcmp(word, model->object.name) == 0;
    const long number = strtol(word, NULL, 10);
    for (size_t i = 0; i < model->group.count; i++)
        if (model->group.data[i] == number) return true;
    return false;
}

// Words that do not make a whole rule are none.
static const char *find_rule(const rule_based *self, const st_contact_pair *pair) {
    for (size_t i = 0; i + 2 < self->words.count; i += 3) {
        char *const *rule = self->words.data + i;
        if ((describes(rule[0], pair->model[0]) && describes(rule[1], pair->model[1])) ||
            (describes(rule[0], pair->model[1]) && describes(rule[1], pair->model[0])))
            return rule[2];
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// Variables
// ---------------------------------------------------------------------------------------------------

static const char *value_of(const rule_based *self, const char *name, size_t length) {
    for (size_t i = 0; i < self->variables.count; i++)
        if (strlen(self->variables.data[i].name) == length && strncmp(self->variables.data[i].name, name, length) == 0)
            return self->variables.data[i].value;

    for (size_t i = 0; i < self->names.count; i++) // listed, but without a value
        if (strlen(self->names.data[i]) == length && strncmp(self->names.data[i], name, length) == 0) return "";

    st_message_once(&self->base.base.object, "variable", ST_ERROR, "there is no variable called '%.*s'",
                    (int)(length < 120 ? length : 120), name);
    return "";
}

// Puts the values of variables into a response. NULL: out of memory.
static const char *expand(rule_based *self, const char *text) {
    st_text result = {0};
    bool ok = st_text_append_n(&result, "", 0);

    // text up to a $, then the value of the name up to the next one
    while (ok && *text) {
        const char *begin = strchr(text, '$'), *end = begin ? strchr(begin + 1, '$') : NULL;
        if (begin && !end)
            st_message_once(&self->base.base.object, "dollar", ST_ERROR, "'%.120s' lacks the second $ of a variable",
                            begin);

        const size_t plain = end ? (size_t)(begin - text) : strlen(text);
        ok = st_text_append_n(&result, text, plain);
        if (!end) break;

        const char *value = value_of(self, begin + 1, (size_t)(end - begin - 1));
        ok = ok && st_text_append_n(&result, value, strlen(value));
        text = end + 1;
    }

    st_free(self->expanded);
    self->expanded = ok ? st_string_copy_n(result.data ? result.data : "", result.length) : NULL;
    st_text_free(&result);
    return self->expanded;
}

// An attribute that `variables` lists.
static bool rule_based_attribute(st_object *object, const char *name, const char *value) {
    rule_based *self = (rule_based *)object;
    const char *listed = st_attribute(object, "variables");
    if (!listed || !st_has_word(listed, name)) return false;

    const variable made = {st_string_copy(name), st_string_copy(value)};
    if (made.name && made.value && st_list_push(&self->variables, made)) return true;

    st_free(made.name);
    st_free(made.value);
    return false;
}

// ---------------------------------------------------------------------------------------------------
// Class
// ---------------------------------------------------------------------------------------------------

static const char *rule_based_recipe(st_contact_manager *base, const st_contact_pair *pair) {
    rule_based *self = (rule_based *)base;
    for (int side = 0; side < 2; side++) {
        const char *own = pair->model[side]->contact_response;
        if (own && *own) return expand(self, own);
    }

    const char *rule = find_rule(self, pair);
    if (rule) return expand(self, rule);

    const char *recipe = st_collision_response_recipe(base, pair);
    return recipe ? expand(self, recipe) : NULL;
}

static void rule_based_destroy(st_object *object) {
    rule_based *self = (rule_based *)object;
    for (size_t i = 0; i < self->variables.count; i++) {
        st_free(self->variables.data[i].name);
        st_free(self->variables.data[i].value);
    }
    st_list_free(&self->variables);
    st_free(self->expanded);
    st_collision_response_class.destroy(object);
}

static const st_contact_manager_ops ops = {st_collision_response_clear, st_collision_response_respond,
                                           rule_based_recipe};

const st_class st_rule_based_contact_manager_class = {
    .name = "RuleBasedContactManager",
    .help = "contact manager with a response for each kind of pair of models",
    .parent = &st_collision_response_class,
    .fields = fields,
    .size = sizeof(rule_based),
    .attribute = rule_based_attribute,
    .destroy = rule_based_destroy,
    .contact_manager = &ops,
};
