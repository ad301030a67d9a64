#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/json.hpp"
#include "report/formats/table.hpp"
#include "report/frame/record_rows.hpp"

namespace elmx {

/// Returns < 0, 0 or > 0 if a comes before, equals or comes after b. Runs of digits compare as numbers
/// ("alg2" before "alg10").
int compare_naturally(const std::string& a, const std::string& b);

/// Does the same, but the names in `first` come first, in that order.
int compare_listed(const std::vector<std::string>& first, const std::string& a, const std::string& b);

/// Compares numbers by size, then texts in natural order, then all other values by their text.
int compare_values(const Json& a, const Json& b);

/// Returns the number if the whole `text` is one; none for "16lK", "NA", "inf" or "".
std::optional<double> number_in(std::string_view text);

/// The kind of a field. named: case, dataset, algorithm. swept: a place of the config. parameter: part of the
/// grid of an algorithm. of_trial: differs between the trials of one row.
enum class DimensionKind { named, swept, nodes, chosen, parameter, iterations, of_trial };

/// A field that tells rows of records, or trials within a row, apart.
struct Dimension {
  std::string name;  ///< used in column headings, conditions and legends
  DimensionKind kind;
  /// returns null if the row or trial has no value
  std::function<Json(const RecordRow&, const RecordTrial&)> value = {};
  std::string place = {};                ///< "/model/ridge" of a swept place
  std::vector<std::string> listed = {};  ///< values that come first, in this order

  /// Returns the place of a swept field, otherwise its name. The key does not depend on other fields.
  const std::string& key() const { return place.empty() ? name : place; }

  /// Compares values: first the listed ones, then numbers by size, texts in natural order, null.
  int compare(const Json& a, const Json& b) const;
};

inline constexpr const char* kNodes = "nodes";  ///< name of the dimension, also used in RecordRow::over

/// The list of all fields that tell `rows` and their trials apart, in the order of tables: case, dataset,
/// each swept place under its last component (the whole place if that name is taken), nodes, algorithm,
/// chosen, each parameter of a grid, iterations; then the fields of trials: repeat, fold and status. `chosen`
/// is "grid point" for a point of a grid, the rule of the choice for a choice among points, and null without
/// a grid. A field that trials choose for themselves is null for their row and has the chosen value for each
/// trial.
class Dimensions {
 public:
  explicit Dimensions(std::span<const RecordRow> rows, const RecordOrder& order = {});

  /// Finds a field by name or place. Throws ConfigError beginning with `option` that suggests a name.
  const Dimension& find(const std::string& name, const std::string& option) const;

  const std::vector<Dimension>& all() const& { return all_; }
  const std::vector<Dimension>& all() && = delete;

 private:
  std::vector<Dimension> all_;
};

/// Returns the value of a row in a field; `chosen` is null for a grid point that is not a choice.
Json key_of(const RecordRow& row, const Dimension& dimension);

/// Returns the value of a row in a field if it is a number.
std::optional<double> number_of(const RecordRow& row, const Dimension& dimension);

/// Returns the keys of the dimensions of a kind in which some row has a number other than its size.
std::vector<std::string> numeric_keys(const std::vector<RecordRow>& rows, DimensionKind kind);

/// Groups sorted rows by case and data set.
std::vector<std::span<const RecordRow>> by_data_set(std::span<const RecordRow> rows);

/// A property other than the algorithm that tells rows of a case and data set apart.
struct Trait {
  const Dimension* dimension;
  std::string text;  ///< in a legend: "20 nodes", "ridge = 0.1"
  bool operator==(const Trait&) const = default;
};

/// Returns the traits of a row in the order of the dimensions. A swept number of nodes counts as the size,
/// not as a place. Parameters chosen by each trial or by the test part are not traits. The traits point into
/// `dimensions`.
std::vector<Trait> traits_of(const RecordRow& row, const Dimensions& dimensions);

/// Returns the values of the swept places, "ridge = 0.1, k = 2"; "" if nothing is swept.
std::string point_text(const std::vector<Trait>& traits);

using Fields = std::vector<const Dimension*>;
using FieldValues = std::vector<Json>;  ///< one per field

/// Sorts by the first field, then by the second, and so on.
struct ByFields {
  Fields fields;
  bool operator()(const FieldValues& a, const FieldValues& b) const;
};

/// The values of one field, in the order of the field.
using FieldValueSet = std::set<FieldValues, ByFields>;
FieldValueSet values_in(const Dimension& field, const std::vector<const RecordRow*>& rows);

/// Joins the values, "a, b, c", or counts them if there are more than four: "9 values".
std::string listed(const FieldValueSet& values);

/// Returns a value as tables show it; null is "-".
std::string text_of(const Json& value);
Cell cell_of(const Json& value);

}  // namespace elmx
