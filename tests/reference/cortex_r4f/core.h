/* A slow Cortex-R4F, combined from the three slow references: the counts of each block, and their
 * times. It shares no code with the model but the decoder. */
#ifndef TESTS_REFERENCE_CORTEX_R4F_CORE_H
#define TESTS_REFERENCE_CORTEX_R4F_CORE_H

#include "issue.h"
#include "memory.h"
#include "predictor.h"

enum { SLOW_INSNS = 64, SLOW_RUN = 16384 };

/* How a block ended. */
enum slow_end {
    SLOW_FELL_THROUGH, /* its branch was not taken, or it has none */
    SLOW_WENT,         /* its branch was taken, to .next */
    SLOW_STOPPED,      /* an exception came behind its executed instructions */
    SLOW_HIDDEN,       /* the same, behind a branch that was taken to nobody knows where */
    SLOW_ENDED,        /* the program ended */
};

struct slow_block {
    const struct block *code;
    unsigned n_executed;
    bool accessed[SLOW_INSNS], device[SLOW_INSNS];
    uint32_t address[SLOW_INSNS];
    bool returns; /* its branch is a procedure return */
    enum slow_end end;
    uint32_t next;
};

/* Something that happens behind the last instruction, or with it. */
struct slow_action {
    enum { SLOW_FETCH, SLOW_ACCESS, SLOW_DRAIN, SLOW_PRELOAD, SLOW_MASK, SLOW_MAINTAIN } what;
    unsigned n; /* instructions of the run in front of it, its own included */
    uint32_t start, end;
    bool jumped;
    struct slow_access access;
    unsigned bits; /* of the stream's word */
};

struct slow_core {
    const struct armpmu_machine *machine;
    struct slow_memory memory; /* its counts are the core's */
    struct slow_issue issue;
    struct slow_predictor predictor;
    const struct insn *run[SLOW_RUN]; /* instructions since the pipeline last refilled */
    unsigned n_run;
    struct slow_action actions[2 * SLOW_RUN];
    unsigned n_actions;
    uint64_t lost; /* cycles that memory has cost: what its clock is ahead of the issue's */
    bool jumped;
    unsigned masks;
    uint64_t masked_since;
    /* An exception at the first instruction of a vector. */
    bool entered, at_vector;
    uint32_t last_start, stuck_at; /* stuck_at: 1 for nowhere */
};

void slow_core_init(struct slow_core *core, const struct armpmu_machine *machine);
void slow_core_free(struct slow_core *core);

void slow_core_block(struct slow_core *core, const struct slow_block *block);
void slow_core_exception(struct slow_core *core);
void slow_core_return(struct slow_core *core); /* from a handler that is not in the stream */
void slow_core_mask(struct slow_core *core, unsigned masks);
void slow_core_preload(struct slow_core *core, uint32_t address);
/* As the stream's words have it. */
void slow_core_maintain(struct slow_core *core, unsigned bits, uint32_t address);
void slow_core_forget_branches(struct slow_core *core);

/* The end: afterwards the counts are all there. */
void slow_core_finish(struct slow_core *core);

#endif
