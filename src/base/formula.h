/* Evaluates formulas in Python's syntax: expected counts of a run, in integers (+ - * // % << and
 * brackets; // and % round down), and of metrics, in real numbers (+ - * / and brackets). */
#ifndef BASE_FORMULA_H
#define BASE_FORMULA_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/status.h"

/* Gives the value of a name; false if it is not known. */
typedef bool (*formula_value_of)(void *user, const char *name, int64_t *value);

/* Works out a formula. Returns ARMPMU_OK or ARMPMU_BAD_INPUT (a name that is not known, a sign out
 * of place, a division by zero, a value of more than 64 bits, brackets more than 100 deep); the
 * message names the formula. */
ARMPMU_MUST_USE enum armpmu_status formula_value(const char *formula, formula_value_of value_of,
                                                 void *user, int64_t *out,
                                                 struct armpmu_error *err);

/* As formula_value_of; NAN for what has no value, which makes the whole have none. */
typedef bool (*formula_real_of)(void *user, const char *name, double *value);

/* As formula_value, in real numbers; a division by zero makes *out NAN. */
enum armpmu_status formula_real(const char *formula, formula_real_of value_of, void *user,
                                double *out, struct armpmu_error *err);

/* Returns whether a formula has a name in it. */
bool formula_names(const char *formula, const char *name);

#endif
