#include "api/nearest.h"

#include <string.h>

enum { LONGEST = 64 };

static char folded(char c)
{
    if (c == '_')
        return '-';
    return c;
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Optimal string alignment (Damerau 1964): three rows of the table are enough. */
unsigned nearest_distance(const char *a, const char *b)
{
    unsigned rows[3][LONGEST + 1] = {{0}};
    size_t columns = strnlen(b, LONGEST), lines = strnlen(a, LONGEST);
    for (size_t j = 0; j <= columns; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= lines; i++) {
        unsigned *now = rows[i % 3];
        const unsigned *last = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= columns; j++) {
            unsigned replaced = last[j - 1] + (folded(a[i - 1]) != folded(b[j - 1]));
            now[j] = smaller(replaced, smaller(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) &&
                folded(a[i - 2]) == folded(b[j - 1]))
                now[j] = smaller(now[j], before[j - 2] + 1);
        }
    }
    return rows[lines % 3][columns];
}

const char *nearest_of(const char *typed, const char *best, const char *candidate)
{
    if (!candidate)
        return best;
    size_t typed_length = strlen(typed), length = strlen(candidate);
    size_t most = (typed_length > length ? typed_length : length) / 3;
    unsigned distance = nearest_distance(typed, candidate);
    if (distance > (most ? most : 1))
        return best;
    return best && nearest_distance(typed, best) <= distance ? best : candidate;
}
