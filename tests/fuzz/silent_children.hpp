#pragma once

#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include "fuzz/target.hpp"

extern "C" [[gnu::weak]] void __sanitizer_set_death_callback(void (*callback)());

namespace elmx::fuzz {

/// From the first call on, a child process in which HDF5 crashes is what is expected, not a finding: it
/// neither reports nor writes its input to a file.
inline void silence_children() {
  const auto silence = [] {
    ::dup2(::open("/dev/null", O_WRONLY), STDERR_FILENO);
    const rlimit no_file{0, 0};
    ::setrlimit(RLIMIT_FSIZE, &no_file);
    if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(nullptr);
  };
  static const int silenced = ::pthread_atfork(nullptr, nullptr, silence);
  require(silenced == 0, "a child is silent");
}

}  // namespace elmx::fuzz
