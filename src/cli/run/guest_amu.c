#include "cli/run/guest_devices.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "armpmu/pmu.h"
#include "base/error.h"

static bool is_word(const char *text, size_t length, const char *word)
{
    return length == strlen(word) && strncmp(text, word, length) == 0;
}

/* "group1:5" */
static bool is_group1(const char *text, size_t length, unsigned *n)
{
    static const char key[] = "group1:";
    const size_t digits = length - (sizeof key - 1);

    if (length < sizeof key || digits > 2 || strncmp(text, key, sizeof key - 1) != 0 ||
        strspn(text + sizeof key - 1, "0123456789") < digits)
        return false;
    *n = (unsigned)strtoul(text + sizeof key - 1, NULL, 10);
    return *n <= ARMPMU_AMU_GROUP1_MAX;
}

struct choice {
    bool enabled, v1p1, has_group1;
    unsigned group1;
};

static bool take(const char *text, size_t length, struct choice *choice)
{
    if (is_word(text, length, "enabled"))
        choice->enabled = true;
    else if (is_word(text, length, "v1p1"))
        choice->v1p1 = true;
    else
        return choice->has_group1 = is_group1(text, length, &choice->group1);
    return true;
}

enum armpmu_status guest_amu_parse(void *member, const char *option, const char *list,
                                   struct armpmu_error *err)
{
    char *const words = member;
    struct choice choice = {0};
    char group1[16] = "";

    for (const char *at = list;; at++) {
        const size_t length = strcspn(at, ",");
        if (!take(at, length, &choice))
            return fail(err, ARMPMU_BAD_CONFIG,
                        "%s '%.60s': write enabled, v1p1 or group1:N with N from 0 to %u, "
                        "separated by ','",
                        option, list, ARMPMU_AMU_GROUP1_MAX);
        at += length;
        if (*at == '\0')
            break;
    }
    if (choice.has_group1)
        snprintf(group1, sizeof group1, "+group1:%u", choice.group1);
    snprintf(words, GUEST_AMU_BYTES, "%s%s%s", choice.enabled ? "+enabled" : "",
             choice.v1p1 ? "+v1p1" : "", group1);
    memmove(words, words + 1, strlen(words)); /* the first '+' */
    return ARMPMU_OK;
}

/* "0x43ff0000" or "4096", a multiple of the frame's size; what follows it is *end. */
static bool is_page(const char *text, const char **end)
{
    const bool hexadecimal = strncmp(text, "0x", 2) == 0;
    const char *const digits = text + (hexadecimal ? 2 : 0);
    const size_t n = strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");

    *end = digits + n;
    return n > 0 && n <= 16 &&
           strtoull(digits, NULL, hexadecimal ? 16 : 10) % ARMPMU_AMU_FRAME_BYTES == 0;
}

enum armpmu_status guest_frame_set(void *frame, const char *option, const char *spec,
                                   struct armpmu_error *err)
{
    const char *end;

    *(const char **)frame = spec;
    if (is_page(spec, &end) && (*end == '\0' || (*end == ':' && is_page(end + 1, &end))) &&
        *end == '\0')
        return ARMPMU_OK;
    return fail(err, ARMPMU_BAD_CONFIG,
                "%s '%.60s': write ADDRESS, or ADDRESS:DISTANCE where each processor has its "
                "own, both multiples of %u",
                option, spec, ARMPMU_AMU_FRAME_BYTES);
}
