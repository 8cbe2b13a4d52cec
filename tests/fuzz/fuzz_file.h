/* fuzz_file: an input for those who read files by name.
 *
 * Tests only. Memory: one file that has no place on a disk. */
#pragma once

#include "api/text.h"

/* The name of a file that holds these bytes, until the next call. */
const char *fuzz_file(struct text_span text);
