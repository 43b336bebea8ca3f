/* Finds the processor that an Arm program was built for, from the build attributes in its section
 * .ARM.attributes (Arm IHI 0045, "Addenda to the ABI"). A core describes itself in the same terms.
 */
#ifndef BASE_ARM_ATTRIBUTES_H
#define BASE_ARM_ATTRIBUTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum arm_architecture { /* values of Tag_CPU_arch */
                        ARM_V5TE = 4,
                        ARM_V6 = 6,
                        ARM_V6_M = 11,
                        ARM_V7 = 10,
                        ARM_V7E_M = 13,
                        ARM_V8 = 14,
};

enum arm_fpu { /* values of Tag_FP_arch */
               ARM_FPU_NONE = 0,
               ARM_VFPV3 = 3,
               ARM_VFPV4 = 5,
               ARM_VFPV8 = 7,
};

#define ARM_PROFILE_M 'M' /* of Tag_CPU_arch_profile */

struct arm_attributes {
    uint32_t architecture; /* Tag_CPU_arch */
    uint32_t fpu;          /* Tag_FP_arch */
    uint32_t profile;      /* Tag_CPU_arch_profile: 'A', 'R', 'M', 'S' (A or R), 0: any */
    bool divides;          /* Tag_DIV_use: SDIV and UDIV where the architecture leaves them out */
    bool wmmx;             /* Tag_WMMX_arch: iWMMXt */
};

/* Reads the bytes of the section. False where there are no public attributes, or they are not
 * whole: *out is zero then. */
bool arm_attributes_read(const void *section, size_t n_bytes, struct arm_attributes *out);

#endif
