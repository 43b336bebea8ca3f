/* Every form of instruction, and odd words, against their facts. `forms list` prints the rows for
 * assemble.py. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render.h"
#include "row.h"

static int list(void)
{
    for (size_t i = 0; i < n_forms; i++)
        printf("%d\t%s\t%0*x\t%s\n", forms[i].line, forms[i].isa == ARMPMU_A32 ? "A32" : "T32",
               (int)(2 * forms[i].size), forms[i].word, forms[i].text);
    return 0;
}

#define A32 ARMPMU_A32
#define T32 ARMPMU_T32

static const struct form odd_words[] = {
#define ODD(isa, word, facts) {__LINE__, isa, word, (sizeof #word - 3) / 2, "", facts},
#include "odd_words.def"
#undef ODD
};

static unsigned check(const char *file, const struct form *form)
{
    const uint64_t address = 0x8000;
    uint8_t bytes[4];
    char got[400];

    store_insn(form->isa, form->word, form->size, bytes);
    struct block *block = decode_bytes(form->isa, address, bytes, form->size, 1, 0);
    const bool long_enough = block->insns[0].size == form->size && block->n_bytes == form->size;
    render_insn(&block->insns[0], address, got, sizeof got);
    free(block);
    if (long_enough && strcmp(got, form->facts) == 0)
        return 0;
    fprintf(stderr, "%s:%d: %s\n  want %s\n  got  %s%s\n", file, form->line, form->text,
            form->facts, got, long_enough ? "" : " (of another length)");
    return 1;
}

int main(int argc, char **argv)
{
    unsigned wrong = 0;

    if (argc > 1 && strcmp(argv[1], "list") == 0)
        return list();
    for (size_t i = 0; i < n_forms; i++)
        wrong += check("forms.def", &forms[i]);
    for (size_t i = 0; i < sizeof odd_words / sizeof odd_words[0]; i++)
        wrong += check("odd_words.def", &odd_words[i]);
    printf("%zu forms, %u wrong\n", n_forms, wrong);
    return wrong != 0 || n_forms < 600;
}
