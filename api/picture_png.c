/* PNG (ISO/IEC 15948): one image of 8 bits a pixel with a palette, no filters, which suits flat areas. */
#include <string.h>
#include <zlib.h>

#include "api/picture.h"
#include "api/picture_palette.h"

enum {
    DEFLATE_LEVEL = 3, /* on boards smaller than 4 and 5, and faster; 6 saves an eighth for thrice the time */
    TEXT_MAX = 4096
};

static void put_u32(uint8_t *at, size_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Length, name, data, checksum. */
static void write_chunk(struct writer *png, const char name[5], const void *data, size_t length)
{
    uint8_t number[4];
    put_u32(number, length);
    writer_bytes(png, (const char *)number, sizeof number);
    size_t from = png->length;
    writer_bytes(png, name, 4);
    writer_bytes(png, data, length);
    if (png->failed)
        return;
    put_u32(number, crc32(0, (const Bytef *)png->data + from, (uInt)(length + 4)));
    writer_bytes(png, (const char *)number, sizeof number);
}

static void write_head(struct writer *png, unsigned width, unsigned height)
{
    uint8_t head[13] = {[8] = 8, [9] = 3}; /* bits a pixel, palette */
    put_u32(head, width);
    put_u32(head + 4, height);
    writer_text(png, "\x89PNG\r\n\x1a\n");
    write_chunk(png, "IHDR", head, sizeof head);
    write_chunk(png, "sRGB", "", 1); /* perceptual intent: 0 */
}

static void write_text(struct writer *png, const char *keyword, const char *text, size_t length)
{
    char data[TEXT_MAX];
    size_t name = strlen(keyword) + 1;
    size_t most = sizeof data - name, kept = length < most ? length : most;
    memcpy(data, keyword, name);
    memcpy(data + name, text, kept);
    write_chunk(png, "tEXt", data, name + kept);
}

static void write_palette(struct writer *png, const struct palette *palette)
{
    uint8_t colors[PALETTE_MAX * 3];
    for (unsigned i = 0; i < palette->count; i++) {
        for (unsigned j = 0; j < 3; j++)
            colors[3 * i + j] = (uint8_t)(palette->colors[i] >> (16 - 8 * j));
    }
    write_chunk(png, "PLTE", colors, palette->count * (size_t)3);
}

/* Each row begins with its filter: 0, none. */
static bool write_pixels(struct writer *png, struct arena *arena, const struct canvas *canvas,
                         const struct palette *palette)
{
    size_t row = canvas->width + (size_t)1, size = row * canvas->height;
    uint8_t *raw = arena_zalloc(arena, size);
    uLongf length = compressBound(size);
    uint8_t *packed = arena_alloc(arena, length);
    if (!raw || !packed)
        return false;
    for (unsigned y = 0; y < canvas->height; y++)
        palette_row(palette, canvas->pixels + (size_t)y * canvas->width, canvas->width, raw + y * row + 1);
    if (compress2(packed, &length, raw, size, DEFLATE_LEVEL) != Z_OK)
        return false;
    write_chunk(png, "IDAT", packed, length);
    return true;
}

bool picture_png(const struct scene *scene, struct arena *arena, const char **bytes, size_t *length)
{
    struct canvas canvas;
    struct palette *palette = arena_alloc(arena, sizeof *palette);
    if (!palette || !picture_raster(scene, arena, &canvas) || !palette_make(palette, arena, &canvas))
        return false;
    struct writer png;
    writer_init(&png, arena, 32768);
    write_head(&png, canvas.width, canvas.height);
    write_text(&png, "Title", scene->title, scene->title_length);
    write_text(&png, "Description", scene->desc, scene->desc_length);
    write_palette(&png, palette);
    if (!write_pixels(&png, arena, &canvas, palette))
        return false;
    write_chunk(&png, "IEND", "", 0);
    *bytes = png.data;
    *length = png.length;
    return !png.failed;
}
