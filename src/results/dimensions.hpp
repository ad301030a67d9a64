#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "results/record_rows.hpp"
#include "table_formats/table.hpp"

namespace elmx {

/// What one trial did at one row: a step, or a failure. All of it is null where only the row is asked about.
struct RecordTrial {
  const Record* record = nullptr;
  const StepRecord* step = nullptr;  ///< null: it failed
  std::string status;                ///< "ok", or why it failed
};

/// named: case, dataset, algorithm. swept: a place of the config. parameter: of an algorithm's own grid. of_trial:
/// trials of one row differ in it.
enum class DimensionKind { named, swept, nodes, chosen, parameter, iterations, of_trial };

/// Something that tells rows of records, or trials within a row, apart.
struct Dimension {
  std::string name;  ///< heads columns, stands in conditions and legends
  DimensionKind kind;
  std::string place = {};                ///< "/model/ridge" of a swept place
  std::vector<std::string> listed = {};  ///< values that come first, in this order
  /// null where the row or trial has no such thing.
  std::function<Json(const RecordRow&, const RecordTrial&)> value;

  /// The place of a swept one, else its name: the same whatever else there is.
  const std::string& key() const { return place.empty() ? name : place; }

  /// Order of two values: those listed, then numbers by size, then texts in natural order, then null.
  int compare(const Json& a, const Json& b) const;
};

inline constexpr const char* kNodes = "nodes";  ///< the dimension, and in RecordRow::over
inline constexpr const char* kGridPoint = "grid point";

/// The one list of what tells `rows` and their trials apart, in the order of tables: case, dataset, each swept place
/// under its last component (the whole place where that is taken), nodes, algorithm, chosen, each parameter of a grid,
/// iterations; then repeat, fold and status, which are of trials. `chosen` is kGridPoint for a point of a grid, how it
/// was chosen for a choice among them, null without a grid. What trials have chosen for themselves is null of their
/// row, and of each of them what it has chosen.
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

/// Every trial of a row: those that succeeded, then the failed ones.
std::vector<RecordTrial> trials_of(const RecordRow& row);

/// A value as tables show it: null is "-".
std::string text_of(const Json& value);
Cell cell_of(const Json& value);

}  // namespace elmx
