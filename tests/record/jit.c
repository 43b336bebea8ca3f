/* Code without a file: made in memory, called, changed and called again. */
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

typedef int function(void);

/* A function that returns n. */
static void make(uint32_t *code, unsigned n)
{
#ifdef __aarch64__
    code[0] = 0x52800000 | n << 5; /* mov w0, #n */
    code[1] = 0xd65f03c0;          /* ret */
#else
    code[0] = 0xe3a00000 | n; /* mov r0, #n */
    code[1] = 0xe12fff1e;     /* bx lr */
#endif
    __builtin___clear_cache((char *)code, (char *)(code + 2));
}

int main(void)
{
    uint32_t *code =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int sum = 0;
    if (code == MAP_FAILED)
        return 2;
    for (unsigned n = 1; n <= 2; n++) {
        make(code, n);
        for (unsigned i = 0; i < 100; i++)
            sum += ((function *)(uintptr_t)code)();
    }
    return sum == 300 ? 0 : 1;
}
