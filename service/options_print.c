#include <stdio.h>
#include <string.h>

#include "service/options.h"
#include "service/options_table.h"

enum { HELP_COLUMN = 34, HELP_WIDTH = 100 };

/* Underscores of limit names are typed as '-'. */
static void print_name(const char *name, FILE *out)
{
    for (; *name; name++)
        (void)fputc(*name == '_' ? '-' : *name, out);
}

/* Words from column HELP_COLUMN on, never past HELP_WIDTH. */
static void print_wrapped(const char *text, int column, FILE *out)
{
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column > HELP_COLUMN && column + 1 + length > HELP_WIDTH) {
            (void)fprintf(out, "\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
        }
        column += fprintf(out, "%s%.*s", column > HELP_COLUMN ? " " : "", length, text);
        text += length + (text[length] == ' ');
    }
}

static void print_default(const struct option *option, FILE *out)
{
    char number[OPTION_VALUE_SIZE];
    if (option->kind == OPTION_NUMBER && !option->initial) {
        option_format_number(option, option->initial_number, number);
        (void)fprintf(out, " [%s]\n", number);
    } else {
        (void)fprintf(out, option->initial ? " [%s]\n" : "\n", option->initial);
    }
}

void options_print_help(FILE *out)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *option = &OPTION_TABLE[i];
        int column = fprintf(out, "  --");
        print_name(option->name, out);
        column += (int)strlen(option->name) + fprintf(out, " %s", option->argument);
        if (column + 2 > HELP_COLUMN)
            (void)fprintf(out, "\n%*s", HELP_COLUMN, "");
        else
            (void)fprintf(out, "%*s", HELP_COLUMN - column, "");
        print_wrapped(option->help, HELP_COLUMN, out);
        print_default(option, out);
    }
}

/* postgresql://user:secret@host: the secret stays out of what people paste into reports. */
static void print_text(const char *text, FILE *out)
{
    const char *authority = strstr(text, "://");
    const char *at = authority ? strchr(authority, '@') : NULL;
    const char *colon = at ? memchr(authority + 3, ':', (size_t)(at - authority - 3)) : NULL;
    if (colon)
        (void)fprintf(out, "%.*s:***%s", (int)(colon - text), text, at);
    else
        (void)fputs(text, out);
}

static void print_line(const struct option *option, const char *value, const char *where, FILE *out)
{
    (void)fprintf(out, "# %s\n", where);
    print_name(option->name, out);
    (void)fputs(" = ", out);
    print_text(value, out);
    (void)fputc('\n', out);
}

static void print_setting(const struct options *options, const struct option *option, FILE *out)
{
    const char *place = options->states[option - OPTION_TABLE].where;
    const void *member = (const char *)&options->values + option->offset;
    char number[OPTION_VALUE_SIZE];
    switch (option->kind) {
    case OPTION_NUMBER:
        option_format_number(option, *(const int64_t *)member, number);
        print_line(option, number, place, out);
        return;
    case OPTION_CHOICE:
        print_line(option, option->choices[*(const int64_t *)member], place, out);
        return;
    case OPTION_TEXT:
        /* A file cannot name itself. */
        if (*(const char *const *)member && option->offset != offsetof(struct options_values, config))
            print_line(option, *(const char *const *)member, place, out);
        return;
    case OPTION_LIST:
        for (const char *const *item = *(const char *const *const *)member; *item; item++)
            print_line(option, *item, place, out);
        return;
    }
}

void options_print(const struct options *options, FILE *out)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        print_setting(options, &OPTION_TABLE[i], out);
}
