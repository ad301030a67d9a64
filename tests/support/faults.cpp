// Simulates faults of a machine for programs started with LD_PRELOAD=faults.so and these variables:
//   FAULT_FILE     only files whose path contains this text are affected by
//   FAULT_READ     read(2) and pread(2) fail with EIO after this many bytes, as on a failing disk
//   FAULT_SHORT    read(2) and pread(2) return at most this many bytes at a time
//   FAULT_END      files end after this many bytes, as if they were truncated while being read
//   FAULT_WRITE    write(2) fails with EIO after this many bytes
//   FAULT_MEMORY   malloc, calloc, realloc and aligned_alloc fail for this many bytes or more
//   FAULT_THREADS  pthread_create fails with EAGAIN while this many threads besides the first exist
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

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

ssize_t read(int descriptor, void* bytes, std::size_t size) {
  static const auto real = next<ssize_t (*)(int, void*, std::size_t)>("read");
  static std::atomic<std::size_t> seen = 0;
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

int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  if (no_memory(size)) return ENOMEM;
  *block = __libc_memalign(alignment, size);
  return *block != nullptr ? 0 : ENOMEM;
}

}  // extern "C"
