#include "service/http_kept.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "service/http_exchange.h"
#include "service/http_internal.h"

/* What is kept stays under RESPONSE_FORM_BYTES: this structure, some 250 bytes of the library, and for each field another
 * hundred, and its text. A field may repeat an origin as long as a head: an answer with such a one is not kept. */
enum { FIELDS_MAX = 8, TEXTS_MAX = 384, RATE_SIZE = 40 };

struct http_kept {
    struct response_form form; /* first: the slot's pointer is ours */
    struct MHD_Response *mhd;
    size_t count;          /* of its fields, but for those that vary */
    char texts[TEXTS_MAX]; /* their names and values, one behind the other, each with its NUL */
    char id[HTTP_EXCHANGE_ID_SIZE];
    char rate[RATE_SIZE]; /* empty: it has none */
};

/* The fields that differ from request to request: X-Request-Id, and RateLimit where clients are counted (or NULL). */
struct varying {
    const struct response_header *id, *rate;
};

static void destroy(struct response_form *form)
{
    struct http_kept *kept = (struct http_kept *)form;
    MHD_destroy_response(kept->mhd);
    free(kept);
}

/* The field of the answer with this very value; NULL: there is none. */
static const struct response_header *field_with(const struct response *response, const char *value)
{
    size_t at = 0;
    while (at < response->header_count && response->headers[at].value != value)
        at++;
    return at < response->header_count ? &response->headers[at] : NULL;
}

/* False: the answer has no id, or cannot be kept. */
static bool find_varying(const struct http_exchange *exchange, struct varying *varying)
{
    const char *rate = exchange->request.rate_limit;
    varying->id = field_with(&exchange->response, exchange->id);
    varying->rate = rate ? field_with(&exchange->response, rate) : NULL;
    return exchange->response.slot && varying->id && (!varying->rate || strlen(rate) < RATE_SIZE);
}

static bool is_varying(const struct varying *varying, const struct response_header *field)
{
    return field == varying->id || field == varying->rate;
}

static void note_varying(struct http_kept *kept, const struct varying *varying)
{
    (void)stpcpy(kept->id, varying->id->value);
    (void)stpcpy(kept->rate, varying->rate ? varying->rate->value : "");
}

/* ---- out of the slot ------------------------------------------------------------------------------------ */

/* Whether `text` is the next one; then *at is behind it. */
static bool is_next(const char **at, const char *text)
{
    if (strcmp(*at, text) != 0)
        return false;
    *at += strlen(text) + 1;
    return true;
}

/* The same fields in the same order, whatever stands in those that vary. */
static bool has_fields_of(const struct http_kept *kept, const struct response *response,
                          const struct varying *varying)
{
    const struct response_header *end = response->headers + response->header_count;
    const char *at = kept->texts;
    size_t count = 0;
    for (const struct response_header *field = response->headers; field < end; field++) {
        if (is_varying(varying, field))
            continue;
        if (count++ == kept->count || !is_next(&at, field->name) || !is_next(&at, field->value))
            return false;
    }
    return count == kept->count && (kept->rate[0] != '\0') == (varying->rate != NULL);
}

static bool replace(const struct http_kept *kept, const struct response_header *field, const char *before)
{
    return MHD_del_response_header(kept->mhd, field->name, before) == MHD_YES &&
           MHD_add_response_header(kept->mhd, field->name, field->value) == MHD_YES;
}

/* Nobody else has it: it becomes the answer to this request. */
static bool adapt(struct http_kept *kept, const struct response *response, const struct varying *varying)
{
    if (!has_fields_of(kept, response, varying) || !replace(kept, varying->id, kept->id) ||
        (varying->rate && !replace(kept, varying->rate, kept->rate)))
        return false;
    note_varying(kept, varying);
    return true;
}

struct MHD_Response *http_kept_take(struct http_exchange *exchange)
{
    struct varying varying;
    if (!find_varying(exchange, &varying))
        return NULL;
    struct response_form *form =
        atomic_exchange_explicit(&exchange->response.slot->form, NULL, memory_order_acquire);
    if (!form)
        return NULL;
    struct http_kept *kept = (struct http_kept *)form;
    if (!adapt(kept, &exchange->response, &varying)) {
        form->destroy(form);
        return NULL;
    }
    exchange->kept = kept;
    return kept->mhd;
}

/* ---- into it -------------------------------------------------------------------------------------------- */

/* NULL: there is no room for it. */
static char *put_text(char *at, const char *end, const char *text)
{
    size_t size = strlen(text) + 1;
    return size > (size_t)(end - at) ? NULL : (char *)memcpy(at, text, size) + size;
}

/* False: it has more of them than there is room for. */
static bool note_fields(struct http_kept *kept, const struct response *response,
                        const struct varying *varying)
{
    const struct response_header *end = response->headers + response->header_count;
    char *at = kept->texts;
    for (const struct response_header *field = response->headers; field < end; field++) {
        if (is_varying(varying, field))
            continue;
        at = kept->count++ < FIELDS_MAX ? put_text(at, kept->texts + TEXTS_MAX, field->name) : NULL;
        at = at ? put_text(at, kept->texts + TEXTS_MAX, field->value) : NULL;
        if (!at)
            return false;
    }
    note_varying(kept, varying);
    return true;
}

/* NULL: it is not to be kept, or memory is out. */
static struct http_kept *make(const struct http_exchange *exchange, struct MHD_Response *mhd)
{
    struct varying varying;
    struct http_kept *kept = find_varying(exchange, &varying) ? malloc(sizeof *kept) : NULL;
    if (!kept)
        return NULL;
    kept->form.destroy = destroy;
    kept->mhd = mhd;
    kept->count = 0;
    if (note_fields(kept, &exchange->response, &varying))
        return kept;
    free(kept);
    return NULL;
}

void http_kept_add(struct http_exchange *exchange, struct MHD_Response *mhd)
{
    exchange->kept = make(exchange, mhd);
    if (!exchange->kept)
        MHD_destroy_response(mhd);
}

void http_kept_leave(struct http_exchange *exchange)
{
    struct response_form *form = (struct response_form *)exchange->kept, *none = NULL;
    exchange->kept = NULL;
    if (form && !atomic_compare_exchange_strong_explicit(&exchange->response.slot->form, &none, form,
                                                         memory_order_acq_rel, memory_order_relaxed))
        form->destroy(form);
}
