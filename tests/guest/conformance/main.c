/* A Cortex-A8's performance monitor as the manual describes it, checked from inside.
 *
 * Prints a line for each check, "ok WHAT" or "WRONG WHAT: got, right", and a total. Exit status: 0
 * when all are right, 1 when one is wrong, 2 after an exception that nothing asked for. */
#include "conformance.h"

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

static void write_count(uint32_t number)
{
    char text[11];
    unsigned at = sizeof text - 1;

    text[at] = '\0';
    do {
        text[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    board_write(text + at);
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

/* Returns the exit status. */
int main(void)
{
    check_reset();
    check_access();
    check_bits();
    check_counting();
    write_count(n_checks);
    board_write(" checks, ");
    write_count(n_wrong);
    board_write(" wrong\n");
    return n_wrong != 0;
}
