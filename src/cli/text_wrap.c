#include "cli/text_wrap.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

/* Paragraphs are broken to stay readable, earlier in a narrow terminal: pipes have no width. */
#define LINE_WIDTH 100

/* Columns of the terminal that is printed to; 0: none. */
static int columns;

void text_wrap_fit(unsigned terminal)
{
    columns = (int)terminal;
}

int text_wrap_columns(void)
{
    return columns;
}

void text_wrap_name(bool color, const char *name, int width, FILE *stream)
{
    fprintf(stream, "%s%s%s", color ? "\033[1m" : "", name, color ? "\033[m" : "");
    for (int i = (int)strlen(name); i < width; i++)
        putc(' ', stream);
}

int text_wrap_longest(int longest, const char *name)
{
    const int length = (int)strlen(name);
    return length > longest ? length : longest;
}

static void wrap(const char *text, int column, int left, int width, FILE *stream)
{
    bool first = true; /* of its line */

    while (*text != '\0') {
        const int word = (int)strcspn(text, " \n");
        if (!first && column + 1 + word > width) {
            fprintf(stream, "\n%*s", left, "");
            column = left;
            first = true;
        }
        column += fprintf(stream, "%s%.*s", first ? "" : " ", word, text);
        first = text[word] == '\n';
        if (first)
            column = fprintf(stream, "\n%*s", left, "") - 1;
        text += word + (text[word] != '\0');
    }
    putc('\n', stream);
}

void text_wrap_wrapped(const char *text, int column, int left, FILE *stream)
{
    wrap(text, column, left, columns != 0 && columns < LINE_WIDTH ? columns : LINE_WIDTH, stream);
}

void text_wrap_fitted(const char *text, int column, int left, FILE *stream)
{
    wrap(text, column, left, columns != 0 ? columns : INT_MAX, stream);
}

void text_wrap_paragraph(const char *label, const char *text, FILE *stream)
{
    const int left = TEXT_WRAP_INDENT + (*label != '\0' ? 11 : 0);

    fprintf(stream, "%*s%-*s", TEXT_WRAP_INDENT, "", left - TEXT_WRAP_INDENT, label);
    text_wrap_wrapped(text, left, left, stream);
}

/* Underscores inside of a word are themselves: those of CPU_CYCLES and PMEVCNTR<n>_EL0, not of
 * __init__. */
static bool is_emphasis(const char *at, const char *text)
{
    const char *const end = at + strspn(at, "_");

    while (at > text && at[-1] == '_')
        at--;
    return at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '>') ||
           !isalnum((unsigned char)*end);
}

void text_wrap_markdown(const char *text, FILE *stream)
{
    for (const char *at = text; *at != '\0'; at++) {
        if (strchr("|[]<>*`\\~$", *at) != NULL || (*at == '_' && is_emphasis(at, text)))
            putc('\\', stream);
        putc(*at, stream);
    }
}

int text_wrap_count(uint64_t count, bool separated, char *text)
{
    char digits[24];
    const int n = snprintf(digits, sizeof digits, "%" PRIu64, count);
    char *out = text;

    for (int i = 0; i < n; i++) {
        if (separated && i > 0 && (n - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
    return (int)(out - text);
}
