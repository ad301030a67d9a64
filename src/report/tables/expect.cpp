#include <fmt/format.h>

#include <cmath>

#include "base/numbers.hpp"
#include "report/frame/row_keys.hpp"
#include "report/tables/pivot_measures.hpp"
#include "report/tables/tables.hpp"

namespace elmx {
namespace {

std::string bound_text(const Expectation& expectation) {
  std::vector<std::string> texts;
  if (expectation.equals) texts.push_back(show(*expectation.equals) + " +- " + show(expectation.tolerance));
  if (expectation.at_least) texts.push_back(">= " + show(*expectation.at_least));
  if (expectation.at_most) texts.push_back("<= " + show(*expectation.at_most));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// Returns true if the number is within the bounds; false for NaN.
bool meets(const Expectation& expectation, double found) {
  return (!expectation.equals || std::abs(found - *expectation.equals) <= expectation.tolerance) &&
         (!expectation.at_least || found >= *expectation.at_least) &&
         (!expectation.at_most || found <= *expectation.at_most) && !std::isnan(found);
}

/// Returns the rows that meet the conditions: rows of the tables, or if there are none, points of the grids.
/// A condition on a setting that trials chose also means the points of the grids, not the trials that
/// happened to choose the value.
std::vector<RecordRow> rows_meant(const Frame& frame, const Predicate& predicate) {
  const BoundPredicate bound(predicate, frame.fields(), frame.rows());
  if (!bound.asks_for_choices() && bound.is_about_chosen_places(frame.rows()))
    return bound.selected(frame.rows(), false);
  try {
    const std::vector<RecordRow> rows = without_grids(frame.rows());
    return BoundPredicate(predicate, frame.fields(), rows).selected(rows, true);
  } catch (const ConfigError&) {
    return bound.selected(frame.rows(), true);
  }
}

}  // namespace

ExpectationsFound check_expectations(const std::vector<Expectation>& expectations, const Frame& frame) {
  ExpectationsFound found{{"expect", "Expectations"}};
  for (const char* name : {"number", "rows", "metric", "expected", "found", "verdict"})
    found.table.columns.push_back({name, name});
  const auto add = [&](std::size_t i, const std::string& where, Cell value, bool met) {
    const Expectation& expectation = expectations[i];
    found.table.rows.push_back({number_cell(static_cast<double>(i)), text_cell(where),
                                text_cell(expectation.statistic + " " + expectation.metric),
                                text_cell(bound_text(expectation)), std::move(value),
                                text_cell(met ? "met" : "not met")});
    found.unmet += !met;
  };
  for (std::size_t i = 0; i < expectations.size(); ++i) {
    const Expectation& expectation = expectations[i];
    std::vector<RecordRow> selected;
    try {
      selected = rows_meant(frame, predicate_from_json(expectation.where));
    } catch (const ConfigError& error) {
      add(i, error.what(), number_cell(nan), false);
      continue;
    }
    const RowKeys keys(selected);
    const auto any = [](const Column&) { return true; };
    for (const RecordRow& row : selected) {
      const Cell cell =
          statistic_cell(find_cell_statistic(expectation.statistic), quantity_of(expectation.metric), row);
      const bool met = row.failed() == 0 && meets(expectation, cell.value.value_or(nan));
      add(i, fmt::format("{}", fmt::join(keys.texts(row, any), ", ")), cell, met);
      found.table.rows.back()[4].note = footnote(found.table, failure_text(row));
    }
  }
  found.table.remarks.push_back(fmt::format("{} met, {} not met", found.table.rows.size() - found.unmet, found.unmet));
  return found;
}

}  // namespace elmx
