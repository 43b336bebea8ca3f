#include "profile/profile_schema.h"

#include <endian.h>

#include "base/intern.h"
#include "profile/profile_file.h"

#define NEWEST PROFILE_FILE_VERSION

const struct profile_schema profile_schema[PROFILE_SCHEMA_N] = {
#define CREATE(name, columns)       "CREATE TABLE " #name "(\n  " columns "\n)"
#define TABLE(name, first, columns) {#name, CREATE(name, columns), NULL, first, NEWEST},
#define KEYED_TABLE(name, first, columns, key)                                                     \
    {#name, CREATE(name, columns) " WITHOUT ROWID", key, first, NEWEST},
#define OLD_TABLE(name, last, columns) {#name, CREATE(name, columns), NULL, 1, last},
#define VIEW(name, query)              {#name, "CREATE VIEW " #name " AS\n  " query, NULL, NEWEST, NEWEST},
#include "profile/profile_schema.def"
};

uint32_t profile_hash(uint32_t hash, int type, const void *value, size_t n)
{
    const uint8_t kind = (uint8_t)type;

    return hash_bytes(hash_bytes(hash, &kind, sizeof kind), value, n);
}

uint32_t profile_hash_bits(uint32_t hash, int type, uint64_t bits)
{
    bits = htole64(bits);
    return profile_hash(hash, type, &bits, sizeof bits);
}

const char *profile_source_name(unsigned source)
{
    static const char *const names[] = {
#define SOURCE(id, word, meaning) word,
#include "armpmu/access_source.def"
#undef SOURCE
    };

    return source < sizeof names / sizeof *names ? names[source] : NULL;
}

const char *profile_tlb_name(unsigned tlb)
{
    static const char *const names[] = {"hit", "L2", "walk", "none"};

    return tlb < sizeof names / sizeof *names ? names[tlb] : NULL;
}

const char *profile_isa_name(enum armpmu_isa isa)
{
    static const char *const names[] = {
        [ARMPMU_A32] = "A32",
        [ARMPMU_T32] = "T32",
        [ARMPMU_A64] = "A64",
    };

    return names[isa];
}
