#pragma once

#include <string>
#include <vector>

#include "results/quantities.hpp"
#include "tables/cell_statistics.hpp"
#include "tables/pivot.hpp"
#include "tables/pivot_cells.hpp"

namespace elmx {

/// A statistic of a metric, as the fields "metric", "stat" and "part" have it.
struct Measure {
  Quantity quantity;
  const CellStatistic* statistic;
  std::string metric;         ///< as it was asked for
  std::string name;           ///< of the metric, in "metric"
  std::string part = {};      ///< "" = none
  std::size_t speed_ups = 0;  ///< which reference a speed-up is over
};

/// The levels of rows and columns of a pivot: fields of the records, and "metric", "stat" and "part".
class PivotLevels {
 public:
  /// Splits the measures into parts if "part" is a level. `fields` and `measures` must outlive the object.
  /// Throws ConfigError: a field that is not there, or is named twice.
  PivotLevels(const PivotOptions& options, const Dimensions& fields, std::vector<Measure>& measures);
  PivotLevels(const PivotLevels&) = delete;
  PivotLevels& operator=(const PivotLevels&) = delete;

  /// Those of the levels that are fields of the records.
  Fields fields_of(Fields levels) const;

  /// The values of all levels, where those of the records' fields are `of_fields`.
  FieldValues values(const Fields& levels, const FieldValues& of_fields, const Measure& measure) const;

  /// The cell that heads a row at one level.
  Cell row_head(const Dimension* level, const Json& value) const;

  /// The column under the values of all column levels.
  Column column(const FieldValues& values) const;

  Fields rows, columns;

 private:
  bool is_of_measure(const Dimension* level) const;
  bool is_level(const Dimension* level) const;
  Fields found(const std::vector<std::string>& names, const std::string& option) const;
  void split_parts();
  std::string text(const Dimension* level, const Json& value) const;

  static Dimension of_measures(const std::string& name) { return {name, DimensionKind::named, {}, {}, nullptr}; }

  const Dimensions& fields_;
  std::vector<Measure>& measures_;
  Dimension metric_ = of_measures("metric"), statistic_ = of_measures("stat"), part_ = of_measures("part");
  bool hides_metric_ = false;  // a single one is in the title
};

}  // namespace elmx
