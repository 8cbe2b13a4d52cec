#include <string.h>
#include <strings.h>

#include "rules/pgn_read_parts.h"
#include "rules/pgn_text.h"

/* ---- which game a tag belongs to --------------------------------------------------------------------- */

/* FNV-1a. Two names of one hash would be taken for a repeated one: a warning too many. */
static uint64_t name_hash(const char *name)
{
    uint64_t hash = 0xCBF29CE484222325ULL;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001B3ULL;
    return hash;
}

static bool has_tag(const struct pgn_reader *reader, uint64_t hash)
{
    for (unsigned i = 0; i < reader->tag_count; i++)
        if (reader->tag_names[i] == hash)
            return true;
    return false;
}

/* An empty line ends no tags, as it may come anywhere; but behind one a tag that the game has, or the first of
 * the roster, is another game's. */
static bool begins_game(const struct pgn_reader *reader, bool apart)
{
    if (reader->section != PGN_TAGS)
        return true;
    return apart && reader->tag_count > 0 &&
           (strcmp(reader->token, "Event") == 0 || has_tag(reader, name_hash(reader->token)));
}

/* What is said behind the end of a game and before the tags of the next could be of either: it is dropped. */
void pgn_read_tags_begin(struct pgn_reader *reader, bool apart, bool lost)
{
    if (reader->section == PGN_BETWEEN_GAMES && reader->index > 0)
        reader->text_length = 0;
    if (lost || begins_game(reader, apart)) {
        pgn_read_game_finish(reader);
        pgn_read_game_begin(reader, reader->begun);
    }
}

/* ---- tags that say how to read the game -------------------------------------------------------------- */

bool pgn_read_tags_result(const char *text, size_t length, enum pgn_result *result)
{
    static const struct {
        const char *text;
        enum pgn_result result;
    } results[] = {
        {"*", PGN_RESULT_UNKNOWN},
        {"1-0", PGN_RESULT_WHITE_WINS},
        {"0-1", PGN_RESULT_BLACK_WINS},
        {"1/2-1/2", PGN_RESULT_DRAW},
        {"1/2", PGN_RESULT_DRAW},
        {"\u00BD", PGN_RESULT_DRAW},
        {"\u00BD-\u00BD", PGN_RESULT_DRAW},
        {"1\u20130", PGN_RESULT_WHITE_WINS},
        {"0\u20131", PGN_RESULT_BLACK_WINS},
        {"1/2\u20131/2", PGN_RESULT_DRAW},
        {"\u00BD\u2013\u00BD", PGN_RESULT_DRAW},
    };
    bool may_be_one = length > 0 && (*text == '0' || *text == '1' || *text == '*' || (*text & 0x80));
    for (size_t i = 0; may_be_one && i < sizeof results / sizeof results[0]; i++)
        if (strlen(results[i].text) == length && memcmp(results[i].text, text, length) == 0) {
            *result = results[i].result;
            return true;
        }
    return false;
}

static void read_result(struct pgn_reader *reader, const char *value, size_t length)
{
    reader->result_at = reader->begun;
    reader->both_lost = strcmp(value, "0-0") == 0;
    reader->tagged = pgn_read_tags_result(value, length, &reader->game.tag);
    if (!reader->tagged) {
        reader->game.tag = PGN_RESULT_UNKNOWN;
        pgn_read_game_warn(reader, PGN_FAULT_RESULT, reader->begun, reader->value,
                           "A result is 1-0, 0-1, 1/2-1/2 or *.");
    }
}

static void read_fen(struct pgn_reader *reader, const char *value, size_t length)
{
    reader->fen_at = reader->begun;
    reader->fen_length = length <= FEN_TEXT_MAX ? length : FEN_TEXT_MAX + 1;
    memcpy(reader->fen, value, reader->fen_length);
    reader->fen[reader->fen_length] = '\0';
}

static void read_set_up(struct pgn_reader *reader, const char *value, size_t length)
{
    reader->is_set_up = length == 1 && *value == '1';
}

/* Letters and digits, the letters small. Returns the length; a longer name is cut. */
static size_t plain_name(const char *text, char *plain, size_t size)
{
    size_t length = 0;
    for (; *text && length + 1 < size; text++) {
        char c = *text;
        if (c >= 'A' && c <= 'Z')
            c ^= 0x20;
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            plain[length++] = c;
    }
    plain[length] = '\0';
    return length;
}

static void read_variant(struct pgn_reader *reader, const char *value, size_t length)
{
    static const struct {
        const char *name;
        enum pgn_variant variant;
    } variants[] = {
        {"", PGN_VARIANT_UNSAID},
        {"standard", PGN_VARIANT_STANDARD},
        {"standardchess", PGN_VARIANT_STANDARD},
        {"regular", PGN_VARIANT_STANDARD},
        {"chess", PGN_VARIANT_STANDARD},
        {"normal", PGN_VARIANT_STANDARD},
        {"classical", PGN_VARIANT_STANDARD},
        {"orthodox", PGN_VARIANT_STANDARD},
        {"fromposition", PGN_VARIANT_STANDARD},
        {"chess960", PGN_VARIANT_CHESS960},
        {"960", PGN_VARIANT_CHESS960},
        {"fischerandom", PGN_VARIANT_CHESS960},
        {"fischerrandom", PGN_VARIANT_CHESS960},
        {"fischerandomchess", PGN_VARIANT_CHESS960},
        {"fischerrandomchess", PGN_VARIANT_CHESS960},
        {"frc", PGN_VARIANT_CHESS960},
        {"wildfr", PGN_VARIANT_CHESS960},
        {"freestyle", PGN_VARIANT_CHESS960},
        {"freestylechess", PGN_VARIANT_CHESS960},
    };
    char name[32];
    (void)length;
    plain_name(value, name, sizeof name);
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++)
        if (strcmp(variants[i].name, name) == 0) {
            reader->variant = variants[i].variant;
            return;
        }
    pgn_read_game_error(reader, PGN_FAULT_VARIANT, reader->begun, value,
                        "Standard chess and Chess960 can be read, no other variant.");
}

static void interpret(struct pgn_reader *reader, const char *value, size_t length)
{
    static const struct {
        const char *name;
        void (*read)(struct pgn_reader *, const char *, size_t);
    } tags[] = {
        {"Result", read_result}, {"FEN", read_fen}, {"SetUp", read_set_up}, {"Variant", read_variant}};
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
        if (strcasecmp(reader->token, tags[i].name) == 0)
            tags[i].read(reader, value, length);
}

/* ---- pairs ------------------------------------------------------------------------------------------- */

static bool keep_name(struct pgn_reader *reader, bool *repeated)
{
    uint64_t hash = name_hash(reader->token);
    *repeated = has_tag(reader, hash);
    if (*repeated) {
        pgn_read_game_warn(reader, PGN_FAULT_SYNTAX, reader->begun, reader->token,
                           "The game has had a tag of this name; the last one counts.");
        return true;
    }
    if (reader->tag_count == PGN_TAGS_MAX) {
        pgn_read_game_error(reader, PGN_FAULT_SYNTAX, reader->begun, reader->token,
                            "A game has at most 160 tags.");
        return false;
    }
    reader->tag_names[reader->tag_count++] = hash;
    return true;
}

void pgn_read_tags_pair(struct pgn_reader *reader)
{
    char value[PGN_TAG_VALUE_MAX + 1];
    bool converted = false;
    bool repeated;
    if (!keep_name(reader, &repeated))
        return;
    size_t length = pgn_text_copy(reader->value, reader->value_length, value, sizeof value, &converted);
    if (length == sizeof value) {
        pgn_read_game_error(reader, PGN_FAULT_SYNTAX, reader->begun, reader->token,
                            "The value of a tag has at most 4096 bytes.");
        return;
    }
    if (converted)
        pgn_read_game_warn(reader, PGN_FAULT_ENCODING, reader->begun, value,
                           "This is not UTF-8; it was taken as Latin-1.");
    interpret(reader, value, length);
    struct pgn_tag tag = {reader->token, value, reader->begun.line, repeated};
    if (reader->handler.tag && !reader->stopped)
        reader->stopped = !reader->handler.tag(reader->handler.context, &tag);
}

/* ---- the first position ------------------------------------------------------------------------------ */

static bool is_chess960(const struct pgn_reader *reader)
{
    return reader->variant == PGN_VARIANT_CHESS960 ||
           (reader->variant == PGN_VARIANT_UNSAID && reader->options.chess960);
}

static void usual_position(struct pgn_reader *reader, struct position *position)
{
    if (reader->is_set_up)
        pgn_read_game_warn(reader, PGN_FAULT_FEN, reader->begun, "SetUp",
                           "SetUp is 1, but there is no FEN; the usual first position is taken.");
    *position = position_initial();
    position->chess960 = is_chess960(reader);
}

/* The first fault that matters: one that leaves nothing to play with, where there is one. */
static const struct setup_fault *worst(const struct setup_report *report)
{
    for (unsigned i = 0; i < report->count; i++)
        if (!setup_fault_is_playable(report->faults[i].code))
            return &report->faults[i];
    return &report->faults[0];
}

bool pgn_read_tags_position(struct pgn_reader *reader, struct position *position)
{
    struct setup_report report;
    if (reader->fen_length == 0) {
        usual_position(reader, position);
        return true;
    }
    bool playable = fen_parse(reader->fen, reader->fen_length, is_chess960(reader), position, &report);
    const struct setup_fault *fault = report.count > 0 ? worst(&report) : NULL;
    const char *detail = fault ? setup_fault_text(fault->code, fault->field) : "";
    if (!playable)
        pgn_read_game_error(reader, PGN_FAULT_FEN, reader->fen_at, reader->fen, detail);
    else if (fault)
        pgn_read_game_warn(reader, PGN_FAULT_FEN, reader->fen_at, reader->fen, detail);
    return playable;
}
