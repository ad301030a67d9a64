#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/registry.hpp"
#include "report/formats/table.hpp"
#include "report/frame/record_rows.hpp"

namespace elmx {

/// A quantity that value_of computes from steps: a metric by its name in the records, or a time.
struct Quantity {
  std::string name;
  std::string heading;
  Display display;
  std::optional<Better> better;    ///< none: not known
  std::optional<MetricKind> kind;  ///< none: a time, or a metric that is not in the registry
  std::string label;               ///< label of an axis, with abbreviations spelt out
  bool in_target_units = false;    ///< values for targets in other units are not comparable
  bool spans_decades = false;      ///< diagrams use a log axis if all values are positive
};

/// Returns all quantities of tables, diagrams, comparisons and expectations, in the order of tables:
/// diagnostics; selection; regression and classification of the test, unlabelled and train part; structure;
/// times.
const std::vector<Quantity>& known_quantities();

/// Returns the metrics over the test samples of several trials together ("pooled_acc"), see pooled_value.
const std::vector<Quantity>& pooled_quantities();
inline constexpr std::string_view kPooled = "pooled_";
inline bool is_pooled(const std::string& quantity) { return quantity.starts_with(kPooled); }

/// Returns "step_speedup" and "total_speedup", which are quantities of tables but not of a single trial.
const std::vector<Quantity>& speed_up_quantities();
inline bool is_speed_up(const std::string& quantity) { return quantity.ends_with("_speedup"); }

/// Returns true for a metric of one of several targets: "test_rmse[y1]".
inline bool is_of_target(const std::string& quantity) { return quantity.ends_with(']'); }

/// Returns the known quantity of that name, or a new one named as in the records. A metric of one target is
/// known if the metric is.
Quantity quantity_of(const std::string& name);

/// Returns the known name that is meant: the name itself, or the name for the test part ("acc" is
/// "test_acc"), in lower or upper case; "" = none.
std::string meant_among(const std::string& name, const std::vector<std::string>& known);

/// Finds a quantity by its name in records, or as a metric of the test part, in lower or upper case: "acc"
/// and "ACC" are "test_acc". Throws ConfigError that suggests the nearest name.
Quantity find_quantity(const std::string& name);

/// Returns true for the time of a step, a training, a test or the features.
bool is_time(const std::string& quantity);

/// Returns mean +- standard deviation of a quantity over the observations of a row (summary_of).
Cell summary_cell(const RecordRow& row, const std::string& quantity, Display display);

/// Appends the bounds of an interval, NA if there is none.
void append_interval(std::vector<Cell>& cells, const std::optional<Interval>& interval, Display display);

/// Returns the names of the quantities that steps of the rows have, known ones first.
std::vector<std::string> quantities_in(const std::vector<RecordRow>& rows);

/// Finds several quantities in the same way. Throws ConfigError that suggests a name if `known` lacks one
/// of `names`.
std::vector<Quantity> find_quantities(const std::vector<std::string>& names, const std::vector<std::string>& known);

/// The c x c sum of the confusion matrices of distinct observations. It is empty, with the reason as note, if
/// a trial has no matrix or the trials are from several data sets.
struct PooledConfusion {
  arma::mat C;
  std::string note;
};
PooledConfusion pooled_confusion(const std::vector<RecordedStep>& steps);

/// Returns one of pooled_quantities() over the test samples of all distinct observations of a row; NaN, with
/// the reason as note, if the trials do not determine it.
Measured pooled_value(const RecordRow& row, const std::string& quantity);

}  // namespace elmx
