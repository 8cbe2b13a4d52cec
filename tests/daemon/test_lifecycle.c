/* The real daemon: how it starts, refuses to start, is reached, and ends. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/daemon_fixture.h"

static const char *in_folder(const char *prefix, const char *name)
{
    static char path[DAEMON_PATH_SIZE + 64];
    (void)snprintf(path, sizeof path, "%s%s/%s", prefix, daemon_process.folder, name);
    return path;
}

static void run(const char *const *arguments)
{
    if (!daemon_process_run(&daemon_process, arguments))
        fail_msg("the daemon did not start: %s", daemon_process.pending);
}

static void connect_client(void)
{
    assert_true(http_client_open(&daemon_client, "127.0.0.1", daemon_process.port));
}

static unsigned status_of(const char *target)
{
    http_reply_finish(&daemon_reply);
    assert_true(http_client_ask(&daemon_client, "GET", target, NULL, NULL, &daemon_reply));
    return daemon_reply.status;
}

/* The exit code of a daemon that cannot start; the first line of its stderr. */
static int exit_of(const char *const *arguments, char line[DAEMON_LINE_SIZE])
{
    assert_true(daemon_process_start(&daemon_process, arguments));
    assert_true(daemon_process_read_line(&daemon_process, line));
    return daemon_process_wait(&daemon_process);
}

static void write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    (void)close(fd);
}

static void it_tells_its_address_and_answers(void **state)
{
    (void)state;
    run(NULL);
    assert_int_not_equal(daemon_process.port, 0);
    connect_client();
    assert_int_equal(status_of("/healthz"), 200);
    assert_int_equal(status_of("/readyz"), 200);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

static void sigint_ends_it_too(void **state)
{
    (void)state;
    run(NULL);
    daemon_process_signal(&daemon_process, SIGINT);
    assert_int_equal(daemon_process_wait(&daemon_process), 0);
}

static void it_serves_ipv6_and_a_unix_socket_beside_ipv4(void **state)
{
    (void)state;
    char path[DAEMON_PATH_SIZE + 64];
    (void)snprintf(path, sizeof path, "%s", in_folder("", "arbiter.sock"));
    const char *const arguments[] = {
        "--listen", in_folder("unix:", "arbiter.sock"), "--listen", "[::1]:0", "--unix-mode", "0600", NULL};
    assert_true(daemon_process_start(&daemon_process, arguments));
    assert_true(daemon_process_wait_ready(&daemon_process)); /* the Unix socket's line */
    assert_true(daemon_process_wait_ready(&daemon_process));
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_true(http_client_open_unix(&daemon_client, path));
    assert_int_equal(status_of("/healthz"), 200);
    http_client_close(&daemon_client);
    assert_true(http_client_open(&daemon_client, "::1", daemon_process.port));
    assert_int_equal(status_of("/healthz"), 200);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
    assert_int_not_equal(lstat(path, &status), 0);
}

static void a_killed_daemon_leaves_a_socket_that_the_next_one_takes(void **state)
{
    (void)state;
    const char *const arguments[] = {"--listen", in_folder("unix:", "arbiter.sock"), NULL};
    assert_true(daemon_process_start(&daemon_process, arguments));
    assert_true(daemon_process_wait_ready(&daemon_process));
    daemon_process_signal(&daemon_process, SIGKILL);
    assert_int_equal(daemon_process_wait(&daemon_process), 128 + SIGKILL);
    assert_true(daemon_process_start(&daemon_process, arguments));
    assert_true(daemon_process_wait_ready(&daemon_process));
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

static void a_port_in_use_is_exit_1(void **state)
{
    (void)state;
    struct daemon_process first = {.output = -1};
    char line[DAEMON_LINE_SIZE], address[32];
    assert_true(daemon_process_run(&first, NULL));
    (void)snprintf(address, sizeof address, "127.0.0.1:%u", first.port);
    const char *const arguments[] = {"--listen", address, NULL};
    assert_int_equal(exit_of(arguments, line), 1);
    assert_non_null(strstr(line, "the port is in use"));
    daemon_process_finish(&first);
}

static void a_foreign_file_is_exit_3_and_stays_as_it_was(void **state)
{
    (void)state;
    char line[DAEMON_LINE_SIZE], database[DAEMON_PATH_SIZE + 64], got[64] = "";
    write_file(in_folder("", "foreign.db"), "this is no database, but somebody's diary\n");
    (void)snprintf(database, sizeof database, "%s", in_folder("sqlite:", "foreign.db"));
    const char *const arguments[] = {"--listen", "127.0.0.1:0", "--db", database, NULL};
    assert_int_equal(exit_of(arguments, line), 3);
    int fd = open(in_folder("", "foreign.db"), O_RDONLY | O_CLOEXEC);
    assert_true(read(fd, got, sizeof got - 1) > 0);
    (void)close(fd);
    assert_string_equal(got, "this is no database, but somebody's diary\n");
}

static void a_store_that_another_daemon_holds_is_exit_4(void **state)
{
    (void)state;
    struct daemon_process first = {.output = -1};
    char line[DAEMON_LINE_SIZE], database[DAEMON_PATH_SIZE + 64];
    assert_true(daemon_process_run(&first, NULL));
    (void)snprintf(database, sizeof database, "sqlite:%s/arbiter.db", first.folder);
    const char *const arguments[] = {"--listen", "127.0.0.1:0", "--db", database, NULL};
    assert_int_equal(exit_of(arguments, line), 4);
    daemon_process_finish(&first);
}

static void a_store_that_cannot_be_made_is_exit_1(void **state)
{
    (void)state;
    char line[DAEMON_LINE_SIZE];
    const char *const arguments[] = {"--listen", "127.0.0.1:0", "--db", "sqlite:/nonexistent/folder/a.db",
                                     NULL};
    assert_int_equal(exit_of(arguments, line), 1);
}

static void wrong_use_is_exit_2_with_a_hint(void **state)
{
    (void)state;
    char line[DAEMON_LINE_SIZE];
    const char *const unknown[] = {"--lisen", ":0", NULL};
    assert_int_equal(exit_of(unknown, line), 2);
    assert_string_equal(line, "arbiterd: there is no setting 'lisen': did you mean listen?");
    const char *const joined[] = {"--lisen=:0", NULL};
    assert_int_equal(exit_of(joined, line), 2);
    assert_string_equal(line, "arbiterd: there is no setting 'lisen': did you mean listen?");
    const char *const wrong[] = {"serve", "--threads", "none", NULL};
    assert_int_equal(exit_of(wrong, line), 2);
    static const char *const unservable[][2] = {
        {"--listen", "foo"}, {"--db", "mysql:x"}, {"--allow-origin", "foo"}, {"--allow-host", "a b"}};
    for (size_t i = 0; i < sizeof unservable / sizeof *unservable; i++) {
        const char *const serve[] = {"serve", unservable[i][0], unservable[i][1], NULL};
        const char *const check[] = {"config",   "--check", unservable[i][0], unservable[i][1], "--db",
                                     "sqlite:a", NULL};
        assert_int_equal(exit_of(serve, line), 2);
        assert_int_equal(exit_of(check, line), 2);
    }
    const char *const command[] = {"srve", NULL};
    assert_int_equal(exit_of(command, line), 2);
    assert_string_equal(line, "arbiterd: there is no command 'srve': did you mean serve?");
}

static void a_wrong_config_file_is_exit_78(void **state)
{
    (void)state;
    char line[DAEMON_LINE_SIZE], path[DAEMON_PATH_SIZE + 64];
    (void)snprintf(path, sizeof path, "%s", in_folder("", "arbiter.conf"));
    write_file(path, "# mine\nthreads = lots\n");
    const char *const arguments[] = {"--config", path, NULL};
    assert_int_equal(exit_of(arguments, line), 78);
    assert_non_null(strstr(line, "arbiter.conf:2: 'lots' is no value of threads"));
    const char *const check[] = {"serve", "--check-config", "--config", path, NULL};
    assert_int_equal(exit_of(check, line), 78);
    write_file(path, "threads = 1\n");
    assert_true(daemon_process_start(&daemon_process, check));
    assert_int_equal(daemon_process_wait(&daemon_process), 0);
}

static void a_dry_run_tells_what_a_start_would_find(void **state)
{
    (void)state;
    char line[DAEMON_LINE_SIZE], present[DAEMON_PATH_SIZE + 64], foreign[DAEMON_PATH_SIZE + 64];
    struct daemon_process running = {.output = -1};
    assert_true(daemon_process_run(&running, NULL));
    (void)snprintf(present, sizeof present, "sqlite:%s/arbiter.db", running.folder);
    write_file(in_folder("", "foreign.db"), "this is no database, but somebody's diary\n");
    (void)snprintf(foreign, sizeof foreign, "%s", in_folder("sqlite:", "foreign.db"));
    const char *const beside[] = {"serve", "--dry-run", "--db", present, NULL};
    assert_true(daemon_process_start(&daemon_process, beside));
    assert_int_equal(daemon_process_wait(&daemon_process), 0);
    const char *const missing[] = {"serve", "--dry-run", NULL};
    assert_int_equal(exit_of(missing, line), 1);
    assert_int_not_equal(access(in_folder("", "arbiter.db"), F_OK), 0);
    const char *const refused[] = {"serve", "--dry-run", "--db", foreign, NULL};
    assert_int_equal(exit_of(refused, line), 3);
    daemon_process_finish(&running);
}

/* A request that has begun: its head is there, its body is not. */
static void begin_create(struct http_client *connection)
{
    assert_true(http_client_open(connection, "127.0.0.1", daemon_process.port));
    assert_true(http_client_send_text(connection, "POST /v1/games HTTP/1.1\r\nHost: localhost\r\n"
                                                  "Content-Type: application/json\r\nContent-Length: 2\r\n"
                                                  "Expect: 100-continue\r\n\r\n"));
    assert_true(http_client_read(connection, false, &daemon_reply)); /* the daemon has read the head */
    assert_int_equal(daemon_reply.status, 100);
    http_reply_finish(&daemon_reply);
}

static void the_first_sigterm_lets_a_request_end(void **state)
{
    (void)state;
    char line[DAEMON_LINE_SIZE], value[64];
    struct http_client begun, kept;
    run(NULL);
    begin_create(&begun);
    assert_true(http_client_open(&kept, "127.0.0.1", daemon_process.port));
    daemon_process_signal(&daemon_process, SIGTERM);
    assert_true(daemon_process_wait_line(&daemon_process, "draining", line));
    connect_client();
    assert_int_equal(status_of("/healthz"), 200);
    http_client_close(&daemon_client);
    connect_client();
    assert_int_equal(status_of("/readyz"), 503);
    http_client_close(&daemon_client);
    connect_client();
    http_reply_finish(&daemon_reply);
    assert_true(http_client_ask(&daemon_client, "POST", "/v1/games", NULL, "{}", &daemon_reply));
    assert_int_equal(daemon_reply.status, 503);
    assert_true(http_client_send_text(&begun, "{}"));
    http_reply_finish(&daemon_reply);
    assert_true(http_client_read(&begun, false, &daemon_reply));
    assert_int_equal(daemon_reply.status, 201);
    assert_true(http_reply_field(&daemon_reply, "Connection", value, sizeof value));
    assert_string_equal(value, "close");
    assert_true(http_client_is_closed(&kept));
    assert_int_equal(daemon_process_wait(&daemon_process), 0);
    http_client_close(&begun);
    http_client_close(&kept);
}

static void a_second_sigterm_ends_it_at_once(void **state)
{
    (void)state;
    char line[DAEMON_LINE_SIZE];
    run(NULL);
    begin_create(&daemon_client);
    daemon_process_signal(&daemon_process, SIGTERM);
    assert_true(daemon_process_wait_line(&daemon_process, "draining", line));
    /* The time itself is what counts: a signal that comes at once is taken for the same. */
    const struct timespec while_it_drains = {.tv_nsec = 150000000};
    assert_int_equal(nanosleep(&while_it_drains, NULL), 0);
    daemon_process_signal(&daemon_process, SIGTERM);
    assert_int_equal(daemon_process_wait(&daemon_process), 128 + SIGTERM);
}

static void two_signals_at_once_are_one(void **state)
{
    (void)state;
    char line[DAEMON_LINE_SIZE];
    run(NULL);
    daemon_process_signal(&daemon_process, SIGTERM);
    daemon_process_signal(&daemon_process, SIGINT);
    daemon_process_signal(&daemon_process, SIGTERM);
    assert_true(daemon_process_wait_line(&daemon_process, "stopped", line));
    assert_int_equal(daemon_process_wait(&daemon_process), 0);
    assert_int_not_equal(access(in_folder("", "arbiter.db-wal"), F_OK), 0);
}

static void a_drain_ends_after_its_time(void **state)
{
    (void)state;
    const char *const arguments[] = {"--drain-timeout", "100ms", NULL};
    run(arguments);
    begin_create(&daemon_client);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

static void sighup_reads_the_log_level_again(void **state)
{
    (void)state;
    char line[DAEMON_LINE_SIZE], path[DAEMON_PATH_SIZE + 64];
    (void)snprintf(path, sizeof path, "%s", in_folder("", "arbiter.conf"));
    write_file(path, "log-level = warn\n");
    const char *const arguments[] = {"--listen", "127.0.0.1:0", "--config", path, NULL};
    assert_true(daemon_process_start(&daemon_process, arguments));
    assert_true(daemon_process_wait_ready(&daemon_process));
    write_file(path, "log-level = info\n");
    daemon_process_signal(&daemon_process, SIGHUP);
    assert_true(
        daemon_process_wait_line(&daemon_process, "log-level and operator-keys were read again", line));
    write_file(path, "log-level = loud\n");
    daemon_process_signal(&daemon_process, SIGHUP);
    assert_true(daemon_process_wait_line(&daemon_process, "the settings were not read again", line));
    connect_client();
    assert_int_equal(status_of("/v1/no-such-route"), 404);
    assert_true(daemon_process_wait_line(&daemon_process, "\"status\":404", line));
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

/* By which other commands tell how far they have come. */
static void sigusr1_tells_the_state_and_sigusr2_does_nothing(void **state)
{
    (void)state;
    char line[DAEMON_LINE_SIZE];
    run(NULL);
    connect_client();
    assert_int_equal(status_of("/healthz"), 200);
    daemon_process_signal(&daemon_process, SIGUSR2);
    daemon_process_signal(&daemon_process, SIGUSR1);
    assert_true(daemon_process_wait_line(&daemon_process, "\"state\"", line));
    assert_non_null(strstr(line, "\"connections\":\"1\",\"requests\":"));
    assert_non_null(strstr(line, "\"games\":\"0\""));
    assert_int_equal(status_of("/healthz"), 200);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

static void requests_are_logged_without_queries_and_health_is_not(void **state)
{
    (void)state;
    char line[DAEMON_LINE_SIZE];
    run(NULL);
    connect_client();
    assert_int_equal(status_of("/healthz"), 200);
    http_reply_finish(&daemon_reply);
    assert_true(http_client_ask(&daemon_client, "GET", "/v1/games?player=secret-name",
                                "X-Request-Id: my-id\r\nAuthorization: Bearer cw_secret\r\n", NULL,
                                &daemon_reply));
    assert_true(daemon_process_wait_line(&daemon_process, "\"msg\":\"request\"", line));
    assert_non_null(strstr(line, "\"request_id\":\"my-id\""));
    assert_non_null(strstr(line, "\"route\":\"/v1/games\""));
    assert_non_null(strstr(line, "\"client\":\"127.0.0.1\""));
    assert_null(strstr(line, "secret"));
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

static void metrics_are_prometheus_text(void **state)
{
    (void)state;
    run(NULL);
    connect_client();
    assert_int_equal(status_of("/healthz"), 200);
    assert_int_equal(status_of("/metrics"), 200);
    assert_non_null(
        strstr(daemon_reply.body,
               "\narbiter_http_requests_total{method=\"GET\",route=\"/healthz\",status=\"200\"} 1\n"));
    assert_non_null(strstr(daemon_reply.body, "\narbiter_http_connections 1\n"));
    assert_non_null(strstr(daemon_reply.body, "\narbiter_storage_transactions_total "));
    assert_non_null(strstr(daemon_reply.body, "\narbiter_storage_file_bytes "));
    assert_non_null(strstr(daemon_reply.body, "\narbiter_storage_log_bytes "));
    assert_non_null(strstr(daemon_reply.body, "\narbiter_games_live "));
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

/* ---- the service manager, played by the test ---- */

static int bind_unix(int type, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    assert_true(strlen(path) < sizeof address.sun_path);
    memcpy(address.sun_path, path, strlen(path));
    int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static void wait_datagram(int fd, const char *beginning)
{
    char got[512];
    do {
        ssize_t length = recv(fd, got, sizeof got - 1, 0);
        assert_true(length > 0);
        got[length] = '\0';
    } while (strncmp(got, beginning, strlen(beginning)) != 0);
}

static void the_service_manager_is_told(void **state)
{
    (void)state;
    int fd = bind_unix(SOCK_DGRAM, in_folder("", "notify"));
    assert_int_equal(setenv("NOTIFY_SOCKET", in_folder("", "notify"), 1), 0);
    assert_int_equal(setenv("WATCHDOG_USEC", "200000", 1), 0);
    const char *const arguments[] = {"--listen", "127.0.0.1:0", NULL};
    assert_true(daemon_process_start(&daemon_process, arguments));
    wait_datagram(fd, "READY=1\nSTATUS=Serving http://127.0.0.1:");
    wait_datagram(fd, "WATCHDOG=1");
    wait_datagram(fd, "WATCHDOG=1");
    daemon_process_signal(&daemon_process, SIGTERM);
    wait_datagram(fd, "STOPPING=1");
    assert_int_equal(daemon_process_wait(&daemon_process), 0);
    (void)unsetenv("NOTIFY_SOCKET");
    (void)unsetenv("WATCHDOG_USEC");
    (void)close(fd);
}

static void a_socket_that_is_handed_over_is_served(void **state)
{
    (void)state;
    int fd = bind_unix(SOCK_STREAM, in_folder("", "given.sock"));
    assert_int_equal(listen(fd, 16), 0);
    const char *const arguments[] = {NULL};
    daemon_process.handed_over = fd;
    assert_true(daemon_process_start(&daemon_process, arguments));
    assert_true(daemon_process_wait_ready(&daemon_process));
    assert_true(http_client_open_unix(&daemon_client, in_folder("", "given.sock")));
    assert_int_equal(status_of("/healthz"), 200);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
    assert_int_equal(access(in_folder("", "given.sock"), F_OK), 0); /* it is the service manager's */
    (void)close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        DAEMON_TEST(it_tells_its_address_and_answers),
        DAEMON_TEST(sigint_ends_it_too),
        DAEMON_TEST(it_serves_ipv6_and_a_unix_socket_beside_ipv4),
        DAEMON_TEST(a_killed_daemon_leaves_a_socket_that_the_next_one_takes),
        DAEMON_TEST(a_port_in_use_is_exit_1),
        DAEMON_TEST(a_foreign_file_is_exit_3_and_stays_as_it_was),
        DAEMON_TEST(a_store_that_another_daemon_holds_is_exit_4),
        DAEMON_TEST(a_store_that_cannot_be_made_is_exit_1),
        DAEMON_TEST(wrong_use_is_exit_2_with_a_hint),
        DAEMON_TEST(a_wrong_config_file_is_exit_78),
        DAEMON_TEST(a_dry_run_tells_what_a_start_would_find),
        DAEMON_TEST(the_first_sigterm_lets_a_request_end),
        DAEMON_TEST(a_second_sigterm_ends_it_at_once),
        DAEMON_TEST(two_signals_at_once_are_one),
        DAEMON_TEST(a_drain_ends_after_its_time),
        DAEMON_TEST(sighup_reads_the_log_level_again),
        DAEMON_TEST(sigusr1_tells_the_state_and_sigusr2_does_nothing),
        DAEMON_TEST(requests_are_logged_without_queries_and_health_is_not),
        DAEMON_TEST(metrics_are_prometheus_text),
        DAEMON_TEST(the_service_manager_is_told),
        DAEMON_TEST(a_socket_that_is_handed_over_is_served),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
