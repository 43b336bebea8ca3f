/* Columns and paragraphs for people. */
#ifndef CLI_TEXT_WRAP_H
#define CLI_TEXT_WRAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Where what belongs to a name begins. */
#define TEXT_WRAP_INDENT 6

/* Prints a name, bold with color, and blanks up to width. */
void text_wrap_name(bool color, const char *name, int width, FILE *stream);

/* The larger of a width and a name's length: for the width of a column. */
int text_wrap_longest(int longest, const char *name);

/* "61,284,118", or without separators; text holds at least TEXT_WRAP_COUNT bytes. Returns its
 * length. */
#define TEXT_WRAP_COUNT 32
int text_wrap_count(uint64_t count, bool separated, char *text);

/* Breaks text between words, and at its own line ends. column: where the line is already; those
 * that follow begin at left. */
void text_wrap_wrapped(const char *text, int column, int left, FILE *stream);

/* The same, but broken only where a terminal ends. */
void text_wrap_fitted(const char *text, int column, int left, FILE *stream);

/* Output from now on goes to a terminal of this many columns, and lines fit it; 0, as until
 * then: to none. */
void text_wrap_fit(unsigned columns);

/* Columns of that terminal; 0: there is none. */
int text_wrap_columns(void);

/* Prints text after a label (or ""), both after the indent, broken between words. */
void text_wrap_paragraph(const char *label, const char *text, FILE *stream);

/* Prints text for a Markdown table: '|' would end its cell, '[' begin a link. */
void text_wrap_markdown(const char *text, FILE *stream);

#endif
