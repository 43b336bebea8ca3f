#include "cli/text_wrap.h"

#include <string.h>

/* Paragraphs are broken to stay readable, not to fit a terminal: pipes have no width. */
#define LINE_WIDTH 100

void layout_name(bool color, const char *name, int width, FILE *stream)
{
    fprintf(stream, "%s%s%s", color ? "\033[1m" : "", name, color ? "\033[m" : "");
    for (int i = (int)strlen(name); i < width; i++)
        putc(' ', stream);
}

int layout_longest(int longest, const char *name)
{
    const int length = (int)strlen(name);
    return length > longest ? length : longest;
}

void layout_paragraph(const char *label, const char *text, FILE *stream)
{
    const int left = LAYOUT_INDENT + (*label != '\0' ? 11 : 0);
    int column = left;

    if (*label != '\0')
        fprintf(stream, "%*s%-11s", LAYOUT_INDENT, "", label);
    else
        fprintf(stream, "%*s", LAYOUT_INDENT, "");
    while (*text != '\0') {
        const int word = (int)strcspn(text, " ");
        if (column > left && column + 1 + word > LINE_WIDTH) {
            fprintf(stream, "\n%*s", left, "");
            column = left;
        }
        const char *const gap = column > left ? " " : "";
        column += fprintf(stream, "%s%.*s", gap, word, text);
        text += word + (text[word] == ' ');
    }
    putc('\n', stream);
}

void layout_markdown(const char *text, FILE *stream)
{
    for (; *text != '\0'; text++) {
        if (strchr("|[]<>*`\\", *text) != NULL)
            putc('\\', stream);
        putc(*text, stream);
    }
}
