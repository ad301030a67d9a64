#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/ranks/ranks.hpp"
#include "data/table/dataset.hpp"
#include "experiment/config/spec.hpp"
#include "experiment/run/run_trials.hpp"

namespace elmx {

/// The folds of all repeats, [repeat][fold]: one list for all cases that have it in common.
class Folds {
 public:
  Folds() = default;
  explicit Folds(std::vector<std::vector<Fold>> folds)
      : folds_(std::make_shared<const std::vector<std::vector<Fold>>>(std::move(folds))) {}

  std::size_t size() const { return folds_->size(); }
  const std::vector<Fold>& operator[](std::size_t repeat) const { return (*folds_)[repeat]; }
  const std::vector<Fold>& front() const { return folds_->front(); }
  auto begin() const { return folds_->begin(); }
  auto end() const { return folds_->end(); }
  const void* id() const { return folds_.get(); }

 private:
  std::shared_ptr<const std::vector<std::vector<Fold>>> folds_;
};

/// One case with its data and its folds, checked: it can be run. Sweep points that a family computes together
/// are one.
struct PlannedCase {
  std::vector<CaseSpec> specs;  ///< they differ in the family's shared member only
  std::shared_ptr<const Dataset> data;
  Folds folds;
  Sizes sizes;  ///< of the largest fold
  Cost cost;    ///< of one fold, all algorithms, all specs
  /// Of the models that the finished run leaves (save_final_models): a network of a fold trained again, where
  /// there was a choice, and all specs on all rows; nothing where no model is saved.
  Cost kept_cost, final_cost;
  double data_bytes = 0;
  double fold_bytes = 0;

  /// Passes of a fold over inputs that stay on disk, and what all of them take at the rate that loading read
  /// them; 0 where the inputs are in memory.
  double passes() const;
  double read_seconds() const;

  arma::uword tasks() const { return folds.size() * folds.front().size(); }
  arma::uword trials() const { return tasks() * specs.size() * specs.front().model->algorithms().size(); }
  const CaseSpec& spec() const { return specs.front(); }
  /// Returns the fold of the final model: all rows train; one of them is the test part, which trainers
  /// expect.
  Fold all_rows() const;
  /// The same without points.
  PlannedCase without_points() const;
  /// True if a fold gains more from others beside it than from several threads. Never while single steps are
  /// measured.
  bool small() const;
};

/// Folds at once: of those that are small, and of the others, which come after them.
struct Jobs {
  int small = 1;
  int large = 1;
};

struct Plan {
  std::vector<PlannedCase> cases;
  double available = 0;     ///< memory before anything was loaded
  double load_seconds = 0;  ///< that making the plan took: reading data, drawing folds

  arma::uword trials() const;
  /// Peak memory: all data sets, what trials share, the largest folds that run at once, and the program
  /// itself.
  double peak_bytes(const Jobs& jobs) const;
  /// Returns the bytes of the cache for stacks (TrainedMembers), or 0 if that would be too much of the
  /// memory.
  double members_bytes() const;
  double flops() const;
  double bytes_moved() const;
  double bytes_sent() const;
};

/// A data set that is in memory already, and the options (write_options) that it was read with.
struct LoadedData {
  Json options;
  std::shared_ptr<const Dataset> data;
};

/// Expands the config, loads every data set once and draws the folds. Throws ConfigError or DataError:
/// whatever could stop a run is found here, before anything is written.
///
/// with_ranks: that work on each trial together; costs are those of one of them. loaded: is not read again.
Plan make_plan(const Json& config, const std::filesystem::path& data_dir, int with_ranks = ranks().count(),
               std::optional<LoadedData> loaded = std::nullopt);

/// Throws ConfigError where the plan needs more memory than there was before it was made (memory_limit).
void refuse_what_cannot_fit(const Plan& plan, const Jobs& jobs);

}  // namespace elmx
