/* Chains of operations, each on the result of the one before it, in the manner of lmbench's
 * lat_ops.
 *
 * usage: operations WHAT PASSES     1000 operations a pass */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEN(one)     one one one one one one one one one one
#define HUNDRED(one) TEN(TEN(one))

struct operation {
    const char *name;
    void (*run)(void);
};

#define CHAIN(name, text)                                                                          \
    static void name(void)                                                                         \
    {                                                                                              \
        __asm__ volatile(TEN(HUNDRED(text "\n")) : : : "r4", "r5", CLOBBERS);                      \
    }

#if defined __ARM_FP
#define CLOBBERS "r6", "d16", "d17", "s0", "s1", "d4", "d5"
CHAIN(float_add, "vadd.f32 s0, s0, s1")
CHAIN(float_mul, "vmul.f32 s0, s0, s1")
CHAIN(float_div, "vdiv.f32 s0, s0, s1")
CHAIN(double_add, "vadd.f64 d16, d16, d17")
CHAIN(double_mul, "vmul.f64 d16, d16, d17")
CHAIN(double_div, "vdiv.f64 d16, d16, d17")
#else
#define CLOBBERS "r6"
#endif
CHAIN(int_add, "add r4, r4, r5")
CHAIN(int_mul, "mul r4, r5, r4")

static const struct operation operations[] = {
#if defined __ARM_FP
    {"float-add", float_add},   {"float-mul", float_mul},   {"float-div", float_div},
    {"double-add", double_add}, {"double-mul", double_mul}, {"double-div", double_div},
#endif
    {"int-add", int_add},       {"int-mul", int_mul},
};

int main(int argc, char **argv)
{
    const int passes = argc == 3 ? atoi(argv[2]) : 0;
#if defined __ARM_FP
    __asm__ volatile(
        "vmov.f32 s0, #1.0\n vmov.f32 s1, #1.0\n vmov.f64 d16, #1.0\n vmov.f64 d17, #1.0");
#endif
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        if (argc != 3 || strcmp(argv[1], operations[i].name) != 0)
            continue;
        for (int pass = 0; pass < passes; pass++)
            operations[i].run();
        return 0;
    }
    fputs("usage: operations WHAT PASSES; WHAT is float-, double- or int- and add, mul or div\n",
          stderr);
    return 2;
}
