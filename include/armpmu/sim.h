/* Core models: turn an executed trace into signals.
 *
 * armpmu_code holds the program's blocks, decoded once and shared by all core models of a run.
 * armpmu_sim is one core (one guest thread): feed it records of a trace, read its signal tallies.
 */
#ifndef ARMPMU_SIM_H
#define ARMPMU_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/catalog.h"
#include "armpmu/machine.h"
#include "armpmu/status.h"
#include "armpmu/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

enum armpmu_isa { ARMPMU_A32, ARMPMU_T32, ARMPMU_A64 };

/* One translated block as the engine saw it. */
struct armpmu_block_source {
    uint64_t address;
    const uint8_t *bytes; /* n_bytes of code, little endian; NULL when the engine had none */
    uint32_t n_bytes;
    uint32_t n_insns; /* how many instructions the engine translated */
    enum armpmu_isa isa;
    /* T32: ITSTATE at the first instruction, if the engine knows it; otherwise the one that the
     * block executed before leaves. */
    bool it_known;
    uint8_t it_before;
    uint32_t
        file; /* the engine's number of the file that the code is from, for a profile; 0: none */
};

/* Fills in the definition of a block id; returns false if the id is unknown. The bytes are copied
 * before the call returns that looked it up. Called with no lock of the caller's held, perhaps from
 * several threads. */
typedef bool (*armpmu_block_lookup)(void *user, uint32_t id, struct armpmu_block_source *out);

struct armpmu_code;
struct armpmu_sim;

/* A program's decoded blocks; thread safe. lookup is called when a core model meets an id that it
 * does not know or has forgotten. */
ARMPMU_API ARMPMU_MUST_USE enum armpmu_status armpmu_code_new(armpmu_block_lookup lookup,
                                                              void *user, struct armpmu_code **out,
                                                              struct armpmu_error *err);
ARMPMU_API void armpmu_code_free(struct armpmu_code *code);

/* Bounds what the blocks of a program may take, decoded and as its core models know them, in bytes:
 * when they take more, models forget blocks that have not run for long and make them again when
 * they do. Changes no count. Until it is called the bound is ARMPMU_CODE_BYTES. */
#define ARMPMU_CODE_BYTES (UINT64_C(512) << 20)
ARMPMU_API void armpmu_code_limit(struct armpmu_code *code, size_t bytes);

/* The models see all code this number of bytes after the engine's address, as in another layout
 * of the program. Call it before the first block. */
ARMPMU_API void armpmu_code_move(struct armpmu_code *code, uint64_t bytes);

/* How a trace ended. */
enum armpmu_end {
    ARMPMU_END_EXIT,  /* by itself: the last block ran to its end                       */
    ARMPMU_END_FAULT, /* a synchronous fault killed it: the faulting instruction is out */
};

/* A core model for a machine. machine and code are borrowed and must outlive it. */
ARMPMU_API ARMPMU_MUST_USE enum armpmu_status armpmu_sim_new(const struct armpmu_machine *machine,
                                                             struct armpmu_code *code,
                                                             struct armpmu_sim **out,
                                                             struct armpmu_error *err);
ARMPMU_API void armpmu_sim_free(struct armpmu_sim *sim);

/* Runs records of a trace. The records must end where a BLOCK record would follow, or where the
 * trace ends. Returns ARMPMU_OK, ARMPMU_NO_MEMORY or ARMPMU_BAD_INPUT: a block id that is unknown
 * or above 2^28, a block that is longer than a word can say, lies beyond the end of the address
 * space or is of an instruction set that the core does not execute; a second word without its first
 * or the other way round; an instruction that the block does not have; a word the core does not
 * know. The records before it are counted, the model keeps its counts and continues. */
ARMPMU_API ARMPMU_MUST_USE enum armpmu_status armpmu_sim_run(struct armpmu_sim *sim,
                                                             const uint64_t *records,
                                                             size_t n_records,
                                                             struct armpmu_error *err);

/* From here on the ids of BLOCK records may name other blocks than before: looks each up again.
 * Blocks that are the same are the same to the model. Between two calls of armpmu_sim_run. */
ARMPMU_API void armpmu_sim_rename(struct armpmu_sim *sim);

/* Ends the trace. */
ARMPMU_API void armpmu_sim_finish(struct armpmu_sim *sim, enum armpmu_end end);

/* Writes all tallies so far, ARMPMU_SIGNAL_COUNT entries. */
ARMPMU_API void armpmu_sim_signals(const struct armpmu_sim *sim, uint64_t *signals);

/* Calls of a kernel's helper page (Linux: 0xffff0f60 and on) that the engine answered itself: they
 * are in the trace, their instructions and accesses are not, so that no count has them. */
ARMPMU_API uint64_t armpmu_sim_helper_calls(const struct armpmu_sim *sim);

/* How often the trace has a SYSCALL record of this number, below 512. */
ARMPMU_API uint64_t armpmu_sim_system_calls(const struct armpmu_sim *sim, uint32_t number);

/* Adds to delta, ARMPMU_SIGNAL_COUNT entries, what each signal rose by since the last call, or
 * since the start: the sum of all deltas is what armpmu_sim_signals writes. Takes time for the
 * blocks that ran since, not for all that are known. Between two calls of armpmu_sim_run the last
 * block counts as executed, but not what its branch did: that is in the next delta. */
ARMPMU_API void armpmu_sim_read_delta(struct armpmu_sim *sim, uint64_t *delta);

/* Calls back when a signal passes each multiple of period: at the end of the block in which it
 * does. signal: ARMPMU_SIGNAL_CPU_CYCLES or ARMPMU_SIGNAL_INST_RETIRED. count is the index of the
 * interval that ended, from 1. period 0 turns it off. */
typedef void (*armpmu_interval_fn)(void *user, uint64_t count);
ARMPMU_API void armpmu_sim_set_interval(struct armpmu_sim *sim, enum armpmu_signal signal,
                                        uint64_t period, armpmu_interval_fn call, void *user);

/* ---- errors in memories ---- */

enum armpmu_injection {
#define INJECTION(id, name, meaning) ARMPMU_INJECT_##id,
#include "armpmu/injection.def"
#undef INJECTION
    ARMPMU_INJECTIONS
};

/* Static strings; NULL for what is no injection. */
ARMPMU_API const char *armpmu_injection_name(enum armpmu_injection kind);
ARMPMU_API const char *armpmu_injection_meaning(enum armpmu_injection kind);

/* The injection of a name as the command line has it, ARMPMU_INJECTIONS for none. */
ARMPMU_API enum armpmu_injection armpmu_injection_find(const char *name);

/* Puts an error into one of the core's memories at an address: an access that finds it counts the
 * signals the core has for that. Takes effect after what ran so far. Returns ARMPMU_OK,
 * ARMPMU_BAD_CONFIG (the core has no such errors) or ARMPMU_BAD_INPUT (the machine does not find
 * them, or has no such memory at that address). */
ARMPMU_API ARMPMU_MUST_USE enum armpmu_status armpmu_sim_inject(struct armpmu_sim *sim,
                                                                enum armpmu_injection kind,
                                                                uint64_t address,
                                                                struct armpmu_error *err);

/* Calls back for each error that is found, with what armpmu_post_fault() wants to know. The signal
 * is in the tallies already: whoever posts both the delta and the fault subtracts one from the
 * delta. call: NULL for none. A core without such errors ignores it. */
struct armpmu_fault;
typedef void (*armpmu_fault_fn)(void *user, const struct armpmu_fault *fault);
ARMPMU_API void armpmu_sim_on_fault(struct armpmu_sim *sim, armpmu_fault_fn call, void *user);

#ifdef __cplusplus
}
#endif
#endif
