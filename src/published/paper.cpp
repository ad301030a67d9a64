#include "published/paper.hpp"

#include <algorithm>
#include <cmath>

#include "base/nan.hpp"
#include "base/printable.hpp"
#include "published/paper_match.hpp"
#include "published/verdicts.hpp"
#include "results/record_rows.hpp"
#include "tables/speed_ups.hpp"

namespace elmx {
namespace {

/// A number, or the text of a symbolic cell; as people write numbers of that size. Infinite are epochs alone.
Cell value_cell(const std::optional<double>& value, const std::string& text) {
  if (value && std::isinf(*value)) return text_cell("not reached");
  if (!value && !text.empty()) return text_cell(text);
  const double x = value.value_or(nan);
  return number_cell(x, x != 0 && std::abs(x) < 1e-3 ? scientific(1) : significant(4));
}

/// "rank 2" of a claim about the order.
Cell published_cell(const PaperCell& cell) {
  if (cell.published && cell.rule.rule == "rank") return text_cell("rank " + show(*cell.published));
  return value_cell(cell.published, cell.published_text);
}

/// Measured against published: ratio and difference; none of a claim.
std::vector<Cell> distance_cells(const PaperCell& cell) {
  double ratio = nan;
  double difference = ratio;
  if (cell.published && cell.measured.value && std::isfinite(*cell.measured.value) && !is_claim(cell.rule)) {
    difference = *cell.measured.value - *cell.published;
    if (*cell.published != 0) ratio = *cell.measured.value / *cell.published;
  }
  return {number_cell(ratio, significant(3)), number_cell(difference, scientific(1))};
}

/// Independent runs behind measured, and the interval of their mean.
std::vector<Cell> spread_cells(const PaperCell& cell) {
  const std::optional<Estimate> estimate = estimate_of(cell.measured);
  if (!estimate) return {number_cell(nan), number_cell(nan), number_cell(nan)};
  const std::optional<Interval> interval = interval_of(cell, *estimate);
  return {number_cell(static_cast<double>(estimate->runs)), number_cell(interval ? interval->low : nan, significant(4)),
          number_cell(interval ? interval->high : nan, significant(4))};
}

/// What the member lists of the options cannot say.
void refuse_nonsense(const PaperOptions& options, const std::vector<std::string>& headings) {
  for (std::size_t i = 0; i < options.rules.size(); ++i) {
    const PaperRule& rule = options.rules[i];
    const std::string place = "/paper/rules/" + std::to_string(i) + "/relative_to";
    require_object(rule.relative_to, place);
    if (!rule.relative_to.empty() && (rule.rule == "same_text" || rule.rule == "absent")) {
      throw ConfigError(place + ": with rule " + rule.rule + "; allowed: with rules that compare numbers");
    }
  }
  for (std::size_t i = 0; i < options.beside.size(); ++i) {
    const PaperBeside& beside = options.beside[i];
    const std::string place = "/paper/beside/" + std::to_string(i);
    require_object(beside.point, place + "/point");
    if (beside.title.empty() || std::count(headings.begin(), headings.end(), beside.title) > 1) {
      throw ConfigError(place + "/title: \"" + beside.title + "\"; allowed: a heading that no other column has");
    }
    if (beside.experiment_case.empty() && beside.point.empty() && beside.chosen.empty()) {
      throw ConfigError(place +
                        ": the same as the measured column; allowed: another \"case\", \"point\" or \"chosen\"");
    }
  }
}

/// Of a column in csv and json.
std::string name_of(const std::string& heading) {
  if (heading == "95 % from") return "low";
  if (heading == "to") return "high";
  return heading == "more runs" ? "more_runs" : heading;
}

std::vector<Column> columns_of(const PaperOptions& options, const std::vector<std::string>& keys) {
  std::vector<std::string> headings = keys;
  headings.insert(headings.end(), {"published", "measured"});
  for (const PaperBeside& beside : options.beside) headings.push_back(beside.title);
  headings.insert(headings.end(), {"ratio", "difference", "runs", "95 % from", "to", "more runs", "rule", "verdict"});
  refuse_nonsense(options, headings);
  std::vector<Column> columns;
  for (const std::string& heading : headings) {
    const bool verdict = heading == "published" || heading == "measured" || heading == "verdict";
    const bool key = std::ranges::count(keys, heading) > 0;
    columns.push_back({name_of(heading), heading, verdict ? Worth::result : key ? Worth::name : Worth::rest});
  }
  return columns;
}

std::vector<std::string> key_columns(const Published& published, const std::string& value) {
  std::vector<std::string> keys = published.columns;
  std::erase(keys, value);
  return keys;
}

/// The footnote of a cell that disagrees or is not available, 0 where no reason matches it.
std::size_t reason_for(const PaperOptions& options, const PublishedRow& row, Table& table) {
  for (const PaperReason& reason : options.reasons) {
    if (matches(reason.match, row, "/paper/reasons")) return footnote(table, reason.why);
  }
  return 0;
}

/// What the measured number is without.
std::string what_is_lacking(const PaperCell& cell) {
  const std::size_t failed = cell.measured.failed + cell.measured.broken, apart = times_apart(cell.measured);
  if (failed > 0) {
    const std::string by_numbers = cell.measured.broken == 0 ? "" : cell.measured.failed == 0 ? ", none" : ", not all";
    return counted(failed, "trial") + " of it failed" + (by_numbers.empty() ? "" : by_numbers + " by its numbers");
  }
  return apart > 0 ? times_apart_text(apart) : "";
}

void count(PaperComparison& comparison, Verdict verdict, bool explained) {
  switch (verdict) {
    case Verdict::agrees:
      ++comparison.agree;
      break;
    case Verdict::disagrees:
      ++comparison.disagree;
      break;
    case Verdict::tied:
      ++comparison.tied;
      break;
    case Verdict::undecided:
      ++comparison.undecided;
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
                     std::to_string(c.agree + c.disagree + c.tied + c.undecided + c.not_available) + " cells; " +
                     std::to_string(c.disagree) + " disagree";
  if (c.tied > 0) line += ", " + std::to_string(c.tied) + " tied";
  if (c.not_available > 0) line += ", " + std::to_string(c.not_available) + " NA";
  if (c.explained > 0) {
    const bool both = c.disagree > 0 && c.not_available > 0;
    const std::string of_these = both ? " of these " + std::to_string(c.disagree + c.not_available) : "";
    line += " (" + std::to_string(c.explained) + of_these + " with a stated reason)";
  }
  if (c.undecided > 0) line += ", " + std::to_string(c.undecided) + " undecided";
  if (c.shown > 0) line += "; " + std::to_string(c.shown) + " shown without a verdict";
  return line;
}

/// How many more runs decide how many of the undecided cells.
std::string more_runs_line(const std::vector<Judgement>& judgements) {
  std::vector<arma::uword> needed;
  std::size_t unknown = 0, never = 0;
  for (const Judgement& judgement : judgements) {
    if (judgement.verdict != Verdict::undecided) continue;
    if (!judgement.more)
      ++never;
    else if (judgement.more->at_least)
      ++unknown;
    else
      needed.push_back(judgement.more->runs);
  }
  std::string line = "undecided cells count neither way";
  if (!needed.empty()) {
    std::ranges::sort(needed);
    const arma::uword median = needed[(needed.size() - 1) / 2];
    const auto decided = std::ranges::count_if(needed, [&](arma::uword runs) { return runs <= median; });
    line += "; about " + counted(median, "more run") + " would decide " + std::to_string(decided) + " of them";
    if (needed.back() > median)
      line += ", about " + std::to_string(needed.back()) + " all " + std::to_string(needed.size());
  }
  if (unknown > 0) line += "; for " + std::to_string(unknown) + " of them the runs at hand do not tell how many";
  if (never > 0) line += "; for " + std::to_string(never) + " of them more runs would not do";
  return line;
}

/// How the verdicts would be with the i-th further column in place of the measured one.
std::string count_line_beside(const std::string& title, std::vector<PaperCell> cells, std::size_t i) {
  for (PaperCell& cell : cells) cell.measured = cell.beside[i];
  PaperComparison comparison;
  for (const Judgement& judgement : judge(cells)) count(comparison, judgement.verdict, false);
  return "with " + title + ": " + count_line(comparison);
}

}  // namespace

PaperComparison compare_with_paper(const PaperOptions& options, const Published& published, const Frame& frame,
                                   const SymbolicCells& symbols, const std::string& name) {
  const std::vector<std::string> keys = key_columns(published, options.value);
  const std::vector<Column> columns = columns_of(options, keys);
  const std::vector<RecordRow> rows = frame.rows_without_grids();
  std::vector<RecordRow> grids;
  std::ranges::copy_if(frame.rows(), std::back_inserter(grids), &RecordRow::one_of_grid);
  const std::vector<PaperCell> cells = match_cells(options, published, rows, grids, symbols);

  PaperComparison comparison;
  Table& table = comparison.table;
  table.name = name;
  table.title = (options.title.empty() ? options.published : options.title) + ": published and measured";
  table.columns = columns;
  const std::vector<Judgement> judgements = judge(cells);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const PaperCell& cell = cells[i];
    std::vector<Cell> row;
    for (const std::string& key : keys) row.push_back(text_cell(cell.row->at(key)));
    row.push_back(published_cell(cell));
    row.push_back(value_cell(cell.measured.value, cell.measured_text));
    const Verdict verdict = judgements[i].verdict;
    if (const std::string why = what_is_lacking(cell); !why.empty()) row.back().note = footnote(table, why);
    for (const Measurement& beside : cell.beside) row.push_back(value_cell(beside.value, ""));
    for (Cell& distance : distance_cells(cell)) row.push_back(std::move(distance));
    for (Cell& spread : spread_cells(cell)) row.push_back(std::move(spread));
    row.push_back(number_cell(judgements[i].more ? static_cast<double>(judgements[i].more->runs) : nan));
    row.push_back(text_cell(rule_text(cell.rule)));
    row.push_back(text_cell(verdict_text(judgements[i])));
    if (verdict == Verdict::disagrees || verdict == Verdict::not_available)
      row.back().note = reason_for(options, *cell.row, table);
    count(comparison, verdict, row.back().note > 0);
    table.rows.push_back(std::move(row));
  }
  table.remarks.push_back(count_line(comparison));
  if (comparison.undecided > 0) table.remarks.push_back(more_runs_line(judgements));
  for (std::size_t i = 0; i < options.beside.size(); ++i)
    table.remarks.push_back(count_line_beside(options.beside[i].title, cells, i));
  return comparison;
}

}  // namespace elmx
