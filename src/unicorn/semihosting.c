#include "unicorn/semihosting.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/printable.h"
#include "unicorn/board.h"
#include "unicorn/code_block.h"
#include "unicorn/firmware.h"
#include "unicorn/limits.h"
#include "unicorn/trace_writer.h"

#define CALL_A32     0xef123456u
#define CALL_T32     0xdfabu
#define FAILED       UINT64_MAX
#define TEXT_MAX     4096u
#define STACK_BYTES  (1u << 20)
#define HEAP_PADDING BOARD_PAGE_BYTES

/* Source: Arm 100863, SYS_EXIT: the reason of a program that ended by itself. */
#define APPLICATION_EXIT 0x20026u

enum call {
    SYS_OPEN = 0x01,
    SYS_CLOSE = 0x02,
    SYS_WRITEC = 0x03,
    SYS_WRITE0 = 0x04,
    SYS_WRITE = 0x05,
    SYS_READ = 0x06,
    SYS_READC = 0x07,
    SYS_ISERROR = 0x08,
    SYS_ISTTY = 0x09,
    SYS_SEEK = 0x0a,
    SYS_FLEN = 0x0c,
    SYS_TMPNAM = 0x0d,
    SYS_REMOVE = 0x0e,
    SYS_RENAME = 0x0f,
    SYS_CLOCK = 0x10,
    SYS_TIME = 0x11,
    SYS_SYSTEM = 0x12,
    SYS_ERRNO = 0x13,
    SYS_GET_CMDLINE = 0x15,
    SYS_HEAPINFO = 0x16,
    SYS_EXIT = 0x18,
    SYS_EXIT_EXTENDED = 0x20,
    SYS_ELAPSED = 0x30,
    SYS_TICKFREQ = 0x31,
};

bool semihosting_is_call(const struct firmware *fw, uint32_t next, uint32_t cpsr)
{
    uint32_t word = 0;
    const uint32_t size = cpsr & CPSR_T ? 2 : 4;

    if (fw->lib->mem_read(fw->uc, next - size, &word, size) != UC_ERR_OK)
        return false;
    if (cpsr & CPSR_T)
        return word == CALL_T32;
    return (word & 0x0fffffff) == (CALL_A32 & 0x0fffffff) && word >> 28 != 15;
}

/* ---- memory -----------------------------------------------------------------------------------
 */

/* Field n of a block: as wide as a register. */
static uint64_t word_of(const struct firmware *fw, uint64_t block, unsigned n)
{
    const unsigned bytes = fw->processor->word_bytes;
    uint64_t word = 0;

    (void)fw->lib->mem_read(fw->uc, block + (uint64_t)bytes * n, &word, bytes);
    return bytes == 4 ? image_word(&fw->image, (uint32_t)word) : word;
}

static bool put_bytes(struct firmware *fw, uint64_t address, const void *bytes, size_t n)
{
    fw->code_blocks->generation++;
    return fw->lib->mem_write(fw->uc, address, bytes, n) == UC_ERR_OK;
}

static bool put_words(struct firmware *fw, uint64_t address, const uint64_t *words, unsigned n)
{
    const unsigned bytes = fw->processor->word_bytes;
    bool written = true;

    for (unsigned i = 0; i < n; i++) {
        const uint64_t word = bytes == 4 ? image_word(&fw->image, (uint32_t)words[i]) : words[i];
        written = put_bytes(fw, address + (uint64_t)bytes * i, &word, bytes) && written;
    }
    return written;
}

/* A string of a length, or up to its zero. False when it is not all in memory, or too long. */
static bool get_text(const struct firmware *fw, uint64_t address, char text[TEXT_MAX])
{
    for (uint32_t i = 0; i < TEXT_MAX; i++) {
        if (fw->lib->mem_read(fw->uc, address + i, &text[i], 1) != UC_ERR_OK)
            return false;
        if (text[i] == '\0')
            return true;
    }
    return false;
}

/* ---- files ------------------------------------------------------------------------------------
 */

/* Error numbers as newlib has them are those of Linux up to 34, which these calls return. */
static uint64_t failed(struct firmware *fw)
{
    fw->semihosting->error = (uint32_t)errno;
    return FAILED;
}

static int fd_of(const struct firmware *fw, uint64_t handle)
{
    if (handle == 0 || handle > SEMIHOSTING_FILES || !fw->semihosting->files[handle - 1].open) {
        errno = EBADF;
        return -1;
    }
    return fw->semihosting->files[handle - 1].fd;
}

/* Refused requests are reported to the user: each once, up to a limit. */
static void note_refusal(struct firmware *fw, const char *call, const char *name, const char *why)
{
    struct firmware_end *const out = fw->result;
    char shown[ENGINE_REFUSAL_BYTES / 2], line[ENGINE_REFUSAL_BYTES];
    const size_t n = printable(name, shown, sizeof shown);

    snprintf(line, sizeof line, "%s of '%s%s' was refused: %s", call, shown,
             n < strlen(name) ? "..." : "", why);
    for (unsigned i = 0; i < out->n_refused; i++)
        if (strcmp(out->refused[i], line) == 0)
            return;
    if (out->n_refused == ENGINE_REFUSALS_MAX)
        out->n_refused_more++;
    else
        memcpy(out->refused[out->n_refused++], line, sizeof line);
}

/* A call that a path made fail. */
static uint64_t failed_at(struct firmware *fw, const char *call, const struct host_refusal *refusal)
{
    const uint64_t result = failed(fw);

    if (refusal->path != NULL)
        note_refusal(fw, call, refusal->path, refusal->why);
    return result;
}

/* The extensions: SYS_EXIT_EXTENDED, and standard error apart from standard output.
 * Nobody writes to it: it would be memory without a limit.
 * Source: Arm 100863, ":semihosting-features". */
static int open_features(int flags)
{
    static const uint8_t features[] = {'S', 'H', 'F', 'B', 0x03};

    if (flags & (O_CREAT | O_RDWR)) {
        errno = EACCES;
        return -1;
    }
    const int fd = memfd_create("semihosting-features", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd >= 0 &&
        (write(fd, features, sizeof features) != sizeof features || lseek(fd, 0, SEEK_SET) != 0 ||
         fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW) != 0)) {
        close(fd);
        return -1;
    }
    return fd;
}

static int open_host(struct firmware *fw, const char *name, int flags, struct host_refusal *refusal)
{
    if (strcmp(name, ":semihosting-features") == 0)
        return open_features(flags);
    return host_files_open(&fw->semihosting->host, name, flags, refusal);
}

static uint64_t open_file(struct firmware *fw, uint64_t block)
{
    static const int flags[] = {O_RDONLY,
                                O_RDWR,
                                O_WRONLY | O_CREAT | O_TRUNC,
                                O_RDWR | O_CREAT | O_TRUNC,
                                O_WRONLY | O_CREAT | O_APPEND,
                                O_RDWR | O_CREAT | O_APPEND};
    static const int console[] = {STDIN_FILENO,  STDIN_FILENO,  STDOUT_FILENO,
                                  STDOUT_FILENO, STDERR_FILENO, STDERR_FILENO};
    const uint64_t mode = word_of(fw, block, 1) / 2; /* the lower bit: "b" */
    char name[TEXT_MAX];
    uint32_t at = 0;

    errno = EINVAL;
    if (mode >= sizeof flags / sizeof flags[0] || !get_text(fw, word_of(fw, block, 0), name))
        return failed(fw);
    errno = EMFILE;
    while (at < SEMIHOSTING_FILES && fw->semihosting->files[at].open)
        at++;
    if (at == SEMIHOSTING_FILES)
        return failed(fw);
    const bool is_console = strcmp(name, ":tt") == 0;
    struct host_refusal refusal = {NULL, NULL};
    const int fd = is_console ? console[mode] : open_host(fw, name, flags[mode], &refusal);
    if (fd < 0)
        return failed_at(fw, "SYS_OPEN", &refusal);
    fw->semihosting->files[at].fd = fd;
    fw->semihosting->files[at].open = true;
    fw->semihosting->files[at].console = is_console;
    return at + 1;
}

static uint64_t close_file(struct firmware *fw, uint64_t block)
{
    const uint64_t handle = word_of(fw, block, 0);
    const int fd = fd_of(fw, handle);

    if (fd < 0)
        return failed(fw);
    fw->semihosting->files[handle - 1].open = false;
    return fw->semihosting->files[handle - 1].console || close(fd) == 0 ? 0 : failed(fw);
}

/* Both return how many bytes were not transferred. */
static uint64_t write_file(struct firmware *fw, uint64_t block)
{
    const int fd = fd_of(fw, word_of(fw, block, 0));
    uint64_t from = word_of(fw, block, 1), left = word_of(fw, block, 2);
    uint8_t bytes[TEXT_MAX];

    while (fd >= 0 && left > 0) {
        const uint64_t n = left < sizeof bytes ? left : sizeof bytes;
        errno = EFAULT;
        if (fw->lib->mem_read(fw->uc, from, bytes, n) != UC_ERR_OK)
            break;
        const ssize_t done = limits_write(fw, fd, bytes, n);
        if (done <= 0 && fd <= STDERR_FILENO)
            board_print_failed(fw->board);
        if (done <= 0)
            break;
        from += (uint64_t)done;
        left -= (uint64_t)done;
    }
    if (left > 0)
        fw->semihosting->error = (uint32_t)errno;
    return left;
}

static uint64_t read_file(struct firmware *fw, uint64_t block)
{
    const int fd = fd_of(fw, word_of(fw, block, 0));
    uint64_t to = word_of(fw, block, 1), left = word_of(fw, block, 2);
    uint8_t bytes[TEXT_MAX];

    if (fd < 0)
        return failed(fw);
    while (left > 0) {
        const uint64_t n = left < sizeof bytes ? left : sizeof bytes;
        const ssize_t done = limits_read(fw, fd, bytes, n);
        if (done < 0)
            return failed(fw);
        if (done == 0 || fw->lib->mem_write(fw->uc, to, bytes, (size_t)done) != UC_ERR_OK)
            break;
        fw->code_blocks->generation++;
        to += (uint64_t)done;
        left -= (uint64_t)done;
        if ((uint64_t)done < n) /* a line of a terminal, the end of a file */
            break;
    }
    return left;
}

static uint64_t seek_file(struct firmware *fw, uint64_t block)
{
    const uint64_t handle = word_of(fw, block, 0);
    const int fd = fd_of(fw, handle);

    if (fd >= 0 && fw->semihosting->files[handle - 1].console) {
        errno = ESPIPE; /* where the caller's own files are is the caller's */
        return failed(fw);
    }
    return fd >= 0 && lseek(fd, (off_t)word_of(fw, block, 1), SEEK_SET) >= 0 ? 0 : failed(fw);
}

static uint64_t length_of_file(struct firmware *fw, uint64_t block)
{
    struct stat status;
    const int fd = fd_of(fw, word_of(fw, block, 0));

    return fd >= 0 && fstat(fd, &status) == 0 ? (uint64_t)status.st_size : failed(fw);
}

static uint64_t is_terminal(struct firmware *fw, uint64_t block)
{
    const int fd = fd_of(fw, word_of(fw, block, 0));

    return fd < 0 ? failed(fw) : (uint64_t)(isatty(fd) == 1);
}

static uint64_t remove_file(struct firmware *fw, uint64_t block)
{
    struct host_refusal refusal;
    char name[TEXT_MAX];

    errno = EINVAL;
    if (!get_text(fw, word_of(fw, block, 0), name))
        return failed(fw);
    return host_files_remove(&fw->semihosting->host, name, &refusal)
               ? 0
               : failed_at(fw, "SYS_REMOVE", &refusal);
}

static uint64_t rename_file(struct firmware *fw, uint64_t block)
{
    struct host_refusal refusal;
    char from[TEXT_MAX], to[TEXT_MAX];

    errno = EINVAL;
    if (!get_text(fw, word_of(fw, block, 0), from) || !get_text(fw, word_of(fw, block, 2), to))
        return failed(fw);
    return host_files_rename(&fw->semihosting->host, from, to, &refusal)
               ? 0
               : failed_at(fw, "SYS_RENAME", &refusal);
}

/* A name below the folder, which each of 256 numbers has one of. */
static uint64_t temporary_name(struct firmware *fw, uint64_t block)
{
    char name[] = "semihosting-00.tmp";
    const uint64_t number = word_of(fw, block, 1), room = word_of(fw, block, 2);

    errno = fw->semihosting->host.given ? EINVAL : EACCES;
    if (!fw->semihosting->host.given || number > 0xff || room < sizeof name)
        return failed(fw);
    snprintf(name, sizeof name, "semihosting-%02x.tmp", (unsigned)(number & 0xff));
    errno = EFAULT;
    return put_bytes(fw, word_of(fw, block, 0), name, sizeof name) ? 0 : failed(fw);
}

static uint64_t run_nothing(struct firmware *fw, uint64_t block)
{
    char command[TEXT_MAX];

    if (!get_text(fw, word_of(fw, block, 0), command))
        command[0] = '\0';
    note_refusal(fw, "SYS_SYSTEM", command, "armpmu runs no commands of a program");
    errno = ENOSYS;
    return failed(fw);
}

/* ---- console, time, the program itself --------------------------------------------------------
 */

static uint64_t write_character(struct firmware *fw, uint64_t address)
{
    uint8_t byte = 0;

    if (fw->lib->mem_read(fw->uc, address, &byte, 1) == UC_ERR_OK)
        board_print(fw, &byte, 1);
    return processor_read(fw, 0);
}

static uint64_t write_text(struct firmware *fw, uint64_t address)
{
    char text[256];
    size_t n = 0;

    while (fw->lib->mem_read(fw->uc, address++, &text[n], 1) == UC_ERR_OK && text[n] != '\0')
        if (++n == sizeof text) {
            board_print(fw, text, n);
            if (fw->request == REQUEST_END)
                break;
            n = 0;
        }
    board_print(fw, text, n);
    return processor_read(fw, 0);
}

static uint64_t read_character(struct firmware *fw)
{
    uint8_t byte;

    return limits_read(fw, STDIN_FILENO, &byte, 1) == 1 ? byte : FAILED;
}

/* CHOICE(firmware-time): of the simulated core, so that two runs are the same. */
static uint64_t simulated(struct firmware *fw, uint64_t ticks_per_second)
{
    trace_writer_run(fw);
    const double seconds = (double)fw->signals[ARMPMU_SIGNAL_CPU_CYCLES] /
                           (armpmu_machine_clock_mhz(fw->run->machine) * 1e6);
    return (uint64_t)(seconds * (double)ticks_per_second);
}

static uint64_t elapsed(struct firmware *fw, uint64_t block)
{
    trace_writer_run(fw);
    const uint64_t cycles = fw->signals[ARMPMU_SIGNAL_CPU_CYCLES];
    const uint64_t words[2] = {cycles, cycles >> 32}; /* of 32 bits the low one first */

    return put_words(fw, block, words, 8 / fw->processor->word_bytes) ? 0 : FAILED;
}

static uint64_t command_line(struct firmware *fw, uint64_t block)
{
    const char *const line = fw->semihosting->command_line;
    const size_t n = strlen(line);
    const uint64_t to = word_of(fw, block, 0), room = word_of(fw, block, 1);
    const uint64_t length = n;

    errno = E2BIG;
    if (n + 1 > room || fw->lib->mem_write(fw->uc, to, line, n + 1) != UC_ERR_OK ||
        !put_words(fw, block + fw->processor->word_bytes, &length, 1))
        return failed(fw);
    return 0;
}

/* CHOICE(firmware-heap): from the end of the program to below the stack, which is at the end of the
 * memory. */
static uint64_t heap_info(struct firmware *fw, uint64_t block)
{
    uint64_t end = fw->board->ram_first;

    for (unsigned i = 0; i < fw->image.n_segments; i++) {
        const struct image_segment *const segment = &fw->image.segments[i];
        const uint64_t after = (uint64_t)segment->address + segment->n_bytes;
        if (after > end && after <= fw->board->ram_end)
            end = after;
    }
    const uint64_t top = fw->board->ram_end - BOARD_PAGE_BYTES;
    const uint64_t words[4] = {(end + HEAP_PADDING - 1) & ~(uint64_t)(HEAP_PADDING - 1),
                               top - STACK_BYTES, top, top - STACK_BYTES};
    return put_words(fw, word_of(fw, block, 0), words, 4) ? 0 : FAILED;
}

static void leave(struct firmware *fw, uint64_t reason, uint64_t status)
{
    if (reason == APPLICATION_EXIT)
        firmware_exit(fw, (int)(status & 0xff));
    else
        firmware_exit(fw, 1);
}

/* Calls that are a function of the register alone. */
static uint64_t (*const calls[])(struct firmware *, uint64_t) = {
    [SYS_OPEN] = open_file,     [SYS_CLOSE] = close_file,   [SYS_WRITEC] = write_character,
    [SYS_WRITE0] = write_text,  [SYS_WRITE] = write_file,   [SYS_READ] = read_file,
    [SYS_ISTTY] = is_terminal,  [SYS_SEEK] = seek_file,     [SYS_FLEN] = length_of_file,
    [SYS_REMOVE] = remove_file, [SYS_RENAME] = rename_file, [SYS_GET_CMDLINE] = command_line,
    [SYS_HEAPINFO] = heap_info, [SYS_ELAPSED] = elapsed,    [SYS_TMPNAM] = temporary_name,
    [SYS_SYSTEM] = run_nothing,
};

static uint64_t do_call(struct firmware *fw, uint32_t number, uint64_t r1)
{
    if (number < sizeof calls / sizeof *calls && calls[number] != NULL)
        return calls[number](fw, r1);
    switch (number) {
    case SYS_READC:
        return read_character(fw);
    case SYS_ISERROR:
        return word_of(fw, r1, 0) >> (8 * fw->processor->word_bytes - 1);
    case SYS_CLOCK:
        return simulated(fw, 100);
    case SYS_TIME:
        return simulated(fw, 1);
    case SYS_ERRNO:
        return fw->semihosting->error;
    case SYS_TICKFREQ:
        return armpmu_machine_clock_mhz(fw->run->machine) * UINT64_C(1000000);
    case SYS_EXIT: /* in AArch64 as the extended one */
        if (fw->processor->word_bytes == 4) {
            leave(fw, r1, 0);
            break;
        }
        /* fall through */
    case SYS_EXIT_EXTENDED:
        leave(fw, word_of(fw, r1, 0), word_of(fw, r1, 1));
        break;
    }
    errno = ENOSYS;
    return failed(fw);
}

void semihosting_call(struct firmware *fw)
{
    const uint64_t result = do_call(fw, (uint32_t)processor_read(fw, 0), processor_read(fw, 1));

    processor_write(fw, 0, result);
}

/* ---- begin and end ----------------------------------------------------------------------------
 */

/* The mark that the start-up code of newlib takes a word between, 0 where it needs none: words end
 * at a space, and only a mark at the start of one counts. */
static char mark_around(const char *word)
{
    if (word[0] != '\0' && word[0] != '"' && word[0] != '\'' && strchr(word, ' ') == NULL)
        return '\0';
    return strchr(word, '"') == NULL ? '"' : '\'';
}

static char *join(const char *const *argv)
{
    size_t n = 1;

    for (unsigned i = 0; argv[i] != NULL; i++)
        n += strlen(argv[i]) + 3;
    char *const line = calloc(n, 1);
    for (unsigned i = 0; argv[i] != NULL && line != NULL; i++) {
        const char mark[2] = {mark_around(argv[i])};
        if (i > 0)
            strcat(line, " ");
        strcat(strcat(strcat(line, mark), argv[i]), mark);
    }
    return line;
}

bool semihosting_is_on(const struct firmware *fw)
{
    return fw->setup->semihosting != ENGINE_SEMIHOSTING_OFF;
}

enum armpmu_status semihosting_begin(struct firmware *fw, struct armpmu_error *err)
{
    const bool files = fw->setup->semihosting == ENGINE_SEMIHOSTING_FILES;

    fw->semihosting->command_line = join(fw->run->argv);
    if (fw->semihosting->command_line == NULL)
        return fail_no_memory(err, "the arguments");
    return host_files_begin(&fw->semihosting->host, files ? fw->setup->semihosting_root : NULL,
                            err);
}

void semihosting_free(struct semihosting *semihosting)
{
    for (unsigned i = 0; i < SEMIHOSTING_FILES; i++)
        if (semihosting->files[i].open && !semihosting->files[i].console)
            close(semihosting->files[i].fd);
    host_files_end(&semihosting->host);
    free(semihosting->command_line);
}
