/* The library's processor as gdb sees it. */

#include "unicorn/aarch64.h"
#include "unicorn/board.h"
#include "unicorn/code_block.h"
#include "unicorn/gdb/gdb.h"

#define ARM_CPSR     25u
#define ARM_PC       15u
#define AARCH64_SP   31u
#define AARCH64_PC   32u
#define AARCH64_CPSR 33u

/* If gdb changes no more than these, the program continues in the same state. */
#define FLAGS_ONLY (CPSR_NZCV | 0x080f0000u) /* Q, GE */

static const uint8_t arm_numbers[] = {0, 1,  2,  3,  4,  5,  6,  7,       8,
                                      9, 10, 11, 12, 13, 14, 15, ARM_CPSR};
static const uint8_t aarch64_numbers[] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,         15,         16,
    17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, AARCH64_SP, AARCH64_PC, AARCH64_CPSR};

#define XML(architecture, feature, registers)                                                      \
    "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target>"                   \
    "<architecture>" architecture "</architecture><feature name=\"" feature "\">" registers        \
    "</feature></target>"
#define REG(name, bits, rest) "<reg name=\"" name "\" bitsize=\"" bits "\" " rest "/>"
#define R(n)                  REG("r" #n, "32", "")
#define X(n)                  REG("x" #n, "64", "")
/* clang-format off */
static const char arm_xml[] = XML("arm", "org.gnu.gdb.arm.core",
    R(0) R(1) R(2) R(3) R(4) R(5) R(6) R(7) R(8) R(9) R(10) R(11) R(12)
    REG("sp", "32", "type=\"data_ptr\"") REG("lr", "32", "") REG("pc", "32", "type=\"code_ptr\"")
    REG("cpsr", "32", "regnum=\"25\""));
static const char aarch64_xml[] = XML("aarch64", "org.gnu.gdb.aarch64.core",
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
    X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30)
    REG("sp", "64", "type=\"data_ptr\"") REG("pc", "64", "type=\"code_ptr\"")
    REG("cpsr", "32", "type=\"int\""));
/* clang-format on */

static unsigned arm_bytes(unsigned number)
{
    return number <= ARM_PC || number == ARM_CPSR ? 4 : 0;
}

static unsigned aarch64_bytes(unsigned number)
{
    return number <= AARCH64_PC ? 8 : number == AARCH64_CPSR ? 4 : 0;
}

/* ---- registers ---- */

static uint32_t status_of(const struct firmware *fw)
{
    return fw->a64 != NULL ? el_switch_pstate(fw) : processor_cpsr(fw);
}

static uint64_t read_register(void *user, unsigned number)
{
    const struct gdb *const gdb = user;
    const struct firmware *const fw = gdb->fw;
    const bool is_64 = fw->a64 != NULL;
    uint64_t sp = 0;

    if (number == (is_64 ? AARCH64_CPSR : ARM_CPSR))
        return status_of(fw);
    if (number == (is_64 ? AARCH64_PC : ARM_PC))
        return gdb->jumps ? gdb->jump_to : gdb->at;
    if (is_64 && number == AARCH64_SP)
        (void)fw->lib->reg_read(fw->uc, UC_ARM64_REG_SP, &sp);
    return is_64 && number == AARCH64_SP ? sp : processor_read(fw, number);
}

/* The library translates code for the state that it was in: the next instruction is translated
 * again, as after a jump to it. In AArch64 only flags can be set. */
static bool write_status(struct gdb *gdb, uint32_t value)
{
    struct firmware *const fw = gdb->fw;
    const uint32_t changes = status_of(fw) ^ value;
    const uint64_t flags = value;

    if (fw->a64 != NULL)
        return (changes & ~CPSR_NZCV) == 0 &&
               fw->lib->reg_write(fw->uc, UC_ARM64_REG_NZCV, &flags) == UC_ERR_OK;
    if ((changes & ~FLAGS_ONLY) != 0) {
        gdb->jump_to = gdb->jumps ? gdb->jump_to : gdb->at;
        gdb->jumps = true;
    }
    processor_set_cpsr(fw, value);
    return true;
}

static bool write_register(void *user, unsigned number, uint64_t value)
{
    struct gdb *const gdb = user;
    struct firmware *const fw = gdb->fw;
    const bool is_64 = fw->a64 != NULL;

    if (number == (is_64 ? AARCH64_CPSR : ARM_CPSR))
        return write_status(gdb, (uint32_t)value);
    if (number == (is_64 ? AARCH64_PC : ARM_PC)) {
        gdb->jumps = true;
        gdb->jump_to = value;
        return true;
    }
    if (is_64 && number == AARCH64_SP)
        return fw->lib->reg_write(fw->uc, UC_ARM64_REG_SP, &value) == UC_ERR_OK;
    processor_write(fw, number, value);
    return true;
}

/* ---- memory ---- */

/* Not devices: to read one may change it, or wait for the console. */
static bool is_memory(const struct firmware *fw, uint64_t address, size_t n)
{
    return n <= fw->processor->address_end && address <= fw->processor->address_end - n &&
           board_has(fw->board, address, n);
}

static bool read_memory(void *user, uint64_t address, uint8_t *bytes, size_t n)
{
    const struct firmware *const fw = ((struct gdb *)user)->fw;

    return is_memory(fw, address, n) && fw->lib->mem_read(fw->uc, address, bytes, n) == UC_ERR_OK;
}

static bool write_memory(void *user, uint64_t address, const uint8_t *bytes, size_t n)
{
    struct gdb *const gdb = user;
    struct firmware *const fw = gdb->fw;

    if (!is_memory(fw, address, n) || fw->lib->mem_write(fw->uc, address, bytes, n) != UC_ERR_OK)
        return false;
    if (code_blocks_hold_any(fw->code_blocks, address, (uint32_t)n)) {
        fw->code_blocks->generation++;
        (void)fw->lib->ctl(fw->uc, LIBRARY_SET(UC_CTL_TB_REMOVE_CACHE, 2), address, address + n);
        gdb->jump_to = gdb->jumps ? gdb->jump_to : gdb->at;
        gdb->jumps = true; /* what it is about to execute is translated again */
    }
    return true;
}

void gdb_processor_target(struct gdb *gdb, struct gdb_target *target)
{
    const bool is_64 = gdb->fw->a64 != NULL;

    *target = (struct gdb_target){
        .user = gdb,
        .description = is_64 ? aarch64_xml : arm_xml,
        .numbers = is_64 ? aarch64_numbers : arm_numbers,
        .n_registers = is_64 ? sizeof aarch64_numbers : sizeof arm_numbers,
        .register_bytes = is_64 ? aarch64_bytes : arm_bytes,
        .big_endian = gdb->fw->image.big_endian,
        .read_register = read_register,
        .write_register = write_register,
        .read_memory = read_memory,
        .write_memory = write_memory,
        .monitor = gdb_monitor,
    };
}
