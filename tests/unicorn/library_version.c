/* The versions of the Unicorn library that are tested, that cause a warning, and that are refused.
 */
#include <string.h>
#include "../test.h"
#include "unicorn/library_version.h"

#define EXTRA 0xffu /* the lowest byte, of a release */

TEST(tested_versions_are_those_that_messages_name)
{
    unsigned n = 0;

    for (unsigned minor = 0; minor < 4; minor++) {
        for (unsigned patch = 0; patch < 9; patch++) {
            const uint32_t version = LIBRARY_VERSION(2, minor, patch) | EXTRA;
            char text[LIBRARY_VERSION_TEXT];
            library_version_text(version, text);
            const bool named = strstr(LIBRARY_VERSIONS_TESTED, text) != NULL;
            assert_int_equal(library_version_standing(version) == LIBRARY_TESTED, named);
            n += named;
        }
    }
    assert_int_equal(n, 2);
}

TEST(what_is_between_is_not_tested)
{
    assert_int_equal(library_version_standing(LIBRARY_VERSION(2, 0, 0)), LIBRARY_UNTESTED);
    assert_int_equal(library_version_standing(LIBRARY_VERSION(2, 0, 2)), LIBRARY_UNTESTED);
    assert_int_equal(library_version_standing(LIBRARY_VERSION(2, 1, 0) | EXTRA), LIBRARY_UNTESTED);
}

TEST(another_interface_and_what_is_later_is_refused)
{
    assert_int_equal(library_version_standing(LIBRARY_VERSION(2, 1, 2)), LIBRARY_REFUSED);
    assert_int_equal(library_version_standing(LIBRARY_VERSION(2, 1, 4) | EXTRA), LIBRARY_REFUSED);
    assert_int_equal(library_version_standing(LIBRARY_VERSION(1, 0, 3)), LIBRARY_REFUSED);
    assert_int_equal(library_version_standing(LIBRARY_VERSION(3, 0, 1)), LIBRARY_REFUSED);
}

TEST(addresses_are_physical_from_2_1_on)
{
    assert_false(library_version_shows_physical(LIBRARY_VERSION(2, 0, 1) | EXTRA));
    assert_true(library_version_shows_physical(LIBRARY_VERSION(2, 1, 0)));
    assert_true(library_version_shows_physical(LIBRARY_VERSION(2, 1, 1) | EXTRA));
}

TEST(text_has_no_extra)
{
    char text[LIBRARY_VERSION_TEXT];

    library_version_text(UINT32_MAX, text);
    assert_string_equal(text, "255.255.255");
    library_version_text(LIBRARY_VERSION(2, 1, 1) | EXTRA, text);
    assert_string_equal(text, "2.1.1");
}
