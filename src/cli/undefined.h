/* What is said of programs for a later core than the machine's. */
#ifndef CLI_UNDEFINED_H
#define CLI_UNDEFINED_H

#include "qemu/engine.h"

/* As engine_job.warn. */
void undefined_warn(const char *sentence);

/* After a run: names the instruction by which a program ended, if it was undefined. */
void undefined_explain(const struct engine_result *result, const struct armpmu_machine *machine,
                       const char *program);

#endif
