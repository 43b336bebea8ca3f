/* An XScale's performance monitor as the manual describes it, checked from inside; GENERATION says
 * which of the two.
 *
 * Exit status: 0 when all checks are right, 1 when one is wrong, 2 after an exception that nothing
 * asked for. */
#include "xscale.h"

/* Returns the exit status. */
int main(void)
{
    check_reset();
    check_access();
    check_bits();
    check_counting();
    check_interrupts();
    return check_total();
}
