#include "api/timestamp.h"

enum { DAY_MS = 86400000 };

static const int64_t FIRST_MS = -62167219200000; /* 0000-01-01T00:00:00.000Z */
static const int64_t LAST_MS = 253402300799999;  /* 9999-12-31T23:59:59.999Z */

static void put(char *at, unsigned digits, unsigned value)
{
    while (digits--) {
        at[digits] = (char)('0' + value % 10);
        value /= 10;
    }
}

/* Days since 0000-03-01 to a date of the proleptic Gregorian calendar: with the year beginning in March the
 * leap day is its last, so months have one formula (Howard Hinnant, "chrono-Compatible Low-Level Date
 * Algorithms"). */
static void put_date(char *text, unsigned days)
{
    unsigned era = days / 146097, of_era = days % 146097;
    unsigned year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    unsigned of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    unsigned month = (5 * of_year + 2) / 153; /* 0 is March */
    unsigned day = of_year - (153 * month + 2) / 5 + 1;
    /* The first era is one before year 0, so that January and February of the year 0 fit. */
    unsigned year = era * 400 + year_of_era + (month >= 10) - 400;
    put(text, 4, year);
    put(text + 5, 2, month < 10 ? month + 3 : month - 9);
    put(text + 8, 2, day);
}

void timestamp_format(int64_t unix_ms, char text[TIMESTAMP_SIZE])
{
    static const char FORM[TIMESTAMP_SIZE] = "0000-00-00T00:00:00.000Z";
    for (int i = 0; i < TIMESTAMP_SIZE; i++)
        text[i] = FORM[i];
    int64_t ms = unix_ms < FIRST_MS ? FIRST_MS : unix_ms > LAST_MS ? LAST_MS : unix_ms;
    const int64_t shift =
        (719468 + 146097) * (int64_t)DAY_MS; /* from -0400-03-01 on everything is positive */
    unsigned of_day = (unsigned)((ms + shift) % DAY_MS);
    put_date(text, (unsigned)((ms + shift) / DAY_MS));
    put(text + 11, 2, of_day / 3600000);
    put(text + 14, 2, of_day / 60000 % 60);
    put(text + 17, 2, of_day / 1000 % 60);
    put(text + 20, 3, of_day % 1000);
}
