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
#include "tests/support/daemon_shell.h"

enum { COOKBOOK_SIZE = 32768, SCRIPT_SIZE = 2 * COOKBOOK_SIZE, CALLS_MAX = 128, SUCCESS = 2 };

/* Each curl tells its status and what it was asked; what it answers is not looked at. Of a stream, which does not end,
 * the first line is. */
static const char PROLOGUE[] =
    "cd \"$F\" && mkfifo stream && printf '1. e4 e5 *\\n' > game.pgn && cp game.pgn games.pgn || exit 1\n"
    "curl() {\n"
    "    case \" $* \" in\n"
    "    *' -N '*) command curl -s -i -m 30 \"$@\" >stream & read -r _ status _ <stream\n"
    "        kill $!; echo \"$status $*\" >>statuses ;;\n"
    "    *) command curl -s -w '%{stderr}%{http_code} %{url_effective}\\n' \"$@\" 2>>statuses ;;\n"
    "    esac\n"
    "}\n"
    "{\n";
static const char EPILOGUE[] = "} >/dev/null 2>&1\n"
                               "cat statuses\n";

/* What the calls of curl are to be answered: a status that the line says, or SUCCESS. */
static unsigned expected[CALLS_MAX];
static size_t calls;

static void expect_status(const char *line)
{
    const char *mark = strstr(line, "  # ");
    assert_true(calls < CALLS_MAX);
    expected[calls++] = mark ? (unsigned)strtoul(mark + strlen("  # "), NULL, 10) : SUCCESS;
}

/* The lines that are to be typed, with the port of the daemon. */
static void read_lines(const char *cookbook, char *lines, size_t size)
{
    static const char PRINTED[] = "localhost:8080";
    size_t put = 0;
    for (const char *at = cookbook; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        if (strncmp(at, "  ", 2) != 0)
            continue;
        char line[512] = "";
        strncat(line, at + 2, strcspn(at + 2, "\n"));
        const char *host = strstr(line, PRINTED);
        if (host) {
            expect_status(line);
            put += (size_t)snprintf(lines + put, size - put, "%.*slocalhost:%u%s\n", (int)(host - line), line,
                                    daemon_process.port, host + strlen(PRINTED));
        } else {
            put += (size_t)snprintf(lines + put, size - put, "%s\n", line);
        }
        assert_true(put < size);
    }
}

static void every_line_of_the_cookbook_is_answered_as_it_says(void **state)
{
    (void)state;
    static char lines[SCRIPT_SIZE], script[SCRIPT_SIZE + sizeof PROLOGUE + sizeof EPILOGUE];
    shell_assert_exit("curl -sf $U/docs", 0);
    read_lines(shell_output, lines, sizeof lines);
    assert_true(calls > 30);
    (void)snprintf(script, sizeof script, "%s%s%s", PROLOGUE, lines, EPILOGUE);
    shell_assert_exit(script, 0);
    size_t seen = 0;
    for (const char *at = shell_output; *at; at = strchr(at, '\n') + 1, seen++) {
        unsigned status = (unsigned)strtoul(at, NULL, 10);
        assert_true(seen < calls);
        if (status != expected[seen] && status / 100 != expected[seen])
            fail_msg("%.*s", (int)strcspn(at, "\n"), at);
    }
    assert_int_equal(seen, calls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_of_the_cookbook_is_answered_as_it_says),
    };
    return cmocka_run_group_tests(tests, daemon_set_up_running, daemon_tear_down_running);
}
