#include "tests/api/picture_read.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

/* ---- SVG ----------------------------------------------------------------------------------------------- */

enum { DEPTH_MAX = 16 };

static struct svg picture;

static bool slice_is(struct svg_slice slice, const char *text)
{
    return slice.length == strlen(text) && memcmp(slice.text, text, slice.length) == 0;
}

static struct svg_slice read_name(const char **at)
{
    const char *from = *at;
    while (isalnum((unsigned char)**at) || **at == '-' || **at == ':')
        ++*at;
    assert_true(*at > from && isalpha((unsigned char)*from));
    return (struct svg_slice){from, (size_t)(*at - from)};
}

static void read_attribute(const char **at, struct svg_element *element)
{
    unsigned n = element->attributes++;
    assert_true(n < SVG_ATTRIBUTES_MAX);
    element->names[n] = read_name(at);
    for (unsigned i = 0; i < n; i++)
        assert_false(element->names[i].length == element->names[n].length &&
                     memcmp(element->names[i].text, element->names[n].text, element->names[n].length) == 0);
    assert_int_equal(strncmp(*at, "=\"", 2), 0);
    *at += 2;
    size_t length = strcspn(*at, "\"<&");
    assert_int_equal((*at)[length], '"');
    element->values[n] = (struct svg_slice){*at, length};
    *at += length + 1;
}

static const char *read_content(const char *at, struct svg_slice *content)
{
    size_t length = strcspn(at, "<&>");
    assert_int_equal(at[length], '<');
    if (content)
        *content = (struct svg_slice){at, length};
    return at + length;
}

/* Behind "<". True: the element goes on. */
static bool read_start(const char **at)
{
    assert_true(picture.count < SVG_ELEMENTS_MAX);
    struct svg_element *element = &picture.elements[picture.count++];
    *element = (struct svg_element){.name = read_name(at)};
    while (**at == ' ') {
        ++*at;
        read_attribute(at, element);
    }
    bool is_empty = **at == '/';
    *at += is_empty;
    assert_int_equal(**at, '>');
    ++*at;
    if (!is_empty)
        *at = read_content(*at, &element->content);
    return !is_empty;
}

const struct svg *svg_read(const struct answer *answer)
{
    const char *at = answer->body;
    struct svg_slice open[DEPTH_MAX];
    unsigned depth = 0;
    picture.count = 0;
    assert_string_equal(answer_header(answer, "Content-Type"), "image/svg+xml");
    do {
        assert_int_equal(*at++, '<');
        if (*at == '/') {
            ++at;
            struct svg_slice name = read_name(&at);
            assert_true(depth > 0 && name.length == open[depth - 1].length);
            assert_memory_equal(name.text, open[--depth].text, name.length);
            assert_int_equal(*at++, '>');
        } else if (read_start(&at)) {
            assert_true(depth < DEPTH_MAX);
            open[depth++] = picture.elements[picture.count - 1].name;
            continue;
        }
        if (depth > 0)
            at = read_content(at, NULL);
    } while (depth > 0);
    assert_string_equal(at, "\n");
    assert_true(slice_is(picture.elements[0].name, "svg"));
    return &picture;
}

static const char *copied(struct svg_slice slice)
{
    static char buffers[8][SVG_TEXT_SIZE];
    static unsigned turn;
    char *buffer = buffers[turn++ % 8];
    assert_true(slice.length < SVG_TEXT_SIZE);
    memcpy(buffer, slice.text, slice.length);
    buffer[slice.length] = '\0';
    return buffer;
}

const char *svg_attribute(const struct svg_element *element, const char *name)
{
    assert_non_null(element);
    for (unsigned i = 0; i < element->attributes; i++) {
        if (slice_is(element->names[i], name))
            return copied(element->values[i]);
    }
    return "";
}

const char *svg_id(const struct svg *svg, const char *id)
{
    return svg_reference(svg, id) + 1;
}

/* The name is what stands before "title" in the id of the title. */
const char *svg_reference(const struct svg *svg, const char *id)
{
    const char *title = svg_attribute(svg_nth(svg, 0, "title", NULL, NULL), "id"),
               *end = strstr(title, "title");
    assert_true(end && end > title && end[5] == '\0');
    static char buffers[8][64]; /* its own: attributes are looked through while they are held */
    static unsigned turn;
    char *buffer = buffers[turn++ % 8];
    (void)snprintf(buffer, sizeof buffers[0], "#%.*s%s", (int)(end - title), title, id);
    return buffer;
}

double svg_number(const struct svg_element *element, const char *name)
{
    char *end;
    const char *text = svg_attribute(element, name);
    double number = strtod(text, &end);
    assert_true(*text && !*end);
    return number;
}

const struct svg_element *svg_nth(const struct svg *svg, unsigned n, const char *name, const char *attribute,
                                  const char *value)
{
    for (unsigned i = 0; i < svg->count; i++) {
        const struct svg_element *element = &svg->elements[i];
        if (slice_is(element->name, name) &&
            (!attribute || strcmp(svg_attribute(element, attribute), value) == 0) && n-- == 0)
            return element;
    }
    return NULL;
}

unsigned svg_count(const struct svg *svg, const char *name, const char *attribute, const char *value)
{
    unsigned count = 0;
    while (svg_nth(svg, count, name, attribute, value))
        count++;
    return count;
}

const char *svg_content(const struct svg *svg, const char *name)
{
    const struct svg_element *element = svg_nth(svg, 0, name, NULL, NULL);
    assert_non_null(element);
    return copied(element->content);
}

const struct svg_element *svg_at(const struct svg *svg, const char *name, int x, int y)
{
    const struct svg_element *element;
    char text[16];
    (void)snprintf(text, sizeof text, "%d", x);
    for (unsigned n = 0; (element = svg_nth(svg, n, name, "x", text)); n++) {
        if ((int)svg_number(element, "y") == y)
            return element;
    }
    return NULL;
}

/* ---- PNG ----------------------------------------------------------------------------------------------- */

static size_t number_at(const uint8_t *at)
{
    return (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
}

struct chunks {
    uint8_t palette[768], *packed;
    size_t colors, packed_length;
};

static void take_text(const char *data, size_t length, const char *keyword, char *into, size_t size)
{
    size_t skipped = strlen(keyword) + 1;
    if (length < skipped || memcmp(data, keyword, skipped) != 0)
        return;
    assert_true(length - skipped < size);
    memcpy(into, data + skipped, length - skipped);
    into[length - skipped] = '\0';
}

static void take_chunk(const uint8_t *chunk, size_t length, struct png *png, struct chunks *chunks)
{
    const char *name = (const char *)chunk + 4;
    const uint8_t *data = chunk + 8;
    if (memcmp(name, "IHDR", 4) == 0) {
        static const uint8_t KIND[5] = {8, 3, 0, 0, 0};
        assert_int_equal(length, 13);
        assert_memory_equal(data + 8, KIND, sizeof KIND);
        png->width = (unsigned)number_at(data);
        png->height = (unsigned)number_at(data + 4);
    } else if (memcmp(name, "PLTE", 4) == 0) {
        assert_true(length % 3 == 0 && length <= sizeof chunks->palette);
        memcpy(chunks->palette, data, length);
        chunks->colors = length / 3;
    } else if (memcmp(name, "tEXt", 4) == 0) {
        take_text((const char *)data, length, "Title", png->title, sizeof png->title);
        take_text((const char *)data, length, "Description", png->description, sizeof png->description);
    } else if (memcmp(name, "IDAT", 4) == 0) {
        chunks->packed = realloc(chunks->packed, chunks->packed_length + length);
        memcpy(chunks->packed + chunks->packed_length, data, length);
        chunks->packed_length += length;
    } else {
        assert_true(memcmp(name, "sRGB", 4) == 0 || memcmp(name, "IEND", 4) == 0);
    }
}

static void unpack(struct png *png, const struct chunks *chunks)
{
    size_t row = png->width + 1, length = row * png->height;
    uLongf unpacked = length;
    uint8_t *raw = malloc(length);
    png->pixels = malloc((size_t)png->width * png->height * 3);
    assert_int_equal(uncompress(raw, &unpacked, chunks->packed, chunks->packed_length), Z_OK);
    assert_int_equal(unpacked, length);
    for (size_t y = 0; y < png->height; y++) {
        assert_int_equal(raw[y * row], 0); /* no filter */
        for (size_t x = 0; x < png->width; x++) {
            assert_true(raw[y * row + 1 + x] < chunks->colors);
            memcpy(png->pixels + (y * png->width + x) * 3, chunks->palette + raw[y * row + 1 + x] * 3, 3);
        }
    }
    free(raw);
}

void png_read(const char *bytes, size_t length, struct png *png)
{
    const uint8_t *data = (const uint8_t *)bytes;
    struct chunks chunks = {0};
    size_t at = 8;
    *png = (struct png){0};
    assert_true(length > at);
    assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
    while (at < length) {
        assert_true(length - at >= 12);
        size_t size = number_at(data + at);
        assert_true(length - at - 12 >= size);
        assert_int_equal(crc32(0, data + at + 4, (uInt)size + 4), number_at(data + at + 8 + size));
        take_chunk(data + at, size, png, &chunks);
        at += size + 12;
    }
    assert_int_equal(at, length);
    assert_memory_equal(data + length - 8, "IEND", 4);
    unpack(png, &chunks);
    free(chunks.packed);
}

void png_finish(struct png *png)
{
    free(png->pixels);
}

uint32_t png_at(const struct png *png, unsigned x, unsigned y)
{
    assert_true(x < png->width && y < png->height);
    const uint8_t *pixel = png->pixels + ((size_t)y * png->width + x) * 3;
    return (uint32_t)pixel[0] << 16 | (uint32_t)pixel[1] << 8 | pixel[2];
}
