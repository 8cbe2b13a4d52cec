/* polyglot_constants: the random numbers of the PolyGlot book format. Private to rules/key.c. */
#pragma once

#include <stdint.h>

enum { POLYGLOT_CONSTANTS = 781 };

extern const uint64_t polyglot_constants[POLYGLOT_CONSTANTS];
