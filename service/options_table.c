#include "service/options_table.h"

#include "api/limits.h"
#include "service/options.h"

static const char *const SYNCHRONOUS[] = {"full", "normal", NULL};
static const char *const LOG_FORMATS[] = {"auto", "json", "logfmt", NULL};
static const char *const LOG_LEVELS[] = {"error", "warn", "info", "debug", NULL};

#define MEMBER(member) offsetof(struct options_values, member)

const struct option OPTION_TABLE[] = {
    {.name = "listen",
     .kind = OPTION_LIST,
     .initial = "127.0.0.1:8080",
     .argument = "ADDRESS",
     .help =
         "Listen here: HOST:PORT, [IPV6]:PORT, :PORT (every address) or unix:PATH; port 0 takes a free one. "
         "Repeatable.",
     .offset = MEMBER(listen)},
    {.name = "db",
     .kind = OPTION_TEXT,
     .initial = "sqlite:arbiter.db",
     .argument = "URL",
     .help = "Where games are kept: sqlite:PATH.",
     .offset = MEMBER(db)},
    {.name = "config",
     .kind = OPTION_TEXT,
     .argument = "PATH",
     .help = "Read settings from this file: a line each, `name = value`.",
     .offset = MEMBER(config)},
    {.name = "allow-origin",
     .kind = OPTION_LIST,
     .argument = "ORIGIN",
     .help = "Let web pages of this origin call the API; * lets all. Repeatable.",
     .offset = MEMBER(allow_origin)},
    {.name = "allow-host",
     .kind = OPTION_LIST,
     .argument = "NAME",
     .help = "Answer to this Host name, beside the loopback names. Repeatable.",
     .offset = MEMBER(allow_host)},
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
     .initial = "10000",
     .minimum = 8,
     .maximum = 1000000,
     .argument = "N",
     .help = "Connections at one time for each address; more wait until one ends.",
     .offset = MEMBER(connections)},
    {.name = "idle-timeout",
     .kind = OPTION_NUMBER,
     .initial = "30s",
     .minimum = 100,
     .maximum = 3600000,
     .unit = "milliseconds",
     .argument = "TIME",
     .help = "Close a connection that sends no request for so long.",
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
     .choices = LOG_LEVELS,
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
