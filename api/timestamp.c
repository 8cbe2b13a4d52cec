#include "api/timestamp.h"

#include "api/put.h"
#include "games/clock.h"

enum { DAY_MS = 86400000 };

static const int64_t FIRST_MS = -62167219200000; /* 0000-01-01T00:00:00.000Z */

/* Days since 0000-03-01 to a date of the proleptic Gregorian calendar: with the year beginning in March the
 * leap day is its last, so months have one formula (Howard Hinnant, "chrono-Compatible Low-Level Date
 * Algorithms"). */
static char *put_date(char *at, unsigned days)
{
    unsigned era = days / 146097, of_era = days % 146097;
    unsigned year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    unsigned of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    unsigned month = (5 * of_year + 2) / 153; /* 0 is March */
    unsigned day = of_year - (153 * month + 2) / 5 + 1;
    /* The first era is one before year 0, so that January and February of the year 0 fit. */
    unsigned year = era * 400 + year_of_era + (month >= 10) - 400;
    at = put_pair(put_pair(at, year / 100), year % 100);
    *at++ = '-';
    at = put_pair(at, month < 10 ? month + 3 : month - 9);
    *at++ = '-';
    return put_pair(at, day);
}

void timestamp_format(int64_t unix_ms, char text[TIMESTAMP_SIZE])
{
    char *at;
    int64_t ms = unix_ms < FIRST_MS ? FIRST_MS : unix_ms > UNIX_MS_MAX ? UNIX_MS_MAX : unix_ms;
    /* From -0400-03-01 on everything is positive. */
    const uint64_t since = (uint64_t)(ms + (719468 + 146097) * (int64_t)DAY_MS);
    unsigned of_day = (unsigned)(since % DAY_MS), seconds = of_day / 1000, thousandths = of_day % 1000;
    at = put_date(text, (unsigned)(since / DAY_MS));
    *at++ = 'T';
    at = put_pair(at, seconds / 3600);
    *at++ = ':';
    at = put_pair(at, seconds / 60 % 60);
    *at++ = ':';
    at = put_pair(at, seconds % 60);
    *at++ = '.';
    *at++ = (char)('0' + thousandths / 100);
    at = put_pair(at, thousandths % 100);
    *at++ = 'Z';
    *at = '\0';
}
