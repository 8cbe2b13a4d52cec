#include "service/http_kept.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "service/http_exchange.h"
#include "service/http_internal.h"

/* What is kept stays under RESPONSE_FORM_BYTES: some 250 bytes of the library, and a hundred for each field besides its
 * text. A field may repeat an origin as long as a head: an answer with such a one is not kept. */
enum { FIELDS_MAX = 8, TEXTS_MAX = 384 };

struct http_kept {
    struct response_form form; /* first: the slot's pointer is ours */
    struct MHD_Response *mhd;
};

static void destroy(struct response_form *form)
{
    struct http_kept *kept = (struct http_kept *)form;
    MHD_destroy_response(kept->mhd);
    free(kept);
}

/* The X-Request-Id of the answer; NULL: it has none. */
static const struct response_header *id_field(const struct http_exchange *exchange)
{
    const struct response *response = &exchange->response;
    size_t at = 0;
    while (at < response->header_count && response->headers[at].value != exchange->id)
        at++;
    return at < response->header_count ? &response->headers[at] : NULL;
}

/* ---- out of the slot ------------------------------------------------------------------------------------ */

/* The fields of a response, gone through beside those that are wanted: the same in the same order, and the id last. */
struct comparison {
    const struct response_header *wanted, *end, *id;
    bool differs, has_id;
    char old_id[HTTP_EXCHANGE_ID_SIZE];
};

static void compare_id(struct comparison *comparison, const char *name, const char *value)
{
    size_t length = strlen(value);
    comparison->differs |= strcmp(name, comparison->id->name) != 0 || length >= HTTP_EXCHANGE_ID_SIZE;
    if (comparison->differs)
        return;
    memcpy(comparison->old_id, value, length + 1);
    comparison->has_id = true;
}

static enum MHD_Result compare(void *cls, enum MHD_ValueKind kind, const char *name, const char *value)
{
    struct comparison *comparison = cls;
    (void)kind;
    comparison->wanted += comparison->wanted == comparison->id;
    if (comparison->wanted == comparison->end)
        compare_id(comparison, name, value);
    else
        comparison->differs |=
            strcmp(name, comparison->wanted->name) != 0 || strcmp(value, comparison->wanted->value) != 0;
    comparison->wanted += comparison->wanted != comparison->end;
    return comparison->differs ? MHD_NO : MHD_YES;
}

/* Nobody else has it: it gets the fields of this answer. False: they are not those that it had. */
static bool adapt(struct MHD_Response *mhd, const struct response *response, const struct response_header *id)
{
    struct comparison comparison = {
        .wanted = response->headers, .end = response->headers + response->header_count, .id = id};
    (void)MHD_get_response_headers(mhd, compare, &comparison);
    return comparison.has_id && !comparison.differs &&
           MHD_del_response_header(mhd, id->name, comparison.old_id) == MHD_YES &&
           MHD_add_response_header(mhd, id->name, id->value) == MHD_YES;
}

struct MHD_Response *http_kept_take(struct http_exchange *exchange)
{
    struct response_slot *slot = exchange->response.slot;
    const struct response_header *id = slot ? id_field(exchange) : NULL;
    struct response_form *form =
        id ? atomic_exchange_explicit(&slot->form, NULL, memory_order_acquire) : NULL;
    if (!form)
        return NULL;
    struct http_kept *kept = (struct http_kept *)form;
    if (!adapt(kept->mhd, &exchange->response, id)) {
        form->destroy(form);
        return NULL;
    }
    exchange->kept = kept;
    return kept->mhd;
}

/* ---- into it -------------------------------------------------------------------------------------------- */

static bool is_small(const struct response *response)
{
    size_t texts = 0;
    for (size_t i = 0; i < response->header_count; i++)
        texts += strlen(response->headers[i].name) + strlen(response->headers[i].value);
    return response->header_count <= FIELDS_MAX && texts <= TEXTS_MAX;
}

void http_kept_add(struct http_exchange *exchange, struct MHD_Response *mhd)
{
    const struct response *response = &exchange->response;
    bool is_kept = response->slot && id_field(exchange) && is_small(response);
    struct http_kept *kept = is_kept ? malloc(sizeof *kept) : NULL;
    if (kept)
        *kept = (struct http_kept){{destroy}, mhd};
    else
        MHD_destroy_response(mhd);
    exchange->kept = kept;
}

void http_kept_leave(struct http_exchange *exchange)
{
    struct response_form *form = (struct response_form *)exchange->kept, *none = NULL;
    exchange->kept = NULL;
    if (form && !atomic_compare_exchange_strong_explicit(&exchange->response.slot->form, &none, form,
                                                         memory_order_acq_rel, memory_order_relaxed))
        form->destroy(form);
}
