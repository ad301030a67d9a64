#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/formats/table.hpp"
#include "report/frame/frame.hpp"

namespace elmx {

/// The performance to expect from the model that a run has saved for one data set.
///
/// In each fold, the rule of the saved model (is_better) chooses a method (case, algorithm, point, size) by
/// the training part of that fold. The expectation is the mean of the errors of these choices on the test
/// parts. The test rows therefore have no influence on the choice, and the expectation includes the cost of
/// choosing.
struct Headline {
  /// the model and its expected performance, the comparison with the trivial prediction, settings at the edge
  /// of the tried values, warnings; or the reason why there is no model
  std::vector<std::string> sentences;
  std::vector<std::vector<Cell>> rows = {};  ///< rows of headline_table, one for each metric
  std::string file = {};                     ///< the saved model, within the folder; "": none
};

/// Returns one headline for each data set that has a final model, or a reason why it has none; empty for a
/// frame under a predicate.
std::vector<Headline> headlines_of(const Frame& frame, const std::filesystem::path& folder);

/// Returns the table "headline" for programs (Table::only_in_file).
Table headline_table(const std::vector<Headline>& headlines);

}  // namespace elmx
