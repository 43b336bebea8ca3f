/* A Cortex-A8's performance monitor as the manual describes it, checked from inside.
 *
 * Exit status: 0 when all checks are right, 1 when one is wrong, 2 after an exception that nothing
 * asked for. */
#include "conformance.h"

/* Returns the exit status. */
int main(void)
{
    check_reset();
    check_access();
    check_bits();
    check_counting();
    return check_total();
}
