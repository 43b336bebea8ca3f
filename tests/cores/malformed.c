/* Invalid traces and blocks, on every shipped machine: each is refused with a message,
 * nothing of it counts, and the model goes on. */
#include <string.h>

#include "model.h"

static const char *const machines[] = {
    "cortex-a8",
    "cortex-a8-am335x",
    "cortex-a8-omap3530",
    "cortex-a8-plain",
    "cortex-r4f",
    "rm48",
    "tms570ls",
    "pxa255",
    "pxa270",
    "ixp425",
    "xscale-80200",
    "neoverse-n2",
    "neoverse-v1",
    "neoverse-v1-plain",
};
#define N_MACHINES (sizeof machines / sizeof machines[0])

#define ADD UINT32_C(0xe2800001) /* add r0, r0, #1 */
#define LDR UINT32_C(0xe5912004) /* ldr r2, [r1, #4] */
#define STM UINT32_C(0xe88100f0) /* stm r1, {r4-r7} */
#define LDM UINT32_C(0xe89100f0)

#define A64_ADD UINT32_C(0x91000400) /* add x0, x0, #1 */
#define A64_LDR UINT32_C(0xf9400020) /* ldr x0, [x1] */
#define A64_STP UINT32_C(0xa9000c22) /* stp x2, x3, [x1] */

enum {
    PLAIN,     /* two instructions without accesses */
    LOADS,     /* load, add, load, add */
    LIST,      /* a store and a load of 16 bytes */
    AT_TOP,    /* ends with the address space */
    OVER_TOP,  /* goes on behind it */
    ABOVE,     /* begins behind that of 32 bits */
    NO_BYTES,  /* three instructions */
    TOO_LONG,  /* one more than a word can name */
    NO_ISA,    /* of no instruction set */
    OTHER_ISA, /* of one that a 32-bit core does not execute */
    FAR_ID = 1 << 28,
    UNKNOWN = 99,
};

struct program {
    bool is_64;
};

static const uint32_t code_32[][4] = {{ADD, ADD}, {LDR, ADD, LDR, ADD}, {STM, LDM},
                                      {ADD, ADD}, {ADD, ADD},           {ADD, ADD}};
static const uint32_t code_64[][4] = {{A64_ADD, A64_ADD}, {A64_LDR, A64_ADD, A64_LDR, A64_ADD},
                                      {A64_STP, A64_LDR}, {A64_ADD, A64_ADD},
                                      {A64_ADD, A64_ADD}, {A64_ADD, A64_ADD}};

static bool lookup(void *user, uint32_t id, struct armpmu_block_source *out)
{
    const bool is_64 = ((const struct program *)user)->is_64;
    const uint64_t end = is_64 ? 0 : UINT64_C(1) << 32;

    *out = (struct armpmu_block_source){
        .address = 0x8000 + 0x100 * (uint64_t)id,
        .n_bytes = id == LOADS ? 16 : 8,
        .n_insns = id == LOADS ? 4 : 2,
        .isa = is_64 ? ARMPMU_A64 : ARMPMU_A32,
    };
    out->bytes = (const uint8_t *)(is_64 ? code_64 : code_32)[id <= ABOVE ? id : PLAIN];
    switch (id) {
    case AT_TOP:
        out->address = end - 8;
        break;
    case OVER_TOP:
        out->address = end - 4;
        break;
    case ABOVE:
        out->address = is_64 ? UINT64_MAX - 2 : UINT64_C(0xffffffffffe2);
        break;
    case NO_BYTES:
        out->bytes = NULL;
        out->n_insns = 3;
        break;
    case TOO_LONG:
        out->n_insns = 4097;
        break;
    case NO_ISA:
        out->isa = (enum armpmu_isa)3;
        break;
    case OTHER_ISA:
        out->isa = ARMPMU_A64;
        break;
    case UNKNOWN:
        return false;
    default:
        break;
    }
    return true;
}

/* Calls what is to be checked for each machine. */
static void on_each(void (*check)(struct model *model, const struct program *program))
{
    for (unsigned i = 0; i < N_MACHINES; i++) {
        struct program program = {strncmp(machines[i], "neoverse", 8) == 0};
        struct model model = model_new(machines[i], lookup, &program);
        print_message("%s\n", machines[i]);
        check(&model, &program);
        model_free(&model);
    }
}

static void expect_refused_words(struct model *model, const uint64_t *records, size_t n)
{
    struct armpmu_error err = {""};
    assert_int_equal(armpmu_sim_run(model->sim, records, n, &err), ARMPMU_BAD_INPUT);
    assert_true(strlen(err.message) > 20);
}

#define REFUSED(model, ...)                                                                        \
    expect_refused_words(model, (const uint64_t[]){__VA_ARGS__},                                   \
                         sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static uint64_t retired(const struct model *model)
{
    return model_signal(model, ARMPMU_SIGNAL_INST_RETIRED);
}

static void check_second_words(struct model *model, const struct program *program)
{
    (void)program;
    REFUSED(model, 0);
    REFUSED(model, 0, BLOCK(PLAIN));
    REFUSED(model, 8);
    assert_int_equal(retired(model), 0);
    FEED(model, BLOCK(PLAIN));
    REFUSED(model, 0);
    REFUSED(model, BLOCK(LOADS), ACCESS(0, 0x40000), ACCESS(2, 0x40000), 0);
    FEED(model, BLOCK(PLAIN), BLOCK(LOADS), ACCESS(0, 0x40000), ACCESS(2, 0x40000), BLOCK(PLAIN));
    REFUSED(model, 0);
    REFUSED(model, UINT64_C(0x0fffffffffffffff));
    assert_int_equal(retired(model), 2 + 4 + 2 + 4 + 2);
}

static void a_second_word_does_not_stand_alone(void **state)
{
    (void)state;
    on_each(check_second_words);
}

static void check_halves(struct model *model, const struct program *program)
{
    const unsigned list = program->is_64 ? 0 : 1; /* a list that is the block's last access */
    REFUSED(model, BLOCK(LIST), RUN(0, 0x40000), BLOCK(PLAIN));
    REFUSED(model, BLOCK(LIST), RUN(0, 0x40000), RUN(list, 0x40000), 16);
    REFUSED(model, armpmu_record(ARMPMU_RECORD_MAP64, 0), BLOCK(PLAIN));
    FEED(model, BLOCK(PLAIN), BLOCK(PLAIN));
}

static void a_word_has_its_second(void **state)
{
    (void)state;
    on_each(check_halves);
}

static void check_indices(struct model *model, const struct program *program)
{
    (void)program;
    REFUSED(model, BLOCK(PLAIN), ACCESS(2, 0x40000));
    REFUSED(model, BLOCK(PLAIN), MARK(3));
    REFUSED(model, BLOCK(PLAIN), RUN(4095, 0x40000), 8);
    REFUSED(model, BLOCK(LOADS), ACCESS(0, 0x40000), ACCESS(2, 0x40000), ACCESS(4, 0x40000));
    REFUSED(model, BLOCK(LOADS), DEVICE(4095, 0x40000));
    REFUSED(model, BLOCK(PLAIN), EXCEPTION(3));
    FEED(model, BLOCK(PLAIN), MARK(2), BLOCK(PLAIN));
}

static void a_word_is_about_an_instruction_of_the_block(void **state)
{
    (void)state;
    on_each(check_indices);
}

static void check_blocks(struct model *model, const struct program *program)
{
    REFUSED(model, BLOCK(UNKNOWN));
    REFUSED(model, BLOCK(FAR_ID));
    REFUSED(model, BLOCK(UINT32_MAX));
    REFUSED(model, BLOCK(TOO_LONG));
    REFUSED(model, BLOCK(NO_ISA));
    REFUSED(model, BLOCK(OVER_TOP));
    REFUSED(model, BLOCK(ABOVE));
    if (!program->is_64)
        REFUSED(model, BLOCK(OTHER_ISA));
    assert_int_equal(retired(model), 0);
    FEED(model, BLOCK(AT_TOP), BLOCK(PLAIN));
    REFUSED(model, BLOCK(OVER_TOP));
    FEED(model, BLOCK(AT_TOP));
    assert_int_equal(retired(model), 6);
}

static void blocks_lie_within_the_address_space(void **state)
{
    (void)state;
    on_each(check_blocks);
}

static void check_no_bytes(struct model *model, const struct program *program)
{
    (void)program;
    FEED(model, BLOCK(PLAIN), BLOCK(NO_BYTES), EXCEPTION(ARMPMU_RECORD_ALL));
    assert_int_equal(retired(model), 5);
}

static void blocks_without_bytes_are_of_undefined_instructions(void **state)
{
    (void)state;
    on_each(check_no_bytes);
}

/* The last addresses there are: what is beyond them is at the first. */
static void check_last_addresses(struct model *model, const struct program *program)
{
    static const uint64_t tops[] = {UINT64_C(0xffffffff), ARMPMU_RECORD_ADDRESS,
                                    UINT64_C(0x7fffffffffff)};

    for (unsigned i = 0; i < 3; i++)
        for (uint64_t below = 0; below < 70; below++) {
            const uint64_t at = tops[i] - below;
            FEED(model, BLOCK(LOADS), ACCESS(0, at), ACCESS(2, at));
            if (program->is_64)
                FEED(model, BLOCK(LIST), RUN(0, at), 16, ACCESS(1, at));
            else
                FEED(model, BLOCK(LIST), RUN(0, at), 16, RUN(1, at), 16);
        }
    assert_int_equal(retired(model), 3 * 70 * (4 + 2));
}

static void accesses_may_wrap_at_the_last_address(void **state)
{
    (void)state;
    on_each(check_last_addresses);
}

/* The cut is known to be one when the thread is lost, and counts what executed. */
static void check_lost(struct model *model, const struct program *program)
{
    (void)program;
    FEED(model, MMU(1), BLOCK(LOADS), ACCESS(0, 0x40000));
    FEED(model, armpmu_record(ARMPMU_RECORD_GAP, 0), BLOCK(PLAIN), BLOCK(AT_TOP));
    assert_int_equal(retired(model), 2 + 2 + 2);
    REFUSED(model, EXCEPTION(3));
    FEED(model, EXCEPTION(ARMPMU_RECORD_ALL), BLOCK(PLAIN));
    assert_int_equal(retired(model), 2 + 2 + 2 + 2);
    armpmu_sim_finish(model->sim, ARMPMU_END_EXIT);
    assert_int_equal(retired(model), 2 + 2 + 2 + 2);
    FEED(model, BLOCK(PLAIN)); /* behind the end: somebody's fault, and no harm */
    armpmu_sim_finish(model->sim, ARMPMU_END_FAULT);
}

static void a_block_that_was_cut_ends_with_its_thread(void **state)
{
    (void)state;
    on_each(check_lost);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_word_does_not_stand_alone),
        cmocka_unit_test(a_word_has_its_second),
        cmocka_unit_test(a_word_is_about_an_instruction_of_the_block),
        cmocka_unit_test(blocks_lie_within_the_address_space),
        cmocka_unit_test(blocks_without_bytes_are_of_undefined_instructions),
        cmocka_unit_test(accesses_may_wrap_at_the_last_address),
        cmocka_unit_test(a_block_that_was_cut_ends_with_its_thread),
    };
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
