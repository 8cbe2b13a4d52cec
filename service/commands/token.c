#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/games.h"
#include "games/secret.h"
#include "service/commands/commands.h"
#include "service/operators.h"
#include "service/settings.h"
#include "service/store_open.h"

enum { MEMORY_BYTES = 1 << 20 };

static const char HELP[] =
    "Usage: arbiterd token GAME ROLE\n"
    "       arbiterd token --operator NAME\n"
    "\n"
    "The first replaces a token of a game, which was lost: ROLE is white, black, spectator or\n"
    "creator. The new token is printed, and the old one dies. The service must not run on the\n"
    "same store meanwhile; while it runs, POST /v1/games/GAME/tokens does the same.\n"
    "\n"
    "The second makes a key for an operator of the service. The first line is the key, which is\n"
    "kept nowhere; the second one is for the file that --operator-keys names.\n"
    "\n"
    "Where games are kept (--db) is set as for `arbiterd serve`; the store has to be there.\n"
    "\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the store is no store of games, 4 another process\n"
    "holds it.\n";

static enum exit_code fail(const char *reason)
{
    (void)fprintf(stderr, "arbiterd: %s\n", reason);
    return EXIT_FAILED;
}

/* ---- keys of operators --------------------------------------------------------------------------------- */

static enum exit_code make_key(const char *name)
{
    char key[SECRET_TOKEN_SIZE], hex[SECRET_HEX_SIZE];
    uint8_t digest[SECRET_DIGEST_SIZE];
    if (!operators_is_name(name, strlen(name)))
        return command_usage("token", "a name has 1 to 64 visible characters, and no #");
    if (!secret_init())
        return fail("the system has no random bytes");
    secret_make_token(SECRET_OPERATOR, key);
    secret_digest(key, SECRET_TOKEN_LENGTH, digest);
    secret_format_hex(digest, hex);
    (void)printf("%s\n%s %s\n", key, name, hex);
    secret_forget(key, sizeof key);
    return EXIT_DONE;
}

/* ---- tokens of games ----------------------------------------------------------------------------------- */

static void suspend(struct action *action)
{
    (void)action;
}

static void done(struct action *action)
{
    (void)sem_post(action->owner);
}

static const char *why_not(enum games_status status, enum action_outcome outcome)
{
    if (status == GAMES_NOT_FOUND)
        return "there is no such game";
    if (status == GAMES_DAMAGED)
        return "the stored moves of this game do not add up";
    if (status == GAMES_OK && outcome == ACTION_FORBIDDEN_BY_RULES)
        return "the game is open: it has no tokens";
    return "the store has failed; nothing was changed";
}

/* It is told once, and nobody else has it. */
static enum exit_code tell_token(const char *token)
{
    if (puts(token) >= 0 && fflush(stdout) == 0)
        return EXIT_DONE;
    return fail("the new token could not be written, and the old one is dead: make another");
}

static enum exit_code renew(struct games *games, const char *id, enum game_role role)
{
    struct action action;
    sem_t over;
    (void)sem_init(&over, 0, 0);
    action_init(&action, ACTION_RENEW_TOKEN);
    (void)snprintf(action.id, sizeof action.id, "%s", id);
    action.renewed = role;
    action.caller.is_operator = true;
    action.may_block = true;
    action.suspend = suspend;
    action.done = done;
    action.owner = &over;
    enum games_status status = games_act(games, &action);
    while (status == GAMES_PENDING && sem_wait(&over) != 0) { /* interrupted */
    }
    status = status == GAMES_PENDING ? GAMES_OK : status;
    bool good = status == GAMES_OK && action.outcome == ACTION_DONE;
    enum exit_code code =
        good ? tell_token(action.tokens[role - ROLE_WHITE]) : fail(why_not(status, action.outcome));
    action_finish(&action);
    (void)sem_destroy(&over);
    return code;
}

static enum exit_code with_store(const struct options_values *values, const char *id, enum game_role role)
{
    struct storage *storage = NULL;
    const struct storage_options options = {
        .synchronous_normal = values->synchronous == OPTIONS_SYNCHRONOUS_NORMAL, .must_exist = true};
    struct games_settings settings = games_settings_usual(MEMORY_BYTES);
    settings.plies_limit = (uint32_t)values->limits.plies;
    enum exit_code code = store_open_told(values->db, &options, &storage);
    if (code != EXIT_DONE)
        return code;
    struct games *games = games_create(storage, &settings);
    code = games ? renew(games, id, role) : fail(games_create_failure(storage));
    games_destroy(games);
    storage_close(storage);
    return code;
}

static enum exit_code renew_token(const char *const *operands, const struct options_values *values)
{
    if (!operands[0] || !operands[1] || operands[2])
        return command_usage("token", "token needs GAME and ROLE, or --operator NAME");
    if (!game_id_is_valid(operands[0], strlen(operands[0])))
        return command_usage("token", "the id of a game has 12 letters and digits");
    enum game_role role;
    if (!game_role_parse(operands[1], &role))
        return command_usage("token", "ROLE is white, black, spectator or creator");
    return with_store(values, operands[0], role);
}

/* ---- the command --------------------------------------------------------------------------------------- */

enum exit_code command_token(char *const *arguments)
{
    bool help = false, for_operator = false;
    const char *name = NULL;
    const char **operands = settings_operands(arguments);
    if (!operands)
        return EXIT_FAILED;
    const struct settings_switch switches[] = {
        {.name = "--help", .is_given = &help},
        {.name = "--operator", .is_given = &for_operator, .argument = &name},
        {.name = "", .argument = operands},
        {.name = NULL}};
    struct options *options = NULL;
    enum exit_code code = settings_read("token", arguments, switches, &options);
    if (code == EXIT_DONE && help)
        (void)fputs(HELP, stdout);
    else if (code == EXIT_DONE && for_operator)
        code =
            name && !operands[0] ? make_key(name) : command_usage("token", "--operator needs a NAME alone");
    else if (code == EXIT_DONE)
        code = renew_token(operands, options_values(options));
    options_destroy(options);
    free((void *)operands);
    return code;
}
