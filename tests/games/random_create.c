#include <string.h>

#include "rules/chess960.h"
#include "rules/fen.h"
#include "tests/games/random_controls.h"

enum { CONTROL_MOST_MS = 20000, CONTROL_MOST_MOVES = 6 };

static const char *const starts[] = {
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k3/8/8/8/8/8/8/R3K3 w - - 96 80",
    "4k3/8/8/8/8/8/8/R3K3 w - - 146 120",
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 147 120",
    "8/8/8/4k3/3P4/8/8/4K3 b - - 0 1",
    "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
    "4k3/1p1p1p1p/8/P1P1P1P1/8/8/8/4K3 b - - 5 9",
    "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1",
    "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
    "k7/8/1K6/8/8/8/8/7R w - - 99 99",
};

static void random_ends(struct random *random, struct game_rules *rules)
{
    rules->fivefold = random_chance(random, 50);
    rules->seventyfive = random_chance(random, 50);
    rules->failed_claim = (uint8_t)random_below(random, FAILED_CLAIM_COUNT);
    rules->auto_claim = (uint8_t)(random_below(random, 4) << CLAIM_THREEFOLD);
    rules->dead = (uint8_t)random_below(random, ENDING_DEAD_COUNT);
    rules->move_limit = (uint16_t)random_below(random, 12);
}

static struct game_rules random_rules(struct random *random)
{
    struct game_rules rules = game_rules_default(random_chance(random, 30) ? PROFILE_ONLINE : PROFILE_FIDE);
    if (random_chance(random, 30))
        random_ends(random, &rules);
    if (random_chance(random, 30))
        rules.draw_offers = (uint8_t)random_below(random, DRAW_OFFERS_COUNT);
    if (random_chance(random, 15))
        rules.draw_offers_from_move = (uint16_t)random_below(random, 6);
    if (random_chance(random, 50))
        rules.takeback = (uint8_t)random_below(random, TAKEBACK_COUNT);
    if (random_chance(random, 50))
        rules.claim_penalty_ms = random_below(random, 3) * 1000;
    if (random_chance(random, 20))
        rules.abandon_after_ms = 1 + random_below(random, 20000);
    return rules;
}

void random_create(struct random *random, struct deed *deed, struct random_start *start)
{
    struct action_create *create = &deed->action.create;
    unsigned kind = random_below(random, 5);
    struct setup_report report = {0};
    random->shuffles = random_chance(random, 20);
    if (kind == 0) {
        start->position = chess960_position(random_below(random, CHESS960_COUNT));
        create->start = &start->position;
    } else if (kind <= 2) {
        const char *fen = starts[random_below(random, sizeof starts / sizeof starts[0])];
        if (fen_parse(fen, strlen(fen), false, &start->position, &report))
            create->start = &start->position;
    }
    if (random_chance(random, 60)) {
        start->control = random_control(random, CONTROL_MOST_MS, CONTROL_MOST_MOVES);
        create->control = &start->control;
    }
    create->rules = random_rules(random);
    create->access = random_chance(random, 40) ? ACCESS_SEATS : ACCESS_OPEN;
    unsigned visibilities = create->access == ACCESS_SEATS ? VISIBILITY_COUNT : VISIBILITY_PRIVATE;
    create->visibility = (enum game_visibility)random_below(random, visibilities);
    create->texts = (struct game_texts){.white_name = random_text(random),
                                        .black_name = random_text(random),
                                        .metadata = random_text(random),
                                        .tags = random_chance(random, 20) ? "Event=Open\nSite=a\\nb\n" : NULL,
                                        .comment = random_text(random)};
    if (kind == 3)
        deed_set_moves(deed, random_chance(random, 50) ? "Nf3 Nf6 Ng1 Ng8" : "f3 e5 g4");
    if (random_chance(random, 3))
        create->recorded = (enum game_result)random_below(random, RESULT_COUNT);
}
