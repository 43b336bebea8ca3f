/* Touches the monitor's registers from User mode. Linux leaves USEREN clear: only USEREN itself can
 * be read.
 *
 * Prints, for each access: user access=NAME result=data|undefined value=0xN */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf back;

static void undefined(int signal)
{
    (void)signal;
    siglongjmp(back, 1);
}

static unsigned read_pmnc(void)
{
    unsigned value;
    __asm__ volatile("mrc p15, 0, %0, c9, c12, 0" : "=r"(value));
    return value;
}

static unsigned read_ccnt(void)
{
    unsigned value;
    __asm__ volatile("mrc p15, 0, %0, c9, c13, 0" : "=r"(value));
    return value;
}

static unsigned read_intens(void)
{
    unsigned value;
    __asm__ volatile("mrc p15, 0, %0, c9, c14, 1" : "=r"(value));
    return value;
}

static unsigned read_useren(void)
{
    unsigned value;
    __asm__ volatile("mrc p15, 0, %0, c9, c14, 0" : "=r"(value));
    return value;
}

static unsigned write_useren(void)
{
    __asm__ volatile("mcr p15, 0, %0, c9, c14, 0" ::"r"(1));
    return 1;
}

static const struct {
    const char *name;
    unsigned (*access)(void);
} accesses[] = {
    {"read-pmnc", read_pmnc},     {"read-ccnt", read_ccnt},       {"read-intens", read_intens},
    {"read-useren", read_useren}, {"write-useren", write_useren},
};

int main(void)
{
    signal(SIGILL, undefined);
    for (unsigned i = 0; i < sizeof accesses / sizeof accesses[0]; i++) {
        if (sigsetjmp(back, 1) == 0)
            printf("user access=%s result=data value=0x%x\n", accesses[i].name,
                   accesses[i].access());
        else
            printf("user access=%s result=undefined value=0\n", accesses[i].name);
    }
    return 0;
}
