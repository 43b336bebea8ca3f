/* Telling A32 from T32 by an engine's text of an instruction. */
#include "../test.h"

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

/* ARMPMU_A64 where the text tells nothing. */
static enum armpmu_isa told(struct fixture *fixture, uint64_t address, const uint8_t *bytes,
                            const char *text)
{
    enum armpmu_isa isa;

    return decode_isa_of_text(fixture->decoder, address, bytes, text, &isa) ? isa : ARMPMU_A64;
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

TEST(the_text_of_an_instruction_tells)
{
    unsigned tried = 0, wrong = 0;

    for (size_t i = 0; i < n_forms; i++) {
        char text[300];
        uint8_t bytes[4];
        store_insn(forms[i].isa, forms[i].word, forms[i].size, bytes);
        if (forms[i].size != 4 || !disassemble(*state, &forms[i], bytes, text, sizeof text))
            continue;
        tried++;
        if (told(*state, 0x8000, bytes, text) != forms[i].isa) {
            print_error("forms.def:%d: %s, as '%s'\n", forms[i].line, forms[i].text, text);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
    assert_true(tried > 500);
}

/* At the end of a page an engine may have read on after a short instruction. */
TEST(the_text_may_be_of_two_bytes)
{
    static const uint8_t t32[4] = {0x08, 0x46, 0x01, 0xf2}, a32[4] = {0x01, 0x00, 0xa0, 0xe1};

    assert_int_equal(told(*state, 0x8ffc, t32, "mov r0, r1"), ARMPMU_T32);
    assert_int_equal(told(*state, 0x8ffc, a32, "mov r0, r1"), ARMPMU_A32);
}

/* 0xe92de9f0 is push {r4-r8, fp, sp, lr, pc} in A32 and something else in T32. */
TEST(blanks_do_not_matter_and_the_mnemonic_alone_is_enough)
{
    static const uint8_t push_t32[4] = {0x2d, 0xe9, 0xf0, 0x41};

    assert_int_equal(told(*state, 0x8000, push_t32, "push.w\t{r4,  r5, r6, r7, r8, lr} "),
                     ARMPMU_T32);
    assert_int_equal(told(*state, 0x8000, push_t32, "push.w {otherwise printed}"), ARMPMU_T32);
}

TEST(other_text_tells_nothing)
{
    static const uint8_t push_t32[4] = {0x2d, 0xe9, 0xf0, 0x41};

    assert_int_equal(told(*state, 0x8000, push_t32, ""), ARMPMU_A64);
    assert_int_equal(told(*state, 0x8000, push_t32, "nonsense"), ARMPMU_A64);
}

TESTS_WITH(set_up, tear_down)
