/* Finds the instruction of each access of firmware, and reports an access that belongs to none. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../test.h"
#include "isa/system_insn.h"
#include "unicorn/board.h"
#include "unicorn/code_block.h"
#include "unicorn/firmware.h"
#include "unicorn/overwritten.h"
#include "unicorn/virtual_address.h"

#define BASE    0x10000u
#define DEVICES 0xff000000u

static char said[512];
static uint32_t cpsr;
static uint64_t records[64];

uint32_t processor_status(const struct firmware *fw)
{
    (void)fw;
    return cpsr;
}

uint64_t virtual_address(struct firmware *fw, unsigned index, uint64_t physical)
{
    (void)fw, (void)index;
    return physical;
}

/* Nobody debugs. */
void gdb_watch(struct firmware *fw, uint64_t address, unsigned size, bool write)
{
    (void)fw, (void)address, (void)size, (void)write;
}

bool virtual_address_is(struct firmware *fw, uint64_t physical, uint64_t due)
{
    (void)fw;
    return physical == due;
}

void overwritten_note(struct firmware *fw, unsigned index, uint64_t address, unsigned size)
{
    (void)fw, (void)index, (void)address, (void)size;
}

bool unaligned_matters(const struct firmware *fw, uint64_t address, unsigned align, bool faults)
{
    (void)fw, (void)address, (void)align, (void)faults;
    return false;
}

void unaligned_begin(struct firmware *fw, const struct slot *slot, uint64_t address, bool write)
{
    (void)fw, (void)slot, (void)address, (void)write;
}

void unaligned_note_write(struct firmware *fw, uint64_t address, unsigned size)
{
    (void)fw, (void)address, (void)size;
}

bool overwritten_has(struct firmware *fw, uint64_t address, uint32_t n_bytes)
{
    (void)fw, (void)address, (void)n_bytes;
    return false;
}

void firmware_stop(struct firmware *fw, enum engine_firmware_end how, const char *format, ...)
{
    va_list arguments;

    assert_int_equal(how, ENGINE_FIRMWARE_FAULT);
    va_start(arguments, format);
    vsnprintf(said, sizeof said, format, arguments);
    va_end(arguments);
    fw->request = REQUEST_END;
}

/* NOP; LDR, if equal; MOV; LDM of two; STR. */
static uint8_t code[] = {0x00, 0xf0, 0x20, 0xe3, 0x00, 0x10, 0x90, 0x05, 0x02, 0x20,
                         0xa0, 0xe1, 0x06, 0x00, 0x90, 0xe8, 0x00, 0x10, 0x80, 0xe5};
static uint8_t sizes[] = {4, 4, 4, 4, 4};
static struct slot slots[] = {
    {.index = 1, .bytes = 4, .span = 4, .condition = 0},
    {.index = 3, .bytes = 8, .span = 8, .condition = CONDITION_ALWAYS, .multiple = true},
    {.index = 4, .bytes = 4, .span = 4, .condition = CONDITION_ALWAYS},
};
#define CODE                                                                                       \
    {                                                                                              \
        .address = BASE, .n_bytes = sizeof code, .n_insns = 5, .bytes = code, .sizes = sizes       \
    }
static const struct firmware_block block = {.code = CODE, .n_slots = 3, .slots = slots};

static struct firmware *make(void)
{
    struct firmware *const fw = calloc(1, sizeof *fw);

    assert_non_null(fw);
    fw->board = calloc(1, sizeof *fw->board);
    fw->code_blocks = calloc(1, sizeof *fw->code_blocks);
    assert_non_null(fw->board);
    assert_non_null(fw->code_blocks);
    fw->code_blocks->holds = calloc(1u << 25, 1);
    assert_non_null(fw->code_blocks->holds);
    fw->board->devices = DEVICES;
    fw->page_bytes = 4096;
    fw->code_block = &block.code;
    fw->records = records;
    records[0] = armpmu_record(ARMPMU_RECORD_BLOCK, 0);
    fw->n = 1;
    said[0] = '\0';
    cpsr = 0;
    return fw;
}

static void drop(struct firmware *fw)
{
    free(fw->code_blocks->holds);
    free(fw->code_blocks);
    free(fw->board);
    free(fw);
}

static void reads(struct firmware *fw, uint32_t address)
{
    access_memory(NULL, UC_MEM_READ, address, 4, 0, fw);
}

static void writes(struct firmware *fw, uint32_t address)
{
    access_memory(NULL, UC_MEM_WRITE, address, 4, 0, fw);
}

TEST(accesses_find_their_instructions)
{
    struct firmware *const fw = make();

    reads(fw, 0x100); /* the flags leave the conditional one out */
    reads(fw, 0x104);
    writes(fw, 0x200);
    assert_string_equal(said, "");
    assert_int_equal(fw->n, 4);
    assert_int_equal(records[1], armpmu_record(ARMPMU_RECORD_BURST, 3) | 0x100);
    assert_int_equal(records[2], 8);
    assert_int_equal(records[3], armpmu_record(ARMPMU_RECORD_ACCESS, 4) | 0x200);
    drop(fw);
}

TEST(a_device_is_said_once)
{
    struct firmware *const fw = make();

    reads(fw, DEVICES);
    reads(fw, DEVICES + 4);
    writes(fw, DEVICES + 8);
    assert_string_equal(said, "");
    assert_int_equal(fw->n, 3);
    assert_int_equal(records[1], armpmu_record(ARMPMU_RECORD_DEVICE, 3) | DEVICES);
    assert_int_equal(records[2], armpmu_record(ARMPMU_RECORD_DEVICE, 4) | (DEVICES + 8));
    drop(fw);
}

TEST(one_without_an_instruction_ends_the_program)
{
    struct firmware *fw = make();

    cpsr = CPSR_NZCV;
    reads(fw, 0x100);
    reads(fw, 0x300); /* the LDM */
    reads(fw, 0x500); /* not next to it: taken for the STR */
    assert_string_equal(said, "");
    reads(fw, 0x600);
    assert_non_null(strstr(said, "PC 0x00010010, instruction 0xe5801000"));
    assert_non_null(strstr(said, "reads 4 bytes at 0x00000600"));
    assert_int_equal(fw->n, 5);
    said[0] = '\0';
    writes(fw, 0x700); /* it is ending already */
    assert_string_equal(said, "");
    drop(fw);
}

/* The first instruction that could have been it. */
TEST(the_report_begins_behind_what_was_placed)
{
    static const struct firmware_block only_first = {.code = CODE, .n_slots = 1, .slots = slots};

    struct firmware *fw = make();
    fw->code_block = &only_first.code;
    writes(fw, 0x800);
    assert_non_null(strstr(said, "PC 0x00010000, instruction 0xe320f000"));
    assert_non_null(strstr(said, "writes 4 bytes at 0x00000800"));
    drop(fw);
}
