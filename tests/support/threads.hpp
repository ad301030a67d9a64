#pragma once

#include "linalg/blas.hpp"

namespace elmx {

/// Runs the rest of a scope on `count` threads.
class Threads {
 public:
  explicit Threads(int count) : before_(threads()) { set_threads(count); }
  ~Threads() { set_threads(before_); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  int before_;
};

}  // namespace elmx
