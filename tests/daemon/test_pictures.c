/* The real curl against the real daemon, read by others' programs: Python's XML parser and its zlib. */
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

enum { SCRIPT_SIZE = 8192 };

/* Runs lines of shell that find the API at $U, until one fails. */
static void shell(const char *lines)
{
    char script[SCRIPT_SIZE];
    int length = snprintf(script, sizeof script, "set -e; U=$U/v1\n%s", lines);
    assert_in_range(length, 1, sizeof script - 1);
    shell_assert_exit(script, 0);
}

#define READ_SVG                                                                                             \
    "python3 -c 'import sys, xml.etree.ElementTree as T\n"                                                   \
    "r = T.parse(sys.stdin).getroot(); n = \"{http://www.w3.org/2000/svg}\"\n"                               \
    "print(r.tag == n + \"svg\", r.get(\"width\"), r.find(n + \"title\").text)\n"                            \
    "print(r.find(n + \"desc\").text)\n"                                                                     \
    "ids = {g.get(\"id\") for g in r.iter(n + \"g\")}\n"                                                     \
    "uses = list(r.iter(n + \"use\"))\n"                                                                     \
    "print(len(uses), all(u.get(\"href\")[1:] in ids for u in uses), len(ids))\n'"

static void an_xml_parser_reads_the_svg(void **state)
{
    (void)state;
    shell("G=$(curl -fsS -X POST -H 'Accept: text/plain' $U/games)\n"
          "curl -fsS -d e4 $U/games/$G/moves >/dev/null\n"
          "curl -fsS \"$U/games/$G/board.svg?size=320&arrows=e7e5&squares=d4r&targets=g8\" | " READ_SVG);
    assert_string_equal(
        shell_output,
        "True 320 Chess board, Black to move\n"
        "White: king e1; queen d1; rooks a1, h1; bishops c1, f1; knights b1, g1; pawns a2, b2, c2, "
        "d2, e4, f2, g2, h2. Black: king e8; queen d8; rooks a8, h8; bishops c8, f8; knights b8, g8; "
        "pawns a7, b7, c7, d7, e7, f7, g7, h7. Last move: White pawn e2 to e4. From g8 to f6, h6. "
        "Arrows: e7 to e5. Marked: d4.\n"
        "32 True 12\n");
}

#define READ_PNG                                                                                             \
    "python3 -c 'import sys, struct, zlib\n"                                                                 \
    "b = sys.stdin.buffer.read(); at, parts = 8, {}\n"                                                       \
    "while at < len(b):\n"                                                                                   \
    "    n, name = struct.unpack(\">I4s\", b[at:at + 8]); data = b[at + 8:at + 8 + n]\n"                     \
    "    assert zlib.crc32(name + data) == struct.unpack(\">I\", b[at + 8 + n:at + 12 + n])[0]\n"            \
    "    parts.setdefault(name, []).append(data); at += 12 + n\n"                                            \
    "w, h, depth, kind = struct.unpack(\">IIBB\", parts[b\"IHDR\"][0][:10])\n"                               \
    "rows = zlib.decompress(b\"\".join(parts[b\"IDAT\"]))\n"                                                 \
    "print(b[:8] == b\"\\x89PNG\\r\\n\\x1a\\n\", w, h, depth, kind, len(rows) == (w + 1) * h)\n"             \
    "print(parts[b\"tEXt\"][0].split(b\"\\0\")[1].decode())\n'"

static void a_decoder_reads_the_png_again_and_again(void **state)
{
    (void)state;
    shell("curl -fsS \"$U/positions/board.png?size=400&fen=4k3/8/8/8/8/8/8/K3R3_b\" | " READ_PNG);
    assert_string_equal(shell_output, "True 400 400 8 3 True\nChess board, Black to move, in check\n");
    shell("for i in 1 2 3; do curl -fsS $U/positions/board.png | cksum; done | sort -u | wc -l");
    assert_int_equal(strtol(shell_output, NULL, 10), 1);
    shell(
        "curl -fsS -o /dev/null -w '%{http_code} %{content_type}' -H 'Accept: image/png' $U/positions/board");
    assert_string_equal(shell_output, "200 image/png");
}

static void curl_sends_a_batch_from_a_file(void **state)
{
    (void)state;
    shell(
        "for i in $(seq 1000); do echo \"{\\\"id\\\":$i,\\\"op\\\":\\\"perft\\\",\\\"depth\\\":1}\"; done |\n"
        "curl -fsS --data-binary @- $U/positions/batch |\n"
        "python3 -c 'import sys, json\n"
        "lines = [json.loads(line) for line in sys.stdin]\n"
        "print([line[\"id\"] for line in lines] == list(range(1, 1001)),\n"
        "      {line[\"result\"][\"nodes\"] for line in lines})'");
    assert_string_equal(shell_output, "True {20}\n");
}

static void a_wrong_parameter_is_told_in_words_and_fails_in_the_shell(void **state)
{
    (void)state;
    shell("curl -sS -f \"$U/positions/board.svg?theme=blue\" >/dev/null 2>&1 && echo yes || echo $?");
    assert_string_equal(shell_output, "22\n");
    shell("curl -sS \"$U/positions/board.svg?theme=blue\" -H 'Accept: text/plain' | python3 -c 'import sys, "
          "json\n"
          "print(json.load(sys.stdin)[\"detail\"])'");
    assert_string_equal(shell_output, "theme must be one of: light, dark, contrast.\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_xml_parser_reads_the_svg),
        cmocka_unit_test(a_decoder_reads_the_png_again_and_again),
        cmocka_unit_test(curl_sends_a_batch_from_a_file),
        cmocka_unit_test(a_wrong_parameter_is_told_in_words_and_fails_in_the_shell),
    };
    return cmocka_run_group_tests(tests, daemon_set_up_running, daemon_tear_down_running);
}
