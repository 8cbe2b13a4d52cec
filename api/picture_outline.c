#include "api/picture_outline.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static void begin_ring(struct outline *outline)
{
    assert(outline->ring_count < OUTLINE_RINGS_MAX);
    outline->rings[outline->ring_count++] = (struct ring){.first = outline->point_count};
}

static struct ring *last_ring(struct outline *outline)
{
    return &outline->rings[outline->ring_count - 1];
}

static void add_point(struct outline *outline, struct point point)
{
    assert(outline->point_count < OUTLINE_POINTS_MAX);
    outline->points[outline->point_count++] = point;
    last_ring(outline)->count++;
}

static float distance(struct point a, struct point b)
{
    return sqrtf((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

static struct point between(struct point a, struct point b, float t)
{
    return (struct point){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

/* de Casteljau's construction. */
static struct point curve_at(const struct point control[4], float t)
{
    struct point a = between(control[0], control[1], t), b = between(control[1], control[2], t);
    struct point c = between(control[2], control[3], t);
    return between(between(a, b, t), between(b, c, t), t);
}

/* The error of a polygon falls with the square of its sides: so many that it stays well below a pixel. */
static unsigned sides_of(const struct point control[4])
{
    float length = distance(control[0], control[1]) + distance(control[1], control[2]) +
                   distance(control[2], control[3]);
    unsigned sides = 2 + (unsigned)(1.2F * sqrtf(length));
    return sides < 24 ? sides : 24;
}

static void add_curve(struct outline *outline, const struct point control[4])
{
    unsigned sides = sides_of(control);
    for (unsigned i = 1; i <= sides; i++)
        add_point(outline, curve_at(control, (float)i / (float)sides));
}

static struct point read_point(const char **text, const struct placing *placing)
{
    char *end;
    float x = strtof(*text, &end), y = strtof(end, &end);
    *text = end;
    return point_placed((struct point){x, y}, placing);
}

void outline_add_path(struct outline *outline, const char *path, const struct placing *placing)
{
    struct point control[4] = {0};
    while (*path) {
        char letter = *path++;
        unsigned points = letter == 'C' ? 3 : letter == 'M' || letter == 'L' ? 1 : 0;
        for (unsigned i = 0; i < points; i++)
            control[i + 1] = read_point(&path, placing);
        if (letter == 'M')
            begin_ring(outline);
        if (letter == 'C')
            add_curve(outline, control);
        else if (points)
            add_point(outline, control[1]);
        else if (letter == 'Z')
            last_ring(outline)->closed = true;
        else
            assert(letter == ' ');
        if (points)
            control[0] = control[points];
    }
}

void outline_add_ring(struct outline *outline, const struct point *points, unsigned count, bool closed)
{
    begin_ring(outline);
    for (unsigned i = 0; i < count; i++)
        add_point(outline, points[i]);
    last_ring(outline)->closed = closed;
}

void outline_add_circle(struct outline *outline, struct point center, float radius)
{
    static const struct point QUARTERS[5] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
    const float arm = 0.5523F; /* of the Bezier curve that is nearest to a quarter of a circle */
    begin_ring(outline);
    for (unsigned i = 0; i < 4; i++) {
        struct point a = QUARTERS[i], b = QUARTERS[i + 1];
        struct point unit[4] = {a, {a.x + arm * b.x, a.y + arm * b.y}, {b.x + arm * a.x, b.y + arm * a.y}, b};
        for (unsigned j = 0; j < 4; j++)
            unit[j] = (struct point){center.x + radius * unit[j].x, center.y + radius * unit[j].y};
        add_curve(outline, unit);
    }
    last_ring(outline)->closed = true;
}
