/* The statements that make the tables and views of armpmu.data, from profile_schema.def. */
#ifndef PROFILE_PROFILE_SCHEMA_H
#define PROFILE_PROFILE_SCHEMA_H

#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"

#define TABLE(name, first, columns)            PROFILE_TABLE_##name,
#define KEYED_TABLE(name, first, columns, key) PROFILE_TABLE_##name,
#define OLD_TABLE(name, last, columns)         PROFILE_TABLE_##name,
#define VIEW(name, query)                      PROFILE_VIEW_##name,
enum {
#include "profile/profile_schema.def"
    PROFILE_SCHEMA_N
};
#undef TABLE
#undef KEYED_TABLE
#undef OLD_TABLE
#undef VIEW

struct profile_schema {
    const char *name, *sql;
    const char *key;      /* the columns that order it, NULL of a table with numbers of rows */
    uint32_t first, last; /* versions that have it */
};
extern const struct profile_schema profile_schema[PROFILE_SCHEMA_N];

/* The key of the checksum in meta: the version of the schema, plus the sum over all rows of a hash
 * of their columns. Tables that users add, and keys of meta, are not in it. A profile without this
 * key is read without the check. type: SQLITE_INTEGER, ... */
#define PROFILE_CHECKSUM_KEY "checksum"

uint32_t profile_hash(uint32_t hash, int type, const void *value, size_t n);

/* The same for a number of 64 bits. */
uint32_t profile_hash_bits(uint32_t hash, int type, uint64_t bits);

/* As the columns access.source and access.tlb have them; NULL after the last. */
const char *profile_source_name(unsigned source);
const char *profile_tlb_name(unsigned tlb);

/* As the column insn.isa has it. */
const char *profile_isa_name(enum armpmu_isa isa);

#endif
