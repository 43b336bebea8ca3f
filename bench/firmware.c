/* What `armpmu run` is measured with: a matrix, a mix of branches and stores, with the MMU and both
 * caches on. Ends with SVC 0x123456 and the status 0. */
#define SIZE 64

static unsigned a[SIZE * SIZE], b[SIZE * SIZE], c[SIZE * SIZE],
    table[4096] __attribute__((aligned(16384)));

static void multiply(void)
{
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            unsigned sum = 0;
            for (int k = 0; k < SIZE; k++)
                sum += a[i * SIZE + k] * b[k * SIZE + j];
            c[i * SIZE + j] = sum;
        }
}

static void mix(unsigned seed)
{
    for (int i = 0; i < 200000; i++) {
        seed = seed * 1664525 + 1013904223;
        if (seed & 0x80000)
            a[seed >> 20]++;
        else
            b[seed >> 20] ^= seed;
    }
}

static void translate(void)
{
    for (unsigned i = 0; i < 2048; i++)
        table[i] = i << 20 | 0xc0e;
    __asm__ volatile("mcr p15, 0, %0, c2, c0, 0\n"
                     "mcr p15, 0, %1, c2, c0, 2\n"
                     "mcr p15, 0, %2, c3, c0, 0\n"
                     "mrc p15, 0, r0, c1, c0, 0\n"
                     "orr r0, r0, #0x1000\n"
                     "orr r0, r0, #5\n"
                     "mcr p15, 0, r0, c1, c0, 0\n"
                     "isb" ::"r"(table),
                     "r"(0), "r"(-1)
                     : "r0", "memory");
}

void run(void)
{
    translate();
    for (unsigned round = 0; round < 100; round++) {
        multiply();
        mix(round);
    }
}

__attribute__((naked, section(".start"))) void start(void)
{
    __asm__("ldr sp, =0x70000\n"
            "bl run\n"
            "mov r0, #0x18\n" /* SYS_EXIT */
            "ldr r1, =0x20026\n"
            "svc #0x123456\n"
            ".ltorg");
}
