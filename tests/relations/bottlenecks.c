/* One bottleneck each, as Arm's micro-benchmarks "ustress" have them
 * (ARM-software/telemetry-solution, tools/ustress): argv[1] names it. All but the start of the
 * process is the loop of its name. Status 2: there is none of that name. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LINE 64
#define N    40000

#define FOUR(X)    X X X X
#define SIXTEEN(X) FOUR(X) FOUR(X) FOUR(X) FOUR(X)

/* A loop of an instruction that needs its own result; long beside the start of a C library. */
#define CHAIN(name, before, insn)                                                                  \
    static void name(void)                                                                         \
    {                                                                                              \
        __asm__ volatile(before "mov w4, %w0\n\t"                                                  \
                                "1:\n\t" SIXTEEN(insn "\n\t") "subs w4, w4, #1\n\t"                \
                                                              "b.ne 1b"                            \
                         :                                                                         \
                         : "r"(3 * N)                                                              \
                         : "x1", "x2", "x3", "x4", "v0", "v1", "v2", "memory", "cc");              \
    }

CHAIN(div32, "mov w1, #-2\n\tmov w2, #1\n\t", "udiv w1, w1, w2")
CHAIN(div64, "mov x1, #-2\n\tmov x2, #1\n\t", "udiv x1, x1, x2")
CHAIN(mul32, "", "mul w1, w1, w2")
CHAIN(mul64, "", "mul x1, x1, x2")
CHAIN(mac32, "", "madd w1, w1, w2, w3")
CHAIN(mac64, "", "madd x1, x1, x2, x3")
CHAIN(fpmul, "fmov d0, #1.0\n\tfmov d1, #1.0\n\t", "fmul d0, d0, d1")
CHAIN(fpmac, "fmov d0, #1.0\n\tfmov d1, #1.0\n\t", "fmadd d0, d0, d1, d2")
CHAIN(fpdiv, "fmov d0, #1.5\n\tfmov d1, #1.0\n\t", "fdiv d0, d0, d1")
CHAIN(fpsqrt, "fmov d0, #2.0\n\t", "fsqrt d0, d0")
CHAIN(double2int, "fmov d0, #2.0\n\t", "fcvtzs x1, d0\n\tfmov d0, x1")
CHAIN(int2double, "mov x1, #2\n\t", "scvtf d0, x1\n\tfmov x1, d0")
CHAIN(isb, "", "isb")
CHAIN(load_after_store, "", "str x1, [sp, #-16]\n\tldr x1, [sp, #-16]")

static uint32_t draw(void)
{
    static uint64_t state = 1;

    state = state * 6364136223846793005 + 1442695040888963407;
    return (uint32_t)(state >> 33);
}

/* ---- branches ---- */

static void branch_direct(void)
{
    for (unsigned i = 0; i < N; i++)
        __asm__ volatile("tbz %w0, #4, 1f\n\tnop\n\t1:\n\t"
                         "tbz %w0, #9, 1f\n\tnop\n\t1:" ::"r"(draw()));
}

static void branch_indirect(void)
{
    for (unsigned i = 0; i < N; i++)
        __asm__ volatile("adr x1, 1f\n\tadd x1, x1, %0, lsl #3\n\tbr x1\n\t"
                         "1: " SIXTEEN("b 2f\n\tnop\n\t") "2:" ::"r"((uint64_t)(draw() % 16))
                         : "x1");
}

static __attribute__((noinline)) unsigned nested(unsigned depth)
{
    unsigned below = depth == 0 ? 0 : nested(depth - 1);

    __asm__ volatile("" : "+r"(below));
    return below + 1;
}

/* Deeper than any return stack. */
static void call_return(void)
{
    for (unsigned i = 0; i < N / 100; i++)
        nested(200);
}

/* ---- memory ---- */

static char bytes[64 << 20] __attribute__((aligned(4096)));

/* Chases a pointer round n places, so many bytes apart, in an order that no stride foretells. */
static void chase(uint32_t n, uint32_t apart, uint32_t steps)
{
    uint32_t *const order = malloc(n * sizeof *order);
    void **at;

    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    for (uint32_t i = n - 1; i > 0; i--) {
        const uint32_t j = draw() % i, kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (uint32_t i = 0; i < n; i++)
        *(void **)&bytes[(size_t)i * apart] = &bytes[(size_t)order[i] * apart];
    at = (void **)bytes;
    for (uint32_t i = 0; i < steps; i++)
        __asm__ volatile("ldr %0, [%0]" : "+r"(at));
    free(order);
}

static void l1d_cache(void)
{
    chase((256 << 10) / LINE, LINE, 20 * N);
}

static void l2d_cache(void)
{
    chase((8 << 20) / LINE, LINE, 20 * N);
}

/* A line in each of 512 pages: all fit level 1 but for the sets that they share. */
static void l1d_tlb(void)
{
    chase(512, 4096 + LINE, 20 * N);
}

static void memcpy_large(void)
{
    for (unsigned i = 0; i < 24; i++)
        memcpy(bytes, bytes + (32 << 20), 1 << 20);
}

static void store_buffer_full(void)
{
    for (unsigned i = 0; i < N / 4; i++)
        for (unsigned j = 0; j < 8; j++)
            __asm__ volatile(SIXTEEN("str %1, [%0]\n\tadd %0, %0, #4096\n\t")
                             : "+r"((char *){bytes + j * 16 * 4096})
                             : "r"(0L));
}

/* ---- instructions ---- */

/* 128 KB of code. */
static void l1i_cache(void)
{
    for (unsigned i = 0; i < 40; i++)
        __asm__ volatile(".rept 2048\n\tb 1f\n\t.space 60\n\t1:\n\t.endr" :::);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } all[] = {{"branch_direct", branch_direct},
               {"branch_indirect", branch_indirect},
               {"call_return", call_return},
               {"div32", div32},
               {"div64", div64},
               {"double2int", double2int},
               {"fpdiv", fpdiv},
               {"fpmac", fpmac},
               {"fpmul", fpmul},
               {"fpsqrt", fpsqrt},
               {"int2double", int2double},
               {"isb", isb},
               {"l1d_cache", l1d_cache},
               {"l1d_tlb", l1d_tlb},
               {"l1i_cache", l1i_cache},
               {"l2d_cache", l2d_cache},
               {"load_after_store", load_after_store},
               {"mac32", mac32},
               {"mac64", mac64},
               {"memcpy", memcpy_large},
               {"mul32", mul32},
               {"mul64", mul64},
               {"store_buffer_full", store_buffer_full}};

    for (unsigned i = 0; argc == 2 && i < sizeof all / sizeof all[0]; i++)
        if (strcmp(argv[1], all[i].name) == 0) {
            all[i].run();
            return 0;
        }
    return 2;
}
