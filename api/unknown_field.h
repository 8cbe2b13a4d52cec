/* unknown_field: the refusal of a member or query parameter that does not exist, with the one that was meant.
 *
 * Layer: api. Serves api/query.c and api/fields.c. */
#pragma once

struct exchange;

struct unknown_field {
    const char *what;      /* "query parameter", "field" */
    const char *detail;    /* a sentence in place of the usual one, or NULL; `what` is not used then */
    const char *name;      /* as sent, decoded */
    const char *nearest;   /* the known name that is closest, or NULL */
    const char *pointer;   /* as in struct problem */
    const char *parameter; /* as in struct problem */
};

/* The response becomes the problem unknown-field. */
void unknown_field_refuse(struct exchange *exchange, const struct unknown_field *unknown);
