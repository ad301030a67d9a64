#include "tables/pivot_levels.hpp"

#include <algorithm>
#include <set>

namespace elmx {

PivotLevels::PivotLevels(const PivotOptions& options, const Dimensions& fields, std::vector<Measure>& measures)
    : fields_(fields), measures_(measures) {
  rows = found(options.rows, "--rows");
  columns = found(options.columns, "--cols");
  if (is_level(&part_)) split_parts();
  for (const Measure& measure : measures_) {
    add_missing(metric_.listed, {measure.name});
    add_missing(statistic_.listed, {measure.statistic->name});
    if (!measure.part.empty()) add_missing(part_.listed, {measure.part});
  }
  if (!is_level(&metric_)) columns.push_back(&metric_);
  if (!is_level(&statistic_) && options.statistics.size() > 1) columns.push_back(&statistic_);
  hides_metric_ = std::ranges::count(options.rows, "metric") + std::ranges::count(options.columns, "metric") == 0 &&
                  metric_.listed.size() == 1 && !options.columns.empty();
  for (const Fields* levels : {&rows, &columns}) {
    std::set<const Dimension*> seen;
    for (const Dimension* level : *levels) {
      if (!seen.insert(level).second || (levels == &columns && std::ranges::count(rows, level) > 0))
        throw ConfigError("--rows, --cols: " + level->name + " is named twice; allowed: once");
    }
  }
}

Fields PivotLevels::fields_of(Fields levels) const {
  std::erase_if(levels, [&](const Dimension* level) { return is_of_measure(level); });
  return levels;
}

FieldValues PivotLevels::values(const Fields& levels, const FieldValues& of_fields, const Measure& measure) const {
  FieldValues all;
  auto next = of_fields.begin();
  for (const Dimension* level : levels) {
    if (level == &metric_)
      all.emplace_back(measure.name);
    else if (level == &statistic_)
      all.emplace_back(measure.statistic->name);
    else if (level == &part_)
      all.push_back(measure.part.empty() ? Json() : Json(measure.part));
    else
      all.push_back(*next++);
  }
  return all;
}

Cell PivotLevels::row_head(const Dimension* level, const Json& value) const {
  return is_of_measure(level) ? text_cell(text(level, value)) : cell_of(value);
}

Column PivotLevels::column(const FieldValues& values) const {
  std::vector<ColumnLabel> labels;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const bool is_group = k + 1 < columns.size() - (hides_metric_ ? 1 : 0) && values[k].is_number();
    const std::string name =
        is_of_measure(columns[k]) && values[k].is_string() ? values[k].get<std::string>() : text_of(values[k]);
    labels.push_back({columns[k]->name, name, (is_group ? columns[k]->name + " " : "") + text(columns[k], values[k])});
  }
  return labelled_column(std::move(labels));
}

bool PivotLevels::is_of_measure(const Dimension* level) const {
  return level == &metric_ || level == &statistic_ || level == &part_;
}
bool PivotLevels::is_level(const Dimension* level) const {
  return std::ranges::count(rows, level) + std::ranges::count(columns, level) > 0;
}

Fields PivotLevels::found(const std::vector<std::string>& names, const std::string& option) const {
  Fields levels;
  for (const std::string& name : names) {
    const Dimension* of_measure = nullptr;
    for (const Dimension* level : {&metric_, &statistic_, &part_}) {
      if (level->name == name) of_measure = level;
    }
    levels.push_back(of_measure != nullptr ? of_measure : &fields_.find(name, option));
  }
  return levels;
}

/// "test_acc" becomes "acc" of the part "test".
void PivotLevels::split_parts() {
  for (Measure& measure : measures_) {
    for (const std::string part : {"test", "train", "unlabelled"}) {
      if (!measure.quantity.kind || !measure.quantity.name.starts_with(part + "_")) continue;
      measure.part = part;
      measure.name = measure.quantity.name.substr(part.size() + 1);
      measure.quantity.heading = measure.quantity.heading.substr(part.size() + 1);
    }
  }
}

std::string PivotLevels::text(const Dimension* level, const Json& value) const {
  if (level == &metric_)
    return hides_metric_ ? ""
                         : std::ranges::find(measures_, value.get<std::string>(), &Measure::name)->quantity.heading;
  if (level == &statistic_) return find_cell_statistic(value).heading;
  return level == &part_ && value.is_null() ? "" : text_of(value);
}

}  // namespace elmx
