/* Hello, world, with a region marked in it. Of all that such a program executes nearly everything
 * is its start and its end: the loader, the C library, the console.
 *
 *     build/armpmu stat -- build/examples/hello                            the whole run
 *     build/armpmu stat --roi mark:adding -- build/examples/hello          the loop alone
 *     build/armpmu record --roi mark:adding -- build/examples/hello        and where in it
 *
 * What to look for: the loop executes three or four instructions a turn, so INST_RETIRED of the
 * region is a small multiple of 1000, while the whole run has tens of thousands. Built without
 * -DARMPMU_MARK the marks are nothing. */
#include <stdio.h>

#include "armpmu/mark.h"

static volatile unsigned numbers[1000];

int main(void)
{
    unsigned sum = 0;

    for (unsigned i = 0; i < 1000; i++)
        numbers[i] = i;
    ARMPMU_REGION_BEGIN(adding);
    for (unsigned i = 0; i < 1000; i++)
        sum += numbers[i];
    ARMPMU_REGION_END(adding);
    printf("Hello, world: %u\n", sum);
    return sum == 499500 ? 0 : 1;
}
