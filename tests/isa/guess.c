/* Telling A32 from T32 by what an engine says of a block. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <capstone/capstone.h>
#include <stdio.h>
#include <string.h>

#include "row.h"

struct fixture {
    struct decoder *decoder;
    csh handles[2]; /* by enum armpmu_isa */
};

static int set_up(void **state)
{
    static struct fixture fixture;

    *state = &fixture;
    return decoder_new(&fixture.decoder, NULL) != ARMPMU_OK ||
           cs_open(CS_ARCH_ARM, CS_MODE_ARM, &fixture.handles[ARMPMU_A32]) != CS_ERR_OK ||
           cs_open(CS_ARCH_ARM, CS_MODE_THUMB, &fixture.handles[ARMPMU_T32]) != CS_ERR_OK;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    decoder_free(fixture->decoder);
    cs_close(&fixture->handles[ARMPMU_A32]);
    cs_close(&fixture->handles[ARMPMU_T32]);
    return 0;
}

static enum armpmu_isa guess(struct fixture *fixture, uint64_t address, const uint8_t *bytes,
                             uint32_t n_bytes, uint32_t n_insns, const char *disassembly)
{
    const struct armpmu_block_source source = {.address = address,
                                               .bytes = bytes,
                                               .n_bytes = n_bytes,
                                               .n_insns = n_insns,
                                               .isa = ARMPMU_A32};

    return decode_guess_isa(fixture->decoder, &source, disassembly);
}

/* What an engine would print, false where capstone has no idea. */
static bool disassemble(struct fixture *fixture, const struct form *form, const uint8_t *bytes,
                        char *text, size_t size)
{
    cs_insn *insn;

    if (cs_disasm(fixture->handles[form->isa], bytes, form->size, 0x8000, 1, &insn) == 0)
        return false;
    snprintf(text, size, "%s %s", insn->mnemonic, insn->op_str);
    cs_free(insn, 1);
    return true;
}

static void text_of_the_first_instruction_tells(void **state)
{
    unsigned told = 0, wrong = 0;

    for (size_t i = 0; i < n_forms; i++) {
        char text[300];
        uint8_t bytes[4];
        store_insn(forms[i].isa, forms[i].word, forms[i].size, bytes);
        if (forms[i].size != 4 || !disassemble(*state, &forms[i], bytes, text, sizeof text))
            continue;
        told++;
        if (guess(*state, 0x8000, bytes, 4, 1, text) != forms[i].isa) {
            print_error("forms.def:%d: %s, as '%s'\n", forms[i].line, forms[i].text, text);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
    assert_true(told > 500);
}

static void short_instructions_are_t32(void **state)
{
    static const uint8_t code[6] = {0x70, 0x47, 0x2d, 0xe9, 0xf0, 0x41};

    assert_int_equal(guess(*state, 0x8000, code, 2, 1, "bx lr"), ARMPMU_T32);
    assert_int_equal(guess(*state, 0x8000, code, 6, 2, NULL), ARMPMU_T32);
    assert_int_equal(guess(*state, 0x8002, code + 2, 4, 1, NULL), ARMPMU_T32);
}

static void an_instruction_that_is_not_long_t32_makes_the_block_a32(void **state)
{
    static const uint8_t code[8] = {0xf0, 0xe9, 0x2d, 0xe9, 0x01, 0x00, 0xa0, 0xe1};

    assert_int_equal(guess(*state, 0x8000, code, 8, 2, NULL), ARMPMU_A32);
    assert_int_equal(guess(*state, 0x8000, code, 8, 2, "nonsense"), ARMPMU_A32);
}

/* An engine may have read on behind a short instruction four bytes before a page ends. */
static void the_last_instruction_of_a_page_may_be_shorter_than_said(void **state)
{
    static const uint8_t t32[8] = {0x01, 0xf2, 0x01, 0x01, 0x08, 0x46, 0x01, 0xf2};
    static const uint8_t a32[4] = {0x01, 0x00, 0xa0, 0xe1};

    assert_int_equal(guess(*state, 0x8ff8, t32, 8, 2, "addw r1, r1, #1"), ARMPMU_T32);
    assert_int_equal(guess(*state, 0x8ffc, t32 + 4, 4, 1, "mov r0, r1"), ARMPMU_T32);
    assert_int_equal(guess(*state, 0x8ffc, a32, 4, 1, "mov r0, r1"), ARMPMU_A32);
    assert_int_equal(guess(*state, 0x8ff8, t32 + 4, 4, 1, "mov r0, r1"), ARMPMU_A32);
}

/* 0xe92de9f0 is push {r4-r8, fp, sp, lr, pc} in A32 and something else in T32. */
static void blanks_do_not_matter_and_the_mnemonic_alone_is_enough(void **state)
{
    static const uint8_t push_t32[4] = {0x2d, 0xe9, 0xf0, 0x41};

    assert_int_equal(guess(*state, 0x8000, push_t32, 4, 1, "push.w\t{r4,  r5, r6, r7, r8, lr} "),
                     ARMPMU_T32);
    assert_int_equal(guess(*state, 0x8000, push_t32, 4, 1, "push.w {otherwise printed}"),
                     ARMPMU_T32);
}

static void without_text_the_set_with_fewer_undefined_instructions_wins(void **state)
{
    /* ldr.w r0,[r1,#0xff0]: read as A32 it is a coprocessor's word without condition */
    static const uint8_t load[4] = {0xd1, 0xf8, 0xf0, 0xff};

    assert_int_equal(guess(*state, 0x8000, load, 4, 1, NULL), ARMPMU_T32);
    assert_int_equal(guess(*state, 0x8000, NULL, 4, 1, NULL), ARMPMU_A32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_of_the_first_instruction_tells),
        cmocka_unit_test(short_instructions_are_t32),
        cmocka_unit_test(an_instruction_that_is_not_long_t32_makes_the_block_a32),
        cmocka_unit_test(the_last_instruction_of_a_page_may_be_shorter_than_said),
        cmocka_unit_test(blanks_do_not_matter_and_the_mnemonic_alone_is_enough),
        cmocka_unit_test(without_text_the_set_with_fewer_undefined_instructions_wins),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
