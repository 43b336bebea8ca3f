/* Hints to the compiler: which code is hot and which is cold. */
#ifndef BASE_COMPILER_H
#define BASE_COMPILER_H

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* Functions that are compiled for each caller separately, with what it knows of its arguments. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* Functions whose bodies would be in the way of what comes more often. */
#define OUT_OF_LINE __attribute__((noinline))
#define RARE        __attribute__((noinline, cold))

#endif
