/* picture_read: the pictures of the api as tests look at them: strict readers of our own kinds of SVG and PNG.
 *
 * Each fails the running cmocka test where the text is not well-formed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tests/support/api_answer.h"

/* ---- SVG: XML without entities, comments and processing instructions, which we do not write ---- */

enum { SVG_ELEMENTS_MAX = 512, SVG_ATTRIBUTES_MAX = 12, SVG_TEXT_SIZE = 2048 };

struct svg_slice {
    const char *text;
    size_t length;
};

struct svg_element {
    struct svg_slice name, content; /* content: up to the first tag inside */
    struct svg_slice names[SVG_ATTRIBUTES_MAX], values[SVG_ATTRIBUTES_MAX];
    unsigned attributes;
};

struct svg {
    unsigned count;
    struct svg_element elements[SVG_ELEMENTS_MAX]; /* in order of appearance */
};

/* `svg` points into the answer. The same one each time: the pictures before are gone. */
const struct svg *svg_read(const struct answer *answer);

/* "" where it has none; in one of eight buffers that take turns. */
const char *svg_attribute(const struct svg_element *element, const char *name);
double svg_number(const struct svg_element *element, const char *name);
/* An id "wp", or a reference "#wp", as this picture has it, with its own name before wp; in one of eight
 * buffers too. */
const char *svg_id(const struct svg *svg, const char *id);
const char *svg_reference(const struct svg *svg, const char *id);
const char *svg_content(const struct svg *svg, const char *name);
/* Elements of that name, where `attribute` is not NULL with that value of it. */
unsigned svg_count(const struct svg *svg, const char *name, const char *attribute, const char *value);
/* The n-th of them from 0; NULL: there are fewer. */
const struct svg_element *svg_nth(const struct svg *svg, unsigned n, const char *name, const char *attribute,
                                  const char *value);
/* A <use>, <rect> … with x and y. */
const struct svg_element *svg_at(const struct svg *svg, const char *name, int x, int y);

/* ---- PNG ---- */

struct png {
    unsigned width, height;
    char title[256], description[4096]; /* of the text chunks */
    uint8_t *pixels;                    /* 3 bytes each */
};

/* Owned by the caller: png_finish. */
void png_read(const char *bytes, size_t length, struct png *png);
void png_finish(struct png *png);
/* 0xRRGGBB */
uint32_t png_at(const struct png *png, unsigned x, unsigned y);
