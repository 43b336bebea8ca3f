#include "machine/later_core.h"

#include <stdio.h>

static const char *const architectures[] = {
    "before Armv4", "Armv4",  "Armv4T", "Armv5T",  "Armv5TE",  "Armv5TEJ", "Armv6",   "Armv6KZ",
    "Armv6T2",      "Armv6K", "Armv7",  "Armv6-M", "Armv6S-M", "Armv7E-M", "Armv8-A", "Armv8-R",
};

static const char *const fpus[] = {"none",      "VFPv1", "VFPv2",     "VFPv3",
                                   "VFPv3-D16", "VFPv4", "VFPv4-D16", "FP for Armv8"};

static const char *name_in(const char *const *names, size_t n, uint32_t value)
{
    return value < n ? names[value] : "a later one";
}

#define NAME_IN(names, value) name_in(names, sizeof names / sizeof names[0], value)

/* Those for microcontrollers are later by number only. */
static bool is_later(uint32_t wanted, uint32_t has)
{
    return wanted > has && wanted != ARM_V6_M && wanted != ARM_V6_M + 1 && wanted != ARM_V7E_M;
}

/* VFPv3 and v4 come with 32 and with 16 registers, which cores without NEON have. */
static unsigned fpu_version(uint32_t fpu)
{
    return fpu <= ARM_VFPV3 ? fpu : (fpu + 1) / 2 + 1;
}

static bool has_fpu(uint32_t wanted, uint32_t has)
{
    return fpu_version(wanted) <= fpu_version(has);
}

struct core_lack {
    const char *attribute, *wanted, *has;
};

static bool find_lack(const struct arm_attributes *wanted, const struct arm_attributes *has,
                      struct core_lack *out)
{
    if (is_later(wanted->architecture, has->architecture))
        *out = (struct core_lack){"Tag_CPU_arch", NAME_IN(architectures, wanted->architecture),
                                  NAME_IN(architectures, has->architecture)};
    else if (!has_fpu(wanted->fpu, has->fpu))
        *out =
            (struct core_lack){"Tag_FP_arch", NAME_IN(fpus, wanted->fpu), NAME_IN(fpus, has->fpu)};
    else if (wanted->divides && !has->divides)
        *out = (struct core_lack){"Tag_DIV_use", "SDIV and UDIV", "neither in A32"};
    else if (wanted->wmmx && !has->wmmx)
        *out = (struct core_lack){"Tag_WMMX_arch", "iWMMXt", "none"};
    else
        return false;
    return true;
}

static bool has_all(const struct core_descriptor *core, const void *wanted)
{
    struct core_lack unused;

    return core->emulator.has.architecture != 0 && !find_lack(wanted, &core->emulator.has, &unused);
}

bool later_core_sentence(const char *path, const struct arm_attributes *wanted,
                         const struct armpmu_machine *machine, char *text, size_t size)
{
    const struct core_descriptor *const core = core_descriptor_of(armpmu_machine_core(machine));
    struct arm_attributes has = core->emulator.has;
    char machines[256];
    struct core_lack lack;

    has.wmmx = has.wmmx && machine->product_iwmmxt == YESNO_YES;
    if (has.architecture == 0 || !find_lack(wanted, &has, &lack))
        return false;
    core_descriptor_machines(has_all, wanted, machines, sizeof machines);
    snprintf(text, size,
             "'%s' is built for a later core: %s says %s, the %s of machine %s has %s; it may end "
             "by an undefined instruction: %s%s",
             path, lack.attribute, lack.wanted, core->name, armpmu_machine_name(machine), lack.has,
             machines[0] != '\0' ? "choose --machine " : "no machine here has it, build it with ",
             machines[0] != '\0' ? machines : lack.has);
    return true;
}
