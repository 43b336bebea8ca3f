/* A trace in slices counts what one slice counts, whatever instruction a slice ends after. */
#include "cores/slices.h"

#include "../test.h"
#include "model.h"

enum { BLOCKS = 60, BLOCK_INSNS = 3, THRESHOLD = 1 };

/* fmla v0.4s, v1.4s, v2.4s: active in power mitigation. */
static const uint8_t code[4 * BLOCK_INSNS] = {0x20, 0xcc, 0x22, 0x4e, 0x20, 0xcc,
                                              0x22, 0x4e, 0x20, 0xcc, 0x22, 0x4e};

static bool look_up(void *user, uint32_t id, struct armpmu_block_source *out)
{
    (void)user;
    *out = (struct armpmu_block_source){
        .address = 0x8000, .bytes = code, .n_bytes = 4 * id, .n_insns = id, .isa = ARMPMU_A64};
    return id <= BLOCK_INSNS;
}

static void run(struct model *model, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++)
        FEED(model, BLOCK(1 + i * i % BLOCK_INSNS));
    if (to == BLOCKS)
        armpmu_sim_finish(model->sim, ARMPMU_END_EXIT);
}

static struct model new_model(unsigned period)
{
    return model_of(
        model_machine("sliced", "amuv1",
                      "[mpmm]\nperiod_cycles = %u\ngear0_threshold = 0\ngear1_threshold = %u\n",
                      period, THRESHOLD),
        look_up, NULL);
}

static void count_slice(struct model *model, unsigned from, unsigned to, struct sim_slice *slice)
{
    struct armpmu_error err = {""};

    if (sim_slice_begin(model->sim, slice, &err) != ARMPMU_OK)
        fail_msg("%s", err.message);
    run(model, from, to);
    if (sim_slice_end(model->sim, slice, &err) != ARMPMU_OK)
        fail_msg("%s", err.message);
}

static void count_in_two(unsigned period, unsigned cut, uint64_t *signals)
{
    struct model model = new_model(period);
    struct sim_slice slices[2];
    struct armpmu_error err = {""};

    count_slice(&model, 0, cut, &slices[0]);
    count_slice(&model, cut, BLOCKS, &slices[1]);
    if (sim_join_slices(model.sim, slices, 2, &err) != ARMPMU_OK)
        fail_msg("%s", err.message);
    armpmu_sim_signals(model.sim, signals);
    free(slices[0].more);
    free(slices[1].more);
    model_free(&model);
}

TEST(a_period_of_power_mitigation_ends_once)
{
    for (unsigned period = 1; period <= 4; period++) {
        uint64_t whole[ARMPMU_SIGNAL_COUNT], sliced[ARMPMU_SIGNAL_COUNT];
        struct model model = new_model(period);

        run(&model, 0, BLOCKS);
        armpmu_sim_signals(model.sim, whole);
        model_free(&model);
        assert_true(whole[ARMPMU_SIGNAL_MPMM_GEAR0] > 0);
        for (unsigned cut = 1; cut < BLOCKS; cut++) {
            count_in_two(period, cut, sliced);
            assert_memory_equal(sliced, whole, sizeof whole);
        }
    }
}
