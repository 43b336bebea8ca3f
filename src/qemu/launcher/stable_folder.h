/* The folder of a program in fixed surroundings. Its owner holds a lock on it, which ends with
 * the process: this user's folders without a lock were left by an armpmu that was killed, and
 * are removed when the next one is made. */
#ifndef QEMU_LAUNCHER_STABLE_FOLDER_H
#define QEMU_LAUNCHER_STABLE_FOLDER_H

#define STABLE_FOLDER "/tmp/armpmu-XXXXXX"

/* Makes one; its name goes to folder. Returns the descriptor that has the lock, or -1 with errno.
 */
int stable_folder_make(char folder[sizeof STABLE_FOLDER]);

/* Makes the folder "root" in it, which QEMU takes for the program's root: links to what sysroot
 * has, and an empty /etc/ld.so.cache, for which QEMU would take the host's. Returns 0 or an errno.
 */
int stable_folder_add_root(const char *folder, const char *sysroot);

/* Removes it, with the program and the root in it. */
void stable_folder_remove(const char *folder, int descriptor);

#endif
