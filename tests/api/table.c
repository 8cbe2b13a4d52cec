#include "tests/api/table.h"

#include <stdio.h>

void table_bear(char bearer[TABLE_BEARER_SIZE], const char *token)
{
    (void)snprintf(bearer, TABLE_BEARER_SIZE, "Bearer %s", token);
}

struct table table_new(struct client *client, const char *json)
{
    struct table table = {.client = client};
    const struct answer *answer = match_send(client, "POST", "/v1/games", json);
    assert_status(answer, 201);
    table.id = answer_text(answer, "id");
    table_bear(table.white, answer_text(answer, "tokens.white"));
    table_bear(table.black, answer_text(answer, "tokens.black"));
    table_bear(table.spectator, answer_text(answer, "tokens.spectator"));
    table_bear(table.creator, answer_text(answer, "tokens.creator"));
    return table;
}

struct table table_usual(struct client *client)
{
    return table_new(client, "{\"access\":\"seats\"}");
}

const struct answer *table_act(const struct table *table, const char *bearer, const char *rest,
                               const char *json)
{
    return match_send_with(table->client, "POST", match_path(table->id, rest), json,
                           bearer ? "Authorization" : "X-Nothing", bearer ? bearer : "");
}

const struct answer *table_get(const struct table *table, const char *bearer, const char *rest)
{
    return match_ask_with(table->client, "GET", match_path(table->id, rest),
                          bearer ? "Authorization" : "X-Nothing", bearer ? bearer : "");
}
