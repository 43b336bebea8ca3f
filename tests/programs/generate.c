/* Code without end: writes small functions, flushes the instruction cache and calls them, as a
 * just-in-time compiler does. No two are the same.
 *
 *   generate N again   N functions, in the same 128 KB over and over
 *   generate N new     N functions, each at addresses of its own */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { WORDS = 8, BATCH = 256, AGAIN = 4096 }; /* of a function, functions at a time, places */

typedef unsigned (*function)(void);

/* Returns `value`. */
static void write_function(uint32_t *code, uint32_t value)
{
#ifdef __aarch64__
    code[0] = 0x52800000 | (value & 0xffff) << 5; /* movz w0, #low */
    code[1] = 0x72a00000 | (value >> 16) << 5;    /* movk w0, #high, lsl #16 */
    code[2] = 0xd65f03c0;                         /* ret */
#else
    code[0] = 0xe3a00000 | (value & 0xff);       /* mov r0, #byte 0 */
    code[1] = 0xe3800c00 | (value >> 8 & 0xff);  /* orr r0, r0, #byte 1 << 8 */
    code[2] = 0xe3800800 | (value >> 16 & 0xff); /* orr r0, r0, #byte 2 << 16 */
    code[3] = 0xe3800400 | value >> 24;          /* orr r0, r0, #byte 3 << 24 */
    code[4] = 0xe12fff1e;                        /* bx lr */
#endif
}

int main(int argc, char **argv)
{
    const unsigned n = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 2000;
    const unsigned places =
        argc > 2 && strcmp(argv[2], "new") == 0 ? (n + BATCH - 1) / BATCH * BATCH : AGAIN;
    uint32_t *const code =
        mmap(NULL, (size_t)places * WORDS * sizeof *code, PROT_READ | PROT_WRITE | PROT_EXEC,
             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned sum = 0;

    if (code == MAP_FAILED) {
        perror("generate");
        return 1;
    }
    for (unsigned i = 0; i < n; i += BATCH) {
        uint32_t *const batch = code + (size_t)(i % places) * WORDS;
        for (unsigned j = 0; j < BATCH; j++)
            write_function(batch + j * WORDS, i + j);
        __builtin___clear_cache((char *)batch, (char *)(batch + BATCH * WORDS));
        for (unsigned j = 0; j < BATCH && i + j < n; j++)
            sum += ((function)(uintptr_t)(batch + j * WORDS))();
    }
    printf("%u\n", sum);
    return 0;
}
