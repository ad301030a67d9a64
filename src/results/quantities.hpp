#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/registry.hpp"
#include "results/record_rows.hpp"
#include "table_formats/table.hpp"

namespace elmx {

/// What the steps of records can be asked for by value_of: a metric by its name in the records, or a time.
struct Quantity {
  std::string name;
  std::string heading;
  Display display;
  std::optional<Better> better;    ///< none: nothing says
  std::optional<MetricKind> kind;  ///< none: a time, or a metric that the registry does not have
  std::string label;               ///< of an axis: abbreviations are spelt out
  bool in_target_units = false;    ///< numbers of targets in other units are not comparable
  bool spans_decades = false;      ///< diagrams have a log axis where all is positive
};

/// The one list of what tables, diagrams, comparisons and expectations are of, in the order of tables:
/// diagnostics; selection; regression and classification of the test, unlabelled and train part; structure;
/// times.
const std::vector<Quantity>& known_quantities();

/// The metrics of the test part over all test samples of several trials together, "pooled_acc": see
/// pooled_value.
const std::vector<Quantity>& pooled_quantities();
inline constexpr std::string_view kPooled = "pooled_";
inline bool is_pooled(const std::string& quantity) { return quantity.starts_with(kPooled); }

/// Returns true for a metric of one of several targets: "test_rmse[y1]".
inline bool is_of_target(const std::string& quantity) { return quantity.ends_with(']'); }

/// The known one, or one that is called as it is in the records. A metric of one target is known where the
/// metric is.
Quantity quantity_of(const std::string& name);

/// By its name in records, or as a metric of the test part: "acc" is "test_acc". Throws ConfigError with the
/// nearest name.
Quantity find_quantity(const std::string& name);

/// A time of a step, a training, a test or the features.
bool is_time(const std::string& quantity);

/// The names of what the steps of the rows have, known ones first.
std::vector<std::string> quantities_in(const std::vector<RecordRow>& rows);

/// Throws ConfigError with the nearest name where `known` lacks one of `names`.
std::vector<Quantity> find_quantities(const std::vector<std::string>& names, const std::vector<std::string>& known);

}  // namespace elmx
