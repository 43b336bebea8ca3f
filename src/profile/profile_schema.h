/* The statements that make the tables and views of armpmu.data, from profile_schema.def. */
#ifndef PROFILE_PROFILE_SCHEMA_H
#define PROFILE_PROFILE_SCHEMA_H

#include "armpmu/sim.h"

#define TABLE(name, columns) PROFILE_TABLE_##name,
#define VIEW(name, query)    PROFILE_VIEW_##name,
enum {
#include "profile/profile_schema.def"
    PROFILE_SCHEMA_N
};
#undef TABLE
#undef VIEW

struct profile_schema {
    const char *name, *sql;
    int is_table;
};
extern const struct profile_schema profile_schema[PROFILE_SCHEMA_N];

/* As the column insn.isa has it. */
const char *profile_isa_name(enum armpmu_isa isa);

#endif
