#include "random_machine.h"

#include "../../reference/pick.h"

/* ---- memory ---- */

/* Somewhere in the data, or nowhere. */
static void random_region(uint32_t *base_kb, uint32_t *size_kb, uint64_t *random)
{
    *base_kb = (VARY_DATA >> 10) + pick(random, VARY_BYTES >> 10);
    *size_kb = one_in(random, 2) ? 0 : 1 + pick(random, 4);
}

/* A region that lies in the code as often as in the data. */
static void random_tcm(uint32_t *base_kb, uint32_t *size_kb, uint64_t *random)
{
    random_region(base_kb, size_kb, random);
    if (one_in(random, 2))
        *base_kb = (VARY_CODE >> 10) + pick(random, VARY_BYTES >> 10);
}

/* With one way any policy replaces the least recently used line: then the model's short ways for
 * the policies that need not hear of every hit are under test. */
static void random_caches(struct armpmu_machine *machine, uint64_t *random)
{
    static const uint32_t ways[] = {1, 2, 4, 8};
    machine->l1d_ways = ways[pick(random, 4)];
    machine->l1i_ways = ways[pick(random, 4)];
    machine->l1d_size_kb = one_in(random, 10) ? 0 : 1u << pick(random, 4);
    machine->l1i_size_kb = one_in(random, 10) ? 0 : 1u << pick(random, 4);
    machine->l1d_replacement = machine->l1d_ways == 1 ? REPLACEMENT_RANDOM : REPLACEMENT_LRU;
    machine->l1i_replacement = machine->l1i_ways == 1 ? REPLACEMENT_ROUND_ROBIN : REPLACEMENT_LRU;
    machine->l1d_write_allocate = one_in(random, 3) ? YESNO_NO : YESNO_YES;
    machine->l1d_protection = one_in(random, 6)   ? PROTECTION_PARITY
                              : one_in(random, 6) ? PROTECTION_NONE
                                                  : PROTECTION_ECC;
    machine->l1i_fetch_bytes = 4u << pick(random, 3);
}

void vary_memory(struct armpmu_machine *machine, uint64_t *random)
{
    static const enum machine_elsewhere elsewhere[] = {ELSEWHERE_CACHEABLE,    ELSEWHERE_CACHEABLE,
                                                       ELSEWHERE_CACHEABLE,    ELSEWHERE_CACHEABLE,
                                                       ELSEWHERE_NONCACHEABLE, ELSEWHERE_TCM};
    static const enum machine_protection protections[] = {PROTECTION_NONE, PROTECTION_PARITY,
                                                          PROTECTION_ECC};
    random_caches(machine, random);
    random_tcm(&machine->atcm_base_kb, &machine->atcm_size_kb, random);
    random_tcm(&machine->btcm_base_kb, &machine->btcm_size_kb, random);
    random_region(&machine->regions_write_through_kb, &machine->regions_write_through_size_kb,
                  random);
    random_tcm(&machine->regions_noncacheable_kb, &machine->regions_noncacheable_size_kb, random);
    random_tcm(&machine->regions_ordered_kb, &machine->regions_ordered_size_kb, random);
    machine->l1i_protection = protections[pick(random, 3)];
    machine->atcm_protection = protections[pick(random, 3)];
    machine->btcm_protection = protections[pick(random, 3)];
    machine->tcm_ecc_bits = one_in(random, 2) ? 32 : 64;
    machine->memory_elsewhere = elsewhere[pick(random, 6)];
    machine->atcm_wait_cycles = pick(random, 4);
    machine->atcm_read_bytes = pick(random, 2) != 0 ? 8u << pick(random, 3) : 0;
    machine->btcm_wait_cycles = pick(random, 4);
    machine->memory_latency_cycles = pick(random, 30);
    machine->linefill_buffers = 1 + pick(random, one_in(random, 4) ? 8 : 3);
    machine->linefill_transfer_cycles = pick(random, 8);
    machine->eviction_cycles = pick(random, 20);
    machine->store_buffer_entries = 1 + pick(random, one_in(random, 6) ? 64 : 6);
    machine->store_buffer_drain_cycles = pick(random, 4);
    machine->store_buffer_bus_cycles = pick(random, 12);
    machine->store_queue_entries = 1 + pick(random, one_in(random, 6) ? 16 : 4);
}

/* ---- issue ---- */

void vary_issue(struct armpmu_machine *machine, uint64_t *random)
{
    machine->issue_width = one_in(random, 8) ? 1 : 2;
    machine->issue_alu_latency = 1 + pick(random, 3);
    machine->issue_load_latency = 1 + pick(random, 4);
    machine->issue_early_extra = pick(random, 4);
    machine->issue_address_extra = pick(random, 4);
    machine->issue_multiply_latency = 2 + pick(random, 5);
    machine->issue_multiply_cycles = 1 + pick(random, 3);
    machine->issue_long_multiply_latency = 2 + pick(random, 5);
    machine->issue_long_multiply_cycles = 1 + pick(random, 3);
    machine->issue_half_multiply_latency = 2 + pick(random, 5);
    machine->issue_half_multiply_cycles = 1 + pick(random, 2);
    machine->issue_block_registers_per_cycle = 1 + pick(random, 3);
    machine->issue_divide_latency = 3 + pick(random, 20);
    machine->issue_signed_divide_latency = 3 + pick(random, 20);
    machine->vfp_latency = 1 + pick(random, 6);
    machine->vfp_accumulate_latency = 1 + pick(random, 9);
    machine->vfp_divide_latency = 1 + pick(random, 30);
    machine->vfp_double_latency = 1 + pick(random, 20);
    machine->vfp_double_accumulate_latency = 1 + pick(random, 30);
    machine->vfp_double_divide_latency = 1 + pick(random, 90);
    machine->vfp_convert_latency = 1 + pick(random, 12);
    machine->vfp_transfer_latency = 1 + pick(random, 5);
}

/* ---- prediction ---- */

void vary_prediction(struct armpmu_machine *machine, uint64_t *random)
{
    static const uint32_t counters[] = {1, 4, 64, 256, 4096};
    machine->branch_prediction = one_in(random, 6) ? YESNO_NO : YESNO_YES;
    machine->branch_counters = counters[pick(random, 5)];
    machine->branch_history_bits = pick(random, 13);
    machine->branch_return_stack = pick(random, 7);
    machine->branch_loop_iterations = pick(random, 40);
}
