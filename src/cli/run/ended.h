/* How the run of a program ended, in words. */
#ifndef CLI_RUN_ENDED_H
#define CLI_RUN_ENDED_H

#include <stdbool.h>

#include "armpmu/catalog.h"
#include "qemu/engine.h"

#define ENDED_TEXT_BYTES 96

/* "SIGKILL", or "signal 40". text: room for ENDED_TEXT_BYTES. */
void ended_signal(int number, char *text);

/* How far a count can be trusted: of a run that is not complete none is exact, but partial. */
const char *ended_fidelity(const struct armpmu_event *event, bool is_complete);

/* Why a run is not complete, as "killed by SIGKILL"; false where it is. text: room for
 * ENDED_TEXT_BYTES. */
bool ended_early(const struct run_result *result, char *text);

/* Takes a sentence about what may go wrong, before a run: run.warn. */
void undefined_warn(const char *sentence);

/* After a run: names the instruction by which a program ended, if it was undefined. */
void undefined_explain(const struct run_result *result, const struct armpmu_machine *machine,
                       const char *program);

/* After a run: names the instruction that accessed memory which is not the program's, its function
 * and its line, as far as they are known. sysroot may be NULL. */
void fault_explain(const struct run_result *result, const char *program, const char *sysroot);

/* Says on standard error who killed the program, where somebody did. */
void ended_explain(const struct run_result *result, const char *program);

#endif
