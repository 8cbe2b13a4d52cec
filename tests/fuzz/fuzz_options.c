#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/options.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_file.h"
#include "tests/fuzz/fuzz_input.h"

static struct options *make(void)
{
    struct options *options = options_create();
    FUZZ_CHECK(options);
    return options;
}

/* One sentence, on one line. */
static void check_error(const char *error)
{
    size_t length = strnlen(error, OPTIONS_ERROR_SIZE);
    FUZZ_CHECK(length > 0 && length < OPTIONS_ERROR_SIZE);
    FUZZ_CHECK(!memchr(error, '\n', length));
}

static bool read_file(struct options *options, struct text_span text)
{
    char error[OPTIONS_ERROR_SIZE] = "";
    bool read = options_read_file(options, fuzz_file(text), error);
    if (!read)
        check_error(error);
    return read;
}

/* Leaves the comments out, which say where each setting comes from. */
static void leave_comments_out(char *text)
{
    char *out = text;
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, "\n") + 1;
        if (*at != '#') {
            memmove(out, at, length);
            out += length;
        }
        at += length;
    }
    *out = '\0';
}

/* As `config --print` does, without its comments; for free(). */
static char *print(const struct options *options)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    FUZZ_CHECK(out);
    options_print(options, out);
    FUZZ_CHECK(fclose(out) == 0 && text && size > 0 && text[size - 1] == '\n');
    leave_comments_out(text);
    return text;
}

/* The settings as they are printed; read again they are the same. */
static void check_printed(const struct options *options)
{
    struct options *again = make();
    char *printed = print(options);
    FUZZ_CHECK(read_file(again, (struct text_span){printed, strlen(printed)}));
    char *reprinted = print(again);
    const struct api_limits *a = &options_values(options)->limits, *b = &options_values(again)->limits;
    FUZZ_CHECK(strcmp(printed, reprinted) == 0 && memcmp(a, b, sizeof *a) == 0);
    free(reprinted);
    free(printed);
    options_destroy(again);
}

/* A setting is taken on the command line, however it is written there, exactly where it could be set by name. */
static void check_argument(const char *line)
{
    char error[OPTIONS_ERROR_SIZE] = "";
    struct options *by_name = make(), *by_flag = make();
    size_t length = strcspn(line, "=");
    int used = 0;
    char *flag = fuzz_allocate(strlen(line) + 3);
    (void)sprintf(flag, "--%s", line);
    char *const arguments[] = {flag, NULL};
    enum options_taken taken = options_read_argument(by_flag, arguments, &used, error);
    if (taken != OPTIONS_TAKEN)
        check_error(error);
    char *name = fuzz_copy((struct text_span){line, length});
    const char *value = line[length] == '=' ? line + length + 1 : "";
    bool set = options_set(by_name, name, value, OPTIONS_FLAG, "here", error);
    FUZZ_CHECK(set == (taken == OPTIONS_TAKEN));
    char *a = print(by_name), *b = print(by_flag);
    FUZZ_CHECK(strcmp(a, b) == 0 || !set);
    free(b);
    free(a);
    free(name);
    free(flag);
    options_destroy(by_flag);
    options_destroy(by_name);
}

/* Variables of others are left alone. */
static void check_variable(const char *line)
{
    char error[OPTIONS_ERROR_SIZE] = "";
    struct options *options = make();
    char *variable = fuzz_copy((struct text_span){line, strlen(line)});
    char *const environment[] = {variable, NULL};
    char *before = print(options);
    bool read = options_read_environment(options, environment, error);
    if (!read)
        check_error(error);
    char *after = print(options);
    FUZZ_CHECK(strncmp(line, "ARBITER_", 8) == 0 || (read && strcmp(before, after) == 0));
    free(after);
    free(before);
    free(variable);
    options_destroy(options);
}

void fuzz_options(const uint8_t *data, size_t size)
{
    struct text_span input = {(const char *)data, size};
    struct options *options = make();
    char *line = fuzz_copy(fuzz_take_line(&input));
    if (read_file(options, (struct text_span){(const char *)data, size}))
        check_printed(options);
    check_argument(line);
    check_variable(line);
    free(line);
    options_destroy(options);
}
