#pragma once

#include <functional>
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

/// Something that tells rows of records, or trials within a row, apart.
struct RecordField {
  std::string name;
  std::string place = {};                ///< "/model/ridge" where it is a swept place
  std::vector<std::string> listed = {};  ///< values that come first, in this order
  bool of_trial = false;                 ///< trials of one row differ in it
  /// null where the row or trial has no such thing.
  std::function<Json(const RecordRow&, const RecordTrial&)> value;

  /// Order of two values: those listed, then numbers by size, then texts in natural order, then null.
  int compare(const Json& a, const Json& b) const;
};

/// The fields of `rows`: case, dataset, each swept place under its last component (the whole place where that is
/// taken), nodes, algorithm, chosen, each parameter of a grid, iterations; then repeat, fold and status, which are of
/// trials. `chosen` is kGridPoint for a point of a grid, how it was chosen for a choice among them, null without a
/// grid.
class RecordFields {
 public:
  RecordFields(const std::vector<RecordRow>& rows, const RecordOrder& order);

  /// By its name or its whole place. Throws ConfigError that begins with `option` and names the nearest.
  const RecordField& find(const std::string& name, const std::string& option) const;

  const std::vector<RecordField>& all() const { return fields_; }

 private:
  std::vector<RecordField> fields_;
};

inline constexpr const char* kGridPoint = "grid point";

/// Every trial of a row: those that succeeded, then the failed ones.
std::vector<RecordTrial> trials_of(const RecordRow& row);

/// A value as tables show it: null is "-".
std::string text_of(const Json& value);
Cell cell_of(const Json& value);

}  // namespace elmx
