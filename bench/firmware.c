/* The program that measures `armpmu run`, with the MMU and both caches on: a matrix, whose inner
 * loop is five instructions with two loads; additions to a table at random, whose loads and stores
 * are conditional; sorting, with unforeseeable branches and a stack. Ends by SYS_EXIT_EXTENDED,
 * with the status 0 when the results are right. */
#define SIZE   64
#define ROUNDS 200

static unsigned a[SIZE * SIZE], b[SIZE * SIZE], c[SIZE * SIZE],
    table[4096] __attribute__((aligned(16384)));

__attribute__((noinline)) static void multiply(void)
{
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            unsigned sum = 0;
            for (int k = 0; k < SIZE; k++)
                sum += a[i * SIZE + k] * b[k * SIZE + j];
            c[i * SIZE + j] = sum;
        }
}

__attribute__((noinline)) static void mix(unsigned seed)
{
    for (int i = 0; i < 40000; i++) {
        seed = seed * 1664525 + 1013904223;
        if (seed & 0x80000)
            a[seed >> 20]++;
        else
            b[seed >> 20] ^= seed;
    }
}

__attribute__((noinline)) static void sort(unsigned *from, unsigned *to)
{
    while (to - from > 1) {
        const unsigned pivot = from[(to - from) / 2];
        unsigned *left = from, *right = to - 1;
        while (left <= right) {
            while (*left < pivot)
                left++;
            while (*right > pivot)
                right--;
            if (left <= right) {
                const unsigned kept = *left;
                *left++ = *right;
                *right-- = kept;
            }
        }
        sort(from, right + 1);
        from = left;
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

/* How much is wrong: everything is in order, and a[] has been added to once for about each other
 * step. */
unsigned run(void)
{
    unsigned added = 0, unordered = 0;

    translate();
    for (unsigned round = 0; round < ROUNDS; round++) {
        mix(round);
        multiply();
        sort(c, c + SIZE * SIZE);
    }
    for (int i = 0; i < SIZE * SIZE; i++)
        added += a[i];
    for (int i = 1; i < SIZE * SIZE; i++)
        unordered += c[i - 1] > c[i];
    return unordered + (added < 19000u * ROUNDS) + (added > 21000u * ROUNDS) +
           (c[0] == c[SIZE * SIZE - 1]);
}

__attribute__((used)) static unsigned exit_block[2];

__attribute__((naked, section(".start"))) void start(void)
{
    __asm__("ldr sp, =0x70000\n"
            "bl run\n"
            "ldr r1, =exit_block\n"
            "ldr r2, =0x20026\n" /* ADP_Stopped_ApplicationExit */
            "str r2, [r1]\n"
            "str r0, [r1, #4]\n"
            "mov r0, #0x20\n"
            "svc #0x123456\n"
            ".ltorg");
}
