#include "api/put.h"

const char put_pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                         "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                         "8081828384858687888990919293949596979899";

char *put_uint(char *at, uint64_t value)
{
    char digits[PUT_INT_MAX];
    char *first = digits + sizeof digits;
    if (value < 10) {
        *at = (char)('0' + value);
        return at + 1;
    }
    for (; value >= 100; value /= 100)
        put_pair(first -= 2, (unsigned)(value % 100));
    if (value >= 10)
        put_pair(first -= 2, (unsigned)value);
    else
        *--first = (char)('0' + value);
    return put_bytes(at, first, (size_t)(digits + sizeof digits - first));
}

char *put_int(char *at, int64_t value)
{
    if (value < 0)
        *at++ = '-';
    return put_uint(at, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* Eight digits at once: the nibbles of half the value are spread over the bytes of a word, each becomes its digit, and
 * those from ten on are moved up to the letters. */
static uint64_t hex_of_half(uint32_t half)
{
    uint64_t x = half;
    x = (x << 16 | x) & UINT64_C(0x0000ffff0000ffff);
    x = (x << 8 | x) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x << 4 | x) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    uint64_t letters = (x + UINT64_C(0x0606060606060606)) >> 4 & UINT64_C(0x0101010101010101);
    return x + UINT64_C(0x3030303030303030) + letters * ('a' - '0' - 10);
}

static char *put_half(char *at, uint32_t half)
{
    uint64_t digits = hex_of_half(half);
    for (unsigned shift = 64; shift > 0; shift -= 8)
        *at++ = (char)(digits >> (shift - 8));
    return at;
}

char *put_hex(char *at, uint64_t value)
{
    return put_half(put_half(at, (uint32_t)(value >> 32)), (uint32_t)value);
}
