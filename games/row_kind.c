#include "games/row_kind.h"

#include <string.h>

static const char *const words[ROW_KIND_COUNT] = {
#define ROW_KIND_WORD(name, word, event, apply, begins) [ROW_##name] = (word),
    ROW_KINDS(ROW_KIND_WORD)
#undef ROW_KIND_WORD
};

const char *row_kind_word(enum row_kind kind)
{
    return words[kind];
}

enum row_kind row_kind_find(const char *word)
{
    for (int kind = ROW_NONE + 1; kind < ROW_KIND_COUNT; kind++)
        if (strcmp(words[kind], word) == 0)
            return (enum row_kind)kind;
    return ROW_NONE;
}
