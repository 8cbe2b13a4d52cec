/* The generator for x86-64 processors with BMI2 and POPCNT; the Makefile gives this file the flags. */
#ifdef __x86_64__
#include "rules/movegen_builds.h"

#define MOVEGEN(name) movegen_bmi2_##name
#include "rules/movegen_body.h"
#else
typedef int movegen_bmi2_is_empty_here;
#endif
