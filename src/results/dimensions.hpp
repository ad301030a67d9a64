#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "results/record_rows.hpp"
#include "table_formats/table.hpp"

namespace elmx {

/// What one trial did at one row: a step, or a failure. Every member is null where only the row is asked
/// about.
struct RecordTrial {
  const Record* record = nullptr;
  const StepRecord* step = nullptr;  ///< null: it failed
  std::string status;                ///< "ok", or why it failed
};

/// named: case, dataset, algorithm. swept: a place of the config. parameter: of an algorithm's own grid.
/// of_trial: trials of one row differ in it.
enum class DimensionKind { named, swept, nodes, chosen, parameter, iterations, of_trial };

/// Something that tells rows of records, or trials within a row, apart.
struct Dimension {
  std::string name;  ///< heads columns, stands in conditions and legends
  DimensionKind kind;
  /// null where the row or trial has no such thing.
  std::function<Json(const RecordRow&, const RecordTrial&)> value = {};
  std::string place = {};                ///< "/model/ridge" of a swept place
  std::vector<std::string> listed = {};  ///< values that come first, in this order

  /// The place of a swept one, else its name: the same whatever else there is.
  const std::string& key() const { return place.empty() ? name : place; }

  /// Order of two values: those listed, then numbers by size, then texts in natural order, then null.
  int compare(const Json& a, const Json& b) const;
};

inline constexpr const char* kNodes = "nodes";  ///< the dimension, and in RecordRow::over
inline constexpr const char* kGridPoint = "grid point";

/// The one list of what tells `rows` and their trials apart, in the order of tables: case, dataset, each
/// swept place under its last component (the whole place where that is taken), nodes, algorithm, chosen, each
/// parameter of a grid, iterations; then repeat, fold and status, which are of trials. `chosen` is kGridPoint
/// for a point of a grid, how it was chosen for a choice among them, null without a grid. What trials have
/// chosen for themselves is null of their row, and of each of them what it has chosen.
class Dimensions {
 public:
  explicit Dimensions(std::span<const RecordRow> rows, const RecordOrder& order = {});

  /// By its name or its whole place. Throws ConfigError that begins with `option` and names the nearest.
  const Dimension& find(const std::string& name, const std::string& option) const;

  const std::vector<Dimension>& all() const& { return all_; }
  const std::vector<Dimension>& all() && = delete;

 private:
  std::vector<Dimension> all_;
};

/// What a row has in a field; null of a point of a grid that is no choice.
Json key_of(const RecordRow& row, const Dimension& dimension);

/// The number that the row has; none where it has nothing there, or no number.
std::optional<double> number_of(const RecordRow& row, const Dimension& dimension);

/// Returns true if the dimension is a place at which the row's number of nodes was swept.
bool is_size(const RecordRow& row, const Dimension& dimension);

/// The keys of the dimensions of a kind that some row has a number of, other than its size.
std::vector<std::string> numeric_keys(const std::vector<RecordRow>& rows, DimensionKind kind);

/// The rows of one case and data set after another, as they are sorted.
std::vector<std::span<const RecordRow>> by_data_set(std::span<const RecordRow> rows);

/// One thing that tells rows of a case and data set apart, beside the algorithm.
struct Trait {
  const Dimension* dimension;
  std::string text;  ///< in a legend: "20 nodes", "ridge = 0.1"
  bool operator==(const Trait&) const = default;
};

/// What a row has of them, in the order of the dimensions. A swept number of nodes is the size, not a place;
/// the parameters that each trial or the test part has chosen are no traits. They point into `dimensions`.
std::vector<Trait> traits_of(const RecordRow& row, const Dimensions& dimensions);

/// "ridge = 0.1, k = 2": the values of swept places; "" where nothing is swept.
std::string point_text(const std::vector<Trait>& traits);

/// A row's share of a legend.
struct LegendEntry {
  std::string algorithm;
  std::vector<Trait> traits;
  bool operator==(const LegendEntry&) const = default;
};

/// For each entry ", ridge = 0.1, 20 nodes": the traits that another entry of its algorithm has otherwise.
std::vector<std::string> distinctions(const std::vector<LegendEntry>& entries);

using Fields = std::vector<const Dimension*>;
using FieldValues = std::vector<Json>;  ///< one a field

/// By the first field, then the second...
struct ByFields {
  Fields fields;
  bool operator()(const FieldValues& a, const FieldValues& b) const;
};

/// The values of one field, in its order.
using FieldValueSet = std::set<FieldValues, ByFields>;
FieldValueSet values_in(const Dimension& field, const std::vector<const RecordRow*>& rows);

/// "a, b, c".
std::string listed(const FieldValueSet& values);

/// Every trial of a row: those that succeeded, then the failed ones.
std::vector<RecordTrial> trials_of(const RecordRow& row);

/// A value as tables show it: null is "-".
std::string text_of(const Json& value);
Cell cell_of(const Json& value);

}  // namespace elmx
