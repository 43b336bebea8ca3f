/* The status of a call, and an error as one sentence that a person can act on. */
#ifndef ARMPMU_STATUS_H
#define ARMPMU_STATUS_H

#ifdef ARMPMU_PREFIX
#include "armpmu/prefix.h"
#endif

/* The version of these headers; armpmu_version is the library's. */
#define ARMPMU_VERSION_MAJOR 1
#define ARMPMU_VERSION_MINOR 0
#define ARMPMU_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/* Whoever builds the sources into something of their own may say what ARMPMU_API is. */
#if !defined(ARMPMU_API) && defined(__GNUC__)
#define ARMPMU_API __attribute__((visibility("default")))
#elif !defined(ARMPMU_API)
#define ARMPMU_API
#endif

/* Short functions are in the headers. The library has them, too (src/pmu/inline.c), for languages
 * that read no header. */
#if defined(ARMPMU_INLINE_AS_SYMBOLS)
#define ARMPMU_INLINE ARMPMU_API
#else
#define ARMPMU_INLINE static inline
#endif

#if defined(__GNUC__)
#define ARMPMU_MUST_USE __attribute__((warn_unused_result))
#else
#define ARMPMU_MUST_USE
#endif

enum armpmu_status {
    ARMPMU_OK = 0,
    ARMPMU_BAD_CONFIG,  /* a machine file or an option says something impossible */
    ARMPMU_BAD_INPUT,   /* a program, stream or file is not what it should be    */
    ARMPMU_NOT_FOUND,   /* no such core, event, machine, file or engine          */
    ARMPMU_NOT_ALLOWED, /* the operating system refused                          */
    ARMPMU_NO_MEMORY,
    ARMPMU_IO, /* reading or writing failed                             */
};

/* A message names the thing, the value and the limit, and says what to do.
 * No trailing full stop, no newline; always terminated. */
struct armpmu_error {
    char message[512];
};

#ifdef __cplusplus
}
#endif
#endif
