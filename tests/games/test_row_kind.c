/* The table of what rows of the log are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "games/row_kind.h"

/* Stores have them: a word that changes makes their games unreadable. */
static void the_words_of_the_store_stay_what_they_are(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        enum row_kind kind;
    } rows[] = {
        {"created", ROW_CREATED},
        {"move", ROW_MOVE},
        {"undo", ROW_UNDO},
        {"claim", ROW_CLAIM},
        {"claim_refused", ROW_CLAIM_REFUSED},
        {"draw_offered", ROW_DRAW_OFFERED},
        {"draw_accepted", ROW_DRAW_ACCEPTED},
        {"draw_declined", ROW_DRAW_DECLINED},
        {"takeback", ROW_TAKEBACK},
        {"takeback_offered", ROW_TAKEBACK_OFFERED},
        {"takeback_accepted", ROW_TAKEBACK_ACCEPTED},
        {"takeback_declined", ROW_TAKEBACK_DECLINED},
        {"takeback_withdrawn", ROW_TAKEBACK_WITHDRAWN},
        {"resign", ROW_RESIGN},
        {"abort", ROW_ABORT},
        {"adjudicated", ROW_ADJUDICATED},
        {"illegal_move", ROW_ILLEGAL_MOVE},
        {"clock_added", ROW_CLOCK_ADDED},
        {"flagged", ROW_FLAGGED},
        {"abandoned", ROW_ABANDONED},
        {"recorded", ROW_RECORDED},
        {"seat_taken", ROW_SEAT_TAKEN},
        {"seat_left", ROW_SEAT_LEFT},
        {"token_renewed", ROW_TOKEN_RENEWED},
        {"updated", ROW_UPDATED},
    };
    enum { ROWS = sizeof rows / sizeof rows[0] };
    assert_int_equal(ROWS, ROW_KIND_COUNT - 1);
    for (size_t i = 0; i < ROWS; i++) {
        assert_string_equal(row_kind_word(rows[i].kind), rows[i].word);
        assert_int_equal(row_kind_find(rows[i].word), rows[i].kind);
    }
}

static void what_is_no_kind_has_no_word(void **state)
{
    (void)state;
    assert_null(row_kind_word(ROW_NONE));
    assert_int_equal(row_kind_find("sacrifice"), ROW_NONE);
    assert_int_equal(row_kind_find(""), ROW_NONE);
    assert_int_equal(row_kind_find("Move"), ROW_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_words_of_the_store_stay_what_they_are),
        cmocka_unit_test(what_is_no_kind_has_no_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
