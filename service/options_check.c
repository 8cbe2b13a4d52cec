/* What a text has to be to make sense, for rows of the table: so that a service never starts with a setting
 * that it cannot serve or would silently ignore. */
#include <string.h>

#include "rules/pgn_text.h"
#include "service/guard.h"
#include "service/options_table.h"

size_t option_control(const char *text, size_t *at)
{
    size_t left = strlen(text), length = 0;
    for (*at = 0; left && (length = pgn_text_control(text + *at, left)) == 0; left--)
        ++*at;
    return left ? length : 0;
}

bool option_is_host(const char *text)
{
    return !strchr(text, '*') && guard_is_authority(text, strlen(text));
}

/* RFC 6454 6.2, and the two words that stand for many: browsers never send a path. */
bool option_is_origin(const char *text)
{
    static const char SCHEME[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.";
    if (strcmp(text, "*") == 0 || strcmp(text, "null") == 0)
        return true;
    size_t length = strspn(text, SCHEME);
    const char *host = text + length + strlen("://");
    return length > 0 && strncmp(text + length, "://", strlen("://")) == 0 && *host && option_is_host(host);
}
