#include "published/paper.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/numbers.hpp"
#include "base/printable.hpp"
#include "published/verdicts.hpp"
#include "report/tables/speed_ups.hpp"

namespace elmx {
namespace {

/// Returns a number with readable digits, or the text of a symbolic cell. Only epochs can be infinite.
Cell value_cell(const std::optional<double>& value, const std::string& text) {
  if (value && std::isinf(*value)) return text_cell("not reached");
  if (!value && !text.empty()) return text_cell(text);
  const double x = value.value_or(nan);
  return number_cell(x, x != 0 && std::abs(x) < 1e-3 ? scientific(1) : significant(4));
}

/// Adds ratio and difference of measured and published (none if the published number encodes a rank, a mark
/// or a bound), the number of independent runs behind measured, and the interval of their mean.
void add_distance(const PaperCell& cell, std::vector<Cell>& row) {
  const std::string& rule = cell.rule.rule;
  double ratio = nan, difference = nan;
  if (cell.published && cell.measured.value && std::isfinite(*cell.measured.value) && rule != "rank" &&
      rule != "lowest" && rule != "diverges") {
    difference = *cell.measured.value - *cell.published;
    if (*cell.published != 0) ratio = *cell.measured.value / *cell.published;
  }
  const std::optional<Estimate> estimate = estimate_of(cell.measured);
  const Interval none{nan, nan}, interval = estimate ? interval_of(cell, *estimate).value_or(none) : none;
  row.insert(row.end(), {number_cell(ratio, significant(3)), number_cell(difference, scientific(1)),
                         number_cell(estimate ? static_cast<double>(estimate->runs) : nan),
                         number_cell(interval.low, significant(4)), number_cell(interval.high, significant(4))});
}

std::vector<Column> columns_of(const PaperOptions& options, const std::vector<std::string>& keys) {
  std::vector<Column> columns;
  for (const std::string& key : keys) columns.push_back({key, key, Worth::name});
  for (const char* name : {"published", "measured"}) columns.push_back({name, name, Worth::result});
  for (const PaperBeside& beside : options.beside) columns.push_back({beside.title, beside.title, Worth::rest});
  for (const auto& [name, heading] : {std::pair("ratio", "ratio"),
                                      {"difference", "difference"},
                                      {"runs", "runs"},
                                      {"low", "95 % from"},
                                      {"high", "to"},
                                      {"more_runs", "more runs"}})
    columns.push_back({name, heading, Worth::rest});
  columns.push_back({"verdict", "verdict", Worth::result});
  for (std::size_t i = 0; i < options.beside.size(); ++i) {
    const std::string& title = options.beside[i].title;
    if (!title.empty() && std::ranges::count(columns, title, &Column::heading) == 1) continue;
    throw ConfigError(fmt::format("/paper/beside/{}/title", i),
                      fmt::format("expected a heading that no other column has, found \"{}\"", title));
  }
  return columns;
}

/// Returns the footnote with the reason of a cell that is not met, 0 if no reason matches it.
std::size_t reason_for(const PaperOptions& options, const PublishedRow& row, Table& table) {
  for (const PaperReason& reason : options.reasons) {
    if (matches(reason.match, row, "/paper/reasons")) return footnote(table, reason.why);
  }
  return 0;
}

/// Returns the reason why a cell is not counted, "duplicate"; "" if it is counted.
std::string not_counted_as(const PaperOptions& options, const PublishedRow& row) {
  const auto found = std::ranges::find_if(
      options.not_counted, [&](const PaperNotCounted& one) { return matches(one.match, row, "/paper/not_counted"); });
  return found == options.not_counted.end() ? "" : found->as;
}

/// Returns a note on trials that the measured number leaves out, or on an earlier value that was higher.
std::string remark_on_measured(const PaperCell& cell) {
  const std::size_t failed = cell.measured.failed + cell.measured.broken, apart = times_apart(cell.measured);
  if (failed == 0 && apart > 0) return times_apart_text(apart);
  if (failed == 0) {
    const bool below = cell.rule.rule == "diverges" && cell.published && cell.measured.value < cell.published;
    const std::size_t reached = below ? trials_that_reach(cell.measured, *cell.published) : 0;
    return reached > 0 ? counted(reached, "trial") + " of it reached the published value earlier" : "";
  }
  const std::string text = counted(failed, "trial") + " of it failed";
  if (cell.measured.broken == 0) return text;
  return text + (cell.measured.failed == 0 ? ", none" : ", not all") + " by its numbers";
}

std::string count_line(const VerdictCounts& counts) {
  using enum Verdict;
  const std::size_t shown_alone = counts[shown], unmet = counts[disagrees] + counts[not_available],
                    judged = std::accumulate(counts.of.begin(), counts.of.end(), std::size_t{0}) - shown_alone;
  const std::string alone = fmt::format("{} shown without a verdict", shown_alone);
  if (judged == 0) return shown_alone > 0 ? alone : "no cell is counted";
  std::string line = fmt::format("agree: {} of {} cells; {} disagree", counts[agrees], judged, counts[disagrees]);
  if (counts[not_available] > 0) line += fmt::format(", {} NA", counts[not_available]);
  if (counts.explained > 0) {
    const bool both = counts[disagrees] > 0 && counts[not_available] > 0;
    line +=
        fmt::format(" ({}{} with a stated reason)", counts.explained, both ? fmt::format(" of these {}", unmet) : "");
  }
  for (const Verdict verdict : {level, consistent, contrary}) {
    if (counts[verdict] > 0) line += fmt::format(", {} {}", counts[verdict], to_string(verdict));
  }
  return line + (shown_alone > 0 ? "; " + alone : "");
}

/// Returns the number of open cells that more runs would decide, by the number of runs.
std::string more_runs_line(const std::vector<Judgement>& judgements) {
  std::vector<std::size_t> needed;
  std::size_t unknown = 0, never = 0, scaled_down = 0;
  for (const Judgement& one : judgements) {
    if (!is_open(one.verdict)) continue;
    if (*one.note != '\0')
      ++scaled_down;
    else if (!one.more)
      ++never;
    else if (one.more->at_least)
      ++unknown;
    else
      needed.push_back(one.more->runs);
  }
  std::string line = "consistent and contrary cells are not decided";
  if (!needed.empty()) {
    std::ranges::sort(needed);
    const std::size_t median = needed[(needed.size() - 1) / 2];
    const auto decided = std::ranges::upper_bound(needed, median) - needed.begin();
    line += fmt::format("; about {} would decide {} of them", counted(median, "more run"), decided);
    if (needed.back() > median) line += fmt::format(", about {} all {}", needed.back(), needed.size());
  }
  if (unknown > 0) line += fmt::format("; for {} of them the runs at hand do not tell how many", unknown);
  if (never > 0) line += fmt::format("; for {} of them more runs would not do", never);
  return line + (scaled_down > 0 ? fmt::format("; for {} of them the problem is scaled down", scaled_down) : "");
}

/// Returns "metric is m and nodes is 100 or 500"; "the same" for a value filled in from the column itself.
std::string condition_text(const Json& match) {
  std::vector<std::string> conditions;
  for (const auto& [column, value] : match.items()) {
    std::vector<std::string> values;
    for (const Json& one : value.is_array() ? value : Json::array({value})) {
      values.push_back(one.is_string() ? one.get<std::string>() : one.dump());
      if (values.back() == "{" + column + "}") values.back() = "the same";
    }
    conditions.push_back(fmt::format("{} is {}", column, fmt::join(values, " or ")));
  }
  return fmt::format("{}", fmt::join(conditions, " and "));
}

std::string predicate_of(const PaperRule& rule) {
  const std::string percent = show(100 * rule.tolerance), tolerance = show(rule.tolerance);
  const std::string ties = "values within " + show(100 * rule.ties) + " % of the larger one are level)";
  for (const auto& [name, text] :
       {std::pair<const char*, std::string>("relative", "within " + percent + " % of the published value (relative)"),
        {"absolute", "within " + tolerance + " of the published value (absolute)"},
        {"at_most_times", "if they are at most " + show(rule.factor) + " times the published value"},
        {"not_below", "if they are at least the published value less " + tolerance},
        {"order", "if the algorithms rank as published (" + ties},
        {"rank", "if the algorithms rank as published (rank 1 is the lowest value; measured " + ties},
        {"lowest", "if they are the lowest of their sweep (" + ties},
        {"diverges", "if a trial fails by its numbers, or reaches the published value in its course"},
        {"same_text", "if the text is the same"},
        {"absent", "if the run has no number either"}}) {
    if (rule.rule == name) return "agree " + text;
  }
  return "are shown without a verdict";
}

/// Returns the sentence on a rule; first: it is the first rule of its table.
std::string rule_text(const PaperRule& rule, bool first) {
  std::string text = rule.match.empty() ? (first ? "All cells" : "All other cells") : first ? "Cells" : "Other cells";
  if (!rule.match.empty()) text += " where " + condition_text(rule.match);
  text += " " + predicate_of(rule);
  if (!rule.relative_to.empty())
    text += ", published and measured relative to the cell where " + condition_text(rule.relative_to);
  if (rule.scale == 0.01) return text + "; they are published in percent and shown as fractions.";
  return text + (rule.scale == 1 ? "." : "; published values are shown times " + show(rule.scale) + ".");
}

}  // namespace

std::vector<std::string> paper_notes(const PaperOptions& options, const Published& published) {
  std::set<const PaperRule*> used;
  for (const PublishedRow& row : published.rows) {
    if (matches(options.where, row, "/paper/where")) used.insert(rule_for(options, row));
  }
  std::vector<std::string> notes;
  for (const PaperRule& rule : options.rules) {
    if (used.contains(&rule)) notes.push_back(rule_text(rule, notes.empty()));
  }
  if (const Json& which = options.scaled_down; which != false) {
    const std::string cells = which.is_object() ? "Cells where " + condition_text(which) : "All cells";
    notes.push_back(cells + " are of a problem that is scaled down, and neither agree nor disagree.");
  }
  const PaperDeviations& d = options.deviations;
  for (const auto& [kind, sentences] : {std::pair("scale", d.scale), {"data", d.data}, {"settings", d.settings}}) {
    for (const std::string& sentence : sentences)
      notes.push_back(fmt::format("Deviation from the paper ({}): {}", kind, sentence));
  }
  return notes;
}

PaperComparison compare_with_paper(const PaperOptions& options, const Published& published, const Frame& frame,
                                   const SymbolicCells& symbols, const std::string& name) {
  std::vector<std::string> keys = published.columns;
  std::erase(keys, options.value);
  std::vector<RecordRow> rows = without_grids(frame.rows());
  std::ranges::move(rows_over_settings(rows, options.mean_over), std::back_inserter(rows));

  PaperComparison comparison;
  Table& table = comparison.table;
  table.name = name;
  table.title = options.title_or_file() + ": published and measured";
  table.columns = columns_of(options, keys);
  const std::vector<PaperCell> cells = match_cells(options, published, rows, symbols);
  const std::vector<Judgement> judgements = judge(cells);
  std::vector<Judgement> counted_ones;
  std::map<std::string, std::size_t> not_counted;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const PaperCell& cell = cells[i];
    const Judgement& judgement = judgements[i];
    std::vector<Cell>& row = table.rows.emplace_back();
    for (const std::string& key : keys) row.push_back(text_cell(cell.row->at(key)));
    const bool rank = cell.published && cell.rule.rule == "rank";
    row.push_back(rank ? text_cell("rank " + show(*cell.published)) : value_cell(cell.published, cell.published_text));
    row.push_back(value_cell(cell.measured.value, cell.measured_text));
    if (const std::string why = remark_on_measured(cell); !why.empty()) row.back().note = footnote(table, why);
    for (const Measurement& beside : cell.beside) row.push_back(value_cell(beside.value, ""));
    add_distance(cell, row);
    row.push_back(number_cell(judgement.more ? static_cast<double>(judgement.more->runs) : nan));
    const std::string as = not_counted_as(options, *cell.row);
    const bool counts = as.empty() || judgement.verdict == Verdict::shown;
    row.push_back(text_cell(verdict_text(judgement) + (counts ? "" : ", " + std::string(kNotCounted) + as)));
    if (is_unmet(judgement.verdict)) row.back().note = reason_for(options, *cell.row, table);
    if (counts) {
      comparison.add(judgement.verdict, row.back().note > 0);
      counted_ones.push_back(judgement);
    } else {
      ++not_counted[as];
    }
  }
  table.remarks.push_back(count_line(comparison));
  if (comparison[Verdict::consistent] + comparison[Verdict::contrary] > 0)
    table.remarks.push_back(more_runs_line(counted_ones));
  for (std::size_t i = 0; i < options.beside.size(); ++i) {  // with this column instead of the measured one
    std::vector<PaperCell> others = cells;
    for (PaperCell& cell : others) cell.measured = cell.beside[i];
    VerdictCounts counts;
    const std::vector<Judgement> of_others = judge(others);
    for (std::size_t j = 0; j < others.size(); ++j) {
      if (not_counted_as(options, *others[j].row).empty()) counts.add(of_others[j].verdict, false);
    }
    table.remarks.push_back("with " + options.beside[i].title + ": " + count_line(counts));
  }
  for (const auto& [as, number] : not_counted)
    table.remarks.push_back(fmt::format("not counted: {} ({})", counted(number, "cell"), as));
  for (std::string& note : paper_notes(options, published)) table.remarks.push_back(std::move(note));
  comparison.claims = judge_claims(options, cells, judgements, name + "_claims");
  return comparison;
}

std::vector<Record> sizes_of_data(const Plan& plan) {
  std::vector<Record> records;
  for (const PlannedCase& planned : plan.cases) {
    Record& record = records.emplace_back();
    record.experiment_case = planned.spec().name;
    record.dataset = planned.data->name;
    record.algorithm = "standard";
    record.steps.emplace_back().metrics = {{"features", static_cast<double>(planned.sizes.inputs)},
                                           {"train_samples", static_cast<double>(planned.sizes.train)},
                                           {"test_samples", static_cast<double>(planned.sizes.test)}};
  }
  return records;
}

}  // namespace elmx
