#include "tests/api/match.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void assert_status(const struct answer *answer, unsigned status)
{
    if (answer->status != status)
        fail_msg("expected %u, got %u: %s", status, answer->status, answer->body);
}

void assert_json(const struct answer *answer, const char *path, const char *json)
{
    char *got = cJSON_PrintUnformatted(answer_at(answer, path));
    if (!got || strcmp(got, json) != 0)
        fail_msg("%s: expected %s, got %s in %u %s", path, json, got ? got : "nothing", answer->status,
                 answer->body);
    cJSON_free(got);
}

static void assert_no_others(const struct answer *answer, const char *path, const struct member *members,
                             size_t count)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, answer_at(answer, path))
    {
        size_t i = 0;
        while (i < count && strcmp(members[i].name, item->string) != 0)
            i++;
        if (i == count)
            fail_msg("%s has a member %s that no test knows", path, item->string);
    }
}

void assert_members(const struct answer *answer, const char *path, const struct member *members, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char member[128];
        (void)snprintf(member, sizeof member, "%s%s%s", path, *path ? "." : "", members[i].name);
        if (!answer_has(answer, member))
            fail_msg("%s is missing in %u %s", member, answer->status, answer->body);
        if (members[i].json)
            assert_json(answer, member, members[i].json);
    }
    assert_no_others(answer, path, members, count);
}

const char *match_path(const char *id, const char *rest)
{
    enum { BUFFERS = 8, SIZE = 512 };
    static _Thread_local char buffers[BUFFERS][SIZE];
    static _Thread_local unsigned next;
    char *buffer = buffers[next++ % BUFFERS];
    int length = snprintf(buffer, SIZE, "/v1/games/%s%s", id, rest);
    assert_true(length > 0 && length < SIZE);
    return buffer;
}

const struct answer *match_send_with(struct client *client, const char *method, const char *target,
                                     const char *json, const char *name, const char *value)
{
    struct call call = {.method = method, .target = target, .body = json, .scope = REQUEST_SCOPE_LOOPBACK};
    unsigned count = 0;
    call.headers[count++] = (struct response_header){"Accept", "*/*"};
    if (json)
        call.headers[count++] = (struct response_header){"Content-Type", "application/json"};
    if (name && strcmp(name, "Accept") == 0)
        call.headers[0].value = value;
    else if (name)
        call.headers[count++] = (struct response_header){name, value};
    return client_send(client, &call);
}

const struct answer *match_send(struct client *client, const char *method, const char *target,
                                const char *json)
{
    return match_send_with(client, method, target, json, NULL, NULL);
}

const struct answer *match_ask(struct client *client, const char *method, const char *target)
{
    return match_send_with(client, method, target, NULL, NULL, NULL);
}

const struct answer *match_ask_with(struct client *client, const char *method, const char *target,
                                    const char *name, const char *value)
{
    return match_send_with(client, method, target, NULL, name, value);
}

const struct answer *match_post(struct client *client, const char *id, const char *rest, const char *json)
{
    return match_send(client, "POST", match_path(id, rest), json);
}

const struct answer *match_get(struct client *client, const char *id, const char *rest)
{
    return client_get(client, match_path(id, rest));
}

const char *match_text(struct client *client, const char *id, const char *rest)
{
    const struct answer *answer = client_get_as(client, match_path(id, rest), "text/plain");
    assert_status(answer, 200);
    assert_string_equal(answer_header(answer, "Content-Type"), "text/plain; charset=utf-8");
    return answer->body;
}

static const char *id_of(const struct answer *answer)
{
    assert_status(answer, 201);
    return answer_text(answer, "id");
}

const char *match_new(struct client *client)
{
    return id_of(client_act(client, "/v1/games"));
}

const char *match_new_json(struct client *client, const char *json)
{
    return id_of(match_send(client, "POST", "/v1/games", json));
}

const char *match_new_fen(struct client *client, const char *fen)
{
    return id_of(client_post(client, "/v1/games", "text/plain", fen));
}

void match_moves_json(const char *moves, char *json, size_t size)
{
    size_t put = 0;
    json[put++] = '[';
    while (*(moves += strspn(moves, " "))) {
        size_t length = strcspn(moves, " ");
        assert_true(put + length + 4 < size);
        int written = snprintf(json + put, size - put, "%s\"%.*s\"", put > 1 ? "," : "", (int)length, moves);
        put += (size_t)written;
        moves += length;
    }
    json[put++] = ']';
    json[put] = '\0';
}

const struct answer *match_play(struct client *client, const char *id, const char *moves)
{
    static _Thread_local char list[16384], body[16500];
    match_moves_json(moves, list, sizeof list);
    (void)snprintf(body, sizeof body, "{\"moves\":%s}", list);
    const struct answer *answer = match_post(client, id, "/moves", body);
    assert_status(answer, 201);
    return answer;
}

void assert_match_at(struct client *client, const char *id, int version, int ply)
{
    const struct answer *answer = match_get(client, id, "/status");
    assert_status(answer, 200);
    if (answer_integer(answer, "version") != version || answer_integer(answer, "ply") != ply)
        fail_msg("expected version %d, ply %d: %s", version, ply, answer->body);
}
