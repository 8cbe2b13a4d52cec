#include "api/client.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "api/exchange.h"
#include "api/forwarded.h"

static const uint8_t IPV4_PREFIX[CLIENT_IPV4_BITS / 8] = {[10] = 0xff, [11] = 0xff};

enum { SITE_BYTES = 8 };

static bool is_ipv4(const struct client_address *address)
{
    return memcmp(address->bytes, IPV4_PREFIX, sizeof IPV4_PREFIX) == 0;
}

struct client_address client_site(const struct client_address *address)
{
    struct client_address site = *address;
    if (!is_ipv4(address))
        memset(site.bytes + SITE_BYTES, 0, CLIENT_ADDRESS_SIZE - SITE_BYTES);
    return site;
}

bool client_is_same(const struct client_address *a, const struct client_address *b)
{
    return a->is_unix == b->is_unix && memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

bool client_parse(struct text_span text, struct client_address *address)
{
    char digits[CLIENT_TEXT_SIZE];
    struct client_address read = {0};
    if (text.length >= sizeof digits)
        return false;
    memcpy(digits, text.text, text.length);
    digits[text.length] = '\0';
    if (inet_pton(AF_INET, digits, read.bytes + sizeof IPV4_PREFIX) == 1)
        memcpy(read.bytes, IPV4_PREFIX, sizeof IPV4_PREFIX);
    else if (inet_pton(AF_INET6, digits, read.bytes) != 1)
        read.is_unix = true;
    if (read.is_unix && strcmp(digits, "unix") != 0)
        return false;
    *address = read;
    return true;
}

void client_format(const struct client_address *address, char text[CLIENT_TEXT_SIZE])
{
    bool is_short = is_ipv4(address);
    if (address->is_unix)
        memcpy(text, "unix", sizeof "unix");
    else
        (void)inet_ntop(is_short ? AF_INET : AF_INET6, address->bytes + (is_short ? sizeof IPV4_PREFIX : 0),
                        text, CLIENT_TEXT_SIZE);
}

bool client_is_local(const struct client_address *address)
{
    static const uint8_t loopback[CLIENT_ADDRESS_SIZE] = {[CLIENT_ADDRESS_SIZE - 1] = 1};
    if (is_ipv4(address))
        return address->bytes[sizeof IPV4_PREFIX] == 127;
    return address->is_unix || memcmp(address->bytes, loopback, sizeof loopback) == 0;
}

/* ---- networks ------------------------------------------------------------------------------------------- */

static bool read_bits(const char *text, unsigned most, unsigned *bits)
{
    size_t length = strspn(text, "0123456789");
    if (length == 0 || length > 3 || text[length])
        return false;
    *bits = (unsigned)strtoul(text, NULL, 10);
    return *bits <= most;
}

bool client_network_parse(const char *text, struct client_network *network)
{
    size_t length = strcspn(text, "/");
    struct client_network read = {.bits = 8 * CLIENT_ADDRESS_SIZE};
    if (!client_parse((struct text_span){text, length}, &read.address))
        return false;
    if (text[length] == '/') {
        /* Bits count in the form that is written: ::ffff:10.0.0.0/104 is 10.0.0.0/8. */
        unsigned before = memchr(text, ':', length) ? 0 : CLIENT_IPV4_BITS;
        if (read.address.is_unix || !read_bits(text + length + 1, read.bits - before, &read.bits))
            return false;
        read.bits += before;
    }
    *network = read;
    return true;
}

bool client_is_network(const char *text)
{
    struct client_network network;
    return client_network_parse(text, &network);
}

struct client_network *client_networks_create(const char *const *texts, size_t *count)
{
    size_t room = 0;
    *count = 0;
    while (texts && texts[room])
        room++;
    struct client_network *networks = room ? calloc(room, sizeof *networks) : NULL;
    while (networks && *count < room && client_network_parse(texts[*count], &networks[*count]))
        ++*count;
    return networks;
}

static bool is_in(const struct client_network *network, const struct client_address *address)
{
    unsigned bytes = network->bits / 8, rest = network->bits % 8;
    if (network->address.is_unix != address->is_unix ||
        memcmp(network->address.bytes, address->bytes, bytes) != 0)
        return false;
    return rest == 0 || (network->address.bytes[bytes] ^ address->bytes[bytes]) >> (8 - rest) == 0;
}

static bool is_trusted(const struct api *api, const struct client_address *address)
{
    for (size_t i = 0; i < api->proxy_count; i++)
        if (is_in(&api->proxies[i], address))
            return true;
    return false;
}

/* ---- who forwarded a request ------------------------------------------------------------------------------ */

/* From the nearest proxy back: each is believed as far as it is trusted itself. */
static struct client_address walk(const struct api *api, const struct forwarded *forwarded,
                                  struct client_address peer)
{
    struct client_address client = peer;
    for (size_t i = forwarded->count; i-- > 0;) {
        if (!client_parse(forwarded_address(forwarded->hops[i]), &client) || !is_trusted(api, &client))
            break;
    }
    return client;
}

static struct client_address find(const struct exchange *exchange, struct client_address peer)
{
    const char *standard = exchange_header(exchange, HEADER_FORWARDED);
    const char *list = exchange_header(exchange, HEADER_X_FORWARDED_FOR);
    struct client_address by_standard = peer, by_list = peer;
    struct forwarded forwarded;
    if (standard && forwarded_read(standard, &forwarded))
        by_standard = walk(exchange->api, &forwarded, peer);
    if (list) {
        forwarded_read_list(list, &forwarded);
        by_list = walk(exchange->api, &forwarded, peer);
    }
    if (!standard || !list)
        return standard ? by_standard : by_list;
    return client_is_same(&by_standard, &by_list) ? by_list : peer;
}

static struct client_address parse_or_unix(const char *text)
{
    struct client_address address = {.is_unix = true};
    if (text)
        (void)client_parse((struct text_span){text, strlen(text)}, &address);
    return address;
}

void client_note(struct exchange *exchange)
{
    if (exchange->api->proxy_count == 0)
        return;
    struct client_address peer = parse_or_unix(exchange->request->client);
    if (!is_trusted(exchange->api, &peer))
        return;
    struct client_address client = find(exchange, peer);
    char text[CLIENT_TEXT_SIZE];
    client_format(&client, text);
    exchange->response->client = arena_copy(exchange->arena, text, strlen(text));
}

struct client_address client_address(const struct exchange *exchange)
{
    const char *found = exchange->response->client;
    return parse_or_unix(found ? found : exchange->request->client);
}

bool client_is_limited(const struct exchange *exchange, enum api_client_limits setting,
                       const struct client_address *client)
{
    if (setting != API_CLIENT_LIMITS_AUTO)
        return setting == API_CLIENT_LIMITS_ON;
    return exchange->api->proxy_count > 0 || !client_is_local(client);
}

bool client_is_exempt(const struct exchange *exchange, enum api_client_limits setting)
{
    const char *peer = exchange->request->client;
    bool is_local = !peer || strncmp(peer, "127.", 4) == 0 || strcmp(peer, "unix") == 0;
    return setting == API_CLIENT_LIMITS_AUTO && exchange->api->proxy_count == 0 && is_local;
}
