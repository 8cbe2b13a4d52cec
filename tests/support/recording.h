/* recording: the exchanges of the tests, kept for tests/contract, which holds them against openapi.yaml.
 *
 * With TEST_RECORD=FILE in the environment every exchange is appended there, one JSON object a line:
 *
 *     {"program": "test_moves", "method": "POST", "target": "/v1/games", "fields": "Accept: text/plain\r\n",
 *      "body": "", "status": 201, "answer_fields": "Location: …\r\n", "answer_body": "…"}
 *
 * A text is a string of bytes: each byte is the character of that number, so that nothing is lost of a
 * picture or of what is no UTF-8. Programs and threads may write to one file at once. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct recorded {
    const char *method, *target;
    const char *fields; /* lines that end in "\r\n"; NULL: none */
    const char *body;   /* `length` bytes; may be NULL where there are none */
    size_t length;
    unsigned status;
    const char *answer_fields;
    const char *answer_body;
    size_t answer_length;
};

/* There is such a file. */
bool recording_is_wanted(void);

/* Appends the exchange. Ends the program where that cannot be done: a gap would not be noticed. */
void recording_append(const struct recorded *exchange);
