#include <stdlib.h>
#include <string.h>

#include "api/client.h"
#include "api/forwarded.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_exchange.h"
#include "tests/fuzz/fuzz_input.h"

enum { NETWORKS_MAX = 8 };

static struct text_span span_of(const char *text)
{
    return (struct text_span){text, strlen(text)};
}

/* ---- addresses and networks ---------------------------------------------------------------------------------- */

static void check_address(const struct client_address *address)
{
    static const uint8_t none[CLIENT_ADDRESS_SIZE];
    char text[CLIENT_TEXT_SIZE];
    struct client_address again, site = client_site(address), site_again = client_site(&site);
    client_format(address, text);
    FUZZ_CHECK(client_parse(span_of(text), &again) && client_is_same(address, &again));
    FUZZ_CHECK(client_is_same(&site, &site_again));
    FUZZ_CHECK(!address->is_unix || memcmp(address->bytes, none, sizeof none) == 0);
}

/* Bit by bit. */
static bool is_in(const struct client_network *network, const struct client_address *address)
{
    if (network->address.is_unix != address->is_unix)
        return false;
    for (unsigned bit = 0; bit < network->bits; bit++)
        if ((network->address.bytes[bit / 8] ^ address->bytes[bit / 8]) >> (7 - bit % 8) & 1)
            return false;
    return true;
}

struct trusted {
    char *texts[NETWORKS_MAX + 1]; /* of networks that can be read; NULL-terminated */
    struct client_network networks[NETWORKS_MAX];
    size_t count;
};

static void check_network(const char *text, const struct client_network *network)
{
    const char *slash = strchr(text, '/');
    FUZZ_CHECK(network->bits <= 8 * CLIENT_ADDRESS_SIZE && is_in(network, &network->address));
    FUZZ_CHECK(slash || network->bits == 8 * CLIENT_ADDRESS_SIZE);
    check_address(&network->address);
}

/* A line of networks with blanks between them. */
static void read_trusted(struct text_span line, struct trusted *trusted)
{
    char *words = fuzz_copy(line), *rest = NULL;
    *trusted = (struct trusted){.count = 0};
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        struct client_network network;
        bool read = client_network_parse(word, &network);
        FUZZ_CHECK(client_is_network(word) == read);
        if (!read || trusted->count == NETWORKS_MAX)
            continue;
        check_network(word, &network);
        trusted->networks[trusted->count] = network;
        trusted->texts[trusted->count++] = fuzz_copy(span_of(word));
    }
    free(words);
}

static bool is_trusted(const struct trusted *trusted, const struct client_address *address)
{
    for (size_t i = 0; i < trusted->count; i++)
        if (is_in(&trusted->networks[i], address))
            return true;
    return false;
}

/* ---- fields --------------------------------------------------------------------------------------------------- */

static void check_hops(const char *value, const struct forwarded *forwarded)
{
    const char *end = value + strlen(value), *last = value;
    FUZZ_CHECK(forwarded->count <= FORWARDED_HOPS_MAX);
    for (size_t i = 0; i < forwarded->count; i++) {
        struct text_span hop = forwarded->hops[i], address = forwarded_address(hop);
        FUZZ_CHECK(hop.text >= last && hop.text + hop.length <= end);
        FUZZ_CHECK(address.length == 0 ||
                   (address.text >= hop.text && address.text + address.length <= hop.text + hop.length));
        last = hop.text + hop.length;
    }
}

/* From the nearest proxy back: the client is the first who is not trusted, or whom nobody can read. */
static struct client_address walk(const struct trusted *trusted, const struct forwarded *forwarded,
                                  struct client_address client)
{
    size_t left = forwarded->count;
    struct client_address next;
    while (left > 0 && is_trusted(trusted, &client) &&
           client_parse(forwarded_address(forwarded->hops[left - 1]), &next)) {
        client = next;
        left--;
    }
    return client;
}

/* A list that says the same as a Forwarded field with nothing but its `for`, quoted. */
static void check_as_standard(const struct forwarded *list)
{
    struct arena arena = {0};
    struct forwarded again;
    const char *field = "";
    for (size_t i = 0; i < list->count; i++) {
        struct text_span hop = list->hops[i];
        if (memchr(hop.text, '"', hop.length) || memchr(hop.text, '\\', hop.length))
            goto out;
        field = arena_printf(&arena, "%s%sfor=\"%.*s\"", field, i ? ", " : "", (int)hop.length, hop.text);
    }
    FUZZ_CHECK(forwarded_read(field, &again) && again.count == list->count);
    for (size_t i = 0; i < list->count; i++)
        FUZZ_CHECK(again.hops[i].length == list->hops[i].length &&
                   memcmp(again.hops[i].text, list->hops[i].text, again.hops[i].length) == 0);
out:
    arena_finish(&arena);
}

struct fields {
    const char *standard, *list; /* NULL: there is none */
};

/* Whom the fields name to somebody who trusts the peer. */
static struct client_address expected(const struct trusted *trusted, const struct fields *fields,
                                      struct client_address peer)
{
    struct client_address by_standard = peer, by_list = peer;
    struct forwarded forwarded;
    if (fields->standard && forwarded_read(fields->standard, &forwarded)) {
        check_hops(fields->standard, &forwarded);
        by_standard = walk(trusted, &forwarded, peer);
    }
    if (fields->list) {
        forwarded_read_list(fields->list, &forwarded);
        check_hops(fields->list, &forwarded);
        check_as_standard(&forwarded);
        by_list = walk(trusted, &forwarded, peer);
    }
    if (fields->standard && fields->list && !client_is_same(&by_standard, &by_list))
        return peer;
    return fields->list ? by_list : by_standard;
}

static void check_client(const struct trusted *trusted, const char *peer_text, const struct fields *fields)
{
    struct fuzz_exchange bare;
    struct client_address peer = {.is_unix = true}, found;
    (void)client_parse(span_of(peer_text), &peer);
    check_address(&peer);
    struct client_address client = expected(trusted, fields, peer);
    fuzz_exchange_begin(&bare, "GET", "/");
    bare.request.client = peer_text;
    bare.request.headers[HEADER_FORWARDED] = fields->standard;
    bare.request.headers[HEADER_X_FORWARDED_FOR] = fields->list;
    bare.api.proxies = client_networks_create((const char *const *)trusted->texts, &bare.api.proxy_count);
    FUZZ_CHECK(bare.api.proxy_count == trusted->count);
    client_note(&bare.exchange);
    found = client_address(&bare.exchange);
    check_address(&found);
    if (is_trusted(trusted, &peer))
        FUZZ_CHECK(bare.response.client && client_is_same(&found, &client));
    else
        FUZZ_CHECK(!bare.response.client && client_is_same(&found, &peer));
    free(bare.api.proxies);
    fuzz_exchange_end(&bare);
}

void fuzz_client(const uint8_t *data, size_t size)
{
    struct text_span input = {(const char *)data, size};
    struct trusted trusted;
    read_trusted(fuzz_take_line(&input), &trusted);
    char *peer = fuzz_copy(fuzz_take_line(&input));
    char *standard = fuzz_copy(fuzz_take_line(&input));
    char *list = fuzz_copy(fuzz_take_line(&input));
    check_client(&trusted, peer, &(struct fields){*standard ? standard : NULL, *list ? list : NULL});
    check_client(&trusted, "127.0.0.1", &(struct fields){standard, NULL});
    free(list);
    free(standard);
    free(peer);
    for (size_t i = 0; i < trusted.count; i++)
        free(trusted.texts[i]);
}
