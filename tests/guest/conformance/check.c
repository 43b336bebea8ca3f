#include "check.h"

static uint32_t n_checks, n_wrong;

static void write_number(uint32_t number)
{
    char text[9];

    for (unsigned i = 0; i < 8; i++)
        text[i] = "0123456789abcdef"[number >> (28 - 4 * i) & 15];
    text[8] = '\0';
    board_write("0x");
    board_write(text);
}

/* Without a division, which not all cores have. */
static void write_count(uint32_t number)
{
    static const uint32_t powers[] = {100000, 10000, 1000, 100, 10, 1};
    int begun = 0;

    for (unsigned i = 0; i < sizeof powers / sizeof powers[0]; i++) {
        char digit[2] = "0";
        for (; number >= powers[i]; number -= powers[i])
            digit[0]++;
        begun = begun || digit[0] != '0' || powers[i] == 1;
        if (begun)
            board_write(digit);
    }
}

void check_words(const char *const words[CHECK_WORDS], uint32_t got, uint32_t right)
{
    n_checks++;
    n_wrong += got != right;
    board_write(got == right ? "ok" : "WRONG");
    for (unsigned i = 0; i < CHECK_WORDS && words[i] != 0; i++) {
        board_write(" ");
        board_write(words[i]);
    }
    if (got != right) {
        board_write(": ");
        write_number(got);
        board_write(", right is ");
        write_number(right);
    }
    board_write("\n");
}

void check(const char *what, const char *which, uint32_t got, uint32_t right)
{
    check_words((const char *const[CHECK_WORDS]){what, which}, got, right);
}

void stray_exception(uint32_t exception, uint32_t lr)
{
    board_write("WRONG exception ");
    write_number(exception);
    board_write(" with LR ");
    write_number(lr);
    board_write(": none can be here\n");
    board_exit(2);
}

int check_total(void)
{
    write_count(n_checks);
    board_write(" checks, ");
    write_count(n_wrong);
    board_write(" wrong\n");
    return n_wrong != 0;
}
