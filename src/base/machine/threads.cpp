#include "base/machine/threads.hpp"

#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <latch>
#include <vector>

namespace elmx {
namespace {

constexpr int kBeside = 3;  // for the disk, for progress, and one that may just be ending
constexpr std::size_t kStack = 8 << 20;

/// Returns true if the stack limit of this process is below kStack.
bool stack_is_small() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < kStack;
}

void* wait_for(void* latch) {
  static_cast<std::latch*>(latch)->wait();
  return nullptr;
}

struct Call {
  const std::function<int()>& f;
  int result = 0;
};

void* make(void* call) {
  auto& one = *static_cast<Call*>(call);
  one.result = one.f();
  return nullptr;
}

}  // namespace

int startable_threads(int wanted) {
  if (wanted <= 1) return 1;
  std::latch end(1);
  std::vector<pthread_t> started;
  for (pthread_t thread{}; static_cast<int>(started.size()) < wanted - 1 + kBeside &&
                           ::pthread_create(&thread, nullptr, wait_for, &end) == 0;)
    started.push_back(thread);
  end.count_down();
  for (const pthread_t thread : started) ::pthread_join(thread, nullptr);
  return std::max(1, static_cast<int>(started.size()) + 1 - kBeside);
}

int on_enough_stack(const std::function<int()>& f) {
  if (!stack_is_small()) return f();
  Call call{f};
  pthread_t thread{};
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kStack);
  ::pthread_setattr_default_np(&attributes);
  const bool started = ::pthread_create(&thread, &attributes, make, &call) == 0;
  ::pthread_attr_destroy(&attributes);
  if (!started) return f();
  ::pthread_join(thread, nullptr);
  return call.result;
}

}  // namespace elmx
