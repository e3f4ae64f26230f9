// `settee info --json`.
//
// SPDX-License-Identifier: Apache-2.0
#include "info.h"

static void put_field(st_cli_json *json, const st_field_description *f) {
    st_cli_json_open(json, NULL, '{');
    st_cli_json_text(json, "name", f->name);
    st_cli_json_text(json, "type", f->type);

    // the type, with the words that an option may be
    if (f->options) {
        st_cli_json_open(json, "options", '[');
        for (size_t i = 0; f->options[i]; i++) st_cli_json_text(json, NULL, f->options[i]);
        st_cli_json_close(json, ']');
    }

    st_cli_json_text(json, "default", f->value);
    st_cli_json_text(json, "help", f->help);
    st_cli_json_text(json, "aliases", f->aliases);
    st_cli_json_text(json, "from", f->inherited_from);

    st_cli_json_bool(json, "required", f->required);
    st_cli_json_bool(json, "output", f->output);
    st_cli_json_bool(json, "display", f->display);
    st_cli_json_bool(json, "no_effect", f->no_effect);
    st_cli_json_text(json, "live", st_live_rule_name(f->live));
    st_cli_json_close(json, '}');
}

static void put_class(st_cli_json *json, const st_class_description *c) {
    st_cli_json_open(json, NULL, '{');
    st_cli_json_text(json, "name", c->name);
    st_cli_json_text(json, "kind", c->kind);
    st_cli_json_text(json, "help", c->help);
    st_cli_json_text(json, "templates", c->templates);
    st_cli_json_text(json, "aliases", c->aliases);
    st_cli_json_text(json, "example", c->example);
    st_cli_json_bool(json, "inert", c->inert);
    st_cli_json_bool(json, "deprecated", c->deprecated);

    // its own attributes and those of its parents
    st_cli_json_open(json, "attributes", '[');
    st_field_description f;
    for (size_t i = 0; st_describe_field(c->name, i, &f); i++) put_field(json, &f);
    st_cli_json_close(json, ']');
    st_cli_json_close(json, '}');
}

void st_cli_info_json(FILE *file, const char *name) {
    st_cli_json json = {.file = file};
    st_class_description c;
    if (name) {
        if (st_cli_find_class(name, &c)) put_class(&json, &c);
        return;
    }

    // all components, in the order of the table
    st_cli_json_open(&json, NULL, '[');
    for (size_t i = 0; st_describe_class(i, &c); i++) put_class(&json, &c);
    st_cli_json_close(&json, ']');
}
