/* --amu and --frame: which activity monitors the processors of an AArch64 machine have, and where.
 */
#ifndef CLI_CMD_GUEST_AMU_H
#define CLI_CMD_GUEST_AMU_H

#include "armpmu/status.h"

#define GUEST_AMU_BYTES 40

/* Turns "enabled,group1:5" into the plugin's words. Returns ARMPMU_OK or ARMPMU_BAD_CONFIG. */
enum armpmu_status guest_amu_parse(const char *list, char words[GUEST_AMU_BYTES],
                                   struct armpmu_error *err);

/* Whether "ADDRESS" or "ADDRESS:DISTANCE" names pages of memory. Returns ARMPMU_OK or
 * ARMPMU_BAD_CONFIG. */
enum armpmu_status guest_frame_check(const char *spec, struct armpmu_error *err);

#endif
