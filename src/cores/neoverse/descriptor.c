/* The out-of-order cores as the rest of armpmu knows them: with PMUv3, and with the activity
 * monitors alone. */
#include "cores/descriptor.h"

#include "cores/neoverse/core.h"

#define OUT_OF_ORDER_KEY(section, key) KEY(section, key)
#define IN_ORDER_KEY(section, key)
static const bool keys[MACHINE_KEYS] = {
#include "cores/neoverse/keys.def"
};
#undef OUT_OF_ORDER_KEY
#undef IN_ORDER_KEY
#define OUT_OF_ORDER_KEY(section, key)
#define IN_ORDER_KEY(section, key) KEY(section, key)
static const bool in_order_keys[MACHINE_KEYS] = {
#include "cores/neoverse/keys.def"
};
#undef OUT_OF_ORDER_KEY
#undef IN_ORDER_KEY

/* Programs run on QEMU's processor of the core's name, or on the nearest one: with the same
 * instructions, and vectors of the same length. processors: those whose programs run here, too,
 * which have no instruction that this one has not. */
#define EMULATED(processor, older, processors, bytes)                                              \
    {                                                                                              \
        .qemu = "qemu-aarch64", .target = "aarch64", .cpu = processor, .older_cpu = older,         \
        .others = processors, .vector_bytes = bytes, .elf_class = ELFCLASS64,                      \
        .elf_machine = EM_AARCH64, .runs = "AArch64 (64-bit Arm)",                                 \
        .compiler = "aarch64-linux-gnu-gcc"                                                        \
    }

#define EMULATED_V80(processor) EMULATED(processor, NULL, NULL, 0)

#define ARMV82 "cortex-a76 neoverse-n1" /* LSE, half precision, dot products, RCpc */

/* A Cortex-A77, A78 and X1 have, to a program, what a Cortex-A76 has; the latter two also
 * load-acquires with an offset, which nothing is built for without being told. */
#define EMULATED_V82(processor) EMULATED(processor, NULL, ARMV82, 0)

/* With scalable vectors. QEMU before version 8.2 has a Neoverse N1 at best. */
#define EMULATED_SVE(processor, bytes) EMULATED(processor, "neoverse-n1", ARMV82, bytes)

const struct core_descriptor core_amuv1 = {
    .name = "amuv1",
    .machine = "amuv1",
    .keys = keys,
    .model = &core_model_neoverse,
    .emulator = EMULATED_V82("neoverse-n1"),
    .firmware = {.cpu = "max"},
    /* Linux knows the monitor by the architecture's ID registers. */
};

static const uint16_t usual_events[] = {0x11, 0x08, 0x14, 0x01, 0x04, 0x03,
                                        0x16, 0x17, 0x36, 0x37, 0x02, 0x05,
                                        0x34, 0x21, 0x10, 0x23, 0x24, CORE_EVENTS_END};
static const uint16_t hardware_events[] = {0x11, 0x08, 0x03, 0x17, 0x10, CORE_EVENTS_END};
static const uint16_t detail_events[] = {0x70, 0x71, 0x73, 0x74, 0x75, 0x40,           0x41,
                                         0x42, 0x43, 0x15, 0x18, 0x19, 0x2d,           0x35,
                                         0x6a, 0x78, 0x79, 0x7a, 0x09, CORE_EVENTS_END};

/* The facts that cores with PMUv3 have in common. */
#define ON_THE_MODEL(its_keys)                                                                     \
    .keys = (its_keys), .model = &core_model_neoverse,                                             \
    .firmware = {.cpu = "max", .interrupts = {{"PMINTENSET_EL1", UINT32_MAX}}}

#define WITH_PMUV3                                                                                 \
    ON_THE_MODEL(keys), .beside = "amuv1", .events = {usual_events, hardware_events, detail_events}

/* Cores of Armv8.0 have no activity monitors, no LSE, and fewer events. */
static const uint16_t usual_events_v80[] = {0x11, 0x08, 0x14, 0x01, 0x04, 0x03,           0x16,
                                            0x17, 0x02, 0x05, 0x12, 0x10, CORE_EVENTS_END};
static const uint16_t detail_events_v80[] = {0x70, 0x71, 0x73, 0x74, 0x75, 0x40,
                                             0x41, 0x42, 0x43, 0x15, 0x18, 0x19,
                                             0x6a, 0x78, 0x79, 0x7a, 0x09, CORE_EVENTS_END};

/* CHOICE(neoverse-relatives): a core whose pipeline nothing describes has that of the core it is
 * made from or into; its machine file names that one as its base. The compatible strings are those
 * of Linux drivers/perf/arm_pmuv3.c. */
const struct core_descriptor core_neoverse_n1 = {
    .name = "neoverse-n1",
    .machine = "neoverse-n1",
    WITH_PMUV3,
    .emulator = EMULATED_V82("neoverse-n1"),
    .compatible = "arm,neoverse-n1-pmu",
};

const struct core_descriptor core_cortex_a72 = {
    .name = "cortex-a72",
    .machine = "cortex-a72",
    ON_THE_MODEL(keys),
    .emulator = EMULATED_V80("cortex-a72"),
    .events = {usual_events_v80, hardware_events, detail_events_v80},
    .compatible = "arm,cortex-a72-pmu",
};

const struct core_descriptor core_cortex_a57 = {
    .name = "cortex-a57",
    .machine = "cortex-a57",
    ON_THE_MODEL(keys),
    .emulator = EMULATED_V80("cortex-a57"),
    .events = {usual_events_v80, hardware_events, detail_events_v80},
    .compatible = "arm,cortex-a57-pmu",
};

const struct core_descriptor core_cortex_a76 = {
    .name = "cortex-a76",
    .machine = "cortex-a76",
    WITH_PMUV3,
    .emulator = EMULATED_V82("cortex-a76"),
    .compatible = "arm,cortex-a76-pmu",
};

const struct core_descriptor core_neoverse_v1 = {
    .name = "neoverse-v1",
    .machine = "neoverse-v1",
    WITH_PMUV3,
    .emulator = EMULATED_SVE("neoverse-v1", 32),
    .compatible = "arm,neoverse-v1-pmu",
};

const struct core_descriptor core_neoverse_n2 = {
    .name = "neoverse-n2",
    .machine = "neoverse-n2",
    WITH_PMUV3,
    .emulator = EMULATED_SVE("neoverse-n2", 16),
    .compatible = "arm,neoverse-n2-pmu",
};

const struct core_descriptor core_neoverse_v2 = {
    .name = "neoverse-v2",
    .machine = "neoverse-v2",
    WITH_PMUV3,
    .emulator = EMULATED_SVE("neoverse-n2", 16),
    .compatible = "arm,neoverse-v2-pmu",
};

const struct core_descriptor core_cortex_a77 = {
    .name = "cortex-a77",
    .machine = "cortex-a77",
    WITH_PMUV3,
    .emulator = EMULATED_V82("cortex-a76"),
    .compatible = "arm,cortex-a77-pmu",
};

const struct core_descriptor core_cortex_a78 = {
    .name = "cortex-a78",
    .machine = "cortex-a78",
    WITH_PMUV3,
    .emulator = EMULATED_V82("cortex-a76"),
    .compatible = "arm,cortex-a78-pmu",
};

const struct core_descriptor core_cortex_x1 = {
    .name = "cortex-x1",
    .machine = "cortex-x1",
    WITH_PMUV3,
    .emulator = EMULATED_V82("cortex-a76"),
    .compatible = "arm,cortex-x1-pmu",
};

static const uint16_t a53_usual[] = {0x11, 0x08, 0x14, 0x01, 0x04, 0x03, 0x16, 0x17,           0x02,
                                     0x05, 0x12, 0x10, 0xe0, 0xe4, 0xe5, 0xe7, CORE_EVENTS_END};
static const uint16_t a53_detail[] = {0x06, 0x07, 0x0c, 0x0d, 0x0f, 0x13,           0x15,
                                      0x18, 0x19, 0x7a, 0xc2, 0xc7, 0xc9,           0xcc,
                                      0xe1, 0xe2, 0xe6, 0xe8, 0x09, CORE_EVENTS_END};

/* Armv8.0 without activity monitors, issued in order. */
const struct core_descriptor core_cortex_a53 = {
    .name = "cortex-a53",
    .machine = "cortex-a53",
    ON_THE_MODEL(in_order_keys),
    .emulator = EMULATED_V80("cortex-a53"),
    .events = {a53_usual, hardware_events, a53_detail},
    .compatible = "arm,cortex-a53-pmu",
};

static const uint16_t a55_detail[] = {0x06, 0x07, 0x0c, 0x0d, 0x0e, 0x0f,           0x15,
                                      0x18, 0x19, 0x23, 0x24, 0x2a, 0xc2,           0xc9,
                                      0xcc, 0xe1, 0xe2, 0xe4, 0xe8, CORE_EVENTS_END};

/* Armv8.2, issued in order. QEMU before version 8.2 has a Cortex-A76 at best. */
const struct core_descriptor core_cortex_a55 = {
    .name = "cortex-a55",
    .machine = "cortex-a55",
    ON_THE_MODEL(in_order_keys),
    .emulator = EMULATED("cortex-a55", "cortex-a76", ARMV82, 0),
    .events = {usual_events, hardware_events, a55_detail},
    .compatible = "arm,cortex-a55-pmu",
};
