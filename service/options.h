/* options: every setting of the daemon, in one table that drives the command line, the environment, the
 * config file, `--help` and `config --print`.
 *
 * Layer: service. Memory: an options value owns its texts until options_destroy. Threads: one.
 * A name such as "idle-timeout" is the flag --idle-timeout, the variable ARBITER_IDLE_TIMEOUT and the file
 * key idle-timeout ('-' and '_' are the same letter). Precedence: flag over environment over file over
 * default. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "api/limits.h"

enum options_log_format { OPTIONS_LOG_AUTO, OPTIONS_LOG_JSON, OPTIONS_LOG_LOGFMT };
enum options_access { OPTIONS_ACCESS_AUTO, OPTIONS_ACCESS_OPEN, OPTIONS_ACCESS_SEATS };
enum options_creators { OPTIONS_CREATORS_ANYONE, OPTIONS_CREATORS_OPERATORS };
enum options_synchronous { OPTIONS_SYNCHRONOUS_FULL, OPTIONS_SYNCHRONOUS_NORMAL };

/* The settings by name. Lists end in NULL. Numbers are int64_t in the unit that their name ends in. */
struct options_values {
    const char **listen;
    const char *db;
    const char *config;
    const char **allow_origin;
    const char **allow_host;
    int64_t default_access; /* enum options_access */
    int64_t creators;       /* enum options_creators */
    const char *operator_keys;
    const char **trusted_proxy;
    int64_t rate_limits;   /* enum api_client_limits */
    int64_t stream_limits; /* enum api_client_limits */
    int64_t threads;
    int64_t pool_threads;
    int64_t pool_queue;
    int64_t connections;
    int64_t idle_timeout_ms;
    int64_t drain_timeout_ms;
    int64_t unix_mode;
    int64_t memory_bytes;
    int64_t body_memory_bytes;
    int64_t synchronous; /* enum options_synchronous */
    int64_t log_format;  /* enum options_log_format */
    int64_t log_level;   /* enum log_level */
    struct api_limits limits;
};

enum options_source { OPTIONS_DEFAULT, OPTIONS_FILE, OPTIONS_ENVIRONMENT, OPTIONS_FLAG };

enum {
    OPTIONS_ERROR_SIZE = 512,
    OPTIONS_CONNECTIONS_MIN = 8, /* the fewest that a service can be set to */
};

struct options; /* the values, and where each came from */

/* All defaults; NULL when memory is out. */
struct options *options_create(void);
void options_destroy(struct options *options);
const struct options_values *options_values(const struct options *options);
/* Nobody has set it. */
bool options_is_default(const struct options *options, const char *name);

/* Each reads one source, in any order: a value never replaces one of a source with higher precedence.
 * False: `error` has one sentence that names the value, where it stands, and the remedy. Unknown keys of a
 * file are refused; unknown variables are not ours and are left alone. */
bool options_read_environment(struct options *options, char *const *environment,
                              char error[OPTIONS_ERROR_SIZE]);
/* The first variable from *environment on that has our prefix and is no setting, though Kubernetes, which names some for a
 * service "arbiter", is not known to have made it; NULL: there is none. `error` says what it may have been meant to be,
 * which is why *is_near is set, or not. */
char *const *options_unknown_variable(char *const *environment, bool *is_near,
                                      char error[OPTIONS_ERROR_SIZE]);
bool options_read_file(struct options *options, const char *path, char error[OPTIONS_ERROR_SIZE]);

/* One argument of the command line.
 *   OPTIONS_TAKEN    a setting; *used arguments (1 or 2) were read
 *   OPTIONS_UNKNOWN  no setting of that name (the caller may know it); `error` names the nearest
 *   OPTIONS_WRONG    a setting with a value that does not fit; `error` says why */
enum options_taken { OPTIONS_TAKEN, OPTIONS_UNKNOWN, OPTIONS_WRONG };
enum options_taken options_read_argument(struct options *options, char *const *arguments, int *used,
                                         char error[OPTIONS_ERROR_SIZE]);

/* One setting from `source`; `where` names the place for messages ("arbiter.conf:7"). */
bool options_set(struct options *options, const char *name, const char *value, enum options_source source,
                 const char *where, char error[OPTIONS_ERROR_SIZE]);

/* The rows of the table: for --help, and for `config --print` (a file that options_read_file reads). */
void options_print_help(FILE *out);
void options_print(const struct options *options, FILE *out);
