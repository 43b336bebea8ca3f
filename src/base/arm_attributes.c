#include "base/arm_attributes.h"

#include <string.h>

#define FORMAT_VERSION 'A'
#define VENDOR         "aeabi"
#define HEAD_BYTES     5 /* of a subsubsection: its tag and length */

enum tag {
    TAG_FILE = 1,
    TAG_CPU_RAW_NAME = 4,
    TAG_CPU_NAME = 5,
    TAG_CPU_ARCH = 6,
    TAG_CPU_ARCH_PROFILE = 7,
    TAG_FP_ARCH = 10,
    TAG_WMMX_ARCH = 11,
    TAG_COMPATIBILITY = 32,
    TAG_DIV_USE = 44,
};

#define DIV_ALWAYS 2 /* of Tag_DIV_use */

/* The rest to read. */
struct bytes {
    const uint8_t *at, *end;
};

static uint32_t read_word(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static bool read_number(struct bytes *from, uint32_t *number)
{
    unsigned shift = 0;
    uint8_t byte = 0x80;

    for (*number = 0; byte & 0x80; shift += 7) {
        if (from->at == from->end || shift > 28)
            return false;
        byte = *from->at++;
        *number |= (uint32_t)(byte & 0x7f) << shift;
    }
    return true;
}

static bool skip_text(struct bytes *from)
{
    const uint8_t *const end = memchr(from->at, '\0', (size_t)(from->end - from->at));

    if (end == NULL)
        return false;
    from->at = end + 1;
    return true;
}

static void take(uint32_t tag, uint32_t value, struct arm_attributes *out)
{
    if (tag == TAG_CPU_ARCH)
        out->architecture = value;
    else if (tag == TAG_CPU_ARCH_PROFILE)
        out->profile = value;
    else if (tag == TAG_FP_ARCH)
        out->fpu = value;
    else if (tag == TAG_WMMX_ARCH)
        out->wmmx = value != 0;
    else if (tag == TAG_DIV_USE)
        out->divides = value == DIV_ALWAYS;
}

/* Attributes with odd tags from 33 on, and two before, are text; all others are numbers. */
static bool read_attribute(struct bytes *from, struct arm_attributes *out)
{
    uint32_t tag, value = 0;

    if (!read_number(from, &tag))
        return false;
    if (tag == TAG_CPU_RAW_NAME || tag == TAG_CPU_NAME || (tag > TAG_COMPATIBILITY && tag % 2 == 1))
        return skip_text(from);
    if (!read_number(from, &value) || (tag == TAG_COMPATIBILITY && !skip_text(from)))
        return false;
    take(tag, value, out);
    return true;
}

/* Those of the whole file come first in the vendor's subsection. */
static bool read_file(struct bytes vendor, struct arm_attributes *out)
{
    if (vendor.end - vendor.at < HEAD_BYTES || vendor.at[0] != TAG_FILE)
        return false;
    const uint32_t n = read_word(vendor.at + 1);
    if (n < HEAD_BYTES || n > (size_t)(vendor.end - vendor.at))
        return false;
    struct bytes of_file = {vendor.at + HEAD_BYTES, vendor.at + n};
    while (of_file.at < of_file.end)
        if (!read_attribute(&of_file, out))
            return false;
    return true;
}

static bool read_vendors(struct bytes section, struct arm_attributes *out)
{
    while (section.end - section.at >= 4) {
        const uint32_t n = read_word(section.at);
        if (n < 4 || n > (size_t)(section.end - section.at))
            return false;
        struct bytes vendor = {section.at + 4, section.at + n};
        const bool is_ours = n > 4 + sizeof VENDOR && memcmp(vendor.at, VENDOR, sizeof VENDOR) == 0;
        vendor.at += is_ours ? sizeof VENDOR : 0;
        if (is_ours)
            return read_file(vendor, out);
        section.at += n;
    }
    return false;
}

bool arm_attributes_read(const void *section, size_t n_bytes, struct arm_attributes *out)
{
    const uint8_t *const start = section;

    *out = (struct arm_attributes){0};
    if (n_bytes > 1 && start[0] == FORMAT_VERSION &&
        read_vendors((struct bytes){start + 1, start + n_bytes}, out))
        return true;
    *out = (struct arm_attributes){0};
    return false;
}
