#include "rules/movegen.h"

#include "rules/movegen_builds.h"

#if defined(__x86_64__)
/* PEXT is microcode on AMD processors before Zen 3 and slower there than a multiplication. The compiler's
 * run-time library has looked at the processor before main; asking it is a dozen instructions that never differ. */
static inline bool pext_is_fast(void)
{
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
           !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2") && !__builtin_cpu_is("amdfam15h");
}

#define DISPATCH(call)                                                                                       \
    (pext_is_fast()                     ? movegen_bmi2_##call                                                \
     : __builtin_cpu_supports("popcnt") ? movegen_popcnt_##call                                              \
                                        : movegen_portable_##call)
#else
#define DISPATCH(call) (movegen_portable_##call)
#endif

unsigned movegen_legal(const struct position *position, struct movelist *list)
{
    DISPATCH(legal(position, list));
    return list->count;
}

unsigned movegen_count(const struct position *position)
{
    return DISPATCH(count(position));
}

bool movegen_any(const struct position *position)
{
    return movegen_count(position) > 0;
}

bool movegen_is_legal(const struct position *position, move m)
{
    struct movelist list;
    movegen_legal(position, &list);
    for (unsigned i = 0; i < list.count; i++)
        if (list.moves[i] == m)
            return true;
    return false;
}

void position_play(const struct position *before, move m, struct position *after)
{
    DISPATCH(play(before, m, after));
}

uint64_t movegen_perft(const struct position *position, unsigned depth)
{
    return DISPATCH(perft(position, depth));
}
