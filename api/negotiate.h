/* negotiate: which representation an Accept field asks for.
 *
 * Layer: api. Pure. Source: RFC 9110 12.5.1 (Accept), 12.5.3 (Accept-Encoding). */
#pragma once

#include "api/format.h"

/* The best of `formats` (the default first, FORMAT_NONE at the end) for an Accept field; NULL accepts all.
 * The greatest quality wins, then the order of `formats`; the most specific range decides the quality of a
 * format. FORMAT_NONE: nothing fits. Ranges that cannot be read are left out; a field of nothing but those is
 * as none. */
enum format negotiate(const char *accept, const enum format *formats);

/* An Accept-Encoding field takes gzip; NULL does not. "gzip" by name decides, else "*". */
bool negotiate_takes_gzip(const char *accept_encoding);

/* Problems: true where text is accepted and neither JSON nor problem+json is. */
bool negotiate_wants_text_problem(const char *accept);
