// Simulates faults of a machine for programs started with LD_PRELOAD=faults.so and these variables:
//   FAULT_FILE     only files whose path contains this text are affected by
//   FAULT_READ     read(2) and pread(2) fail with EIO after this many bytes, as on a failing disk
//   FAULT_SHORT    read(2) and pread(2) return at most this many bytes at a time
//   FAULT_END      files end after this many bytes, as if they were truncated while being read
//   FAULT_WRITE    write(2) fails with EIO after this many bytes
//   FAULT_MEMORY   malloc, calloc, realloc and aligned_alloc fail for this many bytes or more
//   FAULT_THREADS  pthread_create fails with EAGAIN while this many threads besides the first exist
//   FAULT_SERVER   one call of a kind fails (fault_server.cpp)
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "support/fault_server.hpp"

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

std::size_t limit(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoul(text, nullptr, 10) : SIZE_MAX;
}

bool touched(int descriptor) {
  const char* wanted = std::getenv("FAULT_FILE");
  char link[64];
  char path[PATH_MAX];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = wanted != nullptr ? ::readlink(link, path, sizeof path - 1) : 0;
  if (length <= 0) return false;
  path[length] = 0;
  return std::strstr(path, wanted) != nullptr;
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

bool no_memory(std::size_t size) {
  if (fails(Fallible::memory)) return true;
  static std::atomic<std::size_t> most = 0;  // 0: the environment has not been read yet
  if (most == 0) most = limit("FAULT_MEMORY");
  if (size < most) return false;
  errno = ENOMEM;
  return true;
}

/// The function of a thread and its argument.
struct Start {
  void* (*function)(void*);
  void* argument;
};
std::atomic<std::size_t> threads = 0;

void* begin(void* start) {
  const Start real = *static_cast<Start*>(start);
  delete static_cast<Start*>(start);
  void* result = real.function(real.argument);
  --threads;
  return result;
}

}  // namespace

extern "C" {

// Functions that only fail as a whole: count the call, then call the next function of this name.
#define ELMX_FAULT(kind, result, failed, name, parameters, ...) \
  result name parameters {                                      \
    static const auto real = next<result(*) parameters>(#name); \
    return fails(Fallible::kind) ? failed : real(__VA_ARGS__);  \
  }

// A mode is always passed on, as the kernel does.
#define ELMX_FAULT_OPEN(name)                                                \
  int name(const char* path, int flags, ...) {                               \
    static const auto real = next<int (*)(const char*, int, mode_t)>(#name); \
    va_list more;                                                            \
    va_start(more, flags);                                                   \
    const mode_t mode = va_arg(more, mode_t);                                \
    va_end(more);                                                            \
    return fails(Fallible::open) ? -1 : real(path, flags, mode);             \
  }
#define ELMX_FAULT_OPENAT(name)                                                   \
  int name(int folder, const char* path, int flags, ...) {                        \
    static const auto real = next<int (*)(int, const char*, int, mode_t)>(#name); \
    va_list more;                                                                 \
    va_start(more, flags);                                                        \
    const mode_t mode = va_arg(more, mode_t);                                     \
    va_end(more);                                                                 \
    return fails(Fallible::open) ? -1 : real(folder, path, flags, mode);          \
  }
ELMX_FAULT_OPEN(open)
ELMX_FAULT_OPEN(open64)
ELMX_FAULT_OPENAT(openat)
ELMX_FAULT_OPENAT(openat64)
ELMX_FAULT(open, FILE*, nullptr, fopen, (const char* path, const char* mode), path, mode)
ELMX_FAULT(open, FILE*, nullptr, fopen64, (const char* path, const char* mode), path, mode)
ELMX_FAULT(open, DIR*, nullptr, opendir, (const char* path), path)
ELMX_FAULT(read, ssize_t, -1, readv, (int descriptor, const iovec* parts, int count), descriptor, parts, count)
ELMX_FAULT(write, ssize_t, -1, writev, (int descriptor, const iovec* parts, int count), descriptor, parts, count)
ELMX_FAULT(write, ssize_t, -1, pwrite, (int descriptor, const void* bytes, std::size_t size, off_t offset), descriptor,
           bytes, size, offset)
ELMX_FAULT(write, ssize_t, -1, pwrite64, (int descriptor, const void* bytes, std::size_t size, off_t offset),
           descriptor, bytes, size, offset)
ELMX_FAULT(write, std::size_t, 0, fwrite, (const void* bytes, std::size_t size, std::size_t count, FILE* file), bytes,
           size, count, file)
ELMX_FAULT(write, int, EOF, putc, (int c, FILE* file), c, file)
ELMX_FAULT(write, int, EOF, fflush, (FILE * file), file)
ELMX_FAULT(write, int, -1, ftruncate, (int descriptor, off_t size) noexcept, descriptor, size)
ELMX_FAULT(write, int, -1, ftruncate64, (int descriptor, off_t size) noexcept, descriptor, size)
ELMX_FAULT(sync, int, -1, fsync, (int descriptor), descriptor)
ELMX_FAULT(sync, int, -1, fdatasync, (int descriptor), descriptor)
ELMX_FAULT(rename, int, -1, rename, (const char* from, const char* to) noexcept, from, to)
ELMX_FAULT(folder, int, -1, mkdir, (const char* path, mode_t mode) noexcept, path, mode)
ELMX_FAULT(folder, char*, nullptr, mkdtemp, (char* path) noexcept, path)
ELMX_FAULT(remove, int, -1, unlink, (const char* path) noexcept, path)
ELMX_FAULT(remove, int, -1, unlinkat, (int folder, const char* path, int flags) noexcept, folder, path, flags)
ELMX_FAULT(remove, int, -1, rmdir, (const char* path) noexcept, path)
ELMX_FAULT(remove, int, -1, remove, (const char* path) noexcept, path)
ELMX_FAULT(map, void*, MAP_FAILED, mmap,
           (void* at, std::size_t size, int protection, int flags, int descriptor, off_t offset) noexcept, at, size,
           protection, flags, descriptor, offset)
ELMX_FAULT(map, void*, MAP_FAILED, mmap64,
           (void* at, std::size_t size, int protection, int flags, int descriptor, off_t offset) noexcept, at, size,
           protection, flags, descriptor, offset)
ELMX_FAULT(process, int, -1, pipe, (int* ends) noexcept, ends)
ELMX_FAULT(process, int, -1, pipe2, (int* ends, int flags) noexcept, ends, flags)
ELMX_FAULT(process, int, EAGAIN, posix_spawnp,
           (pid_t * child, const char* file, const posix_spawn_file_actions_t* actions,
            const posix_spawnattr_t* attributes, char* const* arguments, char* const* environment),
           child, file, actions, attributes, arguments, environment)

pid_t fork() noexcept {
  static const auto real = next<pid_t (*)()>("fork");
  if (fails(Fallible::process)) return -1;
  const pid_t child = real();
  if (child == 0) count_in_child();
  return child;
}

ssize_t read(int descriptor, void* bytes, std::size_t size) {
  static const auto real = next<ssize_t (*)(int, void*, std::size_t)>("read");
  static std::atomic<std::size_t> seen = 0;
  if (fails(Fallible::read)) return -1;
  if (!touched(descriptor)) return real(descriptor, bytes, size);
  const std::size_t until_error = limit("FAULT_READ"), until_end = limit("FAULT_END");
  if (seen >= until_error) errno = EIO;
  if (seen >= until_error) return -1;
  if (seen >= until_end) return 0;
  const ssize_t got =
      real(descriptor, bytes, std::min({size, limit("FAULT_SHORT"), until_error - seen, until_end - seen}));
  if (got > 0) seen += static_cast<std::size_t>(got);
  return got;
}

ssize_t pread(int descriptor, void* bytes, std::size_t size, off_t offset) {
  static const auto real = next<ssize_t (*)(int, void*, std::size_t, off_t)>("pread");
  if (fails(Fallible::read)) return -1;
  if (!touched(descriptor)) return real(descriptor, bytes, size, offset);
  const std::size_t until_error = limit("FAULT_READ"), until_end = limit("FAULT_END");
  const auto at = static_cast<std::size_t>(offset);
  if (at >= until_error) errno = EIO;
  if (at >= until_error) return -1;
  if (at >= until_end) return 0;
  return real(descriptor, bytes, std::min({size, limit("FAULT_SHORT"), until_error - at, until_end - at}), offset);
}

ssize_t pread64(int descriptor, void* bytes, std::size_t size, off_t offset) {
  return pread(descriptor, bytes, size, offset);
}

ssize_t write(int descriptor, const void* bytes, std::size_t size) {
  static const auto real = next<ssize_t (*)(int, const void*, std::size_t)>("write");
  static std::atomic<std::size_t> written = 0;
  if (fails(Fallible::write)) return -1;
  const std::size_t until_error = limit("FAULT_WRITE");
  if (until_error == SIZE_MAX || !touched(descriptor)) return real(descriptor, bytes, size);
  if (written >= until_error) errno = EIO;
  if (written >= until_error) return -1;
  const ssize_t done = real(descriptor, bytes, std::min(size, until_error - written));
  if (done > 0) written += static_cast<std::size_t>(done);
  return done;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) noexcept {
  static const auto real = next<int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  if (fails(Fallible::thread)) return EAGAIN;
  if (limit("FAULT_THREADS") == SIZE_MAX) return real(thread, attributes, start, argument);
  if (threads++ >= limit("FAULT_THREADS")) {
    --threads;
    return EAGAIN;
  }
  return real(thread, attributes, begin, new Start{start, argument});
}

void* malloc(std::size_t size) noexcept { return no_memory(size) ? nullptr : __libc_malloc(size); }

void* calloc(std::size_t count, std::size_t size) noexcept {
  const bool none = size != 0 && (count > SIZE_MAX / size || no_memory(count * size));
  return none ? nullptr : __libc_calloc(count, size);
}

void* realloc(void* block, std::size_t size) noexcept {
  return no_memory(size) ? nullptr : __libc_realloc(block, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return no_memory(size) ? nullptr : __libc_memalign(alignment, size);
}

void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return no_memory(size) ? nullptr : __libc_memalign(alignment, size);
}

int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  if (no_memory(size)) return ENOMEM;
  *block = __libc_memalign(alignment, size);
  return *block != nullptr ? 0 : ENOMEM;
}

}  // extern "C"
