#include <string.h>

#include "rules/winnable.h"

static const char *const verdict_names[WINNABLE_VERDICT_COUNT] = {
    [WINNABLE_UNDETERMINED] = "undetermined",
    [WINNABLE_YES] = "yes",
    [WINNABLE_NO] = "no",
};

static const char *const method_names[WINNABLE_METHOD_COUNT] = {
    [WINNABLE_NONE] = "none",           [WINNABLE_TERMINAL] = "terminal", [WINNABLE_MATERIAL] = "material",
    [WINNABLE_STRUCTURE] = "structure", [WINNABLE_SEARCH] = "search",
};

const char *winnable_verdict_name(enum winnable_verdict verdict)
{
    return verdict_names[verdict];
}

const char *winnable_method_name(enum winnable_method method)
{
    return method_names[method];
}

/* The index of the name, which may be NULL; `count` where it is none of them. */
static unsigned index_of(const char *const *names, unsigned count, const char *name)
{
    unsigned i = 0;
    while (i < count && (!name || strcmp(names[i], name) != 0))
        i++;
    return i;
}

bool winnable_verdict_parse(const char *name, enum winnable_verdict *verdict)
{
    unsigned i = index_of(verdict_names, WINNABLE_VERDICT_COUNT, name);
    if (i == WINNABLE_VERDICT_COUNT)
        return false;
    *verdict = (enum winnable_verdict)i;
    return true;
}

bool winnable_method_parse(const char *name, enum winnable_method *method)
{
    unsigned i = index_of(method_names, WINNABLE_METHOD_COUNT, name);
    if (i == WINNABLE_METHOD_COUNT)
        return false;
    *method = (enum winnable_method)i;
    return true;
}
