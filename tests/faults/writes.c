/* Loaded before a program: counts its calls that change a folder, and at a chosen one ends the program or fills the
   disk. `arm` says which; without it nothing is counted. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum mode { COUNT, KILL, TORN, FULL };

static char root[PATH_MAX];
static size_t root_length;
static long chosen, counted;
static enum mode mode;
static int list;

/* The calls that change `folder` are counted from here on; each is listed in the open file `into`, unless that is 0. */
void arm(const char *folder, long number, int how, int into) {
  root_length = strlen(folder);
  memcpy(root, folder, root_length + 1);
  chosen = number;
  counted = 0;
  mode = how;
  list = into;
}

long calls(void) { return counted; }

static int below(const char *path) { return root_length && !strncmp(path, root, root_length); }

static int is_ours(int fd, char *path) {
  char link[64];
  if (!root_length) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return below(path);
}

/* What becomes of a call: 0 it is made, 1 only half of it is made, 2 there is no room for it. */
static int fate(const char *call, const char *path, int takes_room) {
  long number = __atomic_add_fetch(&counted, 1, __ATOMIC_SEQ_CST);
  if (list) dprintf(list, "%s %s\n", call, path);
  if (mode == KILL && number == chosen) kill(getpid(), SIGKILL), pause();
  if (mode == TORN && number == chosen) return 1;
  if (mode == FULL && number == chosen && takes_room) return 1;
  if (mode == FULL && number > chosen && takes_room) return 2;
  return 0;
}

static void end_if_torn(void) {
  if (mode == TORN) kill(getpid(), SIGKILL), pause();
}

#define REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
#define FAIL return errno = ENOSPC, -1

/* Half of the bytes, or none where there are too few: then there is no room. */
#define WRITE(half, whole)                                   \
  char path[PATH_MAX];                                       \
  int what = is_ours(fd, path) ? fate("write", path, 1) : 0; \
  if (what == 2) FAIL;                                       \
  if (what == 1) {                                           \
    ssize_t done = size > 1 ? (half) : 0;                    \
    end_if_torn();                                           \
    if (done > 0) return done;                               \
    FAIL;                                                    \
  }                                                          \
  return whole

ssize_t write(int fd, const void *data, size_t size) {
  REAL(write);
  WRITE(real(fd, data, size / 2), real(fd, data, size));
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
  REAL(pwrite);
  WRITE(real(fd, data, size / 2, at), real(fd, data, size, at));
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
  REAL(pwrite64);
  WRITE(real(fd, data, size / 2, at), real(fd, data, size, at));
}

ssize_t writev(int fd, const struct iovec *parts, int size) {
  REAL(writev);
  WRITE(real(fd, parts, size / 2), real(fd, parts, size));
}

/* Calls that are made or not, with nothing between. */
#define CHANGE(ours, name, takes_room, call)                 \
  int what = (ours) ? fate(name, path, takes_room) : 0;      \
  if (what) {                                                \
    end_if_torn();                                           \
    FAIL;                                                    \
  }                                                          \
  return call

int mkdir(const char *path, mode_t bits) {
  REAL(mkdir);
  CHANGE(below(path), "mkdir", 1, real(path, bits));
}

int rename(const char *from, const char *path) {
  REAL(rename);
  CHANGE(below(path), "rename", 0, real(from, path));
}

int unlink(const char *path) {
  REAL(unlink);
  CHANGE(below(path), "unlink", 0, real(path));
}

int ftruncate(int fd, off_t size) {
  REAL(ftruncate);
  char path[PATH_MAX];
  CHANGE(is_ours(fd, path), "ftruncate", 0, real(fd, size));
}

int ftruncate64(int fd, off64_t size) {
  REAL(ftruncate64);
  char path[PATH_MAX];
  CHANGE(is_ours(fd, path), "ftruncate64", 0, real(fd, size));
}

int fsync(int fd) {
  REAL(fsync);
  char path[PATH_MAX];
  CHANGE(is_ours(fd, path), "fsync", 0, real(fd));
}

int fdatasync(int fd) {
  REAL(fdatasync);
  char path[PATH_MAX];
  CHANGE(is_ours(fd, path), "fdatasync", 0, real(fd));
}

/* Opening changes something only where it makes a file or empties one. */
#define OPEN(call)                                           \
  va_list rest;                                              \
  va_start(rest, flags);                                     \
  mode_t bits = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
  va_end(rest);                                              \
  CHANGE((flags & (O_CREAT | O_TRUNC)) && below(path), "open", 1, call)

int open(const char *path, int flags, ...) {
  REAL(open);
  OPEN(real(path, flags, bits));
}

int open64(const char *path, int flags, ...) {
  REAL(open64);
  OPEN(real(path, flags, bits));
}

int openat(int folder, const char *path, int flags, ...) {
  REAL(openat);
  OPEN(real(folder, path, flags, bits));
}

int openat64(int folder, const char *path, int flags, ...) {
  REAL(openat64);
  OPEN(real(folder, path, flags, bits));
}
