/* Fuzzes the stub for gdb: whatever bytes a client sends, packets are read and answered within
 * their buffers, memory and registers of the target are used within theirs, and each answer is a
 * packet that reads back as it was. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "unicorn/gdb/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

#define BYTES 256u
#define FIRST 0x8000u

struct target {
    uint8_t bytes[BYTES];
    uint64_t registers[4];
};

static const uint8_t numbers[] = {0, 1, 2, 3};

static unsigned register_bytes(unsigned number)
{
    return number < sizeof numbers ? 4u << (number & 1) : 0;
}

static uint64_t read_register(void *user, unsigned number)
{
    if (number >= sizeof numbers)
        abort();
    return ((struct target *)user)->registers[number];
}

static bool write_register(void *user, unsigned number, uint64_t value)
{
    if (number >= sizeof numbers)
        abort();
    ((struct target *)user)->registers[number] = value;
    return true;
}

static bool is_there(uint64_t address, size_t n)
{
    return address >= FIRST && address - FIRST <= BYTES && n <= BYTES - (address - FIRST);
}

static bool read_memory(void *user, uint64_t address, uint8_t *bytes, size_t n)
{
    if (!is_there(address, n))
        return false;
    memcpy(bytes, ((struct target *)user)->bytes + (address - FIRST), n);
    return true;
}

static bool write_memory(void *user, uint64_t address, const uint8_t *bytes, size_t n)
{
    if (!is_there(address, n))
        return false;
    memcpy(((struct target *)user)->bytes + (address - FIRST), bytes, n);
    return true;
}

static void monitor(void *user, const char *command, struct gdb_text *out)
{
    (void)user;
    for (unsigned i = 0; i < 100; i++)
        gdb_text_add(out, "%s, %s\n", command, command);
}

static void read_back(const struct gdb_text *answer)
{
    static char frame[GDB_FRAME_BYTES];
    struct gdb_reader reader = {0};
    enum gdb_input input = GDB_INPUT_NONE;
    const size_t n = gdb_frame(answer, frame);

    if (n > sizeof frame || answer->n > GDB_TEXT_BYTES)
        abort();
    for (size_t i = 0; i < n; i++)
        input = gdb_reader_take(&reader, (uint8_t)frame[i]);
    if (input != (answer->n > GDB_PACKET_BYTES ? GDB_INPUT_TOO_LONG : GDB_INPUT_PACKET))
        abort();
    if (input == GDB_INPUT_PACKET &&
        (reader.n != answer->n || memcmp(reader.data, answer->data, reader.n) != 0))
        abort();
}

/* Sums are the fuzzer's only where it wants them: a '#' ends a packet with the right one. */
static void feed(struct gdb_session *session, struct gdb_reader *reader, uint8_t byte)
{
    static const char digits[] = "0123456789abcdef";
    struct gdb_text answer;
    enum gdb_input input = gdb_reader_take(reader, byte);

    if (byte == '#' && reader->state == GDB_IN_SUM) {
        (void)gdb_reader_take(reader, (uint8_t)digits[reader->sum >> 4]);
        input = gdb_reader_take(reader, (uint8_t)digits[reader->sum & 15]);
    }
    if (input != GDB_INPUT_PACKET)
        return;
    (void)gdb_session_take(session, reader->data, reader->n, &answer);
    read_back(&answer);
    (void)gdb_session_breaks(session, FIRST);
    (void)gdb_session_watches(session, UINT64_MAX, 8, true);
    if (session->n_points > GDB_POINTS_MAX)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct target target = {{0}, {0}};
    struct gdb_session session = {.target = {.user = &target,
                                             .description = "<target/>",
                                             .numbers = numbers,
                                             .n_registers = sizeof numbers,
                                             .register_bytes = register_bytes,
                                             .big_endian = length % 2 != 0,
                                             .read_register = read_register,
                                             .write_register = write_register,
                                             .read_memory = read_memory,
                                             .write_memory = write_memory,
                                             .monitor = monitor},
                                  .stop = "T05"};
    struct gdb_reader reader = {0};

    for (size_t i = 0; i < length; i++)
        feed(&session, &reader, bytes[i]);
    return 0;
}
