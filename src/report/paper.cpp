#include "report/paper.hpp"

#include <cmath>
#include <limits>

#include "report/paper_match.hpp"
#include "report/paper_rules.hpp"
#include "report/record_rows.hpp"

namespace elmx {
namespace {

/// A number, or the text of a symbolic cell; as people write numbers of that size.
Cell value_cell(const std::optional<double>& value, const std::string& text) {
  if (!value && !text.empty()) return text_cell(text);
  const double x = value.value_or(std::numeric_limits<double>::quiet_NaN());
  return number_cell(x, x != 0 && std::abs(x) < 1e-3 ? scientific(1) : significant(4));
}

/// Measured against published: ratio and difference.
std::vector<Cell> distance_cells(const PaperCell& cell) {
  double ratio = std::numeric_limits<double>::quiet_NaN();
  double difference = ratio;
  if (cell.published && cell.measured) {
    difference = *cell.measured - *cell.published;
    if (*cell.published != 0) ratio = *cell.measured / *cell.published;
  }
  return {number_cell(ratio, significant(3)), number_cell(difference, scientific(1))};
}

std::vector<std::string> key_columns(const Published& published, const std::string& value) {
  std::vector<std::string> keys = published.columns;
  std::erase(keys, value);
  return keys;
}

/// The footnote of a cell that disagrees, 0 where no reason matches it.
std::size_t reason_for(const PaperOptions& options, const PublishedRow& row, Table& table) {
  for (const PaperReason& reason : options.reasons) {
    if (matches(reason.match, row, "/paper/reasons")) return footnote(table, reason.why);
  }
  return 0;
}

void count(PaperComparison& comparison, Verdict verdict, bool explained) {
  switch (verdict) {
    case Verdict::agrees:
      ++comparison.agree;
      break;
    case Verdict::disagrees:
      ++comparison.disagree;
      break;
    case Verdict::not_available:
      ++comparison.not_available;
      break;
    case Verdict::shown:
      ++comparison.shown;
      break;
  }
  comparison.explained += explained;
}

std::string count_line(const PaperComparison& c) {
  std::string line = "agree: " + std::to_string(c.agree) + " of " +
                     std::to_string(c.agree + c.disagree + c.not_available) + " cells; " + std::to_string(c.disagree) +
                     " disagree";
  if (c.explained > 0) line += " (" + std::to_string(c.explained) + " with a stated reason)";
  if (c.not_available > 0) line += "; " + std::to_string(c.not_available) + " NA";
  if (c.shown > 0) line += "; " + std::to_string(c.shown) + " shown without a verdict";
  return line;
}

}  // namespace

PaperComparison compare_with_paper(const PaperOptions& options, const Published& published,
                                   const std::vector<Record>& records, const SymbolicCells& symbols,
                                   const std::string& name) {
  const std::vector<RecordRow> rows = group_records(records);
  const std::vector<PaperCell> cells = match_cells(options, published, rows, symbols);
  const std::vector<std::string> keys = key_columns(published, options.value);

  PaperComparison comparison;
  Table& table = comparison.table;
  table.name = name;
  table.title = (options.title.empty() ? options.published : options.title) + ": published and measured";
  for (const std::string& key : keys) table.columns.push_back({key, key});
  for (const char* column : {"published", "measured", "ratio", "difference", "rule", "verdict"}) {
    table.columns.push_back({column, column});
  }
  for (const PaperCell& cell : cells) {
    std::vector<Cell> row;
    for (const std::string& key : keys) row.push_back(text_cell(cell.row->at(key)));
    row.push_back(value_cell(cell.published, cell.published_text));
    row.push_back(value_cell(cell.measured, cell.measured_text));
    for (Cell& distance : distance_cells(cell)) row.push_back(std::move(distance));
    row.push_back(text_cell(rule_text(cell.rule)));
    const Verdict verdict = judge(cell, cells);
    row.push_back(text_cell(to_string(verdict)));
    if (verdict == Verdict::disagrees) row.back().note = reason_for(options, *cell.row, table);
    count(comparison, verdict, row.back().note > 0);
    table.rows.push_back(std::move(row));
  }
  table.remarks.push_back(count_line(comparison));
  return comparison;
}

}  // namespace elmx
