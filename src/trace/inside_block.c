#include "trace/inside_block.h"

#include <inttypes.h>

#include "base/error.h"

enum armpmu_status record_refuse(uint64_t word, struct armpmu_error *err)
{
    return fail(err, ARMPMU_BAD_INPUT,
                "malformed trace record 0x%016" PRIx64 ": use an engine of the same version", word);
}
