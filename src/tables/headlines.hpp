#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "results/frame.hpp"
#include "table_formats/table.hpp"
#include "tables/method_comparison.hpp"

namespace elmx {

/// A metric over the test parts of the nested choice.
struct ExpectedMetric {
  Quantity quantity;
  Summary folds;                     ///< over the test parts
  std::optional<Interval> interval;  ///< 95 % of what it is on new rows; none: the test parts do not tell
};

enum class BetterThanTrivial { not_tested, no, cannot_tell, yes };

const char* to_string(BetterThanTrivial answer);  ///< "cannot tell"

/// A number of the saved model that is the least or the greatest of those tried: a better one may lie beyond.
struct EdgeSetting {
  std::string name, value;
  bool greatest = false;
  std::size_t tried = 0;
};

/// The performance to expect from the model that a run has saved for one data set.
///
/// In each fold the method (case, algorithm, point, size) is taken that the rule of the saved model
/// (is_better) takes by the training part of that fold; the expectation is the mean of its errors on the test
/// parts. So the rows that judge the choice have had no part in it, and the choice among methods costs what
/// it costs.
struct Headline {
  std::string data_set;
  std::string file;      ///< of the saved model, within the folder; "" = none was saved
  std::string model;     ///< method and settings of the saved model; "" = none was saved
  std::string no_model;  ///< "no model was saved: ", or that it cannot be read, and why
  std::string by = {};   ///< the metric that chose; "" = there was one method
  /// Judged by the first: accuracy or RMSE; of classes of which the largest has kUnbalanced times the rows of
  /// the smallest, balanced accuracy, then accuracy. Empty: there is no number.
  std::vector<ExpectedMetric> expected = {};
  std::string no_number = {};  ///< why `expected` is empty
  /// the case that knows no inputs: the mean or the largest class; "" = there is none
  std::string trivial = {};
  double of_trivial = 0;  ///< its mean of the first metric
  BetterThanTrivial better = BetterThanTrivial::not_tested;
  Finding finding = {};  ///< of the paired test of the nested choice against `trivial`
  bool edges_known = false;
  std::vector<EdgeSetting> edges = {};
  std::string only_class = {};  ///< all predictions on the test parts are of this class; "" = they are not
};

/// One headline for each data set that has a final model, or a reason why it has none; empty for a
/// frame under a predicate.
std::vector<Headline> headlines_of(const Frame& frame, const std::filesystem::path& folder);

/// The headline in sentences: the model and what to expect, better than the trivial answer or not, the edge,
/// warnings.
std::vector<std::string> sentences_of(const Headline& headline);

/// "headline": a row for each data set, for programs (Table::only_in_file).
Table headline_table(const std::vector<Headline>& headlines);

}  // namespace elmx
