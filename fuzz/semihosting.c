/* Fuzzes the calls of semihosting: whatever numbers, blocks, names and handles a program makes up,
 * nothing outside its folder is opened, made, changed, removed or renamed; without a folder it
 * opens nothing at all; what the person gets to read is printable.
 *
 * An input is a byte of options, then CALLS_MAX calls of three bytes (number, address of the
 * block), then the program's memory from address 0 on. The current folder is the one outside, so
 * that
 * "/proc/self/cwd/file" is an absolute name of what must not be touched. */
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unicorn/board.h"
#include "unicorn/code_block.h"
#include "unicorn/firmware.h"
#include "unicorn/limits.h"
#include "unicorn/semihosting.h"
#include "unicorn/trace_writer.h"

#define OUTSIDE      100
#define CALLS_MAX    12u
#define MEMORY_BYTES 0x10000u
#define OPTION_WIDE  1u
#define OPTION_WALKS 2u
#define OPTION_NONE  4u

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static uint8_t memory[MEMORY_BYTES];
static uint64_t registers[2];
static bool ended;

static const char *const watched[] = {".", "..", "file", "sub"};
#define WATCHED (sizeof watched / sizeof watched[0])

static struct {
    bool ready, dirty;
    char top[64], inside[80];
    struct stat before[WATCHED];
    int nothing, output; /* /dev/null, standard output */
} scene;

static void need(bool holds)
{
    if (!holds)
        abort();
}

/* ---- the parts of the engine that calls use ---------------------------------------------------
 */

static uc_err read_memory(uc_engine *uc, uint64_t address, void *bytes, size_t n)
{
    (void)uc;
    if (address >= sizeof memory || n > sizeof memory - address)
        return UC_ERR_READ_UNMAPPED;
    memcpy(bytes, memory + address, n);
    return UC_ERR_OK;
}

static uc_err write_memory(uc_engine *uc, uint64_t address, const void *bytes, size_t n)
{
    (void)uc;
    if (address >= sizeof memory || n > sizeof memory - address)
        return UC_ERR_WRITE_UNMAPPED;
    memcpy(memory + address, bytes, n);
    return UC_ERR_OK;
}

uint64_t processor_read(const struct firmware *fw, unsigned reg)
{
    (void)fw;
    return registers[reg];
}

void processor_write(struct firmware *fw, unsigned reg, uint64_t value)
{
    (void)fw;
    registers[reg] = value;
}

ssize_t limits_read(struct firmware *fw, int fd, void *bytes, size_t n)
{
    (void)fw;
    return read(fd, bytes, n);
}

ssize_t limits_write(struct firmware *fw, int fd, const void *bytes, size_t n)
{
    (void)fw;
    return write(fd, bytes, n);
}

void board_print(struct firmware *fw, const void *text, size_t n)
{
    (void)fw;
    (void)!write(STDOUT_FILENO, text, n);
}

void board_print_failed(struct board *board)
{
    (void)board;
}

void trace_writer_run(struct firmware *fw)
{
    (void)fw;
}

void firmware_exit(struct firmware *fw, int status)
{
    (void)fw, (void)status;
    ended = true;
}

uint32_t armpmu_machine_clock_mhz(const struct armpmu_machine *machine)
{
    (void)machine;
    return 1000;
}

/* ---- the folders ------------------------------------------------------------------------------
 */

static void make_file(int folder, const char *path, const char *text)
{
    const int fd = openat(folder, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

    need(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
}

static void empty_folder(const char *path)
{
    DIR *const folder = opendir(path);
    struct dirent *entry;

    need(folder != NULL);
    while ((entry = readdir(folder)) != NULL) {
        char name[512];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        need(snprintf(name, sizeof name, "%s/%s", path, entry->d_name) < (int)sizeof name);
        if (unlink(name) != 0) {
            empty_folder(name);
            need(rmdir(name) == 0);
        }
    }
    closedir(folder);
}

static void fill_inside(void)
{
    empty_folder(scene.inside);
    const int inside = open(scene.inside, O_PATH | O_CLOEXEC);
    need(inside >= 0 && mkdirat(inside, "sub", 0755) == 0);
    make_file(inside, "file", "plain");
    make_file(inside, "sub/file", "plain");
    need(symlinkat("sub", inside, "in") == 0 && symlinkat("..", inside, "up") == 0);
    need(symlinkat("../outside", inside, "out") == 0);
    need(symlinkat("/proc/self/fd/100", inside, "far") == 0);
    need(symlinkat("../outside/file", inside, "link") == 0);
    need(mkfifoat(inside, "fifo", 0600) == 0);
    close(inside);
    scene.dirty = false;
}

static void leave(void)
{
    empty_folder(scene.top);
    rmdir(scene.top);
}

static void make_folders(void)
{
    char outside[80];

    strcpy(scene.top, access("/dev/shm", W_OK) == 0 ? "/dev/shm/fuzz-semihosting-XXXXXX"
                                                    : "/tmp/fuzz-semihosting-XXXXXX");
    need(mkdtemp(scene.top) != NULL);
    atexit(leave);
    snprintf(scene.inside, sizeof scene.inside, "%s/inside", scene.top);
    snprintf(outside, sizeof outside, "%s/outside", scene.top);
    need(mkdir(scene.inside, 0755) == 0 && mkdir(outside, 0755) == 0);
    const int folder = open(outside, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    need(dup3(folder, OUTSIDE, O_CLOEXEC) == OUTSIDE && mkdirat(OUTSIDE, "sub", 0755) == 0);
    close(folder);
    make_file(OUTSIDE, "file", "precious");
    fill_inside();
}

static void begin(void)
{
    make_folders();
    scene.nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    scene.output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    need(scene.nothing >= 0 && scene.output >= 0 && dup2(scene.nothing, STDIN_FILENO) >= 0);
    usleep(20000); /* so that no time of a file is the same again */
    for (size_t i = 0; i < WATCHED; i++)
        need(fstatat(OUTSIDE, watched[i], &scene.before[i], 0) == 0);
    scene.ready = true;
}

/* ---- what must hold ---------------------------------------------------------------------------
 */

static void check_outside(void)
{
    struct stat now;

    for (size_t i = 0; i < WATCHED; i++) {
        const struct stat *const before = &scene.before[i];
        need(fstatat(OUTSIDE, watched[i], &now, 0) == 0 && now.st_ino == before->st_ino);
        need(now.st_size == before->st_size && now.st_mode == before->st_mode);
        need(now.st_ctim.tv_sec == before->st_ctim.tv_sec &&
             now.st_ctim.tv_nsec == before->st_ctim.tv_nsec);
    }
}

/* A new handle is of the console, of the features, or of a regular file in the folder. */
static void check_handle(struct firmware *fw, unsigned handle, bool has_files)
{
    char link[32], path[4096];
    struct stat status;
    const int fd = fw->semihosting->files[handle - 1].fd;

    if (fw->semihosting->files[handle - 1].console) {
        need(fd >= STDIN_FILENO && fd <= STDERR_FILENO);
        fw->semihosting->files[handle - 1].fd =
            scene.nothing; /* the fuzzer's own messages go there */
        return;
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t n = readlink(link, path, sizeof path - 1);
    need(n > 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode));
    path[n] = '\0';
    if (strncmp(path, "/memfd:semihosting-features", strlen("/memfd:semihosting-features")) == 0)
        return;
    const size_t length = strlen(scene.inside);
    need(has_files && strncmp(path, scene.inside, length) == 0 && path[length] == '/');
}

static void check_report(const struct firmware_end *result)
{
    need(result->n_refused <= ENGINE_REFUSALS_MAX);
    for (unsigned i = 0; i < result->n_refused; i++) {
        const char *const line = result->refused[i];
        const size_t n = strnlen(line, ENGINE_REFUSAL_BYTES);
        need(n < ENGINE_REFUSAL_BYTES);
        for (size_t j = 0; j < n; j++)
            need((unsigned char)line[j] >= ' ' && line[j] != '\x7f');
    }
}

/* ---- an input ---------------------------------------------------------------------------------
 */

static void make_call(struct firmware *fw, const uint8_t *call, bool has_files)
{
    enum { SYS_OPEN = 1, SYS_WRITE = 5, SYS_REMOVE = 14, SYS_RENAME = 15 };
    const uint8_t number = call[0];
    const bool names = number == SYS_OPEN || number == SYS_REMOVE || number == SYS_RENAME;
    const uint64_t failed = fw->processor->word_bytes == 8 ? UINT64_MAX : UINT32_MAX;

    registers[0] = number;
    registers[1] = call[1] | (uint64_t)call[2] << 8;
    semihosting_call(fw);
    if (number == SYS_OPEN && registers[0] <= SEMIHOSTING_FILES)
        check_handle(fw, (unsigned)registers[0], has_files);
    if ((names && (registers[0] & failed) != failed) || number == SYS_WRITE)
        scene.dirty = true;
    if (names)
        check_outside();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const struct library library = {.mem_read = read_memory, .mem_write = write_memory};
    static const char *const arguments[] = {"fuzzed", "arguments", NULL};
    const size_t head = 1 + 3 * CALLS_MAX;
    struct firmware_end result = {0};
    struct armpmu_error err;

    if (!scene.ready)
        begin();
    if (length < head || length - head > sizeof memory)
        return 0;
    if (scene.dirty)
        fill_inside();
    const bool has_files = !(bytes[0] & OPTION_NONE);
    const struct processor processor = {.word_bytes = bytes[0] & OPTION_WIDE ? 8 : 4};
    const struct firmware_setup setup = {
        .semihosting = has_files ? ENGINE_SEMIHOSTING_FILES : ENGINE_SEMIHOSTING_CONSOLE,
        .semihosting_root = scene.inside,
    };
    const struct run job = {.argv = arguments, .firmware = &setup};
    struct board board = {0};
    struct code_blocks code_blocks = {0};
    struct semihosting semihosting = {0};
    struct firmware *const fw = calloc(1, sizeof *fw);
    need(fw != NULL);
    fw->board = &board;
    fw->code_blocks = &code_blocks;
    fw->semihosting = &semihosting;
    fw->run = &job;
    fw->setup = &setup;
    fw->lib = &library;
    fw->processor = &processor;
    fw->result = &result;
    fw->board->ram_end = MEMORY_BYTES;
    memset(memory, 0, sizeof memory);
    memcpy(memory, bytes + head, length - head);
    ended = false;
    need(semihosting_begin(fw, &err) == ARMPMU_OK);
    fw->semihosting->host.walks |= (bytes[0] & OPTION_WALKS) != 0;
    need(dup2(scene.nothing, STDOUT_FILENO) >= 0);
    for (unsigned i = 0; i < CALLS_MAX && !ended; i++)
        make_call(fw, bytes + 1 + 3 * i, has_files);
    need(dup2(scene.output, STDOUT_FILENO) >= 0);
    check_report(&result);
    semihosting_free(fw->semihosting);
    free(fw);
    return 0;
}
