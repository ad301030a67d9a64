#include "tables/pivot_cells.hpp"

#include <algorithm>
#include <set>

namespace elmx {
namespace {

constexpr std::size_t most_listed = 4;

FieldValues values_of(const Fields& fields, const RecordRow& row, const RecordTrial& trial) {
  FieldValues values;
  for (const Dimension* field : fields) values.push_back(field->value(row, trial));
  return values;
}

void refuse_choices(const FieldValueSet& chosen) {
  const auto choices =
      std::count_if(chosen.begin(), chosen.end(), [](const FieldValues& value) { return !value[0].is_null(); });
  if (choices > 1)
    throw ConfigError(
        "--where chosen: a cell would count steps more than once; allowed: one choice, or chosen in --rows or --cols");
}

}  // namespace

FieldValueSet values_in(const Dimension& field, const std::vector<const RecordRow*>& rows) {
  FieldValueSet values(ByFields{{&field}});
  for (const RecordRow* row : rows) values.insert(FieldValues(1, field.value(*row, {})));
  return values;
}

std::string listed(const FieldValueSet& values) {
  std::string text;
  for (const FieldValues& value : values) text += (text.empty() ? "" : ", ") + text_of(value[0]);
  return text;
}

bool ByFields::operator()(const FieldValues& a, const FieldValues& b) const {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (const int order = fields[i]->compare(a[i], b[i]); order != 0) return order < 0;
  }
  return false;
}

PivotCells pivot_cells(const std::vector<RecordRow>& rows, const Fields& row_fields, const Fields& column_fields) {
  PivotCells cells(ByFields{row_fields});
  for (const RecordRow& row : rows) {
    for (const RecordTrial& trial : trials_of(row)) {
      auto& of_row = cells.try_emplace(values_of(row_fields, row, trial), ByFields{column_fields}).first->second;
      PivotCell& cell = of_row[values_of(column_fields, row, trial)];
      if (cell.rows.empty() || cell.rows.back() != &row) cell.rows.push_back(&row);
      if (trial.step != nullptr)
        cell.trials.steps.emplace_back(*trial.record, *trial.step);
      else
        cell.trials.failures[trial.status].push_back(trial.record);
    }
  }
  return cells;
}

std::string pooled_in(const PivotCells& cells, const Dimensions& fields) {
  std::string text;
  for (const Dimension& field : fields.all()) {
    FieldValueSet all(ByFields{{&field}});
    for (const auto& [row, of_row] : cells) {
      for (const auto& [column, cell] : of_row) {
        const FieldValueSet here = values_in(field, cell.rows);
        if (field.name == "chosen") refuse_choices(here);
        if (here.size() > 1) all.insert(here.begin(), here.end());
      }
    }
    if (!all.empty() && field.name != "chosen")
      text += (text.empty() ? "" : ", ") + field.name + " (" +
              (all.size() > most_listed ? std::to_string(all.size()) + " values" : listed(all)) + ")";
  }
  return text;
}

}  // namespace elmx
