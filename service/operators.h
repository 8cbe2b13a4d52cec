/* operators: the keys of those who run the service, as a file has them: a line each, `NAME DIGEST`, where DIGEST is what
 * `arbiterd token --operator NAME` prints; # begins a comment. The file holds no key, only digests.
 *
 * Layer: service. Threads: operators_have from any; the rest from one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OPERATORS_MAX = 256, OPERATOR_NAME_MAX = 64, OPERATORS_ERROR_SIZE = 512 };

struct operators;

/* Nobody, at first. NULL when memory is out. */
struct operators *operators_create(void);
void operators_destroy(struct operators *operators);

/* Whoever stands in the file, and nobody else from now on; a NULL path: nobody. False: it cannot be read or is wrong;
 * nothing has changed, and `error` has one sentence with the place. */
bool operators_read(struct operators *operators, const char *path, char error[OPERATORS_ERROR_SIZE]);
size_t operators_count(struct operators *operators);

/* One of them has the key with that digest (games/secret.h); takes as long for each. */
bool operators_have(struct operators *operators, const uint8_t *digest);

/* 1 to 64 letters, digits and other visible characters, but no #. */
bool operators_is_name(const char *name, size_t length);
