#pragma once

#include <cstddef>
#include <vector>

#include "experiment/config/spec.hpp"
#include "experiment/records/record.hpp"

namespace elmx {

/// The number of solutions of ridge problems by backward error, and of steps without a solution.
struct SolutionErrors {
  std::size_t solutions = 0;  ///< solutions with a known backward error
  /// Solutions with errors above the square root of the working precision: half the digits are lost.
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
