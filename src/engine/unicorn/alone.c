/* Instructions that stand alone: accesses to the monitor, which the device answers; operations of
 * the system, which the model hears of; waiting for an interrupt.
 *
 * Counts are exact at the instruction: everything in front of it has been counted when it acts. Its
 * own count is as in a QEMU guest: a write takes effect when it has retired, a read before. */
#include "engine/transfer.h"
#include "engine/unicorn/firmware.h"

#define SCTLR_M    1u
#define PAGE_SHIFT 12

enum operation {
    OPERATION_NONE,
    OPERATION_CONTEXT,
    OPERATION_TRANSLATION,
    OPERATION_TLB_ALL,
    OPERATION_TLB_PAGE,
};

/* MCR p15, 0, Rt, CRn, CRm, op2: the same fields in both instruction sets. */
static enum operation operation_of(enum armpmu_isa isa, uint32_t word)
{
    const uint32_t top = word >> 28, crn = word >> 16 & 15, crm = word & 15, op2 = word >> 5 & 7;

    if ((isa == ARMPMU_A32 ? top == 15 : top != 14) || (word & 0x0ff00f10) != 0x0e000f10)
        return OPERATION_NONE;
    if (crn == 13 && crm == 0 && op2 == 1 && isa == ARMPMU_A32 && top < CONDITION_ALWAYS)
        return OPERATION_CONTEXT;
    if (crn == 1 && crm == 0 && op2 == 0)
        return OPERATION_TRANSLATION;
    if (crn != 8)
        return OPERATION_NONE;
    return op2 == 1 || op2 == 3 ? OPERATION_TLB_PAGE : OPERATION_TLB_ALL;
}

bool alone_is_system(enum armpmu_isa isa, uint32_t word)
{
    return operation_of(isa, word) != OPERATION_NONE;
}

static uint64_t announced_by(enum operation operation, uint32_t value)
{
    switch (operation) {
    case OPERATION_NONE:
    case OPERATION_CONTEXT:
        break;
    case OPERATION_TRANSLATION:
        return armpmu_word(ARMPMU_WORD_MMU, 0) | (value & SCTLR_M);
    case OPERATION_TLB_ALL:
        return armpmu_word(ARMPMU_WORD_TLB_FLUSH, 0);
    case OPERATION_TLB_PAGE:
        return armpmu_word(ARMPMU_WORD_TLB_FLUSH, 0) | ARMPMU_WORD_ONE_PAGE |
               (uint64_t)(value >> PAGE_SHIFT) << ARMPMU_WORD_PAGE_LSB;
    }
    return 0;
}

/* The library goes on behind the instruction. */
static void skip(struct firmware *fw, const struct site *site)
{
    processor_write(fw, 15, (site->address + site->size) | (site->isa == ARMPMU_T32));
}

static void enter_own(struct firmware *fw, const struct site *site, uint32_t cpsr)
{
    const struct piece *const own = pieces_one(fw, site->address, site->isa, cpsr_is_user(cpsr));

    if (own != NULL)
        stream_enter(fw, own);
}

/* MRC to R15 sets the flags. */
static void write_core(struct firmware *fw, unsigned reg, uint32_t value, uint32_t cpsr)
{
    if (reg < 15)
        processor_write(fw, reg, value);
    else
        processor_set_cpsr(fw, (cpsr & ~CPSR_NZCV) | (value & CPSR_NZCV));
}

static uint64_t read_device(struct firmware *fw, const struct site *site,
                            const struct transfer *transfer, uint32_t cpsr)
{
    uint64_t value = 0;

    (void)armpmu_read(fw->pmu, transfer->at, &value);
    write_core(fw, transfer->rt, (uint32_t)value, cpsr);
    if (transfer->at.face == ARMPMU_FACE_MCRR)
        write_core(fw, transfer->rt2, (uint32_t)(value >> 32), cpsr);
    enter_own(fw, site, cpsr);
    return value;
}

static uint64_t write_device(struct firmware *fw, const struct site *site,
                             const struct transfer *transfer, uint32_t cpsr)
{
    uint64_t value = processor_read(fw, transfer->rt);

    if (transfer->at.face == ARMPMU_FACE_MCRR)
        value |= (uint64_t)processor_read(fw, transfer->rt2) << 32;
    const bool late = transfer_stops_counting(transfer, (uint32_t)value);
    if (!late) {
        enter_own(fw, site, cpsr);
        stream_run(fw);
    }
    (void)armpmu_write(fw->pmu, transfer->at, value);
    if (late)
        enter_own(fw, site, cpsr);
    stream_adjust(fw);
    if (fw->vcd != NULL)
        vcd_follow(fw);
    return value;
}

static void access_monitor(struct firmware *fw, const struct site *site, uint32_t cpsr)
{
    struct transfer transfer;
    uint64_t value = 0;

    fw->trace_insns = fw->insns;
    (void)transfer_decode(site->isa, site->word, &transfer);
    armpmu_set_pin(fw->pmu, ARMPMU_PIN_USER_MODE, cpsr_is_user(cpsr));
    const enum armpmu_outcome outcome = armpmu_try(fw->pmu, transfer.at, !transfer.read);
    if (outcome == ARMPMU_DONE && transfer.read)
        value = read_device(fw, site, &transfer, cpsr);
    else if (outcome == ARMPMU_DONE)
        value = write_device(fw, site, &transfer, cpsr);
    armpmu_set_pin(fw->pmu, ARMPMU_PIN_USER_MODE, 0);
    if (fw->job->trace != NULL)
        trace_access(fw, site->address, &transfer, value, cpsr, outcome);
    if (outcome == ARMPMU_DONE) {
        skip(fw, site);
        return;
    }
    enter_own(fw, site, cpsr);
    firmware_raise(fw, EXCEPTION_UNDEFINED, site->address, 0);
}

/* CHOICE(firmware-sleep): nothing but a line that is asserted already ends it. */
static void sleep_until_interrupt(struct firmware *fw, const struct site *site, uint32_t cpsr)
{
    enter_own(fw, site, cpsr);
    if ((board_irqs(&fw->board) | board_fiqs(&fw->board)) != 0)
        skip(fw, site);
    else
        firmware_stop(fw, ENGINE_FIRMWARE_FAULT,
                      "it waits for an interrupt, and nothing that runs while the core sleeps "
                      "can raise one");
}

static void act(struct firmware *fw, const struct site *site, uint32_t cpsr)
{
    switch (site->kind) {
    case ALONE_NONE:
    case ALONE_REACHED:
        break;
    case ALONE_TRANSFER:
        access_monitor(fw, site, cpsr);
        break;
    case ALONE_SYSTEM: /* the library executes it */
        enter_own(fw, site, cpsr);
        fw->announced = announced_by(operation_of(site->isa, site->word),
                                     processor_read(fw, site->word >> 12 & 15));
        break;
    case ALONE_SLEEP:
        sleep_until_interrupt(fw, site, cpsr);
        break;
    }
}

/* Inside an IT block the library neither stops nor goes elsewhere. */
static void refuse_in_it(struct firmware *fw, const struct site *site, uint32_t cpsr)
{
    if (site->kind == ALONE_TRANSFER && condition_passes(site->condition, cpsr))
        firmware_stop(fw, ENGINE_FIRMWARE_FAULT,
                      "the access to the performance monitor at 0x%08x stands in an IT block, "
                      "where the Unicorn library cannot be interrupted: branch around it instead",
                      site->address);
}

/* Code may have been written over. */
static bool is_there(const struct firmware *fw, const struct site *site)
{
    uint16_t halves[2] = {0, 0};
    uint32_t word;

    if (fw->lib->mem_read(fw->uc, site->address, halves, site->size) != UC_ERR_OK)
        return false;
    if (site->isa == ARMPMU_A32)
        word = (uint32_t)halves[1] << 16 | halves[0];
    else
        word = site->size == 4 ? (uint32_t)halves[0] << 16 | halves[1] : halves[0];
    return word == site->word;
}

void alone_hook(uc_engine *uc, uint64_t address, uint32_t size, void *user)
{
    const struct site *const site = user;
    struct firmware *const fw = site->fw;
    enum exception exception;

    (void)uc, (void)address, (void)size;
    if (firmware_is_stopping(fw))
        return;
    const uint32_t cpsr = processor_cpsr(fw);
    if (cpsr_isa(cpsr) != site->isa)
        return;
    if (site->kind == ALONE_REACHED) {
        access_reach(fw, site->address);
        return;
    }
    if (!is_there(fw, site))
        return;
    if (site->in_it) {
        refuse_in_it(fw, site, cpsr);
        return;
    }
    stream_arrive(fw, site->address, site->isa, cpsr_is_user(cpsr));
    if (exception_pending(fw, cpsr, &exception)) {
        firmware_raise(fw, exception, site->address, ARMPMU_WORD_ALL);
    } else if (!condition_passes(site->condition, cpsr)) {
        const struct piece *const nop =
            pieces_nop(fw, site->address, site->isa, cpsr_is_user(cpsr));
        if (nop != NULL)
            stream_enter(fw, nop);
        skip(fw, site);
    } else {
        act(fw, site, cpsr);
    }
}
