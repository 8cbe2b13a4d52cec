/* secret: tokens, digests, and answers that only their client can open again.
 *
 * Layer: games, with nothing of it below; the only user of libsodium. Memory: the caller's. Threads: any, once
 * secret_init has returned. A token is a secret and its digest is not: only digests are kept.
 * Source: RFC 6750 (bearer tokens), RFC 4648 6 (base32), RFC 7693 (BLAKE2b). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SECRET_DIGEST_SIZE = 32,
    SECRET_TOKEN_LETTERS = 32, /* base32 in lower case: 160 random bits */
    SECRET_TOKEN_LENGTH = 3 + SECRET_TOKEN_LETTERS,
    SECRET_TOKEN_SIZE = SECRET_TOKEN_LENGTH + 1,
    SECRET_HEX_SIZE = 2 * SECRET_DIGEST_SIZE + 1,
    SECRET_SEALED_AROUND = 40, /* bytes that a sealed text is longer than the text */
};

/* What a token is for; its second character. */
#define SECRET_WHITE     'w'
#define SECRET_BLACK     'b'
#define SECRET_SPECTATOR 's'
#define SECRET_CREATOR   'c'
#define SECRET_OPERATOR  'o'
#define SECRET_TICKET    't'

/* Before anything else here; again as often as one likes (games_create does). False: the system has no random bytes. */
bool secret_init(void);

/* A new token, NUL-terminated: "cw_" and 32 letters for SECRET_WHITE. */
void secret_make_token(char purpose, char token[SECRET_TOKEN_SIZE]);
/* `text` has the form of a token: c, one of w b s c o t, _, and 32 of a–z and 2–7. */
bool secret_token_is_formed(const char *text, size_t length);

/* One side of a fair coin. */
bool secret_coin(void);

/* BLAKE2b-256 with a personalisation of our own. */
void secret_digest(const void *bytes, size_t length, uint8_t digest[SECRET_DIGEST_SIZE]);
/* The same of several parts: each counts with its length, so that no two ways of parting one text meet. */
struct secret_part {
    const void *bytes;
    size_t length;
};
void secret_digest_parts(const struct secret_part *parts, size_t count, uint8_t digest[SECRET_DIGEST_SIZE]);
/* Equality of two digests, in constant time. */
bool secret_equal(const uint8_t a[SECRET_DIGEST_SIZE], const uint8_t b[SECRET_DIGEST_SIZE]);
/* Lower-case hexadecimal, NUL-terminated, and back; the reader takes upper case too, and nothing but 64 digits. */
void secret_format_hex(const uint8_t digest[SECRET_DIGEST_SIZE], char text[SECRET_HEX_SIZE]);
bool secret_parse_hex(const char *text, size_t length, uint8_t digest[SECRET_DIGEST_SIZE]);

/* Sealed under a key made of any text: who has the sealed bytes alone cannot read them, and a changed byte is noticed
 * (XSalsa20-Poly1305). `sealed` has room for secret_sealed_size(length). */
size_t secret_sealed_size(size_t length);
void secret_seal(const struct secret_part *key, const void *plain, size_t length, void *sealed);
/* The length that the opened text will have; 0 for bytes that are too short to be sealed. */
size_t secret_opened_size(size_t sealed_length);
/* `plain` has room for secret_opened_size(sealed_length). False: another key, or not what was sealed. */
bool secret_open(const struct secret_part *key, const void *sealed, size_t sealed_length, void *plain);

/* Overwrites a secret that is no longer needed; the compiler does not leave it out. */
void secret_forget(void *bytes, size_t length);
