/* Calls by two instructions: MOV LR, PC and a write of the PC. tests/record/calls.py knows how many
 * of each. A32 only. */
#define CALLED   __attribute__((noinline, noclone))
#define CLOBBERS "r0", "r1", "r2", "r3", "ip", "lr", "memory", "cc"

static volatile unsigned work;

CALLED static void leaf(void)
{
    work++;
}

CALLED static void after(void)
{
    work++;
}

/* As glibc calls the kernel's memory barrier at 0xffff0fa0. */
CALLED static void helper(void)
{
    __asm__ volatile("mvn r3, #0xf000\n mov lr, pc\n sub pc, r3, #95" ::: CLOBBERS);
    after();
}

CALLED static void by_bx(void)
{
    __asm__ volatile("mov lr, pc\n bx %0" ::"r"(leaf) : CLOBBERS);
    after();
}

CALLED static void by_load(void)
{
    __asm__ volatile(
        "push {%0}\n mov r1, sp\n mov lr, pc\n ldr pc, [r1]\n add sp, sp, #4" ::"r"(leaf)
        : CLOBBERS);
    after();
}

CALLED static void by_move(void)
{
    __asm__ volatile("cmp r0, r0\n moveq lr, pc\n moveq pc, %0" ::"r"(leaf) : CLOBBERS);
    after();
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        helper();
        by_bx();
        by_load();
        by_move();
    }
    after();
    return 0;
}
