/* access: who may ask at all: the Origin of a web page and the Host it thinks it talks to (API 10).
 *
 * Layer: api. Any web page can reach a daemon on loopback, and a name that an attacker points at 127.0.0.1
 * makes such a page look like our own: so the Origin must be allowed, and on loopback the Host must be a
 * loopback name or an allowed one. A Unix socket is out of a browser's reach; there Host is whatever a proxy
 * says. */
#pragma once

#include <stdbool.h>

struct exchange;

/* Bytes of an Origin: an allowed one is part of the answer, whose head has room for what an origin can be: a scheme, a
 * name of 255 bytes at the most (RFC 1035 2.3.4), a port. */
enum { ACCESS_ORIGIN_MAX = 512 };

/* True: go on. False: the response is origin-not-allowed (403) or misdirected-request (421). Sets
 * exchange->origin_allowed where the request has an allowed Origin. */
bool access_check(struct exchange *exchange);
/* Only sets exchange->origin_allowed, for answers to requests that cannot be read. */
void access_note_origin(struct exchange *exchange);
