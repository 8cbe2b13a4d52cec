/* The cookbook that GET /docs prints: every line of it is run, as it stands and in its order, by a shell with the real
 * curl, against the real daemon. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/daemon_fixture.h"

enum { COOKBOOK_SIZE = 32768, SCRIPT_SIZE = 2 * COOKBOOK_SIZE };

/* Each curl tells its status and address on stderr; what it answers is not looked at. A stream is watched for a
 * second, which is more than it takes. */
static const char PROLOGUE[] =
    "cd %s || exit 1\n"
    "printf '1. e4 e5 *\\n' > game.pgn && cp game.pgn games.pgn || exit 1\n"
    "curl() {\n"
    "    case \" $* \" in *' -N '*) set -- -m 1 \"$@\" ;; esac\n"
    "    command curl -s -w '%%{stderr}%%{http_code} %%{url_effective}\\n' \"$@\" 2>>statuses\n"
    "}\n"
    "{\n%s} >/dev/null 2>&1\n"
    "cat statuses\n";

static size_t run(const char *script, char *output, size_t size)
{
    FILE *pipe = popen(script, "r"); /* NOLINT(cert-env33-c): a shell is what is tested */
    assert_non_null(pipe);
    size_t length = fread(output, 1, size - 1, pipe);
    output[length] = '\0';
    assert_int_equal(pclose(pipe), 0);
    return length;
}

/* The lines that are to be typed, with the port of the daemon; how often they call curl. */
static int lines_of(const char *cookbook, char *lines, size_t size)
{
    static const char PRINTED[] = "localhost:8080";
    size_t put = 0;
    int calls = 0;
    for (const char *at = cookbook; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        if (strncmp(at, "  ", 2) != 0)
            continue;
        char line[512] = "";
        strncat(line, at + 2, strcspn(at + 2, "\n"));
        const char *host = strstr(line, PRINTED);
        calls += host != NULL;
        if (host)
            put += (size_t)snprintf(lines + put, size - put, "%.*slocalhost:%u%s\n", (int)(host - line), line,
                                    daemon_process.port, host + strlen(PRINTED));
        else
            put += (size_t)snprintf(lines + put, size - put, "%s\n", line);
        assert_true(put < size);
    }
    return calls;
}

/* What the cookbook itself calls refused: a move that nobody can read, an illegal one, a version that has gone. */
static bool is_expected(const char *status)
{
    static const char *const STATUSES[] = {"200 ", "201 ", "400 ", "412 ", "422 "};
    for (size_t i = 0; i < sizeof STATUSES / sizeof STATUSES[0]; i++) {
        if (strncmp(status, STATUSES[i], 4) == 0)
            return true;
    }
    return false;
}

static void every_line_of_the_cookbook_works_as_printed(void **state)
{
    (void)state;
    static char cookbook[COOKBOOK_SIZE], lines[SCRIPT_SIZE], script[SCRIPT_SIZE], statuses[COOKBOOK_SIZE];
    char fetch[64];
    (void)snprintf(fetch, sizeof fetch, "curl -sf localhost:%u/docs", daemon_process.port);
    (void)run(fetch, cookbook, sizeof cookbook);
    int calls = lines_of(cookbook, lines, sizeof lines);
    assert_true(calls > 30);
    assert_in_range(snprintf(script, sizeof script, PROLOGUE, daemon_process.folder, lines), 1,
                    sizeof script - 1);
    (void)run(script, statuses, sizeof statuses);
    int seen = 0, refused = 0;
    for (const char *at = statuses; *at; at = strchr(at, '\n') + 1, seen++) {
        refused += *at == '4';
        if (!is_expected(at))
            fail_msg("%.*s", (int)strcspn(at, "\n"), at);
    }
    assert_int_equal(seen, calls);
    assert_int_equal(refused, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_of_the_cookbook_works_as_printed),
    };
    return cmocka_run_group_tests(tests, daemon_set_up_running, daemon_tear_down_running);
}
