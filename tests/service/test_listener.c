/* service/listener and service/systemd: sockets to listen on, and the service manager's. */
#include "service/listener.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "service/systemd.h"

static struct listener listener;
static char error[LISTENER_ERROR_SIZE];
static char folder[64];

static int set_up(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/arbiter-listener-XXXXXX");
    listener = (struct listener){.fd = -1};
    *error = '\0';
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    listener_close(&listener);
    return rmdir(folder);
}

static const char *unix_address(void)
{
    static char address[128];
    (void)snprintf(address, sizeof address, "unix:%s/a.sock", folder);
    return address;
}

static const char *unix_path(void)
{
    return unix_address() + strlen("unix:");
}

static void addresses_give_scope_and_url(void **state)
{
    (void)state;
    static const struct {
        const char *address, *url;
        enum request_scope scope;
    } ROWS[] = {
        {"127.0.0.1:0", "http://127.0.0.1:", REQUEST_SCOPE_LOOPBACK},
        {"127.1.2.3:0", "http://127.1.2.3:", REQUEST_SCOPE_LOOPBACK},
        {"localhost:0", "http://127.0.0.1:", REQUEST_SCOPE_LOOPBACK},
        {"[::1]:0", "http://[::1]:", REQUEST_SCOPE_LOOPBACK},
        {"0.0.0.0:0", "http://0.0.0.0:", REQUEST_SCOPE_NETWORK},
        {"[::]:0", "http://[::]:", REQUEST_SCOPE_NETWORK},
        {":0", "http://[::]:", REQUEST_SCOPE_NETWORK},
        {"*:0", "http://[::]:", REQUEST_SCOPE_NETWORK},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        if (!listener_open(&listener, ROWS[i].address, 0, error))
            fail_msg("%s: %s", ROWS[i].address, error);
        assert_int_equal(listener.scope, ROWS[i].scope);
        assert_memory_equal(listener.url, ROWS[i].url, strlen(ROWS[i].url));
        assert_int_not_equal(listener.url[strlen(ROWS[i].url)], '0');
        listener_close(&listener);
    }
}

static void malformed_addresses_are_refused(void **state)
{
    (void)state;
    static const char *const ADDRESSES[] = {
        "",
        "8080",
        "127.0.0.1",
        "127.0.0.1:",
        "127.0.0.1:x",
        "127.0.0.1:65536",
        "::1:80",
        "[::1]",
        "[::1",
        "[127.0.0.1:80]",
        "a.example:1",
        "unix:",
        "127.0.0.1:-1",
        "[[::1]]:1",
        "256.1.1.1:1",
        "127.0.0.1:80 ",
    };
    for (size_t i = 0; i < sizeof ADDRESSES / sizeof *ADDRESSES; i++) {
        if (listener_open(&listener, ADDRESSES[i], 0, error))
            fail_msg("accepted: '%s'", ADDRESSES[i]);
        assert_memory_equal(error, "cannot listen on ", 17);
        assert_int_equal(listener.fd, -1);
    }
}

static void a_port_in_use_says_so(void **state)
{
    (void)state;
    assert_true(listener_open(&listener, "127.0.0.1:0", 0, error));
    struct listener second;
    assert_false(listener_open(&second, listener.url + strlen("http://"), 0, error));
    assert_non_null(strstr(error, "the port is in use"));
}

static void a_unix_socket_has_its_mode_and_goes_at_the_end(void **state)
{
    (void)state;
    struct stat status;
    assert_true(listener_open(&listener, unix_address(), 0600, error));
    assert_int_equal(listener.scope, REQUEST_SCOPE_UNIX);
    assert_string_equal(listener.url, unix_address());
    assert_int_equal(lstat(unix_path(), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    listener_close(&listener);
    assert_int_not_equal(lstat(unix_path(), &status), 0);
}

static void a_stale_unix_socket_is_replaced(void **state)
{
    (void)state;
    assert_true(listener_open(&listener, unix_address(), 0600, error));
    (void)close(listener.fd); /* as after a kill: the file stays */
    listener.fd = -1;
    struct listener second;
    assert_true(listener_open(&second, unix_address(), 0600, error));
    listener_close(&second);
    listener.remove = NULL;
}

static void a_unix_socket_in_use_is_left_alone(void **state)
{
    (void)state;
    assert_true(listener_open(&listener, unix_address(), 0600, error));
    struct listener second;
    assert_false(listener_open(&second, unix_address(), 0600, error));
    assert_non_null(strstr(error, "another process listens there"));
    assert_int_equal(access(unix_path(), F_OK), 0);
}

static void a_file_that_is_no_socket_is_left_alone(void **state)
{
    (void)state;
    int fd = open(unix_path(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    (void)close(fd);
    assert_false(listener_open(&listener, unix_address(), 0600, error));
    assert_int_equal(unlink(unix_path()), 0);
}

static void a_long_unix_path_is_refused(void **state)
{
    (void)state;
    char address[256] = "unix:/tmp/";
    memset(address + 10, 'a', 120);
    assert_false(listener_open(&listener, address, 0600, error));
    assert_non_null(strstr(error, "1 to 107 bytes"));
}

static void a_listening_socket_is_adopted(void **state)
{
    (void)state;
    struct listener adopted;
    assert_true(listener_open(&listener, "127.0.0.1:0", 0, error));
    assert_true(listener_adopt(&adopted, dup(listener.fd), error));
    assert_string_equal(adopted.url, listener.url);
    assert_int_equal(adopted.scope, REQUEST_SCOPE_LOOPBACK);
    assert_true(fcntl(adopted.fd, F_GETFD) & FD_CLOEXEC);
    listener_close(&adopted);
}

static void another_descriptor_is_not_adopted(void **state)
{
    (void)state;
    struct listener adopted;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_false(listener_adopt(&adopted, fd, error));
    assert_false(listener_adopt(&adopted, -1, error));
    (void)close(fd);
}

static void ready_is_one_datagram(void **state)
{
    (void)state;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    memcpy(address.sun_path, unix_path(), strlen(unix_path()));
    assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(setenv("NOTIFY_SOCKET", unix_path(), 1), 0);
    assert_true(systemd_notify("READY=1"));
    char got[32] = "";
    assert_int_equal(recv(fd, got, sizeof got - 1, 0), 7);
    assert_string_equal(got, "READY=1");
    (void)close(fd);
    (void)unlink(unix_path());
    assert_false(systemd_notify("READY=1"));
    assert_int_equal(unsetenv("NOTIFY_SOCKET"), 0);
    assert_false(systemd_notify("READY=1"));
}

static void set_number(const char *name, long number)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%ld", number);
    assert_int_equal(setenv(name, text, 1), 0);
}

static void sockets_are_for_the_process_that_they_name(void **state)
{
    (void)state;
    set_number("LISTEN_FDS", 2);
    assert_int_equal(systemd_listen_fds(), 0);
    set_number("LISTEN_PID", getpid() + 1L);
    assert_int_equal(systemd_listen_fds(), 0);
    set_number("LISTEN_PID", getpid());
    assert_int_equal(systemd_listen_fds(), 2);
    set_number("LISTEN_FDS", 1000); /* more than can be served, which has to be said */
    assert_int_equal(systemd_listen_fds(), 1000);
    assert_int_equal(setenv("LISTEN_FDS", "2x", 1), 0);
    assert_int_equal(systemd_listen_fds(), 0);
    (void)unsetenv("LISTEN_FDS");
    (void)unsetenv("LISTEN_PID");
}

static void the_watchdog_is_fed_twice_as_often_as_it_asks(void **state)
{
    (void)state;
    assert_int_equal(systemd_watchdog_ms(), 0);
    set_number("WATCHDOG_USEC", 30000000);
    assert_int_equal(systemd_watchdog_ms(), 15000);
    set_number("WATCHDOG_PID", getpid() + 1L);
    assert_int_equal(systemd_watchdog_ms(), 0);
    set_number("WATCHDOG_PID", getpid());
    assert_int_equal(systemd_watchdog_ms(), 15000);
    (void)unsetenv("WATCHDOG_USEC");
    (void)unsetenv("WATCHDOG_PID");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(addresses_give_scope_and_url),
        TEST(malformed_addresses_are_refused),
        TEST(a_port_in_use_says_so),
        TEST(a_unix_socket_has_its_mode_and_goes_at_the_end),
        TEST(a_stale_unix_socket_is_replaced),
        TEST(a_unix_socket_in_use_is_left_alone),
        TEST(a_file_that_is_no_socket_is_left_alone),
        TEST(a_long_unix_path_is_refused),
        TEST(a_listening_socket_is_adopted),
        TEST(another_descriptor_is_not_adopted),
        TEST(ready_is_one_datagram),
        TEST(sockets_are_for_the_process_that_they_name),
        TEST(the_watchdog_is_fed_twice_as_often_as_it_asks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
