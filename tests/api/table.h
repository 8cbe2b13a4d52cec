/* table: a game with seats over the api, and who may ask.
 *
 *     struct table table = table_usual(client);
 *     assert_status(table_act(&table, table.white, "/moves", "{\"move\":\"e4\"}"), 201);
 */
#pragma once

#include "tests/api/match.h"

enum { TABLE_BEARER_SIZE = 64 };

/* What goes into Authorization for each of its tokens. The id lives as long as the client. */
struct table {
    struct client *client;
    const char *id;
    char white[TABLE_BEARER_SIZE], black[TABLE_BEARER_SIZE], spectator[TABLE_BEARER_SIZE],
        creator[TABLE_BEARER_SIZE];
};

void table_bear(char bearer[TABLE_BEARER_SIZE], const char *token);
/* Of a game that this JSON makes, which has to say that there are seats. */
struct table table_new(struct client *client, const char *json);
struct table table_usual(struct client *client);

/* `rest` is what follows the game in the path; `bearer` NULL: without a token. */
const struct answer *table_act(const struct table *table, const char *bearer, const char *rest,
                               const char *json);
const struct answer *table_get(const struct table *table, const char *bearer, const char *rest);
