/* The generator for x86-64 processors with POPCNT whose PEXT is slow or missing; the Makefile gives this file the flag. */
#ifdef __x86_64__
#include "rules/movegen_builds.h"

#define MOVEGEN(name) movegen_popcnt_##name
#include "rules/movegen_body.h"
#else
typedef int movegen_popcnt_is_empty_here;
#endif
