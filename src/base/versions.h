/* The versions that counts of a program depend on besides its source: compiler, libc and QEMU. */
#ifndef BASE_VERSIONS_H
#define BASE_VERSIONS_H

#define VERSION_BYTES 200

/* In the order in which a change explains another: a build id changes with everything. */
enum version { VERSION_COMPILER, VERSION_LIBC, VERSION_QEMU, VERSION_BUILD_ID, VERSIONS };

/* Their names in JSON and in a profile. */
static const char version_keys[VERSIONS][10] = {"compiler", "libc", "qemu", "build-id"};
/* ... and in sentences. */
static const char version_names[VERSIONS][10] = {"compiler", "libc", "QEMU", "build-id"};

/* "" where it is not known. */
struct versions {
    char text[VERSIONS][VERSION_BYTES];
};

/* The version texts of each compiler whose code is in a program, and its build id; of a loader of
 * glibc, the version of that. Empty for a file that cannot be read. */
void versions_of_file(const char *path, struct versions *out);

#endif
