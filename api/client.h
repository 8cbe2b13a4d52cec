/* client: whom a request comes from: the peer of the connection, or who a trusted proxy says it is.
 *
 * Layer: api. An address is a value: IPv6, or IPv4 as ::ffff:a.b.c.d, or that of whoever is behind a Unix socket.
 * Source: RFC 4291 2.5.5.2, RFC 7239. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/api.h"
#include "api/text.h"

struct exchange;

enum { CLIENT_ADDRESS_SIZE = 16, CLIENT_TEXT_SIZE = 46, CLIENT_IPV4_BITS = 96 };

struct client_address {
    uint8_t bytes[CLIENT_ADDRESS_SIZE];
    bool is_unix; /* then the bytes are zero */
};

/* "192.0.2.1", "2001:db8::1", "unix"; false: it is none of them. */
bool client_parse(struct text_span text, struct client_address *address);
void client_format(const struct client_address *address, char text[CLIENT_TEXT_SIZE]);
/* 127.0.0.0/8, ::1, or a Unix socket. */
bool client_is_local(const struct client_address *address);
/* Where the address is: itself, or for IPv6 its first 64 bits, which are one customer's (RFC 6177). Limits count
 * these. */
struct client_address client_site(const struct client_address *address);
bool client_is_same(const struct client_address *a, const struct client_address *b);

/* All addresses that agree in the first `bits`. */
struct client_network {
    struct client_address address;
    unsigned bits;
};
/* "10.0.0.0/8", "2001:db8::/32", one address, "unix"; false: it is none of them. What is written as IPv6 counts its bits
 * as IPv6 does, ::ffff:10.0.0.0/104 too. */
bool client_network_parse(const char *text, struct client_network *network);
/* Could it be parsed? */
bool client_is_network(const char *text);

/* The networks of these texts, NULL-terminated or NULL, up to one that cannot be parsed; the caller's to free. NULL:
 * there is none, or memory is out. */
struct client_network *client_networks_create(const char *const *texts, size_t *count);

/* Where the peer is a trusted proxy: sets response->client to the last of those whom Forwarded or X-Forwarded-For names
 * before a trusted one. Two fields that name different clients are both not believed, nor is a malformed one: then, and
 * where proxies name nobody, the client is the last proxy that is known. */
void client_note(struct exchange *exchange);
/* What client_note has found, or the peer. */
struct client_address client_address(const struct exchange *exchange);

/* Does a limit with that setting count this client? Where a proxy is trusted, whoever comes over loopback may be
 * anybody, so that API_CLIENT_LIMITS_AUTO counts all. */
bool client_is_limited(const struct exchange *exchange, enum api_client_limits setting,
                       const struct client_address *client);
/* The same before any address is read: true only where the limit plainly does not count whoever it is. */
bool client_is_exempt(const struct exchange *exchange, enum api_client_limits setting);
