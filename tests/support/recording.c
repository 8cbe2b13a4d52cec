#include "tests/support/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *wanted_path(void)
{
    return getenv("TEST_RECORD");
}

bool recording_is_wanted(void)
{
    return wanted_path() != NULL;
}

static void write_bytes(FILE *out, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        if (byte == '"' || byte == '\\')
            (void)fprintf(out, "\\%c", byte);
        else if (byte >= ' ' && byte < 0x7f)
            (void)fputc(byte, out);
        else
            (void)fprintf(out, "\\u%04x", byte);
    }
}

static void write_member(FILE *out, const char *name, const char *bytes, size_t length)
{
    (void)fprintf(out, ",\"%s\":\"", name);
    write_bytes(out, bytes, length);
    (void)fputc('"', out);
}

static void write_text(FILE *out, const char *name, const char *text)
{
    write_member(out, name, text ? text : "", text ? strlen(text) : 0);
}

static void give_up(const char *what)
{
    (void)fprintf(stderr, "the exchange was not recorded: %s: %s\n", what, strerror(errno));
    abort();
}

/* One write a line: programs that run at once append to the same file. */
static void append(const char *line, size_t length)
{
    int file = open(wanted_path(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0 || write(file, line, length) != (ssize_t)length)
        give_up(wanted_path());
    (void)close(file);
}

void recording_append(const struct recorded *exchange)
{
    char *line = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&line, &length);
    if (!out)
        give_up("memory");
    (void)fprintf(out, "{\"program\":\"%s\",\"status\":%u", program_invocation_short_name, exchange->status);
    write_text(out, "method", exchange->method);
    write_text(out, "target", exchange->target);
    write_text(out, "fields", exchange->fields);
    write_member(out, "body", exchange->body, exchange->length);
    write_text(out, "answer_fields", exchange->answer_fields);
    write_member(out, "answer_body", exchange->answer_body, exchange->answer_length);
    (void)fputs("}\n", out);
    if (fclose(out) != 0)
        give_up("memory");
    append(line, length);
    free(line);
}
