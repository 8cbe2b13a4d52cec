/* documents: texts that are built into the binary. Made at build time by tools/embed.c.
 *
 * Layer: api. Each is followed by a NUL that the size does not count. */
#pragma once

#include <stddef.h>

extern const char document_openapi_yaml[];
extern const size_t document_openapi_yaml_size;
extern const char document_openapi_json[];
extern const size_t document_openapi_json_size;
