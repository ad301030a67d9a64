#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "data/dataset.hpp"
#include "experiment/run_unit.hpp"
#include "experiment/spec.hpp"

namespace elmx {

/// One case with its data and its folds, checked: it can be run. Sweep points that a family computes together are one.
struct PlannedCase {
  std::vector<CaseSpec> specs;  ///< they differ in the family's shared member only
  std::shared_ptr<const Dataset> data;
  std::vector<std::vector<Fold>> folds;  ///< [repeat][fold]
  Sizes sizes;                           ///< of the largest fold
  Cost cost;                             ///< of one fold, all algorithms, all specs
  double data_bytes = 0;
  double fold_bytes = 0;

  arma::uword tasks() const { return folds.size() * folds.front().size(); }
  arma::uword units() const { return tasks() * specs.size() * specs.front().algorithms.size(); }
  const CaseSpec& spec() const { return specs.front(); }
  /// Whether a fold gains more from others beside it than from several threads. Never while single steps are measured.
  bool small() const;
};

/// Folds at once: of those that are small, and of the others, which come after them.
struct Jobs {
  int small = 1;
  int large = 1;
};

struct Plan {
  std::vector<PlannedCase> cases;

  arma::uword units() const;
  /// Peak memory: all data sets, what units share, the largest folds that run at once, and the program itself.
  double peak_bytes(const Jobs& jobs) const;
  double flops() const;
  double bytes_moved() const;
};

/// Expands the config, loads every data set once and draws the folds. Throws ConfigError or DataError: whatever could
/// stop a run is found here, before anything is written.
Plan make_plan(const Json& config, const std::filesystem::path& data_dir);

/// Throws ConfigError where the plan needs more memory than the machine has (MemAvailable of the kernel).
void refuse_what_cannot_fit(const Plan& plan, const Jobs& jobs);

}  // namespace elmx
