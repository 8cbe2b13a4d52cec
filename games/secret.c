#include "games/secret.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

enum { TOKEN_BYTES = SECRET_TOKEN_LETTERS * 5 / 8 };

static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
static const unsigned char personal_digest[crypto_generichash_blake2b_PERSONALBYTES] = "arbiter digest";
static const unsigned char personal_key[crypto_generichash_blake2b_PERSONALBYTES] = "arbiter sealing";

_Static_assert(SECRET_TOKEN_LETTERS * 5 % 8 == 0, "the letters of a token are whole bytes");
_Static_assert((int)SECRET_DIGEST_SIZE == (int)crypto_secretbox_KEYBYTES, "a digest is a key");

bool secret_init(void)
{
    return sodium_init() >= 0;
}

void secret_make_token(char purpose, char token[SECRET_TOKEN_SIZE])
{
    unsigned char bytes[TOKEN_BYTES];
    randombytes_buf(bytes, sizeof bytes);
    token[0] = 'c';
    token[1] = purpose;
    token[2] = '_';
    for (unsigned i = 0; i < SECRET_TOKEN_LETTERS; i++) {
        unsigned bit = i * 5, low = bit / 8;
        unsigned two = (unsigned)bytes[low] << 8 | (low + 1 < TOKEN_BYTES ? bytes[low + 1] : 0U);
        token[3 + i] = letters[two >> (11 - bit % 8) & 31];
    }
    token[SECRET_TOKEN_LENGTH] = '\0';
    secret_forget(bytes, sizeof bytes);
}

bool secret_token_is_formed(const char *text, size_t length)
{
    if (length != SECRET_TOKEN_LENGTH || text[0] != 'c' || !text[1] || !strchr("wbscot", text[1]) ||
        text[2] != '_')
        return false;
    for (size_t i = 3; i < length; i++)
        if (!text[i] || !strchr(letters, text[i]))
            return false;
    return true;
}

bool secret_coin(void)
{
    return randombytes_uniform(2) == 1;
}

static void digest_begin(crypto_generichash_blake2b_state *state, const unsigned char *personal)
{
    crypto_generichash_blake2b_init_salt_personal(state, NULL, 0, SECRET_DIGEST_SIZE, NULL, personal);
}

static void digest_part(crypto_generichash_blake2b_state *state, const struct secret_part *part)
{
    unsigned char length[8];
    for (unsigned i = 0; i < sizeof length; i++)
        length[i] = (unsigned char)((uint64_t)part->length >> 8 * i);
    crypto_generichash_blake2b_update(state, length, sizeof length);
    crypto_generichash_blake2b_update(state, part->bytes, part->length);
}

void secret_digest_parts(const struct secret_part *parts, size_t count, uint8_t digest[SECRET_DIGEST_SIZE])
{
    crypto_generichash_blake2b_state state;
    digest_begin(&state, personal_digest);
    for (size_t i = 0; i < count; i++)
        digest_part(&state, &parts[i]);
    crypto_generichash_blake2b_final(&state, digest, SECRET_DIGEST_SIZE);
    secret_forget(&state, sizeof state);
}

void secret_digest(const void *bytes, size_t length, uint8_t digest[SECRET_DIGEST_SIZE])
{
    secret_digest_parts(&(struct secret_part){bytes, length}, 1, digest);
}

bool secret_equal(const uint8_t a[SECRET_DIGEST_SIZE], const uint8_t b[SECRET_DIGEST_SIZE])
{
    return sodium_memcmp(a, b, SECRET_DIGEST_SIZE) == 0;
}

void secret_format_hex(const uint8_t digest[SECRET_DIGEST_SIZE], char text[SECRET_HEX_SIZE])
{
    sodium_bin2hex(text, SECRET_HEX_SIZE, digest, SECRET_DIGEST_SIZE);
}

bool secret_parse_hex(const char *text, size_t length, uint8_t digest[SECRET_DIGEST_SIZE])
{
    size_t written;
    return length == SECRET_HEX_SIZE - 1 &&
           sodium_hex2bin(digest, SECRET_DIGEST_SIZE, text, length, NULL, &written, NULL) == 0 &&
           written == SECRET_DIGEST_SIZE;
}

static void make_key(const struct secret_part *text, unsigned char key[crypto_secretbox_KEYBYTES])
{
    crypto_generichash_blake2b_state state;
    digest_begin(&state, personal_key);
    digest_part(&state, text);
    crypto_generichash_blake2b_final(&state, key, crypto_secretbox_KEYBYTES);
    secret_forget(&state, sizeof state);
}

_Static_assert(crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES == SECRET_SEALED_AROUND,
               "a sealed text");

size_t secret_sealed_size(size_t length)
{
    return crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES + length;
}

void secret_seal(const struct secret_part *key, const void *plain, size_t length, void *sealed)
{
    unsigned char *nonce = sealed, box_key[crypto_secretbox_KEYBYTES];
    make_key(key, box_key);
    randombytes_buf(nonce, crypto_secretbox_NONCEBYTES);
    crypto_secretbox_easy(nonce + crypto_secretbox_NONCEBYTES, plain, length, nonce, box_key);
    secret_forget(box_key, sizeof box_key);
}

size_t secret_opened_size(size_t sealed_length)
{
    size_t around = secret_sealed_size(0);
    return sealed_length < around ? 0 : sealed_length - around;
}

bool secret_open(const struct secret_part *key, const void *sealed, size_t sealed_length, void *plain)
{
    if (sealed_length < secret_sealed_size(0))
        return false;
    const unsigned char *nonce = sealed;
    unsigned char box_key[crypto_secretbox_KEYBYTES];
    make_key(key, box_key);
    int status = crypto_secretbox_open_easy(plain, nonce + crypto_secretbox_NONCEBYTES,
                                            sealed_length - crypto_secretbox_NONCEBYTES, nonce, box_key);
    secret_forget(box_key, sizeof box_key);
    return status == 0;
}

void secret_forget(void *bytes, size_t length)
{
    sodium_memzero(bytes, length);
}
