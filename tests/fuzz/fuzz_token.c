#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/credentials.h"
#include "games/secret.h"
#include "service/operators.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_exchange.h"
#include "tests/fuzz/fuzz_file.h"
#include "tests/fuzz/fuzz_input.h"

static bool is_operator(void *context, const uint8_t *digest)
{
    return operators_have(context, digest);
}

/* ---- the file of operators ---------------------------------------------------------------------------------- */

/* The lines that name somebody: all of them, if the file is good. */
static size_t count_names(struct text_span text)
{
    size_t count = 0;
    while (text.length > 0) {
        struct text_span line = fuzz_take_line(&text);
        while (line.length > 0 && strchr(" \t\r", *line.text) && *line.text) {
            line.text++;
            line.length--;
        }
        count += line.length > 0 && *line.text != '#';
    }
    return count;
}

static void check_file(struct operators *operators, struct text_span text)
{
    char error[OPERATORS_ERROR_SIZE] = "";
    size_t before = operators_count(operators);
    if (operators_read(operators, fuzz_file(text), error)) {
        FUZZ_CHECK(operators_count(operators) == count_names(text));
        FUZZ_CHECK(operators_count(operators) <= OPERATORS_MAX);
    } else {
        FUZZ_CHECK(*error && strnlen(error, sizeof error) < sizeof error);
        FUZZ_CHECK(operators_count(operators) == before);
    }
}

/* ---- Authorization ------------------------------------------------------------------------------------------- */

static bool is_formed(const char *token, size_t length)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
    if (length != 35 || token[0] != 'c' || !strchr("wbscot", token[1]) || token[2] != '_')
        return false;
    for (size_t i = 3; i < length; i++)
        if (!strchr(letters, token[i]))
            return false;
    return true;
}

/* The token of a field, of no length where there is none. */
static struct text_span token_of(const char *field)
{
    struct text_span token = {field, 0};
    if (strncasecmp(field, "Bearer ", 7) != 0)
        return token;
    token = (struct text_span){field + 7, strlen(field + 7)};
    text_trim(&token.text, &token.length);
    return token;
}

static void check_caller(struct operators *operators, const char *field, struct caller *caller)
{
    static const uint8_t nobody[SECRET_DIGEST_SIZE];
    struct fuzz_exchange bare;
    struct text_span token = token_of(field);
    uint8_t digest[SECRET_DIGEST_SIZE] = {0};
    bool formed = is_formed(token.text, token.length);
    if (formed)
        secret_digest(token.text, token.length, digest);
    FUZZ_CHECK(secret_token_is_formed(token.text, token.length) == formed);
    fuzz_exchange_begin(&bare, "GET", "/");
    bare.request.headers[HEADER_AUTHORIZATION] = field;
    bare.api.service = (struct api_service){.context = operators, .is_operator = is_operator};
    credentials_read(&bare.exchange);
    *caller = bare.exchange.caller;
    FUZZ_CHECK(caller->has_token == (*field != '\0'));
    FUZZ_CHECK(memcmp(caller->digest, formed ? digest : nobody, sizeof digest) == 0);
    FUZZ_CHECK(bare.exchange.token_purpose == (formed ? token.text[1] : '\0'));
    FUZZ_CHECK(caller->is_operator == (formed && token.text[1] == 'o' && operators_have(operators, digest)));
    fuzz_check_unanswered(&bare);
    fuzz_exchange_end(&bare);
}

/* Whoever is put into the file is an operator, if his key is one. */
static void check_admitted(struct operators *operators, const char *field)
{
    struct arena arena = {0};
    struct caller caller;
    char hex[SECRET_HEX_SIZE], error[OPERATORS_ERROR_SIZE] = "";
    check_caller(operators, field, &caller);
    secret_format_hex(caller.digest, hex);
    const char *line = arena_printf(&arena, "somebody %s # by this key\n", hex);
    FUZZ_CHECK(operators_read(operators, fuzz_file((struct text_span){line, strlen(line)}), error));
    FUZZ_CHECK(operators_count(operators) == 1 && operators_have(operators, caller.digest));
    check_caller(operators, field, &caller);
    arena_finish(&arena);
}

void fuzz_token(const uint8_t *data, size_t size)
{
    struct text_span input = {(const char *)data, size};
    struct operators *operators = operators_create();
    FUZZ_CHECK(secret_init() && operators);
    char *field = fuzz_copy(fuzz_take_line(&input));
    check_file(operators, input);
    check_admitted(operators, field);
    check_file(operators, input);
    free(field);
    operators_destroy(operators);
}
