#include "api/picture_canvas.h"

#include <math.h>

bool canvas_init(struct canvas *canvas, struct arena *arena, unsigned width, unsigned height)
{
    *canvas = (struct canvas){.width = width, .height = height};
    canvas->pixels = arena_zalloc(arena, (size_t)width * height * sizeof *canvas->pixels);
    canvas->cover = arena_zalloc(arena, ((size_t)width + 1) * height * sizeof *canvas->cover);
    return canvas->pixels && canvas->cover;
}

/* ---- coverage ------------------------------------------------------------------------------------------ */

static float clamp(float value, float least, float most)
{
    return value < least ? least : value > most ? most : value;
}

/* A piece of an edge inside one row, from x0 to x1 >= x0, that goes down by `height` (signed). To the right of an edge
 * a pixel is covered by all of its height, where it passes through by the part that lies right of it. */
static void add_span(float *row, float x0, float x1, float height)
{
    unsigned column = (unsigned)x0, last = (unsigned)x1;
    if (column == last) {
        float middle = (x0 + x1) / 2 - (float)column;
        row[column] += height * (1 - middle);
        row[column + 1] += height * middle;
        return;
    }
    float slope = height / (x1 - x0);
    while (x0 < x1) {
        float end = (float)(column + 1) < x1 ? (float)(column + 1) : x1;
        float part = slope * (end - x0), middle = (x0 + end) / 2 - (float)column;
        row[column] += part * (1 - middle);
        row[column + 1] += part * middle;
        x0 = end;
        column++;
    }
}

static void add_edge(struct canvas *canvas, struct point from, struct point to)
{
    if (from.y == to.y)
        return;
    float sign = from.y < to.y ? 1 : -1;
    struct point top = sign > 0 ? from : to, bottom = sign > 0 ? to : from;
    float slope = (bottom.x - top.x) / (bottom.y - top.y), most = (float)canvas->width - 0.001F;
    float y = clamp(top.y, 0, (float)canvas->height), end = clamp(bottom.y, 0, (float)canvas->height);
    for (unsigned row = (unsigned)y; y < end; row++) {
        float next = (float)(row + 1) < end ? (float)(row + 1) : end;
        float a = clamp(top.x + (y - top.y) * slope, 0, most);
        float b = clamp(top.x + (next - top.y) * slope, 0, most);
        add_span(canvas->cover + (size_t)row * (canvas->width + 1), a < b ? a : b, a < b ? b : a,
                 sign * (next - y));
        y = next;
    }
}

static void add_polygon(struct canvas *canvas, const struct point *points, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        add_edge(canvas, points[i], points[i + 1 < count ? i + 1 : 0]);
}

/* ---- painting ------------------------------------------------------------------------------------------ */

static uint8_t scaled(unsigned value, unsigned by)
{
    return (uint8_t)((value * by + 127) / 255);
}

/* `color` with its opacity times share / 255 over the pixel. */
static void blend(struct paint *pixel, struct paint color, unsigned share)
{
    unsigned opacity = scaled(color.a, share), rest = 255 - opacity;
    if (rest == 0) {
        *pixel = color;
        return;
    }
    pixel->r = (uint8_t)(scaled(color.r, opacity) + scaled(pixel->r, rest));
    pixel->g = (uint8_t)(scaled(color.g, opacity) + scaled(pixel->g, rest));
    pixel->b = (uint8_t)(scaled(color.b, opacity) + scaled(pixel->b, rest));
    pixel->a = (uint8_t)(opacity + scaled(pixel->a, rest));
}

/* The pixels that an outline may touch. */
static struct area area_of(const struct canvas *canvas, const struct outline *outline, float margin)
{
    struct point least = {(float)canvas->width, (float)canvas->height}, most = {0, 0};
    for (unsigned i = 0; i < outline->point_count; i++) {
        least.x = fminf(least.x, outline->points[i].x);
        least.y = fminf(least.y, outline->points[i].y);
        most.x = fmaxf(most.x, outline->points[i].x);
        most.y = fmaxf(most.y, outline->points[i].y);
    }
    return (struct area){.left = (unsigned)clamp(least.x - margin, 0, (float)canvas->width),
                         .top = (unsigned)clamp(least.y - margin, 0, (float)canvas->height),
                         .right = (unsigned)clamp(most.x + margin + 2, 0, (float)canvas->width),
                         .bottom = (unsigned)clamp(most.y + margin + 1, 0, (float)canvas->height)};
}

static void paint_row(struct canvas *canvas, const struct area *area, unsigned y, struct paint color)
{
    struct paint *pixels = canvas->pixels + (size_t)y * canvas->width;
    float *cover = canvas->cover + (size_t)y * (canvas->width + 1), sum = 0;
    for (unsigned x = area->left; x < area->right; x++) {
        sum += cover[x];
        cover[x] = 0;
        unsigned share = (unsigned)(clamp(fabsf(sum), 0, 1) * 255 + 0.5F);
        if (share)
            blend(&pixels[x], color, share);
    }
    cover[area->right] = 0;
}

/* Paints what the outline, `margin` wider, has gathered. */
static void paint(struct canvas *canvas, const struct outline *outline, float margin, struct paint color)
{
    struct area area = area_of(canvas, outline, margin);
    for (unsigned y = area.top; y < area.bottom; y++)
        paint_row(canvas, &area, y, color);
}

void canvas_fill(struct canvas *canvas, const struct outline *outline, struct paint color)
{
    for (unsigned i = 0; i < outline->ring_count; i++)
        add_polygon(canvas, outline->points + outline->rings[i].first, outline->rings[i].count);
    paint(canvas, outline, 0, color);
}

/* ---- strokes ------------------------------------------------------------------------------------------- */

/* A line is a quadrangle a segment, and a fan at each point where two of them meet. All run the same way round, so
 * that what overlaps stays covered. */

static struct point scaled_to(struct point vector, float length)
{
    float factor = length / sqrtf(vector.x * vector.x + vector.y * vector.y);
    return (struct point){vector.x * factor, vector.y * factor};
}

/* The sector around `center` between two radii, halved until it is round. */
static void add_fan(struct canvas *canvas, struct point center, struct point a, struct point b, float radius)
{
    float dot = (a.x * b.x + a.y * b.y) / (radius * radius), cross = a.x * b.y - a.y * b.x;
    float roundness =
        1 - 0.25F / (radius > 1 ? radius : 1); /* the chord leaves the circle by an eighth of a pixel */
    if (dot < roundness) {
        struct point sum = {a.x + b.x, a.y + b.y};
        if (dot < -0.9F) /* nearly opposite: the way is a's right hand */
            sum = (struct point){-a.y, a.x};
        struct point middle = scaled_to(sum, radius);
        add_fan(canvas, center, a, middle, radius);
        add_fan(canvas, center, middle, b, radius);
    } else if (cross > 0) {
        const struct point corners[3] = {
            center, {center.x + a.x, center.y + a.y}, {center.x + b.x, center.y + b.y}};
        add_polygon(canvas, corners, 3);
    }
}

static void add_segment(struct canvas *canvas, struct point a, struct point b, struct point normal)
{
    const struct point corners[4] = {{a.x - normal.x, a.y - normal.y},
                                     {b.x - normal.x, b.y - normal.y},
                                     {b.x + normal.x, b.y + normal.y},
                                     {a.x + normal.x, a.y + normal.y}};
    add_polygon(canvas, corners, 4);
}

static struct point negative(struct point p)
{
    return (struct point){-p.x, -p.y};
}

/* The outer side of the bend from one normal to the next. */
static void add_join(struct canvas *canvas, struct point at, struct point n0, struct point n1, float radius)
{
    if (n0.x * n1.y - n0.y * n1.x >= 0)
        add_fan(canvas, at, negative(n0), negative(n1), radius);
    else
        add_fan(canvas, at, n1, n0, radius);
}

static void add_stroke(struct canvas *canvas, const struct point *points, const struct ring *ring,
                       float radius)
{
    struct point first = {0}, normal = {0}, last = points[0];
    bool any = false;
    unsigned count = ring->count + ring->closed;
    for (unsigned i = 1; i < count; i++) {
        struct point to = points[i < ring->count ? i : 0], along = {to.x - last.x, to.y - last.y};
        if (along.x * along.x + along.y * along.y < 1e-6F)
            continue;
        struct point next = scaled_to((struct point){-along.y, along.x}, radius);
        add_segment(canvas, last, to, next);
        if (any)
            add_join(canvas, last, normal, next, radius);
        else
            first = next;
        any = true;
        normal = next;
        last = to;
    }
    if (!any)
        return;
    if (ring->closed) {
        add_join(canvas, points[0], normal, first, radius);
    } else {
        add_fan(canvas, points[0], first, negative(first), radius);
        add_fan(canvas, last, negative(normal), normal, radius);
    }
}

void canvas_stroke(struct canvas *canvas, const struct outline *outline, float width, struct paint color)
{
    for (unsigned i = 0; i < outline->ring_count; i++)
        add_stroke(canvas, outline->points + outline->rings[i].first, &outline->rings[i], width / 2);
    paint(canvas, outline, width / 2, color);
}

/* ---- the rest ------------------------------------------------------------------------------------------ */

void canvas_rectangle(struct canvas *canvas, struct area area, struct paint color)
{
    for (unsigned y = area.top; y < area.bottom && y < canvas->height; y++) {
        for (unsigned x = area.left; x < area.right && x < canvas->width; x++)
            blend(&canvas->pixels[(size_t)y * canvas->width + x], color, 255);
    }
}

void canvas_glow(struct canvas *canvas, struct area area, float radius, struct paint color)
{
    float middle_x = (float)(area.left + area.right) / 2, middle_y = (float)(area.top + area.bottom) / 2;
    for (unsigned y = area.top; y < area.bottom && y < canvas->height; y++) {
        for (unsigned x = area.left; x < area.right && x < canvas->width; x++) {
            float dx = (float)x + 0.5F - middle_x, dy = (float)y + 0.5F - middle_y;
            float share = clamp(1 - sqrtf(dx * dx + dy * dy) / radius, 0, 1);
            blend(&canvas->pixels[(size_t)y * canvas->width + x], color, (unsigned)(share * 255 + 0.5F));
        }
    }
}

void canvas_draw(struct canvas *canvas, const struct canvas *other, unsigned left, unsigned top)
{
    for (unsigned y = 0; y < other->height && top + y < canvas->height; y++) {
        struct paint *to = canvas->pixels + (size_t)(top + y) * canvas->width + left;
        const struct paint *from = other->pixels + (size_t)y * other->width;
        for (unsigned x = 0; x < other->width && left + x < canvas->width; x++) {
            if (from[x].a == 0)
                continue;
            unsigned rest = 255U - from[x].a;
            to[x] = (struct paint){
                (uint8_t)(from[x].r + scaled(to[x].r, rest)), (uint8_t)(from[x].g + scaled(to[x].g, rest)),
                (uint8_t)(from[x].b + scaled(to[x].b, rest)), (uint8_t)(from[x].a + scaled(to[x].a, rest))};
        }
    }
}
