/* The generator for any processor. */
#include "rules/movegen_builds.h"

#define MOVEGEN(name) movegen_portable_##name
#include "rules/movegen_body.h"
