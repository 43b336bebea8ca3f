/* Columns and paragraphs for people. */
#ifndef CLI_TEXT_WRAP_H
#define CLI_TEXT_WRAP_H

#include <stdbool.h>
#include <stdio.h>

/* Where what belongs to a name begins. */
#define LAYOUT_INDENT 6

/* Prints a name, bold with color, and blanks up to width. */
void layout_name(bool color, const char *name, int width, FILE *stream);

/* The larger of a width and a name's length: for the width of a column. */
int layout_longest(int longest, const char *name);

/* Breaks text between words, and at its own line ends. column: where the line is already; those
 * that follow begin at left. */
void layout_wrapped(const char *text, int column, int left, FILE *stream);

/* Prints text after a label (or ""), both after the indent, broken between words. */
void layout_paragraph(const char *label, const char *text, FILE *stream);

/* Prints text for a Markdown table: '|' would end its cell, '[' begin a link. */
void layout_markdown(const char *text, FILE *stream);

#endif
