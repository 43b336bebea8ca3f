/* How the run of a program ended, in words. */
#ifndef CLI_ENDED_H
#define CLI_ENDED_H

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
bool ended_early(const struct engine_result *result, char *text);

/* Says on standard error who killed the program, where somebody did. */
void ended_explain(const struct engine_result *result, const char *program);

#endif
