#include "tests/games/intake_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool note_end(struct pgn_intake_hooks *hooks)
{
    struct intake_scene *scene = hooks->owner;
    scene->games++;
    return scene->games != scene->stop_after;
}

static bool note_text_fault(struct pgn_intake_hooks *hooks, const struct pgn_fault *fault)
{
    struct intake_scene *scene = hooks->owner;
    scene->text_fault = *fault;
    scene->text_faults++;
    return true;
}

void intake_scene_take(struct intake_scene *scene, const char *pgn)
{
    const struct pgn_options options = {.variations = true};
    scene->hooks = (struct pgn_intake_hooks){
        .intake = &scene->intake, .owner = scene, .ended = note_end, .fault = note_text_fault};
    const struct pgn_handler handler = pgn_intake_handler(&scene->hooks);
    scene->games = 0;
    pgn_reader_init(&scene->reader, &handler, &options);
    if (pgn_read(&scene->reader, pgn, strlen(pgn)))
        (void)pgn_read_end(&scene->reader);
    assert_false(scene->intake.failed);
}

/* The intake of the create under way. */
static struct pgn_intake *judged;

static void judge(struct action *action, const struct game *game)
{
    pgn_intake_judge(judged, action, game);
}

const struct game *intake_scene_create(struct intake_scene *scene, const struct game_rules *rules)
{
    struct deed *deed = club_deed(scene->club, ACTION_CREATE, NULL);
    pgn_intake_create(&scene->intake, &deed->action.create);
    deed->action.create.recorded = scene->intake.result;
    if (rules)
        deed->action.create.rules = *rules;
    scene->deed = deed;
    judged = &scene->intake;
    deed->action.render = judge;
    (void)deed_start(deed);
    enum action_outcome outcome = deed_await(deed);
    return outcome == ACTION_DONE ? club_view(scene->club, deed->action.id) : NULL;
}

int intake_scene_set_up(void **state)
{
    struct intake_scene *scene = calloc(1, sizeof *scene);
    if (!scene)
        return -1;
    scene->club = club_open(NULL);
    *state = scene;
    return 0;
}

int intake_scene_tear_down(void **state)
{
    struct intake_scene *scene = *state;
    club_close(scene->club);
    pgn_intake_finish(&scene->intake);
    free(scene);
    return 0;
}

const struct pgn_fault *intake_scene_fault(const struct intake_scene *scene)
{
    assert_int_equal(scene->intake.fault_count, 1);
    return &scene->intake.faults[0];
}
