/* Build attributes: those that compilers write, and sections that are not whole. */
#include "base/arm_attributes.h"

#include <stdlib.h>
#include <string.h>

#include "../test.h"

/* Tag_CPU_name "7-A", Tag_CPU_arch v7, Tag_CPU_arch_profile A, Tag_FP_arch VFPv4, Tag_DIV_use 2,
 * Tag 65 "text". */
static const uint8_t section[] = {'A', 34, 0, 0,  0, 'a', 'e', 'a', 'b', 'i', 0,  1,
                                  24,  0,  0, 0,  5, '7', '-', 'A', 0,   6,   10, 7,
                                  'A', 10, 5, 44, 2, 65,  't', 'x', 0,   9,   2};

TEST(what_compilers_write)
{
    struct arm_attributes got;

    assert_true(arm_attributes_read(section, sizeof section, &got));
    assert_int_equal(got.architecture, ARM_V7);
    assert_int_equal(got.profile, 'A');
    assert_int_equal(got.fpu, ARM_VFPV4);
    assert_true(got.divides);
}

/* Every length, and every byte with every value: never read past the end (ASan looks), and never a
 * value that is not there. */
TEST(what_is_not_whole)
{
    struct arm_attributes got;

    for (size_t n = 0; n < sizeof section; n++) {
        uint8_t *const part = malloc(n + 1);
        memcpy(part, section, n);
        assert_false(arm_attributes_read(part, n, &got));
        assert_int_equal(got.architecture | got.profile | got.fpu | got.divides, 0);
        free(part);
    }
    for (size_t i = 0; i < sizeof section; i++)
        for (unsigned value = 0; value < 256; value++) {
            uint8_t *const changed = malloc(sizeof section);
            memcpy(changed, section, sizeof section);
            changed[i] = (uint8_t)value;
            if (!arm_attributes_read(changed, sizeof section, &got))
                assert_int_equal(got.architecture | got.profile | got.fpu | got.divides, 0);
            free(changed);
        }
}
