// `settee info --markdown`: the reference manual of all components, which scripts/docs splits into docs/reference/.
//
// A component's table has its own attributes. Those of the classes that it is made from are written once: below that
// class, or, when it is no component, in the chapter of common attributes.
//
// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "info.h"

// Text in a paragraph or a cell of a table.
static void put_text(FILE *file, const char *text) {
    for (; *text; text++) {
        if (strchr("|<_*`[", *text)) fputc('\\', file);
        fputc(*text == '\n' ? ' ' : *text, file);
    }
}

static void put_code(FILE *file, const char *text) {
    if (!*text) return;
    fputc('`', file);
    for (; *text; text++) {
        if (*text == '|') fputc('\\', file);
        fputc(*text == '\n' ? ' ' : *text, file);
    }
    fputc('`', file);
}

static void put_title(FILE *file, const char *text) {
    fprintf(file, "%c%s", toupper((unsigned char)*text), *text ? text + 1 : "");
}

static void put_field(FILE *file, const st_field_description *f) {
    fputs("| ", file);
    put_code(file, f->name);
    if (*f->aliases) {
        fputs(" (also ", file);
        put_code(file, f->aliases);
        fputc(')', file);
    }

    // type, with the words that an option may be
    fprintf(file, " | %s", f->type);
    for (size_t i = 0; f->options && f->options[i]; i++) {
        fputs(i ? ", " : ": ", file);
        put_code(file, f->options[i]);
    }

    fputs(" | ", file);
    put_code(file, f->value);

    // help, and what else there is to say
    fputs(" | ", file);
    put_text(file, f->help);
    if (f->required) fputs(" *Required.*", file);
    if (f->output) fputs(" *Computed.*", file);
    if (f->no_effect) fputs(" *Without effect.*", file);
    if (f->live != ST_LIVE && !f->output) fputs(f->live == ST_FIXED ? " *Fixed after init.*" : " *At reinit.*", file);
    fputs(" |\n", file);
}

// The attributes of the class `name` that come from the class `from`; returns how many.
static size_t put_fields(FILE *file, const char *name, const char *from) {
    st_field_description f;
    size_t count = 0;
    for (size_t i = 0; st_describe_field(name, i, &f); i++) {
        if (strcmp(f.inherited_from, from) != 0) continue;
        if (count++ == 0) fputs("| attribute | type | default | |\n|---|---|---|---|\n", file);
        put_field(file, &f);
    }

    if (count) fputc('\n', file);
    return count;
}

// "Further attributes: those of Mass, ForceField, BaseObject." with links; the parents come one after the other.
static void put_parents(FILE *file, const st_class_description *c) {
    st_field_description f;
    const char *last = c->name;
    bool some = false;
    for (size_t i = 0; st_describe_field(c->name, i, &f); i++) {
        if (strcmp(f.inherited_from, last) == 0) continue;
        fprintf(file, "%s[%s](#%s)", some ? ", " : "Further attributes: those of ", f.inherited_from, f.inherited_from);
        last = f.inherited_from;
        some = true;
    }
    if (some) fputs(".\n\n", file);
}

static void put_class(FILE *file, const st_class_description *c) {
    fprintf(file, "### %s\n\n", c->name);

    // what it does, its templates and former names
    if (c->deprecated) fputs("*Deprecated.* ", file);
    put_text(file, c->help);
    fputs("\n\n", file);

    if (*c->templates) fprintf(file, "Templates: %s.\n\n", c->templates);
    if (*c->aliases) fprintf(file, "Also known as: %s.\n\n", c->aliases);

    // a table of its attributes, and where the others are
    put_fields(file, c->name, c->name);
    put_parents(file, c);

    if (*c->example)
        fprintf(file, "```xml\n%s%s```\n\n", c->example, c->example[strlen(c->example) - 1] == '\n' ? "" : "\n");
}

static bool is_component(const st_cli_classes *classes, const char *name) {
    for (size_t i = 0; i < classes->count; i++)
        if (strcmp(classes->data[i].name, name) == 0) return true;
    return false;
}

static bool is_among(const char *name, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

// The classes that components are made from and that are no components themselves.
static void put_bases(FILE *file, const st_cli_classes *classes) {
    enum { MOST = 256 };
    const char *done[MOST];
    size_t count = 0;
    st_field_description f;

    fputs("## Common attributes\n\nWhat the components of one kind share.\n\n", file);
    for (size_t c = 0; c < classes->count; c++)
        for (size_t i = 0; st_describe_field(classes->data[c].name, i, &f); i++) {
            if (count == MOST || is_among(f.inherited_from, done, count)) continue;
            if (is_component(classes, f.inherited_from)) continue;

            fprintf(file, "### %s\n\n", f.inherited_from);
            put_fields(file, classes->data[c].name, f.inherited_from);
            done[count++] = f.inherited_from;
        }
}

// Components without effect: only their names.
static void put_inert(FILE *file, const st_cli_classes *classes, size_t first) {
    if (first == classes->count) return;

    fputs("## Known, without effect\n\nThese components of SOFA show or control things that do not matter for the "
          "mechanics. Scenes may contain them; they do nothing here.\n\n",
          file);

    for (size_t i = first; i < classes->count; i++) fprintf(file, "%s%s", i > first ? ", " : "", classes->data[i].name);
    fputs(".\n\n", file);
}

static void put_compat(FILE *file) {
    st_compat_entry entry;
    fputs(
        "## Where SOFA is wrong\n\nsettee gives SOFA's results. Where those have a defect, it is reproduced for scenes "
        "that were made for SOFA, and left out with `--no-compat` or `compat=\"0\"` on the root node:\n\n"
        "| defect | | scene that needs it |\n|---|---|---|\n",
        file);

    for (size_t i = 0; st_describe_compat(i, &entry); i++) {
        fprintf(file, "| `%s` | ", entry.name);
        put_text(file, entry.reason ? entry.reason : "");
        fputs(" | ", file);
        put_text(file, entry.scene ? entry.scene : "");
        fputs(" |\n", file);
    }
}

void st_cli_info_markdown(FILE *file, const char *name) {
    st_class_description c;
    st_cli_classes classes;
    if (name) {
        if (st_cli_find_class(name, &c)) put_class(file, &c);
        return;
    }

    if (!st_cli_classes_create(&classes)) return;
    fputs(
        "# Components\n\n<!-- Written by `settee info --markdown` (make docs) from the components' own tables. -->\n\n",
        file);

    // what many share, then a chapter for each kind, in the order of the list
    put_bases(file, &classes);
    const char *kind = "";
    size_t i = 0;
    for (; i < classes.count && !classes.data[i].inert; i++) {
        if (strcmp(kind, classes.data[i].kind) != 0) {
            fputs("## ", file);
            put_title(file, kind = classes.data[i].kind);
            fputs("\n\n", file);
        }
        put_class(file, &classes.data[i]);
    }

    // what has no effect, and where SOFA is wrong
    put_inert(file, &classes, i);
    put_compat(file);
    free(classes.data);
}
