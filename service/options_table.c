#include "service/options_table.h"

#include "api/client.h"
#include "api/limits.h"
#include "service/http_server.h"
#include "service/listener.h"
#include "service/log.h"
#include "service/options.h"
#include "storage/storage.h"

static const char *const SYNCHRONOUS[] = {"full", "normal", NULL};
static const char *const ACCESSES[] = {"auto", "open", "seats", NULL};
static const char *const CREATORS[] = {"anyone", "operators", NULL};
static const char *const CLIENT_LIMITS[] = {"auto", "on", "off", NULL};
static const char *const LOG_FORMATS[] = {"auto", "json", "logfmt", NULL};

#define MEMBER(member) offsetof(struct options_values, member)

const struct option OPTION_TABLE[] = {
    {.name = "listen",
     .kind = OPTION_LIST,
     .initial = "127.0.0.1:8080",
     .argument = "ADDRESS",
     .help =
         "Listen here: HOST:PORT, [IPV6]:PORT, :PORT (every address) or unix:PATH; port 0 takes a free one. "
         "Repeatable.",
     .maximum = HTTP_LISTENERS_MAX,
     .is_good = listener_is_address,
     .form = "HOST:PORT with a numeric host, [IPV6]:PORT, :PORT or unix:PATH",
     .offset = MEMBER(listen)},
    {.name = "db",
     .kind = OPTION_TEXT,
     .initial = "sqlite:arbiter.db",
     .argument = "URL",
     .help = "Where games are kept: sqlite:PATH.",
     .is_good = storage_is_url,
     .form = "sqlite:PATH",
     .offset = MEMBER(db)},
    {.name = "config",
     .kind = OPTION_TEXT,
     .argument = "PATH",
     .help = "Read settings from this file: a line each, `name = value`.",
     .offset = MEMBER(config)},
    {.name = "allow-origin",
     .kind = OPTION_LIST,
     .argument = "ORIGIN",
     .help = "Let web pages of this origin call the API; * lets all. Behind a proxy that speaks TLS: "
             "the service's own, https://HOST, too. Repeatable.",
     .is_good = option_is_origin,
     .form = "SCHEME://HOST, or SCHEME://HOST:PORT, without a path, or *",
     .offset = MEMBER(allow_origin)},
    {.name = "allow-host",
     .kind = OPTION_LIST,
     .argument = "NAME",
     .help = "Answer to this Host name, beside the loopback names. Repeatable.",
     .is_good = option_is_host,
     .form = "a host name, which a port may follow",
     .offset = MEMBER(allow_host)},
    {.name = "default-access",
     .kind = OPTION_CHOICE,
     .initial = "auto",
     .choices = ACCESSES,
     .argument = "auto|open|seats",
     .help = "Games that do not say: open for whoever has the id, or with a token for each seat. auto: open "
             "while every address is loopback or a Unix socket and no proxy is trusted.",
     .offset = MEMBER(default_access)},
    {.name = "creators",
     .kind = OPTION_CHOICE,
     .initial = "anyone",
     .choices = CREATORS,
     .argument = "anyone|operators",
     .help = "Who may create, fork and import games.",
     .offset = MEMBER(creators)},
    {.name = "operator-keys",
     .kind = OPTION_TEXT,
     .argument = "PATH",
     .help =
         "Those who may look after every game: lines that `arbiterd token --operator NAME` prints. SIGHUP "
         "reads the file again.",
     .offset = MEMBER(operator_keys)},
    {.name = "trusted-proxy",
     .kind = OPTION_LIST,
     .argument = "ADDRESS",
     .help = "Believe what this proxy says of its clients in Forwarded or X-Forwarded-For: ADDRESS, "
             "ADDRESS/BITS or "
             "unix. Repeatable.",
     .is_good = client_is_network,
     .form = "a numeric address, ADDRESS/BITS or unix",
     .offset = MEMBER(trusted_proxy)},
    {.name = "rate-limits",
     .kind = OPTION_CHOICE,
     .initial = "auto",
     .choices = CLIENT_LIMITS,
     .argument = "auto|on|off",
     .help = "Count the requests of each address against the limits limit-rate-*. auto: not those over "
             "loopback and Unix sockets, unless a proxy is trusted.",
     .offset = MEMBER(rate_limits)},
    {.name = "stream-limits",
     .kind = OPTION_CHOICE,
     .initial = "auto",
     .choices = CLIENT_LIMITS,
     .argument = "auto|on|off",
     .help = "Count the event streams of each token or address against limit-streams-per-client and "
             "limit-streams-per-address. auto: as for rate-limits.",
     .offset = MEMBER(stream_limits)},
    {.name = "threads",
     .kind = OPTION_NUMBER,
     .initial = "1",
     .minimum = 1,
     .maximum = 64,
     .argument = "N",
     .help = "Network threads for each address.",
     .offset = MEMBER(threads)},
    {.name = "pool-threads",
     .kind = OPTION_NUMBER,
     .initial = "2",
     .minimum = 1,
     .maximum = 64,
     .argument = "N",
     .help = "Threads for disk reads and heavy work.",
     .offset = MEMBER(pool_threads)},
    {.name = "pool-queue",
     .kind = OPTION_NUMBER,
     .initial = "1024",
     .minimum = 1,
     .maximum = 1000000,
     .argument = "N",
     .help = "Requests that may wait for such a thread; more are answered 503.",
     .offset = MEMBER(pool_queue)},
    {.name = "connections",
     .kind = OPTION_NUMBER,
     .initial = "16384",
     .minimum = OPTIONS_CONNECTIONS_MIN,
     .maximum = 1000000,
     .argument = "N",
     .help = "Connections at one time for each address; more wait until one ends.",
     .offset = MEMBER(connections)},
    {.name = "idle-timeout",
     .kind = OPTION_NUMBER,
     .initial = "15s",
     .minimum = 100,
     .maximum = 3600000,
     .unit = "milliseconds",
     .argument = "TIME",
     .help = "Close a connection that sends no whole request line for so long.",
     .offset = MEMBER(idle_timeout_ms)},
    {.name = "drain-timeout",
     .kind = OPTION_NUMBER,
     .initial = "10s",
     .minimum = 0,
     .maximum = 3600000,
     .unit = "milliseconds",
     .argument = "TIME",
     .help = "After SIGTERM, wait so long for requests that have begun.",
     .offset = MEMBER(drain_timeout_ms)},
    {.name = "unix-mode",
     .kind = OPTION_NUMBER,
     .initial = "0660",
     .minimum = 0,
     .maximum = 0777,
     .unit = "octal",
     .argument = "MODE",
     .help = "Access mode of Unix sockets.",
     .offset = MEMBER(unix_mode)},
    {.name = "memory",
     .kind = OPTION_NUMBER,
     .initial = "256MiB",
     .minimum = 1 << 20,
     .maximum = INT64_C(1) << 42,
     .unit = "bytes",
     .argument = "SIZE",
     .help = "Memory for live games; the least used leave it and are read again when asked for.",
     .offset = MEMBER(memory_bytes)},
    {.name = "body-memory",
     .kind = OPTION_NUMBER,
     .initial = "64MiB",
     .minimum = 1 << 20,
     .maximum = INT64_C(1) << 42,
     .unit = "bytes",
     .argument = "SIZE",
     .help = "Memory for request bodies that arrive at one time, at least for the longest; more are answered "
             "503.",
     .offset = MEMBER(body_memory_bytes)},
    {.name = "synchronous",
     .kind = OPTION_CHOICE,
     .initial = "full",
     .choices = SYNCHRONOUS,
     .argument = "full|normal",
     .help =
         "full: an acknowledged move survives a power cut. normal: it survives a crash of the program only.",
     .offset = MEMBER(synchronous)},
    {.name = "log-format",
     .kind = OPTION_CHOICE,
     .initial = "auto",
     .choices = LOG_FORMATS,
     .argument = "auto|json|logfmt",
     .help = "auto: logfmt on a terminal, else JSON.",
     .offset = MEMBER(log_format)},
    {.name = "log-level",
     .kind = OPTION_CHOICE,
     .initial = "info",
     .choices = log_level_names,
     .argument = "error|warn|info|debug",
     .help = "Requests are logged at info. SIGHUP reads this setting again from the config file.",
     .offset = MEMBER(log_level)},
#define LIMIT_ROW(member, initial_value, least, most, unit_text, sentence)                                   \
    {.name = "limit-" #member,                                                                               \
     .kind = OPTION_NUMBER,                                                                                  \
     .initial_number = (initial_value),                                                                      \
     .minimum = (least),                                                                                     \
     .maximum = (most),                                                                                      \
     .unit = (unit_text),                                                                                    \
     .argument = "N",                                                                                        \
     .help = (sentence),                                                                                     \
     .offset = MEMBER(limits.member)},
    API_LIMITS(LIMIT_ROW)
#undef LIMIT_ROW
};

const size_t OPTION_COUNT = sizeof OPTION_TABLE / sizeof *OPTION_TABLE;
