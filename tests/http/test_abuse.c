/* The real daemon and requests that no correct client sends: each is refused with the status that RFC 9110 and 9112 ask
 * for, or the connection closed; the bytes behind it are never taken for another request, and health answers at once. What
 * libmicrohttpd 0.9.75 does by itself is told in the rows, so that another release is noticed. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "tests/http/health.h"
#include "tests/http/wire.h"
#include "tests/support/daemon_fixture.h"

/* Who answers, and what becomes of the connection behind it. */
enum end {
    CLOSES,  /* the service, with a problem and an id; the server ends the connection */
    GOES_ON, /* the service; the next request is answered */
    WAITS,   /* for more bytes: it ends when the client ends its side */
    LIBRARY, /* libmicrohttpd by itself; it closes */
    FULL,  /* the same, where its buffer is full: bytes are left unread, and its answer may be lost by that */
    TWICE, /* the same as LIBRARY, with the head twice: its fault where a Content-Length is none */
};

struct abuse {
    const char *label, *bytes;
    size_t length;
    unsigned status; /* of the last answer; 0: none comes */
    enum end end;
};

#define BYTES(text) text, sizeof(text) - 1

/* ---- one case ---------------------------------------------------------------------------------------------- */

/* What was answered, in order. */
struct answered {
    unsigned count, status;
    bool by_service, is_problem, is_twice, found_after;
};

#define AFTER_ID   "after-it"
#define AFTER_LINE " /healthz HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: " AFTER_ID "\r\n\r\n"

/* Reads all answers that are here. */
static struct answered answers_in(const char *label, const char *bytes, size_t length, bool to_head)
{
    struct answered sum = {0};
    struct wire_answer answer;
    for (size_t at = 0; at < length; at += answer.length) {
        enum wire_form form = wire_read_answer(bytes + at, length - at, to_head, &answer);
        if (form == WIRE_CUT)
            break;
        sum.found_after = answer.status == 200 && strcmp(answer.id, AFTER_ID) == 0;
        if (form == WIRE_FAULTY)
            fail_msg("%s: what comes is no answer: %.200s", label, bytes + at);
        if (answer.status < 200 || sum.found_after)
            continue;
        sum.count++;
        sum.status = answer.status;
        sum.by_service = *answer.id != '\0';
        sum.is_problem = answer.is_problem;
        sum.is_twice = length - at > 2 * answer.head_length &&
                       memcmp(bytes + at, bytes + at + answer.head_length, answer.head_length) == 0;
        if (sum.is_twice)
            break;
    }
    return sum;
}

static char received[1 << 20];
static size_t received_length;

/* False: the server has ended the connection. */
static bool receive(const struct http_client *client, const char *label)
{
    ssize_t got = recv(client->fd, received + received_length, sizeof received - received_length, 0);
    if (got > 0)
        received_length += (size_t)got;
    if (got < 0 && errno != ECONNRESET)
        fail_msg("%s: the connection stays open\n%.*s", label, (int)received_length, received);
    return got > 0;
}

static void check_answers(const struct abuse *abuse, unsigned count, const struct answered *answered,
                          bool closed)
{
    bool may_be_lost = abuse->end == FULL && answered->count == 0;
    bool closes = abuse->end == FULL || abuse->end == CLOSES || abuse->end == LIBRARY || abuse->end == TWICE;
    bool by_service = abuse->end == CLOSES || abuse->end == GOES_ON || abuse->end == WAITS;
    if ((!may_be_lost && (answered->count != count || answered->status != abuse->status)) ||
        (closed && !answered->found_after) != (closes || abuse->end == WAITS) ||
        answered->found_after != (abuse->end == GOES_ON))
        fail_msg("%s: %u answers, the last %u, connection %s\n%.*s", abuse->label, answered->count,
                 answered->status, closed ? "closed" : "open", (int)received_length, received);
    if (answered->count &&
        (answered->by_service != by_service || answered->is_twice != (abuse->end == TWICE)))
        fail_msg("%s: not who should have answered\n%.*s", abuse->label, (int)received_length, received);
    if (by_service && abuse->status >= 400 && !answered->is_problem)
        fail_msg("%s: a refusal that is no problem", abuse->label);
}

/* Sends it, and what has to be answered behind it where the connection goes on; `count` answers have to come. Bytes that
 * are refused may be left unread: sending them fails then. */
static void check(const struct abuse *abuse, unsigned count)
{
    struct http_client client;
    bool to_head = strncmp(abuse->bytes, "HEAD", 4) == 0, open = true;
    struct answered answered = {0};
    received_length = 0;
    assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
    (void)http_client_send(&client, abuse->bytes, abuse->length);
    if (abuse->end == GOES_ON)
        (void)http_client_send_text(&client, to_head ? "HEAD" AFTER_LINE : "GET" AFTER_LINE);
    if (abuse->end == WAITS)
        http_client_half_close(&client);
    while (open && !answered.found_after) {
        open = receive(&client, abuse->label);
        answered = answers_in(abuse->label, received, received_length, to_head);
    }
    check_answers(abuse, count, &answered, !open);
    http_client_close(&client);
    health_assert(abuse->label);
}

static void check_all(const struct abuse *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check(&rows[i], rows[i].status != 0);
}

#define CHECK_ALL(rows) check_all(rows, sizeof rows / sizeof rows[0])

/* A whole second request: whoever takes bytes of it for one has been smuggled. */
#define HIDDEN        "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
#define HOST          "Host: localhost\r\n"
#define GET(target)   "GET " target " HTTP/1.1\r\n" HOST "\r\n"
#define WITH(field)   "GET /v1 HTTP/1.1\r\n" HOST field "\r\n\r\n"
#define BARE_POST     "POST /v1/games HTTP/1.1\r\n" HOST
#define POST          BARE_POST "Content-Type: application/json\r\n"
#define CHUNKED       POST "Transfer-Encoding: chunked\r\n\r\n"
#define SIZED(length) POST "Content-Length:" length "\r\n\r\n{}"

/* ---- cases ------------------------------------------------------------------------------------------------- */

static void request_lines_are_of_three_words(void **state)
{
    (void)state;
    static const struct abuse ROWS[] = {
        {"two blanks", BYTES("GET  /v1 HTTP/1.1\r\n" HOST "\r\n" HIDDEN), 400, CLOSES},
        {"two blanks at the end", BYTES("GET /v1  HTTP/1.1\r\n" HOST "\r\n" HIDDEN), 400, CLOSES},
        {"NUL behind the method", BYTES("GET\0 /v1 HTTP/1.1\r\n" HOST "\r\n" HIDDEN), 400, CLOSES},
        {"NUL in the method", BYTES("G\0T /v1 HTTP/1.1\r\n" HOST "\r\n" HIDDEN), 400, CLOSES},
        {"NUL in the target", BYTES("GET /healthz\0/../v1 HTTP/1.1\r\n" HOST "\r\n" HIDDEN), 400, CLOSES},
        {"NUL behind the target", BYTES("GET /v1\0 HTTP/1.1\r\n" HOST "\r\n" HIDDEN), 400, CLOSES},
        {"control byte in the method", BYTES("G\x01T /v1 HTTP/1.1\r\n" HOST "\r\n" HIDDEN), 400, CLOSES},
        {"lower-case method", BYTES("get /v1 HTTP/1.1\r\n" HOST "\r\n" HIDDEN), 400, CLOSES},
        {"CONNECT", BYTES("CONNECT localhost:80 HTTP/1.1\r\n" HOST "\r\n" HIDDEN), 400, CLOSES},
        {"8 bits in the target", BYTES("GET /v1\xff HTTP/1.1\r\n" HOST "\r\n" HIDDEN), 400, CLOSES},
        {"a blank in the target", BYTES("GET /v1 games HTTP/1.1\r\n" HOST "\r\n" HIDDEN), 400, CLOSES},
        {"GET of an asterisk", BYTES(GET("*") HIDDEN), 400, CLOSES},
        {"no slash", BYTES(GET("v1") HIDDEN), 400, CLOSES},
        {"authority form", BYTES(GET("localhost:80") HIDDEN), 400, CLOSES},
        {"absolute form without a host", BYTES(GET("http:///v1") HIDDEN), 400, CLOSES},
        {"absolute form of TLS", BYTES(GET("https://localhost/v1") HIDDEN), 400, CLOSES},
        {"tabs", BYTES("GET\t/v1\tHTTP/1.1\r\n" HOST "\r\n" HIDDEN), 0, LIBRARY},
        {"one word", BYTES("GET\r\n" HOST "\r\n" HIDDEN), 0, LIBRARY},
        {"HTTP/0.9", BYTES("GET /v1\r\n\r\n" HIDDEN), 400, LIBRARY},
        {"HTTP/2 by prior knowledge", BYTES("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" HIDDEN), 505, LIBRARY},
        {"HTTP/9.9", BYTES("GET /v1 HTTP/9.9\r\n" HOST "\r\n" HIDDEN), 505, LIBRARY},
        {"another protocol", BYTES("SSH-2.0-client\r\n"), 0, LIBRARY},
        {"TLS", BYTES("\x16\x03\x01\x00\x2e\x01\x00\x00\x2a\x03\x03\n\r\n"), 0, LIBRARY},
    };
    CHECK_ALL(ROWS);
}

static void odd_requests_that_are_legal_are_answered_once(void **state)
{
    (void)state;
    static const struct abuse ROWS[] = {
        {"empty lines before it", BYTES("\r\n\r\n" GET("/healthz")), 200, GOES_ON},
        {"lone line feeds", BYTES("GET /healthz HTTP/1.1\nHost: localhost\n\n"), 200, GOES_ON},
        {"absolute form", BYTES(GET("http://localhost/healthz")), 200, GOES_ON},
        {"absolute form of another", BYTES(GET("http://other.example/v1")), 421, GOES_ON},
        {"OPTIONS of an asterisk", BYTES("OPTIONS * HTTP/1.1\r\n" HOST "\r\n"), 204, GOES_ON},
        {"a method that nobody knows", BYTES("BREW /v1 HTTP/1.1\r\n" HOST "\r\n"), 405, GOES_ON},
        {"a higher minor version", BYTES("GET /healthz HTTP/1.9\r\n" HOST "\r\n"), 200, GOES_ON},
        {"a fragment", BYTES(GET("/v1#games")), 404, GOES_ON},
        {"an encoded slash", BYTES(GET("/v1%2fgames")), 400, GOES_ON},
        {"an encoded NUL", BYTES(GET("/healthz%00")), 400, GOES_ON},
        {"a lone percent sign", BYTES(GET("/v1/%")), 400, GOES_ON},
        {"dots", BYTES(GET("/v1/../../etc/passwd")), 404, GOES_ON},
        {"two slashes", BYTES(GET("//healthz")), 404, GOES_ON},
        {"a body of GET", BYTES("GET /healthz HTTP/1.1\r\n" HOST "Content-Length: 42\r\n\r\n" HIDDEN), 200,
         GOES_ON},
        {"a body of HEAD", BYTES("HEAD /healthz HTTP/1.1\r\n" HOST "Content-Length: 42\r\n\r\n" HIDDEN), 200,
         GOES_ON},
        {"an upgrade",
         BYTES("GET /healthz HTTP/1.1\r\n" HOST "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n"), 200,
         GOES_ON},
        {"a length with zeros", BYTES(SIZED(" 00002")), 201, GOES_ON},
        {"chunks", BYTES(CHUNKED "1\r\n{\r\n001;a=\"b;c\"\r\n}\r\n0\r\nTrailer: x\r\n\r\n"), 201, GOES_ON},
        {"capital chunks", BYTES(POST "Transfer-Encoding: CHUNKED\r\n\r\n2\r\n{}\r\n0\r\n\r\n"), 201,
         GOES_ON},
        {"a client that asks first", BYTES(POST "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}"), 201,
         GOES_ON},
        {"half closed", BYTES(GET("/healthz")), 200, WAITS},
    };
    CHECK_ALL(ROWS);
}

static void fields_that_two_parsers_read_differently_end_the_connection(void **state)
{
    (void)state;
    static const struct abuse ROWS[] = {
        {"blank before the colon", BYTES(POST "Content-Length : 50\r\n\r\n" HIDDEN), 400, CLOSES},
        {"blank in a name", BYTES(WITH("X A: b") HIDDEN), 400, CLOSES},
        {"control byte in a name", BYTES(WITH("X\x01: b") HIDDEN), 400, CLOSES},
        {"bare CR in a value", BYTES(WITH("X: a\rY: b") HIDDEN), 400, CLOSES},
        {"control byte in a value", BYTES(WITH("X: a\x07") HIDDEN), 400, CLOSES},
        {"a name in two lines", BYTES(POST "Content: 2\r\n -Length\r\n\r\n{}" HIDDEN), 400, CLOSES},
        {"any field, folded", BYTES(POST "Accept: */*\r\n ,a/b\r\nX: y\r\n\r\n" HIDDEN), 400, CLOSES},
        {"the first field, folded", BYTES("GET /v1 HTTP/1.1\r\n " HOST "\r\n" HIDDEN), 400, CLOSES},
        {"no colon", BYTES(WITH("Nothing") HIDDEN), 400, LIBRARY},
        {"no Host", BYTES("GET /v1 HTTP/1.1\r\n\r\n" HIDDEN), 400, CLOSES},
        {"two Hosts", BYTES(WITH("Host: localhost") HIDDEN), 400, CLOSES},
        {"empty Host", BYTES("GET /v1 HTTP/1.1\r\nHost:\r\n\r\n" HIDDEN), 400, CLOSES},
        {"a path for a Host", BYTES("GET /v1 HTTP/1.1\r\nHost: a/b c\r\n\r\n" HIDDEN), 400, CLOSES},
        {"two tokens", BYTES(WITH("Authorization: Bearer a\r\nAuthorization: Bearer b") HIDDEN), 400, CLOSES},
        {"known: a NUL ends a value", BYTES("GET /healthz HTTP/1.1\r\n" HOST "X: a\0b\r\n\r\n"), 200,
         GOES_ON},
    };
    CHECK_ALL(ROWS);
}

/* RFC 9112 5.1: blanks around a value are no part of it. */
static void blanks_around_a_value_are_nothing(void **state)
{
    (void)state;
    static const struct abuse ROWS[] = {
        {"Host", BYTES("GET /v1 HTTP/1.1\r\nHost: \t localhost \t\r\n\r\n"), 200, GOES_ON},
        {"Host with a port", BYTES("GET /v1 HTTP/1.1\r\nHost:localhost:80 \r\n\r\n"), 200, GOES_ON},
        {"Content-Encoding", BYTES(POST "Content-Encoding: identity \r\nContent-Length: 2\r\n\r\n{}"), 201,
         GOES_ON},
        {"Content-Type", BYTES(BARE_POST "Content-Type: application/json \t\r\nContent-Length: 2\r\n\r\n{}"),
         201, GOES_ON},
        {"Accept", BYTES(WITH("Accept: application/json ")), 200, GOES_ON},
        {"Accept-Encoding", BYTES("GET /docs HTTP/1.1\r\n" HOST "Accept-Encoding: gzip \r\n\r\n"), 200,
         GOES_ON},
        {"Origin", BYTES(WITH("Origin: http://localhost ")), 200, GOES_ON},
        {"another Origin", BYTES(WITH("Origin: http://a.example ")), 403, GOES_ON},
        {"If-None-Match", BYTES("GET /openapi.json HTTP/1.1\r\n" HOST "If-None-Match: * \r\n\r\n"), 304,
         GOES_ON},
        {"If-Match", BYTES("DELETE /v1/games/abcdefghjkmn HTTP/1.1\r\n" HOST "If-Match: \"v1\" \r\n\r\n"),
         404, GOES_ON},
        {"Idempotency-Key", BYTES(POST "Idempotency-Key: blanks \r\nContent-Length: 2\r\n\r\n{}"), 201,
         GOES_ON},
        {"Last-Event-ID",
         BYTES("GET /v1/games/abcdefghjkmn/events HTTP/1.1\r\n" HOST "Last-Event-ID: 1 \r\n\r\n"), 404,
         GOES_ON},
    };
    CHECK_ALL(ROWS);
}

static void ids_are_echoed_without_blanks(void **state)
{
    (void)state;
    struct http_client client;
    struct http_reply reply = {0};
    char id[32];
    assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
    assert_true(http_client_send_text(&client, "GET /v1 HTTP/1.1\r\n" HOST "X-Request-Id: my-id \t\r\n\r\n"));
    assert_true(http_client_read(&client, false, &reply));
    assert_true(http_reply_field(&reply, "X-Request-Id", id, sizeof id));
    assert_string_equal(id, "my-id");
    http_reply_finish(&reply);
    http_client_close(&client);
}

static void bodies_have_one_length(void **state)
{
    (void)state;
    static const struct abuse ROWS[] = {
        {"two lengths", BYTES(POST "Content-Length: 2\r\nContent-Length: 60\r\n\r\n{}" HIDDEN), 400, CLOSES},
        {"one length twice", BYTES(POST "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}" HIDDEN), 400,
         CLOSES},
        {"length and chunked",
         BYTES(POST "Content-Length: 60\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" HIDDEN), 400, CLOSES},
        {"chunked and length",
         BYTES(POST "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n2\r\n{}\r\n0\r\n\r\n" HIDDEN),
         400, CLOSES},
        {"unknown coding", BYTES(POST "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" HIDDEN), 400, CLOSES},
        {"a coding in front", BYTES(POST "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" HIDDEN), 400,
         CLOSES},
        {"a quoted coding", BYTES(POST "Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n" HIDDEN), 400,
         CLOSES},
        {"a coding behind VT",
         BYTES(POST "Transfer-Encoding: \x0b"
                    "chunked\r\n\r\n0\r\n\r\n" HIDDEN),
         400, CLOSES},
        {"no coding", BYTES(POST "Transfer-Encoding:\r\n\r\n0\r\n\r\n" HIDDEN), 400, CLOSES},
        {"two codings",
         BYTES(POST "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" HIDDEN), 400,
         CLOSES},
        {"known: a blank behind a coding", BYTES(POST "Transfer-Encoding: chunked \r\n\r\n0\r\n\r\n" HIDDEN),
         400, CLOSES},
        {"folded length", BYTES(POST "Content-Length: 4\r\n 8\r\n\r\n" HIDDEN), 400, CLOSES},
        {"length below its name", BYTES(POST "Content-Length:\r\n\t48\r\n\r\n" HIDDEN), 400, CLOSES},
        {"folded coding", BYTES(POST "Transfer-Encoding: chunk\r\n ed\r\n\r\n0\r\n\r\n" HIDDEN), 400, CLOSES},
        {"chunked in HTTP/1.0",
         BYTES("POST /v1/games HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"), 400,
         CLOSES},
        {"compressed", BYTES(POST "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}" HIDDEN), 415,
         CLOSES},
        {"over any limit", BYTES(POST "Content-Length: 10737418240\r\n\r\n"), 413, CLOSES},
        {"the same, asking first", BYTES(POST "Expect: 100-continue\r\nContent-Length: 10737418240\r\n\r\n"),
         413, CLOSES},
        {"a minus", BYTES(SIZED(" -2") HIDDEN), 400, TWICE},
        {"a plus", BYTES(SIZED(" +2") HIDDEN), 400, TWICE},
        {"hexadecimal", BYTES(SIZED(" 0x2") HIDDEN), 400, TWICE},
        {"two numbers", BYTES(SIZED(" 1 0") HIDDEN), 400, TWICE},
        {"a list", BYTES(SIZED(" 2, 2") HIDDEN), 400, TWICE},
        {"none", BYTES(SIZED("") HIDDEN), 400, TWICE},
        {"a fraction", BYTES(SIZED(" 2.0") HIDDEN), 400, TWICE},
        {"known: a blank behind it", BYTES(SIZED(" 2 ") HIDDEN), 400, TWICE},
        {"more than 64 bits", BYTES(SIZED(" 18446744073709551618") HIDDEN), 413, TWICE},
        {"less than its length", BYTES(POST "Content-Length: 200\r\n\r\n{}"), 0, WAITS},
    };
    CHECK_ALL(ROWS);
}

static void chunks_are_as_long_as_they_say(void **state)
{
    (void)state;
    static const struct abuse ROWS[] = {
        {"no number", BYTES(CHUNKED "zz\r\n{}\r\n0\r\n\r\n" HIDDEN), 400, LIBRARY},
        {"a minus", BYTES(CHUNKED "-2\r\n{}\r\n0\r\n\r\n" HIDDEN), 400, LIBRARY},
        {"a plus", BYTES(CHUNKED "+2\r\n{}\r\n0\r\n\r\n" HIDDEN), 400, LIBRARY},
        {"0x", BYTES(CHUNKED "0x2\r\n{}\r\n0\r\n\r\n" HIDDEN), 400, LIBRARY},
        {"nothing", BYTES(CHUNKED "\r\n{}\r\n0\r\n\r\n" HIDDEN), 400, LIBRARY},
        {"more than 64 bits", BYTES(CHUNKED "ffffffffffffffffff\r\n{}\r\n0\r\n\r\n" HIDDEN), 413, LIBRARY},
        {"longer than said", BYTES(CHUNKED "1\r\n{}\r\n0\r\n\r\n" HIDDEN), 400, LIBRARY},
        {"no end of a chunk", BYTES(CHUNKED "2\r\n{}0\r\n\r\n" HIDDEN), 400, LIBRARY},
        {"no end", BYTES(CHUNKED "2\r\n{}\r\n"), 0, WAITS},
    };
    CHECK_ALL(ROWS);
}

/* ---- long ones --------------------------------------------------------------------------------------------- */

struct long_abuse {
    const char *label, *beginning, *filling;
    size_t times;
    const char *last;
    unsigned status;
    enum end end;
};

static void check_long(const struct long_abuse *abuse)
{
    size_t length = strlen(abuse->filling), at = strlen(abuse->beginning), last = strlen(abuse->last);
    char *bytes = malloc(at + abuse->times * length + last);
    assert_non_null(bytes);
    memcpy(bytes, abuse->beginning, at);
    for (size_t i = 0; i < abuse->times; i++, at += length)
        memcpy(bytes + at, abuse->filling, length);
    memcpy(bytes + at, abuse->last, last);
    check(&(struct abuse){abuse->label, bytes, at + last, abuse->status, abuse->end}, 1);
    free(bytes);
}

static void what_is_too_long_is_refused_by_name(void **state)
{
    (void)state;
#define LINE_END  " HTTP/1.1\r\n" HOST "\r\n"
#define BEGINNING "GET /v1 HTTP/1.1\r\n" HOST
    static const struct long_abuse ROWS[] = {
        {"target", "GET /v1?q=", "a", 5000, LINE_END, 414, CLOSES},
        {"target beyond the buffer", "GET /v1?q=", "a", 17000, LINE_END, 414, FULL},
        {"method", "", "A", 5000, " /v1" LINE_END, 405, GOES_ON},
        {"value", BEGINNING "X: ", "a", 8300, "\r\n\r\n", 431, CLOSES},
        {"name", BEGINNING, "a", 8300, ": b\r\n\r\n", 431, CLOSES},
        {"value beyond the buffer", BEGINNING "X: ", "a", 17000, "\r\n\r\n", 431, FULL},
        {"fields", BEGINNING, "X: v\r\n", 64, "\r\n", 431, CLOSES},
        {"fields beyond the buffer", BEGINNING, "X-Y: v\r\n", 2200, "\r\n", 431, FULL},
        {"empty lines", "", "\r\n", 5000, HIDDEN, 200, GOES_ON},
        {"zeros of a chunk", CHUNKED, "0", 200, "2\r\n{}\r\n0\r\n\r\n", 201, GOES_ON},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++)
        check_long(&ROWS[i]);
}

static void requests_in_a_row_are_answered_in_a_row(void **state)
{
    (void)state;
    static const char TWO[] = GET("/v1") GET("/readyz");
    check(&(struct abuse){"two in a row", BYTES(TWO), 200, GOES_ON}, 2);
    static char many[100 * sizeof HIDDEN];
    for (size_t i = 0; i < 100; i++)
        memcpy(many + i * (sizeof HIDDEN - 1), HIDDEN, sizeof HIDDEN);
    check(&(struct abuse){"a hundred in a row", many, strlen(many), 200, GOES_ON}, 100);
}

/* To the library a line that begins with a colon is the empty line: no framing that reaches the service can tell. */
static void known_a_colon_ends_the_head(void **state)
{
    (void)state;
    static const char HEAD[] = "GET /healthz HTTP/1.1\r\n" HOST ": x\r\n" HIDDEN;
    check(&(struct abuse){"a colon ends the head", BYTES(HEAD), 200, GOES_ON}, 2);
}

static void a_refusal_is_text_for_those_who_ask_for_text(void **state)
{
    (void)state;
    struct http_client client;
    struct http_reply reply;
    assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
    assert_true(http_client_send_text(&client, "GET /v1 HTTP/1.1\r\nAccept: text/plain\r\n\r\n"));
    assert_true(http_client_read(&client, false, &reply));
    assert_int_equal(reply.status, 400);
    assert_memory_equal(reply.body, "error: malformed-request: ", 26);
    http_reply_finish(&reply);
    http_client_close(&client);
}

static void clients_that_vanish_leave_nothing_behind(void **state)
{
    (void)state;
    static const char *const BEGINNINGS[] = {
        "", "GET /v1", POST, (POST "Content-Length: 100\r\n\r\n{"), HIDDEN, CHUNKED "2\r\n{"};
    const unsigned descriptors = health_descriptors();
    for (unsigned round = 0; round < 60; round++) {
        struct http_client client;
        const struct linger reset = {.l_onoff = 1};
        assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
        assert_true(http_client_send_text(&client, BEGINNINGS[round % 6]));
        if (round % 2)
            (void)setsockopt(client.fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        http_client_close(&client);
    }
    health_assert("clients that vanish");
    health_wait_descriptors(descriptors);
}

/* So long that a connection which the server does not end is not taken for one that it does. */
static int set_up(void **state)
{
    static const char *const ARGUMENTS[] = {"--idle-timeout", "60s", "--limit-request-ms", "60000", NULL};
    if (daemon_set_up(state) != 0 || !daemon_process_run(&daemon_process, ARGUMENTS))
        return -1;
    health_assert("the start");
    return 0;
}

static int tear_down(void **state)
{
    health_end();
    return daemon_tear_down_running(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(request_lines_are_of_three_words),
        cmocka_unit_test(odd_requests_that_are_legal_are_answered_once),
        cmocka_unit_test(fields_that_two_parsers_read_differently_end_the_connection),
        cmocka_unit_test(blanks_around_a_value_are_nothing),
        cmocka_unit_test(ids_are_echoed_without_blanks),
        cmocka_unit_test(bodies_have_one_length),
        cmocka_unit_test(chunks_are_as_long_as_they_say),
        cmocka_unit_test(what_is_too_long_is_refused_by_name),
        cmocka_unit_test(requests_in_a_row_are_answered_in_a_row),
        cmocka_unit_test(known_a_colon_ends_the_head),
        cmocka_unit_test(a_refusal_is_text_for_those_who_ask_for_text),
        cmocka_unit_test(clients_that_vanish_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
