#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "report/formats/table.hpp"
#include "report/frame/frame.hpp"
#include "report/tables/method_comparison.hpp"

namespace elmx {

/// A metric over the test parts of the nested choice.
struct ExpectedMetric {
  Quantity quantity;
  Summary folds;                     ///< over the test parts
  std::optional<Interval> interval;  ///< 95 % interval for new rows; none: the test parts do not determine it
};

enum class BetterThanTrivial { not_tested, no, cannot_tell, yes };

const char* to_string(BetterThanTrivial answer);  ///< "cannot tell"

/// A setting of the saved model that is the smallest or largest tried value: a better value may lie beyond.
struct EdgeSetting {
  std::string name, value;
  bool greatest = false;
  std::size_t tried = 0;
};

/// The performance to expect from the model that a run has saved for one data set.
///
/// In each fold, the rule of the saved model (is_better) chooses a method (case, algorithm, point, size) by
/// the training part of that fold. The expectation is the mean of the errors of these choices on the test
/// parts. The test rows therefore have no influence on the choice, and the expectation includes the cost of
/// choosing.
struct Headline {
  std::string data_set;
  std::string file;      ///< file of the saved model, within the folder; "" = none was saved
  std::string model;     ///< method and settings of the saved model; "" = none was saved
  std::string no_model;  ///< "no model was saved: ", or that the model cannot be read, and the reason
  std::string by = {};   ///< the metric of the choice; "" = there was one method
  /// accuracy or RMSE; for unbalanced classes (kUnbalanced) balanced accuracy, then accuracy. The first
  /// metric decides. Empty: there is no number.
  std::vector<ExpectedMetric> expected = {};
  std::string no_number = {};  ///< why `expected` is empty
  /// the case that ignores the inputs: the mean or the largest class; "" = there is none
  std::string trivial = {};
  double of_trivial = 0;  ///< its mean of the first metric
  BetterThanTrivial better = BetterThanTrivial::not_tested;
  Finding finding = {};  ///< result of the paired test of the nested choice against `trivial`
  bool edges_known = false;
  std::vector<EdgeSetting> edges = {};
  std::string only_class = {};  ///< the class of all predictions on the test parts; "" = they differ
};

/// Returns one headline for each data set that has a final model, or a reason why it has none; empty for a
/// frame under a predicate.
std::vector<Headline> headlines_of(const Frame& frame, const std::filesystem::path& folder);

/// Returns the headline in sentences: the model and its expected performance, the comparison with the trivial
/// prediction, settings at an edge, warnings.
std::vector<std::string> sentences_of(const Headline& headline);

/// Returns the table "headline" for programs, with one row per data set (Table::only_in_file).
Table headline_table(const std::vector<Headline>& headlines);

}  // namespace elmx
