/* Every event of the core around pieces of code, for engines to be compared by: a line
 * "PIECE EVENT COUNT" for each that is not zero. */
#include <stdint.h>

#include "counts.h"

static char *put_hex(char *at, uint32_t value, unsigned digits)
{
    while (digits-- > 0)
        *at++ = "0123456789abcdef"[value >> 4 * digits & 15];
    return at;
}

static void print(const char *name, uint32_t event, uint32_t count)
{
    char line[128], *at = line;

    while (*name != '\0')
        *at++ = *name++;
    *at++ = ':';
    *at++ = ' ';
    at = put_hex(at, event, 2);
    *at++ = ' ';
    at = put_hex(at, count, 8);
    *at++ = '\n';
    *at = '\0';
    board_write(line);
}

static void count_all(const char *name, void (*code)(void))
{
    for (uint32_t event = 0; event < 0x100; event++) {
        const uint32_t count = count_one(event, code);
        if (count > 0)
            print(name, event, count);
    }
}

_Noreturn void stray_exception(uint32_t exception, uint32_t lr)
{
    print("stray exception", exception, lr);
    board_exit(2);
}

#ifdef GENERATION
void interrupted(uint32_t exception)
{
    stray_exception(exception, 0);
}
#endif

/* Returns the exit status. */
int main(void)
{
    void (*last)(void) = empty_piece;

    translate();
    for (uint32_t i = 0; i < n_pieces; i++) {
        if (pieces[i].code != last)
            count_all(pieces[i].name, pieces[i].code);
        last = pieces[i].code;
    }
    for (uint32_t i = 0; i < n_kernels; i++)
        count_all(kernels[i].name, kernels[i].code);
    return 0;
}
