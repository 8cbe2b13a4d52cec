/* intake_scene: a text of PGN, read game by game into one intake. */
#pragma once

#include "games/pgn_intake.h"
#include "tests/support/games_club.h"

struct intake_scene {
    struct club *club;
    struct pgn_intake intake;
    struct pgn_intake_hooks hooks;
    struct pgn_reader reader;
    unsigned games;      /* that have ended */
    unsigned stop_after; /* so many; 0: never */
    struct pgn_fault text_fault;
    unsigned text_faults;
    struct deed *deed; /* of the last create */
};

int intake_scene_set_up(void **state);
int intake_scene_tear_down(void **state);

void intake_scene_take(struct intake_scene *scene, const char *pgn);
/* Creates what was taken by the rules given, NULL: the usual ones, the result recorded. NULL: it was refused. */
const struct game *intake_scene_create(struct intake_scene *scene, const struct game_rules *rules);
/* The only fault there is. */
const struct pgn_fault *intake_scene_fault(const struct intake_scene *scene);
