#include "tests/support/daemon_shell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

char shell_output[SHELL_OUTPUT_SIZE];

int shell_run(const char *script)
{
    FILE *pipe = popen(script, "r"); /* NOLINT(cert-env33-c): a shell is what is tested */
    assert_non_null(pipe);
    size_t length = fread(shell_output, 1, sizeof shell_output - 1, pipe);
    shell_output[length] = '\0';
    assert_int_equal(fgetc(pipe), EOF);
    int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

void shell_assert_exit(const char *script, int code)
{
    int exited = shell_run(script);
    if (exited != code)
        fail_msg("%s: exit %d, printed: %s", script, exited, shell_output);
}

void shell_assert_prints(const char *script, const char *part)
{
    int code = shell_run(script);
    if (code != 0 || !strstr(shell_output, part))
        fail_msg("%s: exit %d, printed: %s", script, code, shell_output);
}

void shell_set(const char *variable, const char *script)
{
    shell_assert_exit(script, 0);
    shell_output[strcspn(shell_output, "\n")] = '\0';
    assert_true(*shell_output);
    assert_int_equal(setenv(variable, shell_output, 1), 0);
}

void shell_assert_told(const char *part)
{
    if (!strstr(shell_output, part))
        fail_msg("'%s' is not in: %s", part, shell_output);
}

void shell_assert_not_told(const char *part)
{
    if (strstr(shell_output, part))
        fail_msg("'%s' is in: %s", part, shell_output);
}
