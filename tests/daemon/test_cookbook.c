/* The cookbook that GET /docs prints, and README.md: every line of shell is run, as it stands and in its order, by a shell
 * with the real curl, against the real daemon. */
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

enum { LINES_SIZE = 65536, LINE_SIZE = 512, CALLS_MAX = 128, SUCCESS = 2 };

/* Each curl tells its status and what it was asked; what it answers is not looked at. Of a stream, which does not end,
 * the first line is. A command of the program tells 200 where it went well. A variable that nobody has set ends it all. */
static const char PROLOGUE[] =
    "mkdir \"$F/$PLACE\" && cd \"$F/$PLACE\" && mkfifo ../$PLACE.stream && : >../$PLACE.statuses || exit 1\n"
    "set -u\n"
    "curl() {\n"
    "    case \" $* \" in\n"
    "    *' -N '*) command curl -s -i -m 30 \"$@\" >../$PLACE.stream & read -r _ status _ <../$PLACE.stream\n"
    "        kill $!; wait $!; echo \"$status $*\" >>../$PLACE.statuses ;;\n"
    "    *) command curl -s -w '%{stderr}%{http_code} %{url_effective}\\n' \"$@\" 2>>../$PLACE.statuses ;;\n"
    "    esac\n"
    "}\n"
    "arbiterd() {\n"
    "    \"$A\" \"$@\" && status=200 || status=$?; echo \"$status arbiterd $*\" >>../$PLACE.statuses\n"
    "}\n"
    "{\n";
static const char EPILOGUE[] = "} >/dev/null 2>&1\n"
                               "cat ../$PLACE.statuses\n";

/* The lines of one text that are to be typed. */
struct typed {
    char lines[LINES_SIZE];
    size_t length;
    /* What its calls are to be answered: a status that the line says, or SUCCESS. */
    unsigned expected[CALLS_MAX];
    size_t calls;
};

static void expect_status(struct typed *typed, const char *line)
{
    static const char MARK[] = " # ";
    const char *mark = strstr(line, MARK);
    unsigned status = mark ? (unsigned)strtoul(mark + sizeof MARK - 1, NULL, 10) : 0;
    assert_true(typed->calls < CALLS_MAX);
    typed->expected[typed->calls++] = status ? status : SUCCESS;
}

/* With the port of the daemon. */
static void add_line(struct typed *typed, const char *line)
{
    static const char PRINTED[] = "localhost:8080";
    const char *rest = line;
    for (const char *host; (host = strstr(rest, PRINTED)); rest = host + sizeof PRINTED - 1) {
        expect_status(typed, line);
        typed->length += (size_t)snprintf(typed->lines + typed->length, LINES_SIZE - typed->length,
                                          "%.*slocalhost:%u", (int)(host - rest), rest, daemon_process.port);
        assert_true(typed->length < LINES_SIZE);
    }
    if (strncmp(line, "arbiterd ", strlen("arbiterd ")) == 0)
        expect_status(typed, line);
    typed->length += (size_t)snprintf(typed->lines + typed->length, LINES_SIZE - typed->length, "%s\n", rest);
    assert_true(typed->length < LINES_SIZE);
}

/* Each line of `text` that belongs to it. */
static void read_lines(const char *text, bool (*belongs)(const char *line), size_t indent,
                       struct typed *typed)
{
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        char line[LINE_SIZE] = "";
        size_t length = strcspn(at, "\n");
        assert_true(length < LINE_SIZE);
        memcpy(line, at, length);
        if (belongs(line))
            add_line(typed, line + indent);
    }
}

/* In a folder of that name. */
static void assert_answered_as_it_says(const struct typed *typed, const char *place)
{
    static char script[LINES_SIZE + sizeof PROLOGUE + sizeof EPILOGUE];
    assert_int_equal(setenv("PLACE", place, 1), 0);
    (void)snprintf(script, sizeof script, "%s%s%s", PROLOGUE, typed->lines, EPILOGUE);
    shell_assert_exit(script, 0);
    size_t seen = 0;
    for (const char *at = shell_output; *at; at = strchr(at, '\n') + 1, seen++) {
        unsigned status = (unsigned)strtoul(at, NULL, 10);
        assert_true(seen < typed->calls);
        if (status != typed->expected[seen] && status / 100 != typed->expected[seen])
            fail_msg("%.*s", (int)strcspn(at, "\n"), at);
    }
    if (seen != typed->calls)
        fail_msg("%zu of %zu calls: %s", seen, typed->calls, shell_output);
}

static bool is_indented(const char *line)
{
    return strncmp(line, "  ", 2) == 0;
}

static void every_line_of_the_cookbook_is_answered_as_it_says(void **state)
{
    (void)state;
    static struct typed typed;
    shell_assert_exit("curl -sf $U/docs", 0);
    read_lines(shell_output, is_indented, 2, &typed);
    assert_true(typed.calls > 30);
    assert_answered_as_it_says(&typed, "cookbook");
}

/* Of a block of shell. Called with every line in turn. */
static bool is_in_block(const char *line)
{
    static bool inside;
    bool fence = strncmp(line, "```", 3) == 0;
    if (fence)
        inside = strcmp(line, "```sh") == 0;
    return inside && !fence;
}

/* What it writes is what .gitignore leaves out. */
static void every_line_of_the_readme_is_answered_as_it_says(void **state)
{
    (void)state;
    static struct typed typed;
    shell_assert_exit("cat README.md", 0);
    read_lines(shell_output, is_in_block, 0, &typed);
    assert_true(typed.calls > 30);
    assert_answered_as_it_says(&typed, "readme");
    shell_assert_exit("for name in $(ls $F/readme | grep -v '^arbiter[.]db')\n"
                      "do echo $name; grep -qx /$name .gitignore || exit 1; done",
                      0);
    shell_assert_told("board.svg");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_of_the_cookbook_is_answered_as_it_says),
        cmocka_unit_test(every_line_of_the_readme_is_answered_as_it_says),
    };
    return cmocka_run_group_tests(tests, daemon_set_up_running, daemon_tear_down_running);
}
