/* Registers: their fields, where their values are kept and every encodings that leads to them.
 *
 * Part of the catalogue (armpmu/catalog.h): constant tables, nothing here changes. */
#ifndef ARMPMU_REGISTER_H
#define ARMPMU_REGISTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum armpmu_field_rule {
    ARMPMU_FIELD_RO, /* reads a constant, writes ignored        */
    ARMPMU_FIELD_RW,
    ARMPMU_FIELD_W1S, /* write one to set                        */
    ARMPMU_FIELD_W1C, /* write one to clear                      */
    ARMPMU_FIELD_W1A, /* write one to act; reads as zero         */
    ARMPMU_FIELD_RAZ, /* reserved: reads as zero, write as zero  */
};

struct armpmu_field {
    const char *name; /* "-" for a reserved field */
    uint8_t msb, lsb;
    enum armpmu_field_rule rule;
    uint64_t reset; /* of a register that the configuration shapes: of the default one */
    const char *meaning;
};

/* The ways in which a core's instructions, or a bus, reach a register. */
enum armpmu_access {
    ARMPMU_ACCESS_MCR,   /* MRC and MCR                                          */
    ARMPMU_ACCESS_MCRR,  /* MRRC and MCRR: 64 bits, the low word in the first register */
    ARMPMU_ACCESS_LDC,   /* LDC and STC; crn is the CRd field                    */
    ARMPMU_ACCESS_MSR,   /* MRS and MSR                                          */
    ARMPMU_ACCESS_EXT32, /* the memory-mapped view, layout of 32-bit registers   */
    ARMPMU_ACCESS_EXT64, /* the memory-mapped view, layout of 64-bit registers   */
};

/* The name a register has in an access. Fields that the access does not use are zero. */
struct armpmu_encoding {
    enum armpmu_access access;
    uint8_t coproc; /* coprocessor number; op0 of MRS and MSR */
    uint8_t op1, crn, crm, op2;
    uint16_t offset; /* in bytes, of the memory-mapped views */
};

/* How the encoding of element n of a register array follows from that of element 0. */
enum armpmu_step {
    ARMPMU_STEP_NONE,    /* one encoding for all: PMNXSEL chooses the element */
    ARMPMU_STEP_CRN,     /* CRn + n                                           */
    ARMPMU_STEP_CRM_OP2, /* op2 = n[2:0], CRm + n[3]                          */
    ARMPMU_STEP_CRM_OP1, /* op1 = n[2:0], CRm + n[3]                          */
    ARMPMU_STEP_OFFSET,  /* offset + n * bytes                                */
};

struct armpmu_encodings {
    struct armpmu_encoding first; /* of element 0 */
    enum armpmu_step step;
    uint8_t bytes; /* width of the register on the memory-mapped views, else 0 */
};

/* Where values live. Registers of the same place show the same state: CNTENS and CNTENC do.
 * A place that has room for many elements keeps element n at its own number plus n. */
enum armpmu_slot {
    ARMPMU_SLOT_NONE, /* nothing is kept: reads as zero */
    ARMPMU_SLOT_CONTROL,
    ARMPMU_SLOT_ENABLE,
    ARMPMU_SLOT_FLAG,
    ARMPMU_SLOT_INTERRUPT,
    ARMPMU_SLOT_SELECT,
    ARMPMU_SLOT_USER,
    ARMPMU_SLOT_EVENTS,  /* all event selects of the XScale in one register */
    ARMPMU_SLOT_VAL_IRQ, /* validation enables of the Cortex-R4F            */
    ARMPMU_SLOT_VAL_FIQ,
    ARMPMU_SLOT_VAL_RESET,
    ARMPMU_SLOT_VAL_DEBUG,
    ARMPMU_SLOT_FAULT,  /* where the latest correctable error was          */
    ARMPMU_SLOT_CONFIG, /* identification of the activity monitors         */
    ARMPMU_SLOT_GROUPS,
    ARMPMU_SLOT_GROUP1,
    ARMPMU_SLOT_IMPLEMENTER,
    ARMPMU_SLOT_AFFINITY,
    ARMPMU_SLOT_ARCHITECTURE,
    ARMPMU_SLOT_DEVICE_TYPE,
    ARMPMU_SLOT_EXTERNAL_CONTROL,
    ARMPMU_SLOT_ROOT_CONTROL,
    ARMPMU_SLOT_AUTHENTICATION,
    ARMPMU_SLOT_MACHINE,                                /* PMMIR_EL1 */
    ARMPMU_SLOT_EVENT_IDS,                              /* 2: common events that there are */
    ARMPMU_SLOT_PERIPHERAL = ARMPMU_SLOT_EVENT_IDS + 2, /* 8: peripheral identification 0 to 7 */
    ARMPMU_SLOT_COMPONENT = ARMPMU_SLOT_PERIPHERAL + 8, /* 4 */
    ARMPMU_SLOT_CYCLES = ARMPMU_SLOT_COMPONENT + 4,
    ARMPMU_SLOT_COUNT,                           /* 32: event counters; the second group of the
                                                    activity monitors begins at element 16 */
    ARMPMU_SLOT_EVENT = ARMPMU_SLOT_COUNT + 32,  /* 32: their event numbers        */
    ARMPMU_SLOT_OFFSET = ARMPMU_SLOT_EVENT + 32, /* 32: their virtual offsets      */
    ARMPMU_SLOTS = ARMPMU_SLOT_OFFSET + 32
};

/* Who may use a register. */
enum armpmu_permission {
    ARMPMU_PERMIT_PRIVILEGED, /* User mode: Undefined                                  */
    ARMPMU_PERMIT_USEREN,     /* User mode as USEREN.EN says, privileged modes always  */
    ARMPMU_PERMIT_USER_READS, /* User mode may read, whatever USEREN says              */
    ARMPMU_PERMIT_AMU,        /* reads by the trap order, writes from the highest Exception level */
    ARMPMU_PERMIT_AMUSERENR,  /* reads from everywhere, writes from EL1 up             */
    ARMPMU_PERMIT_AMU_OFFSET, /* EL2 and EL3                                           */
    ARMPMU_PERMIT_BUS,        /* only on the memory-mapped views                       */
    /* PMUv3: EL1 and higher by the trap order, and EL0... */
    ARMPMU_PERMIT_PMUV3,        /* ...as PMUSERENR_EL0.EN says                         */
    ARMPMU_PERMIT_PMUV3_CYCLES, /* ...so, and reads as CR says                         */
    ARMPMU_PERMIT_PMUV3_COUNTS, /* ...so, and reads as ER says                         */
    ARMPMU_PERMIT_PMUV3_SELECT, /* ...as EN or ER says                                 */
    ARMPMU_PERMIT_PMUV3_SWINC,  /* ...as EN or SW says                                 */
    ARMPMU_PERMIT_PMUV3_USER,   /* ...may always read                                  */
    ARMPMU_PERMIT_PMUV3_EL1,    /* ...never                                            */
};

struct armpmu_register {
    const char *name;      /* as the core's manual spells it; "<n>" means the element */
    const char *arch_name; /* as the architecture spells it, or the other execution state  */
    const char *purpose;   /* our own sentence                              */
    uint8_t bits;          /* 32 or 64                                      */
    uint8_t count;         /* elements of an array, 1 for a single register */
    uint8_t slot;          /* enum armpmu_slot of element 0                 */
    uint8_t slot_lsb;      /* bit 0 of the register is this bit of the slot */
    bool readable;         /* false: a read that is allowed returns zero    */
    bool writable;         /* false: there is no write                      */
    enum armpmu_permission permission;
    const struct armpmu_field *fields; /* from the highest bit down, without gaps */
    size_t n_fields;
    const struct armpmu_encodings *encodings;
    size_t n_encodings;
    const char *source; /* document and section name                     */
};

/* A range of encodings that the unit claims; all of it but its registers is Undefined. */
struct armpmu_encoding_range {
    enum armpmu_access access;
    uint8_t coproc;
    uint16_t op1_mask; /* bit n: op1 = n */
    uint8_t crn_first, crn_last, crm_first, crm_last;
};

/* One bit, or the low bit of a field, of a slot. slot is ARMPMU_SLOT_NONE where there is none. */
struct armpmu_slot_bit {
    uint8_t slot, lsb;
};

/* A counter and the bits that steer it. */
struct armpmu_counter {
    const char *name;              /* "CCNT", "PMCNT0" */
    struct armpmu_slot_bit count;  /* lsb is 0 */
    uint8_t bits;                  /* 32 or 64; wraps there */
    struct armpmu_slot_bit enable; /* without one the counter follows the unit's E bit only */
    struct armpmu_slot_bit flag, interrupt;
    struct armpmu_slot_bit event; /* where its event number is; a cycle counter has none */
    uint8_t event_bits;
};

/* "RW", "W1C" and so on, as docs and listings print them. */
ARMPMU_API const char *armpmu_field_rule_name(enum armpmu_field_rule rule);

/* "MCR", "MCRR", "LDC", "MSR", "EXT32", "EXT64". */
ARMPMU_API const char *armpmu_access_name(enum armpmu_access access);

/* The bits that a field takes up. */
ARMPMU_API uint64_t armpmu_field_mask(const struct armpmu_field *field);

/* The field's value in a register value, moved down to bit 0. */
ARMPMU_API uint64_t armpmu_field_get(const struct armpmu_field *field, uint64_t value);

/* The register value with the field replaced; bits of `to` that do not fit are dropped. */
ARMPMU_API uint64_t armpmu_field_set(const struct armpmu_field *field, uint64_t value, uint64_t to);

/* The field of this name, ignoring case; NULL if none. Reserved fields have no name. */
ARMPMU_API const struct armpmu_field *armpmu_field_find(const struct armpmu_register *reg,
                                                        const char *name);

/* The bits of the fields that follow a rule. */
ARMPMU_API uint64_t armpmu_register_mask(const struct armpmu_register *reg,
                                         enum armpmu_field_rule rule);

/* The value after reset, put together from the fields. */
ARMPMU_API uint64_t armpmu_register_reset(const struct armpmu_register *reg);

/* The encoding of element n; n below reg->count. */
ARMPMU_API struct armpmu_encoding armpmu_encoding_of(const struct armpmu_encodings *encodings,
                                                     unsigned n);

#ifdef __cplusplus
}
#endif
#endif
