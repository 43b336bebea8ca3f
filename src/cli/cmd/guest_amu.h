/* --amu and --frame: which activity monitors the processors of an AArch64 machine have, and where.
 */
#ifndef CLI_CMD_GUEST_AMU_H
#define CLI_CMD_GUEST_AMU_H

#include "armpmu/status.h"

#define GUEST_AMU_BYTES 40

/* Turns "enabled,group1:5" into the plugin's words, GUEST_AMU_BYTES of them. As option_set_fn. */
enum armpmu_status guest_amu_parse(void *words, const char *option, const char *list,
                                   struct armpmu_error *err);

/* Takes "ADDRESS" or "ADDRESS:DISTANCE", which must name pages of memory. As option_set_fn. */
enum armpmu_status guest_frame_set(void *frame, const char *option, const char *spec,
                                   struct armpmu_error *err);

#endif
