/* A slow reference for the issue schedule of the Cortex-R4F, which goes from cycle to cycle and
 * sees the next instruction in advance. It shares no code with the model. */
#ifndef TESTS_REFERENCE_CORTEX_R4F_ISSUE_H
#define TESTS_REFERENCE_CORTEX_R4F_ISSUE_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"
#include "isa/insn.h"
#include "cores/cortex_r4f/issue.h" /* the names of the cases */

struct slow_issue {
    const struct armpmu_machine *machine;
    uint64_t clock;
    uint64_t usable[64]; /* by register bit: cycle at which a plain operand may be read */
    bool from_divider[64];
    uint64_t divider_write; /* cycle, 0 for none */
    uint64_t vfp_free;
    uint64_t dependency, divide, pairs[R4F_PAIRS];
};

/* Everything is long ready. The machine is borrowed. */
void slow_issue_init(struct slow_issue *slow, const struct armpmu_machine *machine);

/* Instructions one after the other, without a gap before the first or between them. at: of each the
 * cycle in which its access happens: that in which it issues, or if nothing can join it any more
 * that in which it has left. Or NULL. */
void slow_issue_run(struct slow_issue *slow, const struct insn *const *insns, unsigned n,
                    uint64_t *at);

/* Cycles in which nothing issues. */
void slow_issue_pass(struct slow_issue *slow, unsigned cycles);

#endif
