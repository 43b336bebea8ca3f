/* The overflow interrupt's way to the interrupt controller: the argument, and what is written
 * where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/qemu/guest.h"

struct guest guest;

static struct {
    unsigned n;
    uint64_t address;
    uint32_t value;
} written;

static bool nothing_answers;

bool host_word_write(uint64_t address, uint32_t value)
{
    written.n++;
    written.address = address;
    written.value = value;
    return !nothing_answers;
}

static const char *died;

void guest_die(const char *reason)
{
    died = reason;
}

static void arguments_are_parsed(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *text;
        bool good, present;
        uint64_t distributor;
        unsigned number;
    } cases[] = {
        {__LINE__, "none", true, false, 0, 0},
        {__LINE__, "gic:132", true, true, 0x08000000, 132},
        {__LINE__, "gic:16", true, true, 0x08000000, 16},
        {__LINE__, "gic:1019", true, true, 0x08000000, 1019},
        {__LINE__, "gic@0x10481000:96", true, true, 0x10481000, 96},
        {__LINE__, "gic@4096:33", true, true, 4096, 33},
        {__LINE__, "gic", false, false, 0, 0},
        {__LINE__, "gic:", false, false, 0, 0},
        {__LINE__, "gic:15", false, false, 0, 0},
        {__LINE__, "gic:1020", false, false, 0, 0},
        {__LINE__, "gic:-1", false, false, 0, 0},
        {__LINE__, "gic:132x", false, false, 0, 0},
        {__LINE__, "gic@:132", false, false, 0, 0},
        {__LINE__, "gic@zz:132", false, false, 0, 0},
        {__LINE__, "vic:3", false, false, 0, 0},
        {__LINE__, "", false, false, 0, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct guest_irq irq;
        const char *const problem = guest_irq_parse(cases[i].text, &irq);
        if ((problem == NULL) != cases[i].good)
            fail_msg("line %d: %s", cases[i].line, problem != NULL ? problem : "taken");
        if (problem != NULL)
            assert_memory_equal(problem, "irq: ", 5);
        if (problem == NULL && cases[i].present) {
            assert_true(irq.present);
            assert_int_equal(irq.distributor, cases[i].distributor);
            assert_int_equal(irq.number, cases[i].number);
        }
    }
}

/* Interrupt 132 is bit 4 of the fifth word. */
static void the_line_s_rise_and_fall_reach_the_distributor(void **state)
{
    (void)state;
    static struct guest_cpu cpu;
    const struct armpmu_config config = {.core = "cortex-a8"};

    assert_int_equal(armpmu_create(&cpu.pmu_memory, sizeof cpu.pmu_memory, &config, &cpu.pmu, NULL),
                     ARMPMU_OK);
    assert_null(guest_irq_parse("gic:132", &guest.irq));
    guest_irq_follow(&cpu);
    assert_int_equal(written.n, 0);

    armpmu_mcr(cpu.pmu, 15, 0, 9, 14, 1, 0x80000000); /* INTENS: CCNT */
    armpmu_mcr(cpu.pmu, 15, 0, 9, 12, 1, 0x80000000); /* CNTENS */
    armpmu_mcr(cpu.pmu, 15, 0, 9, 13, 0, 0xffffffff); /* CCNT */
    armpmu_mcr(cpu.pmu, 15, 0, 9, 12, 0, 1);
    armpmu_post(cpu.pmu, ARMPMU_SIGNAL_CPU_CYCLES, 1);
    cpu.line_changed = true;
    guest_irq_follow(&cpu);
    assert_int_equal(written.n, 1);
    assert_int_equal(written.address, 0x08000000 + 0x200 + 4 * 4);
    assert_int_equal(written.value, 1u << 4);
    guest_irq_follow(&cpu); /* nothing changed since */
    assert_int_equal(written.n, 1);

    armpmu_mcr(cpu.pmu, 15, 0, 9, 12, 3, 0x80000000); /* FLAG */
    cpu.line_changed = true;
    guest_irq_follow(&cpu);
    assert_int_equal(written.n, 2);
    assert_int_equal(written.address, 0x08000000 + 0x280 + 4 * 4);
    assert_null(died);

    nothing_answers = true;
    cpu.line_changed = true;
    guest_irq_follow(&cpu);
    assert_non_null(strstr(died, "distributor"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_are_parsed),
        cmocka_unit_test(the_line_s_rise_and_fall_reach_the_distributor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
