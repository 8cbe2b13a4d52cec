#include <string.h>

#include "rules/fen.h"
#include "tests/fuzz/fuzz.h"

static bool same_counters(const struct position *a, const struct position *b)
{
    return a->halfmove_clock == b->halfmove_clock && a->fullmove_number == b->fullmove_number;
}

/* What is written is read as the same position, and written as the same text again. */
static void check_round_trip(const struct position *position, enum fen_en_passant en_passant)
{
    char text[FEN_SIZE], again[FEN_SIZE];
    struct position read;
    struct setup_report report;
    size_t length = fen_format(position, en_passant, text);
    FUZZ_CHECK(length < FEN_SIZE && strlen(text) == length);
    FUZZ_CHECK(fen_parse(text, length, position->chess960, &read, &report));
    FUZZ_CHECK(read.chess960 == position->chess960);
    FUZZ_CHECK(position_same(&read, position) && read.key == position->key);
    FUZZ_CHECK(same_counters(&read, position));
    FUZZ_CHECK(fen_format(&read, en_passant, again) == length);
    FUZZ_CHECK(strcmp(text, again) == 0);
}

static void check_report(const struct setup_report *report, bool playable, size_t length)
{
    bool all_playable = true;
    FUZZ_CHECK(report->count <= SETUP_FAULTS_MAX);
    for (unsigned i = 0; i < report->count; i++) {
        const struct setup_fault *fault = &report->faults[i];
        FUZZ_CHECK(fault->code > SETUP_OK && fault->code < SETUP_FAULT_COUNT);
        FUZZ_CHECK(fault->offset <= length);
        FUZZ_CHECK(i == 0 || report->faults[i - 1].offset <= fault->offset);
        FUZZ_CHECK(fault->square <= SQUARE_NONE);
        FUZZ_CHECK(*setup_fault_name(fault->code, fault->field));
        FUZZ_CHECK(*setup_fault_text(fault->code, fault->field));
        all_playable = all_playable && setup_fault_is_playable(fault->code);
    }
    FUZZ_CHECK(playable == all_playable);
    FUZZ_CHECK(playable || report->count > 0);
}

void fuzz_fen(const uint8_t *data, size_t size)
{
    struct position position, untouched;
    struct setup_report report;
    if (size == 0)
        return;
    const char *text = (const char *)data + 1;
    memset(&position, 0x55, sizeof position);
    memcpy(&untouched, &position, sizeof position);
    bool playable = fen_parse(text, size - 1, data[0] & 1, &position, &report);
    check_report(&report, playable, size - 1);
    if (!playable) {
        FUZZ_CHECK(memcmp(&position, &untouched, sizeof position) == 0);
        return;
    }
    FUZZ_CHECK(position.chess960 || !(data[0] & 1));
    fuzz_check_position(&position);
    check_round_trip(&position, FEN_EN_PASSANT_LEGAL);
    check_round_trip(&position, FEN_EN_PASSANT_ALWAYS);
}
