/* The activity monitors as the architecture describes them, checked from inside.
 *
 * Prints which unit it found, a line for each check, "ok WHAT" or "WRONG WHAT: got, right", a
 * total, and what the counters showed in three windows. Exit status: 0 when all are right, 1 when
 * one is wrong, 2 after an exception that nothing asked for. */
#include "amu.h"

struct unit unit;

static uint32_t n_checks, n_wrong;
static const char *title;
static uint32_t n_of_title, n_wrong_before;

void write_hex(uint64_t number)
{
    char text[19] = "0x";

    for (unsigned i = 0; i < 16; i++)
        text[2 + i] = "0123456789abcdef"[number >> (60 - 4 * i) & 15];
    text[18] = '\0';
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

static void write_wrong(const char *what, const char *which, uint64_t got, uint64_t right)
{
    board_write("WRONG ");
    board_write(what);
    board_write(" ");
    board_write(which);
    board_write(": ");
    write_hex(got);
    board_write(", right is ");
    write_hex(right);
    board_write("\n");
}

static void write_ok(const char *what, const char *which)
{
    board_write("ok ");
    board_write(what);
    board_write(" ");
    board_write(which);
    board_write("\n");
}

void check(const char *what, const char *which, uint64_t got, uint64_t right)
{
    n_checks++;
    n_wrong += got != right;
    if (got == right)
        write_ok(what, which);
    else
        write_wrong(what, which, got, right);
}

void begin_checks(const char *what)
{
    title = what;
    n_of_title = 0;
    n_wrong_before = n_wrong;
}

void one_of_checks(const char *which, uint64_t got, uint64_t right)
{
    n_of_title++;
    if (got == right)
        return;
    n_checks++;
    n_wrong++;
    write_wrong(title, which, got, right);
}

void end_checks(void)
{
    if (n_wrong != n_wrong_before)
        return;
    n_checks++;
    board_write("ok ");
    board_write(title);
    board_write(": ");
    write_count(n_of_title);
    board_write(" compared\n");
}

static void find_unit(void)
{
    unit.v1p1 = (read_pfr0() >> 44 & 15) == 2;
    unit.fine_traps = (read_mmfr0() >> 56 & 15) != 0;
    unit.group1 = read_amcgcr() >> 8 & 0xff;
    unit.exists = (1u << unit.group1) - 1;
    if (unit.v1p1) {
        unit.exists = read_amcg1idr() & 0xffff;
        unit.offsets = read_amcg1idr() >> 16;
    }
    board_write(unit.v1p1 ? "unit AMUv1p1, " : "unit AMUv1, ");
    write_count(unit.group1);
    board_write(" auxiliary counters");
    board_write(unit.fine_traps ? ", fine-grained traps\n" : "\n");
}

/* Returns the exit status. */
int main(void)
{
    write_scr(SCR_USUAL | SCR_NS);
    write_hcr(HCR_RW);
    write_cptr_el2(0);
    write_cptr_el3(0);
    find_unit();
    check_registers();
    check_access();
    check_views();
    check_counting();
    check_frame_view();
    write_count(n_checks);
    board_write(" checks, ");
    write_count(n_wrong);
    board_write(" wrong\n");
    show_windows();
    return n_wrong != 0;
}
