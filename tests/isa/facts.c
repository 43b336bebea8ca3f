/* Reads lines "A32|T32|A64 ADDRESS ENCODING" (hexadecimal; four digits are a 16-bit instruction)
 * and prints each instruction's facts as render.h writes them, "SIZE FACTS" a line. Instructions
 * that follow each other share their IT state. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render.h"
#include "row.h"

int main(void)
{
    char isa_name[8], encoding[16], text[400];
    uint64_t address, next = 1;
    uint8_t it = 0;

    while (scanf("%7s %" SCNx64 " %15s", isa_name, &address, encoding) == 3) {
        const enum armpmu_isa isa = strcmp(isa_name, "A64") == 0   ? ARMPMU_A64
                                    : strcmp(isa_name, "A32") == 0 ? ARMPMU_A32
                                                                   : ARMPMU_T32;
        const unsigned size = (unsigned)strlen(encoding) / 2;
        uint8_t bytes[8];
        store_insn(isa, (uint32_t)strtoul(encoding, NULL, 16), size, bytes);
        struct block *block = decode_bytes(isa, address, bytes, size, 1, address == next ? it : 0);
        if (isa == ARMPMU_A64)
            render_a64_insn(&block->insns[0], address, text, sizeof text);
        else
            render_insn(&block->insns[0], address, text, sizeof text);
        printf("%u %s\n", block->insns[0].size, text);
        next = address + block->n_bytes;
        it = block->it_after;
        free(block);
    }
    return 0;
}
