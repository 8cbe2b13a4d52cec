/* timestamp: Unix milliseconds as RFC 3339 UTC text: "2026-01-02T03:04:05.678Z".
 *
 * Layer: api (service's log uses it too). Pure: no locale, no time zone, no allocation. */
#pragma once

#include <stdint.h>

enum { TIMESTAMP_LENGTH = 24, TIMESTAMP_SIZE = 25 };

/* Years 0000 to 9999 (RFC 3339 has no others); a time outside is written as the nearest that exists. */
void timestamp_format(int64_t unix_ms, char text[TIMESTAMP_SIZE]);
