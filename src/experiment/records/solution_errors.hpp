#pragma once

#include <cstddef>
#include <vector>

#include "experiment/config/spec.hpp"
#include "experiment/records/record.hpp"

namespace elmx {

/// The solutions of ridge problems by their backward errors, and the steps that have none.
struct SolutionErrors {
  std::size_t solutions = 0;  ///< whose backward error is known
  /// Above the square root of the working precision half the digits are lost.
  std::size_t too_large = 0;
  std::size_t unknown = 0;  ///< the backward error was not computed
  std::size_t failed = 0;
  double largest = 0;

  std::size_t inaccurate() const { return too_large + unknown + failed; }
};

/// Judges the steps of algorithms that solve a ridge problem. specs: the cases and sweep points of the
/// records.
SolutionErrors solution_errors(const std::vector<Record>& records, const std::vector<CaseSpec>& specs);

}  // namespace elmx
