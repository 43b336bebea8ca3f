/* A program that attacks the memory armpmu records it in, and then works on.
 *
 *   hostile ATTACK
 *
 *   none            works and leaves
 *   truncate        makes every file it finds by name shorter: the descriptors of its parent and
 *                   its own, and (for root) what both have mapped
 *   grow, punch     the same, makes them longer, frees their memory
 *   write BYTE      writes BYTE over all parts of them
 *   random          writes random records over all parts of them
 *   memory BYTE     writes BYTE into all parts of the mapping, through /proc/self/mem
 *   memory_random   the same with random records
 *   race            writes random records where records are read, again and again
 *   close_all       closes all descriptors but the standard ones
 *   cover_all       puts others over them
 *   map, unmap, protect, remap     (64 bits) over the recorder's mapping, as it lies in QEMU
 *   map_chunks      over a part of it
 *   map_child       in a process that was forked
 *   store BYTE      (64 bits) stores BYTE into all parts of the mapping
 *   store_random    the same with random records
 *   store_streams, store_counts    only where the traces' numbers are: random, all ones
 *   store_blocks    only the definitions of blocks
 *   detach          only the word that ends recording
 *
 * Ends with status 0 and "worked" whatever the attack did. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "qemu/ring/layout.h"

#define PLACE UINT64_C(0x200000000000) /* where the recorder maps it */
#define SPAN                                                                                       \
    RING_SLOTS_AT /* header and traces; QEMU has a table of all pages that a guest maps            \
                   */

static unsigned work(unsigned rounds)
{
    volatile unsigned cell[64] = {0};
    unsigned sum = 1;

    for (unsigned i = 0; i < rounds; i++) {
        sum = sum * 1664525u + 1013904223u;
        cell[sum >> 26] += sum & 1 ? sum : i;
    }
    return sum + cell[7];
}

static uint64_t next_random(void)
{
    static uint64_t x = UINT64_C(0x9e3779b97f4a7c15);

    x ^= x << 13;
    x ^= x >> 7;
    return x ^= x << 17;
}

/* ---- by name ---- */

enum file_attack { TRUNCATE, GROW, PUNCH, WRITE };

static uint64_t buffer[8192];

static void fill(int byte)
{
    memset(buffer, byte, sizeof buffer);
    for (size_t i = 0; byte < 0 && i < sizeof buffer / sizeof buffer[0]; i++)
        buffer[i] = next_random();
}

static void write_parts(int fd, uint64_t at)
{
    static const uint64_t parts[] = {
        0, RING_TRACES_AT, RING_SLOTS_AT, RING_BLOCKS_AT, RING_TEXT_AT, RING_CHUNKS_AT};

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        ssize_t n = pwrite64(fd, buffer, sizeof buffer, (off64_t)(at + parts[i]));
        (void)n;
    }
}

static void attack_file(const char *path, enum file_attack how)
{
    char target[PATH_MAX];
    ssize_t n = readlink(path, target, sizeof target - 1);

    if (n < 0)
        return;
    target[n] = '\0';
    if (strstr(target, "memfd:") == NULL)
        return;
    int fd = open(path, O_RDWR | O_LARGEFILE);
    printf("found %s: %s\n", path, fd < 0 ? strerror(errno) : "opened");
    if (fd < 0)
        return;
    if (how == TRUNCATE && ftruncate(fd, 0) == 0)
        puts("truncated");
    else if (how == GROW && ftruncate64(fd, (off64_t)(2 * RING_BYTES)) == 0)
        puts("grown");
    else if (how == PUNCH)
        (void)!fallocate64(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off64_t)RING_BYTES);
    else if (how == WRITE)
        write_parts(fd, 0);
    close(fd);
}

static void attack_folder(const char *folder, enum file_attack how)
{
    DIR *const trace = opendir(folder);

    for (struct dirent *entry; trace != NULL && (entry = readdir(trace)) != NULL;) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        attack_file(path, how);
    }
    if (trace != NULL)
        closedir(trace);
}

static void attack_files(enum file_attack how)
{
    char folder[64];
    const int ids[] = {(int)getppid(), (int)getpid()};

    for (size_t i = 0; i < 2; i++) {
        snprintf(folder, sizeof folder, "/proc/%d/fd", ids[i]);
        attack_folder(folder, how);
        snprintf(folder, sizeof folder, "/proc/%d/map_files", ids[i]);
        attack_folder(folder, how);
    }
    fflush(stdout);
}

static void attack_memory(void)
{
    const int fd = open("/proc/self/mem", O_RDWR | O_LARGEFILE);

    write_parts(fd, PLACE);
    close(fd);
}

static void race(void)
{
    const int fd = open("/proc/self/mem", O_RDWR | O_LARGEFILE);

    for (unsigned i = 0; i < 3000; i++) {
        const uint64_t at = next_random() % RING_TRACE_CHUNK_BYTES & ~UINT64_C(7);
        const ssize_t n = pwrite64(fd, buffer + i, 256, (off64_t)(PLACE + RING_CHUNKS_AT + at));
        (void)n;
        work(300);
    }
    close(fd);
}

static void close_all(void)
{
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    syscall(SYS_close_range, 3, ~0u, 0);
}

static void cover_all(void)
{
    for (int fd = 3; fd < 256; fd++)
        dup2(2, fd);
}

/* ---- by address ---- */

/* What QEMU adds to an address of the program: where a word of ours lies in its memory. */
static uint64_t guest_base(void)
{
    static volatile uint64_t word = UINT64_C(0x6c656d7572617765);
    const int fd = open("/proc/self/mem", O_RDONLY | O_LARGEFILE);
    uint64_t base = 0, found = 0;

    while (base < PLACE &&
           (pread64(fd, &found, sizeof found, (off64_t)(base + (uintptr_t)&word)) != sizeof found ||
            found != word))
        base += 4096;
    close(fd);
    return base;
}

/* An address of the program that QEMU takes to this place in the recorder's mapping. */
static void *at_place(uint64_t at)
{
    return (void *)(uintptr_t)(PLACE - guest_base() + at);
}

static void say(const char *what, int failed)
{
    printf("%s: %s\n", what, failed ? strerror(errno) : "done");
    fflush(stdout);
}

static void map_at(uint64_t at, uint64_t bytes)
{
    void *got = mmap(at_place(at), bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    say("map", got == MAP_FAILED);
}

static void remap_over(void)
{
    char *old = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *got = mremap(old, 65536, 65536, MREMAP_MAYMOVE | MREMAP_FIXED, at_place(0));
    say("remap", got == MAP_FAILED);
}

static void store(uint64_t at, size_t bytes)
{
    memcpy(at_place(at), buffer, bytes);
}

static void store_all(void)
{
    store(RING_CHUNKS_AT, sizeof buffer);
    store(RING_TEXT_AT, sizeof buffer);
    store(RING_BLOCKS_AT, sizeof buffer);
    store(RING_SLOTS_AT, sizeof buffer);
    store(RING_TRACES_AT, sizeof buffer);
    store(0, sizeof buffer);
}

static void map_child(void)
{
    int status = -1;
    const pid_t child = fork();

    if (child == 0) {
        map_at(0, SPAN);
        _exit((int)(work(500000) & 0));
    }
    waitpid(child, &status, 0);
    say("child", status);
}

#if __SIZEOF_POINTER__ == 8
static int attack_address(const char *name, int byte)
{
    fill(byte);
    if (strcmp(name, "map") == 0)
        map_at(0, SPAN);
    else if (strcmp(name, "map_chunks") == 0)
        map_at(RING_CHUNKS_AT, RING_TRACE_CHUNK_BYTES);
    else if (strcmp(name, "map_child") == 0)
        map_child();
    else if (strcmp(name, "unmap") == 0)
        say("unmap", munmap(at_place(0), SPAN));
    else if (strcmp(name, "protect") == 0)
        say("protect", mprotect(at_place(0), SPAN, PROT_READ));
    else if (strcmp(name, "remap") == 0)
        remap_over();
    else if (strcmp(name, "store") == 0 || strcmp(name, "store_random") == 0)
        store_all();
    else if (strcmp(name, "store_streams") == 0 || strcmp(name, "store_counts") == 0)
        store(RING_TRACES_AT, 65536);
    else if (strcmp(name, "store_blocks") == 0)
        store(RING_BLOCKS_AT, 65536);
    else if (strcmp(name, "detach") == 0)
        *(volatile uint32_t *)at_place(offsetof(struct ring_header, detached)) = 1;
    else
        return 0;
    return 1;
}
#else
static int attack_address(const char *name, int byte)
{
    (void)name, (void)byte, (void)map_child, (void)remap_over, (void)store_all;
    return 0;
}
#endif

static int attack(const char *name, int byte)
{
    fill(byte);
    if (strcmp(name, "truncate") == 0)
        attack_files(TRUNCATE);
    else if (strcmp(name, "grow") == 0)
        attack_files(GROW);
    else if (strcmp(name, "punch") == 0)
        attack_files(PUNCH);
    else if (strcmp(name, "write") == 0 || strcmp(name, "random") == 0)
        attack_files(WRITE);
    else if (strcmp(name, "memory") == 0 || strcmp(name, "memory_random") == 0)
        attack_memory();
    else if (strcmp(name, "race") == 0)
        race();
    else if (strcmp(name, "close_all") == 0)
        close_all();
    else if (strcmp(name, "cover_all") == 0)
        cover_all();
    else if (strcmp(name, "none") != 0)
        return attack_address(name, byte);
    return 1;
}

int main(int argc, char **argv)
{
    const unsigned before = work(300000);

    if (argc < 2 || !attack(argv[1], argc > 2 ? atoi(argv[2]) : -1)) {
        fprintf(stderr, "no such attack\n");
        return 99;
    }
    const unsigned after = work(1000000);
    printf("worked %s\n", before != 0 && after != 0 ? "on" : "");
    return 0;
}
