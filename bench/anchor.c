/* The honest limit of Arbiter's stack: libmicrohttpd and SQLite with group commit, and nothing between them.
 *
 *     anchor DATABASE CREATE_BYTES MOVE_BYTES LEGAL_BYTES GAME_BYTES
 *
 * Answers have these lengths and always the same text; there is no chess. A POST is suspended, and one thread writes all
 * that have gathered as one transaction (WAL, synchronous=FULL), resumes them, and takes the next: it never waits for
 * more. A GET is answered at once. Listens on a free loopback port, tells which on stderr, and ends with SIGTERM. */
#include <arpa/inet.h>
#include <microhttpd.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BODY_MAX = 65536, MOVE_SIZE = 64, CONNECTIONS_MAX = 20000, DATABASE_BUSY = 3 };

enum answer_kind { ANSWER_CREATE, ANSWER_MOVE, ANSWER_LEGAL, ANSWER_GAME, ANSWER_KIND_COUNT };

static size_t lengths[ANSWER_KIND_COUNT];
static char body[BODY_MAX];

struct request {
    struct MHD_Connection *connection;
    struct request *next;
    char move[MOVE_SIZE];
    size_t length;
    int is_written;
};

/* What waits to be written, newest first. */
static struct request *gathered;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_gathered = PTHREAD_COND_INITIALIZER;

/* ---- the writer -------------------------------------------------------------------------------------------- */

static sqlite3 *database;
static sqlite3_stmt *begin, *insert, *commit;

static void fail(const char *what)
{
    (void)fprintf(stderr, "anchor: %s: %s\n", what, database ? sqlite3_errmsg(database) : "no memory");
    _exit(1);
}

static void open_database(const char *path)
{
    static const char schema[] =
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
        "CREATE TABLE actions (seq INTEGER PRIMARY KEY, game INTEGER NOT NULL, move TEXT NOT NULL) STRICT";
    if (sqlite3_open(path, &database) != SQLITE_OK ||
        sqlite3_exec(database, schema, NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(database, "BEGIN IMMEDIATE", -1, &begin, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(database, "INSERT INTO actions (game, move) VALUES (?1, ?2)", -1, &insert, NULL) !=
            SQLITE_OK ||
        sqlite3_prepare_v2(database, "COMMIT", -1, &commit, NULL) != SQLITE_OK)
        fail(path);
}

static void step(sqlite3_stmt *statement)
{
    if (sqlite3_step(statement) != SQLITE_DONE)
        fail("write");
    (void)sqlite3_reset(statement);
}

static struct request *take_gathered(void)
{
    (void)pthread_mutex_lock(&lock);
    while (!gathered)
        (void)pthread_cond_wait(&has_gathered, &lock);
    struct request *taken = gathered;
    gathered = NULL;
    (void)pthread_mutex_unlock(&lock);
    return taken;
}

/* A request may be gone as soon as it is resumed. */
static void resume_all(struct request *request)
{
    while (request) {
        struct request *next = request->next;
        MHD_resume_connection(request->connection);
        request = next;
    }
}

static void *write_forever(void *unused)
{
    (void)unused;
    for (;;) {
        struct request *taken = take_gathered();
        step(begin);
        for (struct request *request = taken; request; request = request->next) {
            (void)sqlite3_bind_int64(insert, 1, (sqlite3_int64)request->length);
            (void)sqlite3_bind_text(insert, 2, request->move, (int)request->length, SQLITE_STATIC);
            step(insert);
        }
        step(commit);
        resume_all(taken);
    }
    return NULL;
}

/* ---- requests ---------------------------------------------------------------------------------------------- */

static enum MHD_Result answer(struct MHD_Connection *connection, unsigned status, enum answer_kind kind)
{
    /* A copy, as any real answer is written somewhere first. */
    struct MHD_Response *response =
        MHD_create_response_from_buffer(lengths[kind], body, MHD_RESPMEM_MUST_COPY);
    if (!response)
        return MHD_NO;
    (void)MHD_add_response_header(response, "Content-Type", "application/json");
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static void gather(struct request *request)
{
    request->is_written = 1;
    MHD_suspend_connection(request->connection);
    (void)pthread_mutex_lock(&lock);
    request->next = gathered;
    gathered = request;
    (void)pthread_cond_signal(&has_gathered);
    (void)pthread_mutex_unlock(&lock);
}

static void take_body(struct request *request, const char *bytes, size_t length)
{
    size_t room = sizeof request->move - request->length;
    size_t taken = length < room ? length : room;
    memcpy(request->move + request->length, bytes, taken);
    request->length += taken;
}

/* Answers only in a later call than the first: one that is queued in the first closes the connection. */
static enum MHD_Result on_request(void *unused, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *bytes, size_t *length,
                                  void **context)
{
    (void)unused;
    (void)version;
    struct request *request = *context;
    if (!request) {
        request = calloc(1, sizeof *request);
        *context = request;
        if (!request)
            return MHD_NO;
        request->connection = connection;
        return MHD_YES;
    }
    if (strcmp(method, "GET") == 0)
        return answer(connection, MHD_HTTP_OK, strstr(url, "/legal-moves") ? ANSWER_LEGAL : ANSWER_GAME);
    if (*length > 0) {
        take_body(request, bytes, *length);
        *length = 0;
        return MHD_YES;
    }
    if (request->is_written)
        return answer(connection, MHD_HTTP_CREATED, strstr(url, "/moves") ? ANSWER_MOVE : ANSWER_CREATE);
    gather(request);
    return MHD_YES;
}

static void on_completed(void *unused, struct MHD_Connection *connection, void **context,
                         enum MHD_RequestTerminationCode reason)
{
    (void)unused;
    (void)connection;
    (void)reason;
    free(*context);
    *context = NULL;
}

/* ---- the process ------------------------------------------------------------------------------------------- */

static int read_lengths(char **texts)
{
    for (unsigned kind = 0; kind < ANSWER_KIND_COUNT; kind++) {
        lengths[kind] = strtoul(texts[kind], NULL, 10);
        if (lengths[kind] < 16 || lengths[kind] > BODY_MAX)
            return 0;
    }
    return 1;
}

static void fill_body(void)
{
    static const char first[] = "{\"id\":\"1\",\"text\":\"";
    memset(body, 'x', sizeof body);
    memcpy(body, first, sizeof first - 1);
}

static struct MHD_Daemon *start(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL,
                            on_request, NULL, MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_CONNECTION_LIMIT,
                            (unsigned)CONNECTIONS_MAX, MHD_OPTION_NOTIFY_COMPLETED, on_completed, NULL,
                            MHD_OPTION_END);
}

int main(int argc, char **argv)
{
    sigset_t ends;
    pthread_t writer;
    int number = 0;
    if (argc != 2 + ANSWER_KIND_COUNT || !read_lengths(argv + 2)) {
        (void)fprintf(stderr, "usage: anchor DATABASE CREATE_BYTES MOVE_BYTES LEGAL_BYTES GAME_BYTES\n");
        return 2;
    }
    (void)signal(SIGPIPE, SIG_IGN);
    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGTERM);
    (void)sigaddset(&ends, SIGINT);
    (void)pthread_sigmask(SIG_BLOCK, &ends, NULL);
    fill_body();
    open_database(argv[1]);
    if (pthread_create(&writer, NULL, write_forever, NULL) != 0)
        fail("thread");
    struct MHD_Daemon *daemon = start();
    if (!daemon)
        fail("listen");
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    (void)fprintf(stderr, "listening on http://127.0.0.1:%u\n", (unsigned)info->port);
    (void)sigwait(&ends, &number);
    /* The library may not be stopped while connections are suspended. */
    _exit(0);
}
