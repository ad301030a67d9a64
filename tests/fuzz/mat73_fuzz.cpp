#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include "fuzz/target.hpp"

extern "C" [[gnu::weak]] void __sanitizer_set_death_callback(void (*callback)());

namespace elmx::fuzz {
namespace {

/// A child in which HDF5 crashes is what is expected, not a finding: it neither reports nor writes its input to a file.
void silence() {
  ::dup2(::open("/dev/null", O_WRONLY), STDERR_FILENO);
  const rlimit no_file{0, 0};
  ::setrlimit(RLIMIT_FSIZE, &no_file);
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(nullptr);
}

const Registered registered("mat73", [](std::string_view bytes) {
  static const int silenced = ::pthread_atfork(nullptr, nullptr, silence);
  require(silenced == 0, "a child is silent");
  Choices choose(bytes);
  DataOptions options;
  options.format = "mat";
  options.task = choose.yes() ? "classification" : "regression";
  options.mat.samples_are = choose.yes() ? "columns" : "rows";
  load(choose.rest(), options, {&options.path});
});

}  // namespace
}  // namespace elmx::fuzz
