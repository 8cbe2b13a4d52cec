/* shell: lines of shell, as people type them, for tests of the real program.
 *
 *     shell_assert_prints("\"$A\" --version", "arbiterd 0.");
 *
 * A script may have several lines. What the last one wrote to standard output is in shell_output, where a test may
 * change it; for both streams it begins with SHELL_BOTH. The tests of a program run one script at a time. */
#pragma once

enum { SHELL_OUTPUT_SIZE = 1 << 16 };
extern char shell_output[SHELL_OUTPUT_SIZE];

#define SHELL_BOTH "exec 2>&1\n"

/* The exit code. Fails the test where the shell is ended by a signal, or writes more than there is room for. */
int shell_run(const char *script);

/* Each runs the script. */
void shell_assert_exit(const char *script, int code);
void shell_assert_prints(const char *script, const char *part); /* and exits with 0 */
/* The variable of the environment is the first line that it prints. */
void shell_set(const char *variable, const char *script);

/* Of what the last script printed. */
void shell_assert_told(const char *part);
void shell_assert_not_told(const char *part);
