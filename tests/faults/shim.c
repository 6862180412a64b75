/* Faults of a file system: the n-th open, write, fsync or rename in a folder fails, or the process dies there.

   Loaded before the C library (LD_PRELOAD), so that SQLite and Python go through it alike. A process that dies in a
   write has written half of it. On a full disk all writes from the n-th on fail, the n-th after half of it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { FAILS = 1, FULL = 2, DIES = 3 };

static char folder[PATH_MAX];
static char watched[1 << 16]; /* by file descriptor */
static long place, wanted;
static int mode;

/* Count the places in a folder from here on; the wanted one (from 1) is where the fault is. */
void shim_arm(const char *path, long number, int kind) {
    strncpy(folder, path, PATH_MAX - 1);
    wanted = number, mode = kind, place = 0;
}

/* Return how many places there were, and stop counting. */
long shim_disarm(void) {
    folder[0] = 0;
    return place;
}

static int inside(const char *path) {
    return folder[0] && path && (path[0] != '/' || !strncmp(path, folder, strlen(folder)));
}

/* Whether this place fails; it may not return. */
static int fault(int is_write) {
    ++place;
    if (mode == DIES && place == wanted && !is_write) kill(getpid(), SIGKILL);
    errno = mode == FULL ? ENOSPC : EIO;
    return (mode == FAILS && place == wanted) || (mode == FULL && is_write && wanted && place > wanted);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPEN(name, first, path, ...)                                    \
    {                                                                   \
        va_list list;                                                   \
        va_start(list, flags);                                          \
        mode_t permissions = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
        va_end(list);                                                   \
        if (inside(path) && fault(0)) return -1;                        \
        int opened = REAL(name)(__VA_ARGS__ path, flags, permissions);  \
        if (opened >= 0) watched[opened] = inside(path);                \
        return opened;                                                  \
    }

int open(const char *path, int flags, ...) OPEN(open, , path, )
int open64(const char *path, int flags, ...) OPEN(open64, , path, )
int openat(int at, const char *path, int flags, ...) OPEN(openat, at, path, at,)
int openat64(int at, const char *path, int flags, ...) OPEN(openat64, at, path, at,)

int close(int file) {
    if (file >= 0) watched[file] = 0;
    return REAL(close)(file);
}

#define WRITE(name, ...)                                                \
    {                                                                   \
        if (folder[0] && watched[file]) {                               \
            if (fault(1)) return -1;                                    \
            if (place == wanted && mode != FAILS) size /= 2;            \
            ssize_t written = REAL(name)(file, data, size __VA_ARGS__); \
            if (place == wanted && mode == DIES) kill(getpid(), SIGKILL); \
            return written;                                             \
        }                                                               \
        return REAL(name)(file, data, size __VA_ARGS__);                \
    }

ssize_t write(int file, const void *data, size_t size) WRITE(write)
ssize_t pwrite(int file, const void *data, size_t size, off_t at) WRITE(pwrite, , at)
ssize_t pwrite64(int file, const void *data, size_t size, off64_t at) WRITE(pwrite64, , at)

int fsync(int file) { return folder[0] && watched[file] && fault(0) ? -1 : REAL(fsync)(file); }
int fdatasync(int file) { return folder[0] && watched[file] && fault(0) ? -1 : REAL(fdatasync)(file); }
int rename(const char *from, const char *to) { return inside(to) && fault(0) ? -1 : REAL(rename)(from, to); }
