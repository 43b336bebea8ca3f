/* The report of `armpmu whatif --json=1`, for commands that show code: what a change of a place
 * would save, beside the place. */
#ifndef CLI_PROFILE_WHATIF_INPUT_H
#define CLI_PROFILE_WHATIF_INPUT_H

#include "armpmu/status.h"
#include "profile/profile.h"

/* Reads the rows of changes that were replayed, for a profile of a machine; out is freed by
 * whatif_input_free, also after a failure. Returns ARMPMU_OK, ARMPMU_IO, ARMPMU_BAD_INPUT,
 * ARMPMU_BAD_CONFIG (another machine) or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status whatif_input_read(struct whatif_rows *out, const char *path,
                                                     const char *machine, struct armpmu_error *err);
void whatif_input_free(struct whatif_rows *rows);

#define WHATIF_ROW(type, member)                                                                   \
    {                                                                                              \
        0, "whatif", "FILE",                                                                       \
            "beside the code, the savings of changes, from 'armpmu whatif --json=1 -o FILE'",      \
            OPTION_TEXT_TO(type, member), .completes = COMPLETE_FILE                               \
    }

#endif
