#include "profile/profile_schema.h"

const struct profile_schema profile_schema[PROFILE_SCHEMA_N] = {
#define TABLE(name, columns) {#name, "CREATE TABLE " #name "(\n  " columns "\n)", 1},
#define VIEW(name, query)    {#name, "CREATE VIEW " #name " AS\n  " query, 0},
#include "profile/profile_schema.def"
};

const char *profile_isa_name(enum armpmu_isa isa)
{
    static const char *const names[] = {
        [ARMPMU_A32] = "A32",
        [ARMPMU_T32] = "T32",
        [ARMPMU_A64] = "A64",
    };

    return names[isa];
}
