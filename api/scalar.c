#include "api/scalar.h"

#include <string.h>

#include "api/text.h"

enum { DIGITS_MAX = 15 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool scalar_integer(const char *text, size_t length, int64_t *value)
{
    bool negative = length > 0 && text[0] == '-';
    const char *digits = text + negative;
    size_t count = length - negative;
    if (count == 0 || count > DIGITS_MAX || (digits[0] == '0' && (count > 1 || negative)))
        return false;
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_digit(digits[i]))
            return false;
        sum = sum * 10 + (digits[i] - '0');
    }
    *value = negative ? -sum : sum;
    return true;
}

bool scalar_bool(const char *text, size_t length, bool *value)
{
    static const char *const WORDS[] = {"false", "true", "0", "1", NULL};
    int word = 1;
    if (length && !scalar_word(text, length, WORDS, &word))
        return false;
    *value = (word & 1) != 0;
    return true;
}

bool scalar_word(const char *text, size_t length, const char *const *words, int *value)
{
    for (int i = 0; words[i]; i++) {
        if (length && text_is((struct text_span){text, length}, words[i])) {
            *value = i;
            return true;
        }
    }
    return false;
}

const char *scalar_words(struct arena *arena, const char *const *words)
{
    const char *list = "";
    for (; *words; words++) {
        if (**words)
            list = arena_join(arena, list, *words);
    }
    return list;
}

bool scalar_square(const char *text, size_t length, square *value)
{
    if (length != 2)
        return false;
    char file = (char)(text[0] | 0x20);
    if (file < 'a' || file > 'h' || text[1] < '1' || text[1] > '8')
        return false;
    *value = square_at((unsigned)(file - 'a'), (unsigned)(text[1] - '1'));
    return true;
}

/* A reader of fixed forms: what does not fit makes it `bad`, and it stays so. */
struct clock_text {
    const char *at, *end;
    bool bad;
};

static int take_digits(struct clock_text *text, int count)
{
    int value = 0;
    while (count-- && !text->bad) {
        text->bad = text->at == text->end || !is_digit(*text->at);
        if (!text->bad)
            value = value * 10 + (*text->at++ - '0');
    }
    return value;
}

static bool take_one(struct clock_text *text, const char *set)
{
    if (text->at == text->end || !strchr(set, *text->at))
        return false;
    text->at++;
    return true;
}

static void expect_one(struct clock_text *text, const char *set)
{
    if (!take_one(text, set))
        text->bad = true;
}

static int take_number(struct clock_text *text, int digits, int least, int most)
{
    int value = take_digits(text, digits);
    if (value < least || value > most)
        text->bad = true;
    return value;
}

static int days_in_month(int year, int month)
{
    static const int DAYS[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return DAYS[month - 1] + (month == 2 && leap);
}

/* Days from 1970-01-01; the year is made to begin in March, so that the leap day is its last. */
static int64_t take_date(struct clock_text *text)
{
    int year = take_number(text, 4, 1, 9999);
    expect_one(text, "-");
    int month = take_number(text, 2, 1, 12);
    expect_one(text, "-");
    int day = take_number(text, 2, 1, text->bad ? 31 : days_in_month(year, month));
    int64_t y = month <= 2 ? year - 1 : year, m = month <= 2 ? month + 9 : month - 3;
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
}

/* ".678": milliseconds; any number of digits. */
static int take_fraction(struct clock_text *text)
{
    if (!take_one(text, "."))
        return 0;
    int ms = 0, place = 100;
    text->bad = text->bad || text->at == text->end || !is_digit(*text->at);
    for (; text->at < text->end && is_digit(*text->at); text->at++, place /= 10)
        ms += (*text->at - '0') * place;
    return ms;
}

/* "Z" or "+01:00": minutes east of UTC. */
static int take_zone(struct clock_text *text)
{
    if (take_one(text, "Zz"))
        return 0;
    bool west = take_one(text, "-");
    if (!west)
        expect_one(text, "+ ");
    int minutes = take_number(text, 2, 0, 23) * 60;
    expect_one(text, ":");
    minutes += take_number(text, 2, 0, 59);
    return west ? -minutes : minutes;
}

static int64_t take_time_of_day(struct clock_text *text)
{
    int64_t ms = (int64_t)take_number(text, 2, 0, 23) * 3600000;
    expect_one(text, ":");
    ms += (int64_t)take_number(text, 2, 0, 59) * 60000;
    expect_one(text, ":");
    ms += (int64_t)take_number(text, 2, 0, 60) * 1000; /* a leap second */
    ms += take_fraction(text);
    return ms - (int64_t)take_zone(text) * 60000;
}

bool scalar_time(const char *text, size_t length, int64_t *unix_ms)
{
    struct clock_text reader = {text, text + length, false};
    int64_t ms = take_date(&reader) * 86400000;
    if (!reader.bad && reader.at < reader.end) {
        expect_one(&reader, "Tt ");
        ms += take_time_of_day(&reader);
    }
    if (reader.bad || reader.at != reader.end)
        return false;
    *unix_ms = ms;
    return true;
}
