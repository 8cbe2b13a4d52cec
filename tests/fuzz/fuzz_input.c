#include "tests/fuzz/fuzz_input.h"

#include <stdlib.h>
#include <string.h>

#include "rules/fen.h"
#include "tests/fuzz/fuzz.h"

struct text_span fuzz_take_line(struct text_span *left)
{
    const char *end = left->length ? memchr(left->text, '\n', left->length) : NULL;
    struct text_span line = {left->text, end ? (size_t)(end - left->text) : left->length};
    size_t taken = line.length + (end != NULL);
    left->text += taken;
    left->length -= taken;
    return line;
}

void *fuzz_allocate(size_t size)
{
    void *memory = malloc(size ? size : 1);
    FUZZ_CHECK(memory);
    return memory;
}

char *fuzz_copy(struct text_span span)
{
    size_t length = span.length ? strnlen(span.text, span.length) : 0;
    char *copy = fuzz_allocate(length + 1);
    if (length)
        memcpy(copy, span.text, length);
    copy[length] = '\0';
    return copy;
}

struct position fuzz_read_position(struct text_span line)
{
    struct position position;
    struct setup_report report;
    bool chess960 = line.length >= 4 && memcmp(line.text, "960 ", 4) == 0;
    size_t skipped = chess960 ? 4 : 0;
    if (fen_parse(line.text + skipped, line.length - skipped, chess960, &position, &report))
        return position;
    return position_initial();
}
