#pragma once

#include <ostream>

#include "base/numbers.hpp"

namespace elmx {

/// P samples with m inputs (the bias among them), N nodes, C outputs.
struct PerceptronSizes {
  uword P, m, N, C;
};

inline void PrintTo(const PerceptronSizes& one, std::ostream* out) {
  *out << one.P << "x" << one.m << "x" << one.N << "x" << one.C;
}

}  // namespace elmx
