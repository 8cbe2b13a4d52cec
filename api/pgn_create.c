#include "api/pgn_create.h"

#include "api/pgn_input.h"
#include "api/problem.h"
#include "games/pgn_intake.h"

/* A create from a PGN under way; in the arena, which frees what the intake holds. */
struct pgn_create {
    struct exchange *exchange;
    struct pgn_intake intake;
    struct pgn_intake_hooks hooks;
    const char *pointer;
    bool taken, several;
    bool refused; /* a problem was sent */
};

/* ---- refusals ---------------------------------------------------------------------------------------- */

struct faults {
    const struct pgn_fault *first;
    size_t count;
};

static void write_faults(struct writer *json, const void *context)
{
    const struct faults *faults = context;
    view_pgn_faults(json, "faults", faults->first, faults->count);
}

static void refuse(struct pgn_create *create, const struct faults *faults)
{
    struct exchange *exchange = create->exchange;
    struct problem problem = {
        .code = PROBLEM_INVALID_PGN,
        .detail = pgn_input_detail(exchange, pgn_input_worst(faults->first, faults->count)),
        .pointer = create->pointer,
        .members = write_faults,
        .context = faults,
    };
    create->refused = true;
    problem_send(exchange, &problem);
}

static void refuse_several(struct pgn_create *create)
{
    struct problem problem = {
        .code = PROBLEM_INVALID_PGN,
        .detail = "There are several games in this PGN: POST /v1/pgn/import takes all of them.",
        .pointer = create->pointer,
    };
    create->refused = true;
    problem_send(create->exchange, &problem);
}

/* ---- reading ----------------------------------------------------------------------------------------- */

static bool begun(struct pgn_intake_hooks *hooks, const struct pgn_place *place)
{
    struct pgn_create *create = hooks->owner;
    (void)place;
    create->several = create->taken;
    return !create->several;
}

static bool ended(struct pgn_intake_hooks *hooks)
{
    struct pgn_create *create = hooks->owner;
    create->taken = true;
    return true;
}

static bool take_text_fault(struct pgn_intake_hooks *hooks, const struct pgn_fault *fault)
{
    refuse(hooks->owner, &(struct faults){fault, 1});
    return true;
}

/* False: memory is out. */
static bool read_text(struct pgn_create *create, const struct pgn_source *source)
{
    struct pgn_reader *reader = arena_alloc(create->exchange->arena, sizeof *reader);
    if (!reader)
        return false;
    create->hooks = (struct pgn_intake_hooks){
        .intake = &create->intake, .owner = create, .begun = begun, .ended = ended, .fault = take_text_fault};
    const struct pgn_handler handler = pgn_intake_handler(&create->hooks);
    const struct pgn_options options = {.chess960 = source->chess960};
    pgn_reader_init(reader, &handler, &options);
    if (pgn_read(reader, source->text, source->length))
        (void)pgn_read_end(reader);
    return !create->intake.failed;
}

/* False: the response is a problem. */
static bool is_one_good_game(struct pgn_create *create)
{
    const struct pgn_intake *intake = &create->intake;
    if (create->refused)
        return false;
    if (!intake->good)
        refuse(create, &(struct faults){intake->faults, intake->fault_count});
    else if (create->several)
        refuse_several(create);
    return !create->refused;
}

/* ---- the action -------------------------------------------------------------------------------------- */

static bool refuse_by_rules(struct act *act, const struct game *game)
{
    struct pgn_create *create = act->belongings;
    pgn_intake_judge(&create->intake, &act->action, game);
    if (create->intake.good)
        return false;
    refuse(create, &(struct faults){create->intake.faults, create->intake.fault_count});
    return true;
}

static void release(void *held)
{
    pgn_intake_finish(held);
}

bool pgn_create_read(struct exchange *exchange, const struct pgn_source *source, struct act *act)
{
    struct pgn_create *create = arena_zalloc(exchange->arena, sizeof *create);
    if (!create || !arena_hold(exchange->arena, release, &create->intake))
        return problem_no_memory(exchange);
    create->exchange = exchange;
    create->pointer = source->pointer;
    if (!read_text(create, source))
        return problem_no_memory(exchange);
    if (!is_one_good_game(create))
        return false;
    pgn_intake_create(&create->intake, &act->action.create);
    act->belongings = create;
    act->refuse = refuse_by_rules;
    return true;
}
