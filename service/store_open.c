#include "service/store_open.h"

#include <stdio.h>

enum exit_code store_open(const char *url, const struct storage_options *options, struct storage **storage,
                          char warning[STORAGE_ERROR_SIZE])
{
    static const enum exit_code CODES[] = {
        [STORAGE_OPENED] = EXIT_DONE,
        [STORAGE_OPEN_REFUSED] = EXIT_REFUSED,
        [STORAGE_OPEN_LOCKED] = EXIT_LOCKED,
        [STORAGE_OPEN_FAILED] = EXIT_FAILED,
    };
    enum storage_open_status status = storage_open(url, options, storage, warning);
    if (status != STORAGE_OPENED)
        (void)fprintf(stderr, "arbiterd: %s\n", warning);
    return CODES[status];
}

enum exit_code store_open_told(const char *url, const struct storage_options *options,
                               struct storage **storage)
{
    char warning[STORAGE_ERROR_SIZE] = "";
    enum exit_code code = store_open(url, options, storage, warning);
    if (code == EXIT_DONE && *warning)
        (void)fprintf(stderr, "arbiterd: %s\n", warning);
    return code;
}
