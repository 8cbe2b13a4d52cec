#include "tests/games/neighbours.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/live.h"

enum { NEIGHBOURS_MAX = 12 };

struct street {
    char ids[NEIGHBOURS_MAX][GAME_ID_SIZE];
    unsigned count;
};

static unsigned shard_of(const char *id)
{
    static struct registry registry; /* only its addresses count */
    return (unsigned)(registry_shard(&registry, id) - registry.shards);
}

static void create_quietly(struct club *club, const struct time_control *control, char id[GAME_ID_SIZE])
{
    struct deed *deed = deed_create(club, ACTION_CREATE, NULL);
    assert_non_null(deed);
    deed->action.create.control = control;
    (void)deed_start(deed);
    assert_int_equal(deed_await(deed), ACTION_DONE);
    memcpy(id, deed->action.id, GAME_ID_SIZE);
    deed_destroy(deed);
}

void neighbours_create(struct club *club, const struct time_control *control, char ids[][GAME_ID_SIZE],
                       unsigned count)
{
    struct street *streets = calloc(REGISTRY_SHARDS, sizeof *streets);
    assert_true(streets && count <= NEIGHBOURS_MAX);
    struct street *street;
    do {
        char id[GAME_ID_SIZE];
        create_quietly(club, control, id);
        street = &streets[shard_of(id)];
        memcpy(street->ids[street->count++], id, GAME_ID_SIZE);
    } while (street->count < count);
    memcpy(ids, street->ids, count * sizeof *ids);
    free(streets);
}

void neighbours_beside(struct club *club, const char *id, char other[GAME_ID_SIZE])
{
    do
        create_quietly(club, NULL, other);
    while (shard_of(other) != shard_of(id));
}
