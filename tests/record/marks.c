/* Marked regions of known numbers of instructions: include/armpmu/mark.h. With BARE firmware
 * without a C library; `inlined` comes twice, so that its marks do. */
#include "armpmu/mark.h"

#define NOPS(n) __asm__ volatile(".rept " #n "\n nop\n .endr" ::: "memory")

static inline __attribute__((always_inline)) void inlined(void)
{
    ARMPMU_REGION_BEGIN(twice);
    NOPS(100);
    ARMPMU_REGION_END(twice);
}

static void work(void)
{
    for (volatile unsigned i = 0; i < 10; i++)
        inlined();
    NOPS(33);
    inlined();
    ARMPMU_REGION_BEGIN(once);
    NOPS(50);
    ARMPMU_REGION_END(once);
}

#ifdef BARE
void start(void);
void start(void)
{
    work();
    *(volatile unsigned *)0xff000804 = 0;
    for (;;)
        ;
}
#else
int main(void)
{
    work();
    return 0;
}
#endif
