#include "games/events.h"

#include <stdlib.h>
#include <string.h>

#include "games/payload.h"

static const char *const kind_names[EVENT_KIND_COUNT] = {
    [EVENT_SNAPSHOT] = "snapshot",
    [EVENT_MOVE_PLAYED] = "move.played",
    [EVENT_DRAW_OFFERED] = "draw.offered",
    [EVENT_DRAW_DECLINED] = "draw.declined",
    [EVENT_CLAIM_REFUSED] = "draw.claim_refused",
    [EVENT_TAKEBACK_OFFERED] = "takeback.offered",
    [EVENT_TAKEBACK_DECLINED] = "takeback.declined",
    [EVENT_POSITION_REWOUND] = "position.rewound",
    [EVENT_CLOCK_UPDATED] = "clock.updated",
    [EVENT_SEAT_CHANGED] = "seat.changed",
    [EVENT_PRESENCE_CHANGED] = "presence.changed",
    [EVENT_GAME_UPDATED] = "game.updated",
    [EVENT_GAME_DELETED] = "game.deleted",
    [EVENT_GAME_ENDED] = "game.ended",
};

const char *event_kind_name(enum event_kind kind)
{
    return kind_names[kind];
}

static const enum event_kind kinds_of_rows[ROW_KIND_COUNT] = {
#define ROW_KIND_EVENT(name, word, event, apply, begins) [ROW_##name] = (event),
    ROW_KINDS(ROW_KIND_EVENT)
#undef ROW_KIND_EVENT
};

/* 7.5.5: the second illegal move ends the game. */
static enum event_kind kind_of(const struct storage_action *row, enum row_kind kind)
{
    bool ends = kind == ROW_ILLEGAL_MOVE && payload_has(row->payload, "end");
    return ends ? EVENT_GAME_ENDED : kinds_of_rows[kind];
}

static void read_words(struct game_event *event, const char *payload)
{
    char word[PAYLOAD_WORD_SIZE];
    if (payload_word(payload, "to", word) && game_seat_parse(word, &event->given_to))
        (void)payload_number(payload, "ms", &event->given_ms);
    if (payload_word(payload, "role", word))
        (void)game_role_parse(word, &event->role);
    if (event->kind != EVENT_CLAIM_REFUSED)
        return;
    event->stands_as_offer = !payload_has(payload, "no_offer");
    if (payload_word(payload, "claim", word))
        (void)game_claim_parse(word, &event->claim);
    if (payload_word(payload, "move", word))
        memcpy(event->move, word, strnlen(word, sizeof event->move - 1));
}

static bool read_texts(struct game_event *event, const char *payload)
{
    const struct {
        enum event_kind kind;
        const char *key;
        char **text;
    } texts[] = {
        {EVENT_GAME_UPDATED, "white", &event->white_name},
        {EVENT_GAME_UPDATED, "black", &event->black_name},
        {EVENT_GAME_UPDATED, "metadata", &event->metadata},
        {EVENT_GAME_UPDATED, "visibility", &event->visibility},
        {EVENT_SEAT_CHANGED, "name", &event->name},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].kind == event->kind && !payload_text(payload, texts[i].key, texts[i].text))
            return false;
    return true;
}

bool event_read(struct game_event *event, const struct storage_action *row)
{
    enum row_kind kind = row_kind_find(row->kind);
    if (kind == ROW_NONE)
        return false;
    *event = (struct game_event){
        .kind = kind_of(row, kind), .version = row->version, .at_ms = row->at_ms, .row = kind};
    if (row->seat)
        (void)game_seat_parse(row->seat, &event->seat);
    read_words(event, row->payload);
    if (read_texts(event, row->payload))
        return true;
    event_finish(event);
    return false;
}

void event_finish(struct game_event *event)
{
    free(event->white_name);
    free(event->black_name);
    free(event->metadata);
    free(event->visibility);
    free(event->name);
    *event = (struct game_event){0};
}

struct event_text *event_text_create(const struct game_event *event, bool ends, const char *text,
                                     size_t length)
{
    struct event_text *made = malloc(sizeof *made + length);
    if (!made)
        return NULL;
    atomic_init(&made->references, 1);
    made->version = event->version;
    made->kind = event->kind;
    made->ends = ends;
    made->length = length;
    memcpy(made->json, text, length);
    return made;
}

void event_text_release(struct event_text *text)
{
    if (text && atomic_fetch_sub(&text->references, 1) == 1)
        free(text);
}
