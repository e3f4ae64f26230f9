// The parser of command lines: --name value, --name=value, -n value, -nvalue; options and operands in any order; --
// ends the options. It knows nothing but the table.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "settee/drawing.h"

enum { MOST_OPTIONS = 256 };

typedef struct parser {
    const st_cli_command *command; // NULL: options before any command
    st_cli_options *options;
    char **words;
    int count, next;
    bool given[MOST_OPTIONS]; // of the table
} parser;

static unsigned bit_of(const parser *p) { return p->command ? p->command->bit : ST_CLI_TOP; }

// "settee help run"
static void point_to_help(const parser *p) {
    fprintf(stderr, "See 'settee help%s%s'.\n", p->command ? " " : "", p->command ? p->command->name : "");
}

static const st_cli_option *find(unsigned bit, const char *name, size_t length, char letter) {
    for (const st_cli_option *o = st_cli_option_table; o->name; o++) {
        if (!(o->commands & bit)) continue;

        if (letter ? o->letter == letter : strlen(o->name) == length && strncmp(o->name, name, length) == 0) return o;
    }
    return NULL;
}

// Another command that has the option, or NULL.
static const st_cli_command *owner(const char *name, size_t length) {
    for (const st_cli_command *c = st_cli_commands; c->name; c++)
        if (find(c->bit, name, length, 0)) return c;
    return NULL;
}

static bool unknown_option(const parser *p, const char *word) {
    const char *name = word + strspn(word, "-");

    // the name without hyphens and value
    char plain[65];
    const size_t length = strcspn(name, "=");
    snprintf(plain, sizeof plain, "%.*s", (int)(length < 64 ? length : 64), name);

    // an option of this command that is spelled alike, or the same one of another command
    st_cli_guess guess = {.word = plain};
    for (const st_cli_option *o = st_cli_option_table; o->name; o++)
        if ((o->commands & bit_of(p)) && !o->hidden) st_cli_guess_try(&guess, o->name);
    const st_cli_command *other = length ? owner(name, length) : NULL;

    const int shown = (int)(strcspn(word, "="));
    if (other)
        st_cli_error("'%.*s' is an option of 'settee %s'%s%s", shown, word, other->name, p->command ? ", not of " : "",
                     p->command ? p->command->name : "");
    else if (guess.best) st_cli_error("unknown option '%.*s'; did you mean '--%s'?", shown, word, guess.best);
    else st_cli_error("unknown option '%.*s'", shown, word);

    point_to_help(p);
    return false;
}

// ---------------------------------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------------------------------

// "a list of visual, behavior, ..., all, none, each also with no- before it"
static void put_show_words(char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size, "a list of ");
    for (unsigned flag = 1; flag & ST_SHOW_ALL && used < size; flag *= 2)
        used += (size_t)snprintf(text + used, size - used, "%s, ", st_show_name(flag));
    if (used < size)
        snprintf(text + used, size - used, "all or none, commas between; no- before a word switches it off");
}

static bool bad_value(const parser *p, const st_cli_option *o, const char *value) {
    char label[80], range[320] = "";
    if (o->letter) snprintf(label, sizeof label, "-%c", o->letter);
    else snprintf(label, sizeof label, "--%s", o->name);

    // what would have been accepted
    switch (o->kind) {
    case ST_CLI_COUNT:
        snprintf(range, sizeof range, "a whole number from %.0f to %.0f", o->least, o->most);
        if (o->most > 1e12) snprintf(range, sizeof range, "a whole number, %.0f or more", o->least);
        break;
    case ST_CLI_REAL: snprintf(range, sizeof range, "a positive number"); break;
    case ST_CLI_PIXELS:
        snprintf(range, sizeof range, "WIDTHxHEIGHT in pixels, each from 1 to %.0f, at most %d in all", o->most,
                 ST_CLI_MOST_PIXELS);
        break;
    case ST_CLI_DIRECTION: snprintf(range, sizeof range, "three numbers x,y,z that are not all zero"); break;
    case ST_CLI_POINT: snprintf(range, sizeof range, "three numbers x,y,z"); break;
    case ST_CLI_RANGE: snprintf(range, sizeof range, "two numbers LOW,HIGH, the first one below the second"); break;
    case ST_CLI_SHOW: put_show_words(range, sizeof range); break;
    case ST_CLI_STEPS: snprintf(range, sizeof range, "steps such as 0,99, or all"); break;
    case ST_CLI_CHOICE: snprintf(range, sizeof range, "one of %s", o->value); break;
    default: snprintf(range, sizeof range, "a name that is not empty"); break;
    }

    st_cli_error("%s: '%s' is not %s", label, value, range);
    point_to_help(p);
    return false;
}

static bool add_word(parser *p, st_cli_words *words, const char *value) {
    if (!words->data) words->data = malloc((size_t)p->count * sizeof *words->data);
    if (!words->data) return false;
    words->data[words->count++] = value;
    return true;
}

static bool store(parser *p, const st_cli_option *o, const char *value) {
    void *member = (char *)p->options + o->offset;
    unsigned on = 0, off = 0;
    bool ok = true;

    // checked at the end: options that need or exclude others
    p->given[o - st_cli_option_table] = true;

    switch (o->kind) {
    case ST_CLI_FLAG: *(bool *)member = true; break;
    case ST_CLI_COUNT: ok = st_cli_read_count(value, o->least, o->most, member); break;
    case ST_CLI_REAL: ok = st_cli_read_real(value, o->least, o->most, member); break;
    case ST_CLI_WORD: ok = *value != 0, *(const char **)member = value; break;
    case ST_CLI_OPTIONAL: *(const char **)member = value; break;
    case ST_CLI_CHOICE: ok = st_cli_read_choice(value, o->value), *(const char **)member = value; break;
    case ST_CLI_WORDS: ok = *value != 0 && add_word(p, member, value); break;
    case ST_CLI_REST:
        ok = add_word(p, member, value);
        while (ok && p->next < p->count) ok = add_word(p, member, p->words[p->next++]);
        break;
    case ST_CLI_PIXELS: ok = st_cli_read_pixels(value, o->most, member); break;
    case ST_CLI_DIRECTION: ok = st_cli_read_direction(value, member); break;
    case ST_CLI_POINT: ok = st_cli_read_point(value, member); break;
    case ST_CLI_RANGE: ok = st_cli_read_range(value, member); break;
    case ST_CLI_SHOW: ok = *value && st_read_show_words(value, &on, &off, NULL), *(const char **)member = value; break;
    case ST_CLI_STEPS: ok = st_cli_read_steps(value, member); break;
    }

    return ok || bad_value(p, o, value);
}

// ---------------------------------------------------------------------------------------------------
// Words
// ---------------------------------------------------------------------------------------------------

// `attached`: the value in the same word, or NULL.
static bool take_option(parser *p, const st_cli_option *o, const char *word, const char *attached) {
    if (!o->value) {
        if (!attached) return store(p, o, "");
        st_cli_error("--%s takes no value", o->name);
        point_to_help(p);
        return false;
    }

    // a value in the same word, or the next word
    if (!attached && o->kind == ST_CLI_OPTIONAL) return store(p, o, "");
    if (attached && !*attached && o->kind == ST_CLI_OPTIONAL) return bad_value(p, o, attached);
    if (attached) return store(p, o, attached);
    if (p->next < p->count) return store(p, o, p->words[p->next++]);

    st_cli_error("%s needs a value: %s", word, o->value);
    point_to_help(p);
    return false;
}

static bool take_long(parser *p, const char *word) {
    const char *name = word + 2;
    const size_t length = strcspn(name, "=");

    const st_cli_option *o = find(bit_of(p), name, length, 0);
    if (!o) return unknown_option(p, word);
    return take_option(p, o, word, name[length] == '=' ? name + length + 1 : NULL);
}

// -n5, or flags together: -qh
static bool take_short(parser *p, const char *word) {
    for (const char *letter = word + 1; *letter; letter++) {
        const st_cli_option *o = find(bit_of(p), NULL, 0, *letter);
        if (!o) return unknown_option(p, word);

        // what follows a letter with a value is that value
        const bool value = o->value && letter[1];
        if (!take_option(p, o, word, value ? letter + 1 : NULL)) return false;
        if (o->value) break;
    }
    return true;
}

static bool take_operand(parser *p, const char *word) {
    const char *takes = p->command ? p->command->operand : NULL;
    const char **at = !p->options->operand ? &p->options->operand : &p->options->second;
    if (!takes || *at || (p->options->operand && !strchr(takes, ' '))) {
        st_cli_error("unexpected argument '%s'", word);
        point_to_help(p);
        return false;
    }

    *at = word;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Options that belong together
// ---------------------------------------------------------------------------------------------------

static bool is_given(const parser *p, const char *name, size_t length) {
    const st_cli_option *o = find(bit_of(p), name, length, 0);
    return o && p->given[o - st_cli_option_table];
}

static bool one_is_given(const parser *p, const char *names) {
    while (*names) {
        const size_t length = strcspn(names, " ");
        if (is_given(p, names, length)) return true;
        names += length + (names[length] == ' ');
    }
    return false;
}

static bool fits(const parser *p, const st_cli_option *o) {
    // one of several options may satisfy the need
    if (o->needs && !one_is_given(p, o->needs)) {
        const char *blank = strchr(o->needs, ' ');
        const int first = blank ? (int)(blank - o->needs) : (int)strlen(o->needs);
        st_cli_error("--%s has no meaning without --%.*s%s%s", o->name, first, o->needs, blank ? " or --" : "",
                     blank ? blank + 1 : "");
        return false;
    }

    if (o->excludes && is_given(p, o->excludes, strlen(o->excludes))) {
        st_cli_error("--%s and --%s cannot be given together", o->name, o->excludes);
        return false;
    }
    return true;
}

static bool all_fit(const parser *p) {
    for (const st_cli_option *o = st_cli_option_table; o->name; o++)
        if (p->given[o - st_cli_option_table] && !fits(p, o)) {
            point_to_help(p);
            return false;
        }
    return true;
}

bool st_cli_parse(const st_cli_command *command, int count, char **words, st_cli_options *options) {
    parser p = {.command = command, .options = options, .words = words, .count = count};
    bool more = true;

    // words one by one; after -- everything is an operand
    while (p.next < p.count) {
        const char *word = p.words[p.next++];
        bool ok = true;
        if (more && strcmp(word, "--") == 0) more = false;
        else if (more && strncmp(word, "--", 2) == 0) ok = take_long(&p, word);
        else if (more && word[0] == '-' && word[1]) ok = take_short(&p, word);
        else ok = take_operand(&p, word);

        if (!ok) return false;
        if (options->help) return true;
    }

    // an operand that is not in brackets must be there
    const bool two = command && command->operand && strchr(command->operand, ' ');
    if (command && command->operand && command->operand[0] != '[' && !(two ? options->second : options->operand)) {
        st_cli_error("%s is missing: settee %s %s", command->operand, command->name, command->operand);
        point_to_help(&p);
        return false;
    }
    return all_fit(&p);
}

void st_cli_options_free(st_cli_options *options) {
    free(options->data_paths.data);
    free(options->plugin_paths.data);
    free(options->sets.data);
    free(options->script_words.data);
    free(options->dump_at.data);
}
