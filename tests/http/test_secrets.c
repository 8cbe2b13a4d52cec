/* The real daemon and every kind of token: of seats, spectators, the creator and operators, tickets, keys of repeated
 * requests. Once the answers have gone out none of them is in its memory, its log, its files, or in an answer that does not
 * tell it.
 *
 * The connection stays open: as it takes the next request, libmicrohttpd clears what it held of the one before. The head of
 * a connection's last request stays in memory that it has freed until somebody else is given that.
 *
 * SECRETS_ROUNDS: how often everything is done. */
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/http/valid.h"
#include "tests/support/daemon_fixture.h"
#include "tests/support/daemon_shell.h"

enum {
    LETTERS = 32, /* of a token, behind "cw_" */
    TELLING = 16, /* so many in a row give it away */
    SECRETS_MAX = 8192,
    USUAL_ROUNDS = 3,
    SEARCHED_ROUNDS = 10, /* the memory in one of so many */
    CHUNK = 1 << 20,
    PAGE = 4096,
};

#define KEY_BEGINNING "repeatable-by-a-client-" /* of all keys of tests/http/valid.c */

static char secrets[SECRETS_MAX][LETTERS + 1];
static size_t secret_count;
static char operator_token[VALID_NAME_SIZE];
static char logged[1 << 22];
static size_t logged_length;
static unsigned searches;

/* ---- looking for them -------------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '2' && c <= '7');
}

static size_t run_at(const char *bytes, size_t length)
{
    size_t run = 0;
    while (run < length && is_letter(bytes[run]))
        run++;
    return run;
}

/* A part of a secret among these letters, or NULL. */
static const char *secret_among(const char *letters, size_t length)
{
    for (size_t i = 0; i < secret_count; i++)
        for (size_t part = 0; part + TELLING <= LETTERS; part += TELLING)
            if (memmem(letters, length, secrets[i] + part, TELLING))
                return secrets[i];
    return NULL;
}

/* A secret in these bytes, or NULL. */
static const char *secret_in(const char *bytes, size_t length)
{
    for (size_t at = 0; at < length; at++) {
        size_t run = run_at(bytes + at, length - at);
        const char *found = run >= TELLING ? secret_among(bytes + at, run) : NULL;
        if (found)
            return found;
        at += run;
    }
    return memmem(bytes, length, KEY_BEGINNING, strlen(KEY_BEGINNING)) ? KEY_BEGINNING : NULL;
}

static void assert_clean(const char *place, const char *bytes, size_t length)
{
    const char *found = secret_in(bytes, length);
    if (found)
        fail_msg("%s holds %s", place, found);
}

static void keep(const char *letters)
{
    assert_true(secret_count < SECRETS_MAX);
    memcpy(secrets[secret_count++], letters, LETTERS);
}

/* ---- memory ------------------------------------------------------------------------------------------------ */

static bool reads_memory(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return false; /* a sanitizer keeps what was freed */
#else
    return true;
#endif
}

/* Most pages were never written. */
static void search_pages(const char *name, const char *bytes, size_t length)
{
    static const char nothing[PAGE];
    for (size_t at = 0, end; at < length; at = end) {
        end = at;
        while (end < length && length - end >= PAGE && memcmp(bytes + end, nothing, PAGE) != 0)
            end += PAGE;
        assert_clean(name, bytes + at, (length - end < PAGE ? length : end) - at);
        end += length - end < PAGE ? length - end : PAGE;
    }
}

/* What of the daemon's memory lies from `begin` to `end`. */
static size_t search_mapping(int memory, size_t begin, size_t end, const char *name)
{
    static char chunk[CHUNK];
    size_t read_bytes = 0;
    for (size_t at = begin; at < end;) {
        size_t wanted = end - at < CHUNK ? end - at : CHUNK;
        ssize_t got = pread(memory, chunk, wanted, (off_t)at);
        if (got <= 0)
            break;
        search_pages(name, chunk, (size_t)got);
        read_bytes += (size_t)got;
        /* a secret on the border of two chunks lies whole in the next one */
        at += (size_t)got > LETTERS && at + (size_t)got < end ? (size_t)got - LETTERS : (size_t)got;
    }
    return read_bytes;
}

static void search_memory(void)
{
    char path[64], line[512];
    size_t begin, end, sum = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/mem", (int)daemon_process.pid);
    int memory = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(memory >= 0);
    (void)snprintf(path, sizeof path, "/proc/%d/maps", (int)daemon_process.pid);
    FILE *maps = fopen(path, "re");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps)) {
        char rights[8];
        if (sscanf(line, "%zx-%zx %7s", &begin, &end, rights) == 3 && strncmp(rights, "rw", 2) == 0 &&
            !strstr(line, "[v"))
            sum += search_mapping(memory, begin, end, line);
    }
    (void)fclose(maps);
    (void)close(memory);
    assert_true(sum > CHUNK);
    searches++;
}

/* ---- the session ------------------------------------------------------------------------------------------- */

/* Tokens that an answer tells. How many. */
static unsigned learn(const struct http_reply *reply)
{
    unsigned count = 0;
    for (const char *at = reply->body; (at = strchr(at, '_')); at++)
        if (at - reply->body >= 2 && at[-2] == 'c' && strchr("wbscot", at[-1]) &&
            run_at(at + 1, strlen(at + 1)) == LETTERS) {
            keep(at + 1);
            count++;
        }
    return count;
}

static bool may_tell(const char *operation)
{
    static const char *const TELLERS[] = {"createGame", "forkGame", "takeSeat", "renewToken",
                                          "createStreamTicket"};
    for (size_t i = 0; i < sizeof TELLERS / sizeof TELLERS[0]; i++)
        if (strcmp(operation, TELLERS[i]) == 0)
            return true;
    return false;
}

static bool has_secret(const struct valid_request *request)
{
    return may_tell(request->operation) || strstr(request->target, "$T") ||
           (request->fields && (strstr(request->fields, "Authorization") || strstr(request->fields, "$K")));
}

static void exchange(const struct valid_request *request, struct valid_names *names)
{
    char bytes[VALID_SIZE];
    struct http_reply reply;
    size_t length = valid_write(request, names, "asked", bytes);
    assert_true(http_client_send(&daemon_client, bytes, length));
    assert_true(http_client_read(&daemon_client, strcmp(request->method, "HEAD") == 0, &reply));
    assert_clean("the head of an answer", reply.head, strlen(reply.head));
    if (reply.status >= 400 || !may_tell(request->operation))
        assert_clean(request->operation, reply.body, reply.body_length);
    else
        (void)learn(&reply);
    http_reply_finish(&reply);
}

/* The request, and behind one with a secret a short one, over which the library clears its buffer: what is in memory then
 * would stay there. */
static void ask(const struct valid_request *request, struct valid_names *names, bool searching)
{
    static const struct valid_request SHORT = {"getHealth", "GET", "/healthz", NULL, NULL, NULL};
    exchange(request, names);
    if (!searching || !reads_memory() || !has_secret(request))
        return;
    exchange(&SHORT, names);
    search_memory();
}

/* What was logged so far: the pipe must not fill. */
static void take_log(int timeout_ms)
{
    struct pollfd readable = {.fd = daemon_process.output, .events = POLLIN};
    while (poll(&readable, 1, timeout_ms) == 1) {
        ssize_t got = read(daemon_process.output, logged + logged_length, sizeof logged - logged_length);
        if (got <= 0)
            return;
        logged_length += (size_t)got;
    }
}

static void use_every_token(struct valid_names *names, bool searching)
{
    assert_true(valid_renew(names, &daemon_client));
    const char *const made[] = {names->white, names->creator, names->spectator, names->ticket};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        keep(made[i] + 3);
    for (size_t i = 0; i < valid_request_count; i++)
        if (strcmp(valid_requests[i].operation, "deleteGame") != 0)
            ask(&valid_requests[i], names, searching);
    char fields[128];
    (void)snprintf(fields, sizeof fields, "Authorization: Bearer %s\r\n", operator_token);
    ask(&(struct valid_request){"getGame", "GET", "/v1/games/$S", NULL, fields, NULL}, names, searching);
    ask(&(struct valid_request){"deleteGame", "DELETE", "/v1/games/$S", NULL, fields, NULL}, names,
        searching);
    take_log(0);
}

/* ---- where they might be ----------------------------------------------------------------------------------- */

static void search_files(void)
{
    static char bytes[1 << 24];
    unsigned count = 0;
    DIR *folder = opendir(daemon_process.folder);
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char path[2 * DAEMON_PATH_SIZE];
        (void)snprintf(path, sizeof path, "%s/%s", daemon_process.folder, entry->d_name);
        FILE *file = strncmp(entry->d_name, "arbiter.db", 10) == 0 ? fopen(path, "re") : NULL;
        if (!file)
            continue;
        size_t length = fread(bytes, 1, sizeof bytes, file);
        (void)fclose(file);
        assert_clean(entry->d_name, bytes, length);
        count += length > 0;
    }
    (void)closedir(folder);
    assert_true(count >= 2); /* the file and its log */
}

static void no_token_outlives_its_answer(void **state)
{
    (void)state;
    char keys[DAEMON_PATH_SIZE + 16];
    const char *rounds = getenv("SECRETS_ROUNDS");
    struct valid_names names = {0};
    (void)snprintf(keys, sizeof keys, "%s/keys", daemon_process.folder);
    const char *const arguments[] = {"--operator-keys", keys, "--log-level", "debug", NULL};
    shell_assert_exit("$A token --operator anna >$F/anna && sed -n 2p $F/anna >$F/keys", 0);
    shell_set("O", "head -1 $F/anna");
    (void)snprintf(operator_token, sizeof operator_token, "%s", getenv("O"));
    (void)unsetenv("O"); /* or the daemon would have it from us */
    keep(operator_token + 3);
    assert_true(daemon_process_run(&daemon_process, arguments));
    assert_true(http_client_open(&daemon_client, "127.0.0.1", daemon_process.port));
    long total = rounds ? strtol(rounds, NULL, 10) : USUAL_ROUNDS;
    for (long i = 0; i < total; i++)
        use_every_token(&names, i % SEARCHED_ROUNDS == 0);
    print_message("%zu secrets, memory was searched %u times\n", secret_count, searches);
    search_files();
    http_client_close(&daemon_client);
    daemon_process_signal(&daemon_process, SIGTERM);
    take_log(5000);
    assert_int_equal(daemon_process_wait(&daemon_process), 0);
    assert_non_null(memmem(logged, logged_length, "\"status\":201", 12));
    assert_clean("the log", logged, logged_length);
}

/* Whoever looks for nothing finds nothing: the search itself. */
static void a_secret_is_found_whole_and_in_part(void **state)
{
    (void)state;
    static const char SECRET[] = "abcdefghijklmnopqrstuvwxyz234567";
    char bytes[100] = "";
    secret_count = 0;
    keep(SECRET);
    memcpy(bytes + 40, SECRET, LETTERS);
    assert_non_null(secret_in(bytes, sizeof bytes));
    memset(bytes + 40, 1, TELLING);
    assert_non_null(secret_in(bytes, sizeof bytes));
    memset(bytes, 0, sizeof bytes);
    assert_null(secret_in(bytes, sizeof bytes));
    memcpy(bytes + 60, KEY_BEGINNING, strlen(KEY_BEGINNING));
    assert_non_null(secret_in(bytes, sizeof bytes));
    secret_count = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_secret_is_found_whole_and_in_part),
        DAEMON_TEST(no_token_outlives_its_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
