#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>

#include "base/numbers.hpp"
#include "base/printable.hpp"
#include "metrics/formulas.hpp"
#include "report/frame/quantities.hpp"
#include "report/frame/row_keys.hpp"
#include "report/tables/methods.hpp"
#include "report/tables/tables.hpp"

namespace elmx {
namespace {

/// One data set of a comparison, and the comparison of the best method there with each other method.
struct DataSetSummary {
  MethodComparison& comparison;
  std::size_t index;
  Standing standing = standing_in(comparison, index);
  /// differences of other methods to the best, in the order of the standing; higher: worse; Holm's p
  std::vector<PairedDifference> behind = {};
  const PairedTest* test = nullptr;

  std::size_t size() const { return standing.order.size(); }
  const ComparedSide& side(std::size_t place) const { return comparison.sides[standing.order[place]]; }
  const RecordRow& row(std::size_t place) const { return side(place).rows[index]; }
  const std::string& name() const { return row(0).dataset; }
  const Quantity& metric() const { return comparison.metrics[0]; }
  bool lower_is_better() const { return metric().better == Better::lower; }
  Summary value(std::size_t place) const { return summary_of(row(place), metric().name); }
  bool has_test() const { return size() > 1 && value(1).n > 0; }
};

void test_against_best(const RunDescription& run, DataSetSummary& one) {
  MethodComparison& comparison = one.comparison;
  use_fitting_test(run, one.row(0), comparison);
  one.test = comparison.test;
  one.behind = by_holm(one.size() - 1, comparison.alpha, [&](std::size_t i, double level) {
    const RecordRow &best = one.row(0), &other = one.row(i + 1);
    return one.lower_is_better() ? comparison.difference(best, other, one.metric().name, level)
                                 : comparison.difference(other, best, one.metric().name, level);
  });
}

/// Returns "0.90 ± 0.01, at the best of 6 settings (nodes 20; 1 of 5 trials failed)"; `between` follows
/// the number.
std::string described(const DataSetSummary& one, std::size_t place, const std::string& between = "") {
  const std::vector<ComparedMethod>& methods = one.side(place).methods;
  const auto& [setting, count] = methods.front().settings[one.index];
  const bool alike = std::ranges::all_of(methods, [&](const ComparedMethod& method) {
    return method.settings[one.index] == methods.front().settings[one.index];
  });
  const RecordRow& row = one.row(place);
  std::string text = plain_text(summary_cell(row, one.metric().name, one.metric().display)) + between;
  if (!alike) text += ", each at its own setting";
  if (alike && count == 0) text += ", at the best setting";
  if (alike && count > 1) text += fmt::format(", at the best of {} settings", count);
  std::vector<std::string> brackets;
  if (alike && !setting.empty()) brackets.push_back(setting);
  if (row.failed() > 0)
    brackets.push_back(fmt::format("{} of {} failed", row.failed(), counted(row.trials(), "trial")));
  return brackets.empty() ? text : fmt::format("{} ({})", text, fmt::join(brackets, "; "));
}

/// Returns the sentences on a data set on which no two methods have a number.
std::string only_one(const DataSetSummary& one) {
  if (one.value(0).n == 0) return one.name() + ": no trial succeeded.";
  const bool joined = one.side(0).methods.size() > 1;
  return fmt::format("{}: {} {} {} of {}. {}", one.name(), one.side(0).name, joined ? "have the same" : "has a",
                     one.metric().label, described(one, 0, " over " + counted(one.row(0).steps.size(), "trial")),
                     one.size() > 1 ? "Every other method failed, so there is nothing to test."
                     : joined ? "They agree to the digits shown in every trial, so there is no difference to test."
                              : "There is no other method to test it against.");
}

/// Returns the result of the test of the best method against the next.
std::string verdict(const DataSetSummary& one) {
  const auto& [a, b, all, interval, finding] = one.behind[0];
  if (all.n == 1) return "That is one trial of each, too few to test.";
  const auto tested =
      std::ranges::count_if(one.behind, [](const PairedDifference& other) { return !std::isnan(other.finding.p); });
  const std::string by = fmt::format("({}, p = {}{}).", one.test->doc, show(finding.p, significant(2)),
                                     tested > 1 ? fmt::format(" by Holm over {} comparisons", tested) : "");
  switch (finding.decision) {
    case Decision::not_available:
      return "They have no trial in common, so nothing can be tested.";
    case Decision::same:
      return "They are the same in every trial.";
    case Decision::cannot_decide:
      return "The trials are too few to test it. " + finding.why + ".";
    case Decision::not_significant:
      return "The difference is not significant " + by;
    case Decision::higher:
      return "The difference is significant " + by;
    default:
      return "But trial by trial the test finds " + one.side(1).name + " to be better " + by;
  }
}

/// Returns the difference, ", which is 3.0 higher (95 % interval 0.055 to 5.9)".
std::string difference_text(const DataSetSummary& one) {
  const PairedDifference& next = one.behind[0];
  if (next.all.n == 0) return "";
  const bool is_behind = next.all.mean > 0;
  std::string text = fmt::format(", which is {} {}", show(std::abs(next.all.mean), significant(2)),
                                 is_behind == one.lower_is_better() ? "higher" : "lower");
  if (next.all.n < one.value(0).n || next.all.n < one.value(1).n)
    text += " over " + counted(next.all.n, "common trial");
  if (next.interval)
    text += fmt::format(" (95 % interval {} to {})",
                        show(is_behind ? next.interval->low : -next.interval->high, significant(2)),
                        show(is_behind ? next.interval->high : -next.interval->low, significant(2)));
  return text;
}

std::string best_and_next(const DataSetSummary& one) {
  const ComparedSide &best = one.side(0), &next = one.side(1);
  const bool shared = one.standing.first > 1;
  std::vector<std::string> first;
  for (std::size_t i = 0; i < one.standing.first; ++i) first.push_back(one.side(i).name);
  return fmt::format("{}: {} {} the {} {}{}, {}. {} {}", one.name(), enumerated(first),
                     shared                    ? "share"
                     : best.methods.size() > 1 ? "have"
                                               : "has",
                     one.lower_is_better() ? "lowest" : "highest", one.metric().label,
                     one.standing.behind_by_fails ? " of the methods without a failed trial" : "",
                     shared ? show(one.value(0).mean, one.metric().display) + " in the mean" : described(one, 0),
                     shared ? best.name + " and " + next.name + ":"
                            : "Next is " + next.name + " with " + described(one, 1) + difference_text(one) + ".",
                     verdict(one));
}

/// Returns the number of data sets on which each method is best, and on how many of these significantly.
std::string counts_text(const std::vector<DataSetSummary>& all) {
  std::vector<std::string> names, sentences;
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts;
  std::size_t shared = 0, behind = 0;
  for (const DataSetSummary& one : all) {
    behind += one.standing.behind_by_fails;
    shared += one.standing.first > 1;
    if (one.standing.first > 1) continue;
    add_missing(names, {one.side(0).name});
    auto& [best, significantly] = counts[one.side(0).name];
    ++best;
    significantly += !one.behind.empty() && one.behind[0].finding.decision == Decision::higher;
  }
  std::ranges::stable_sort(names, [&](const auto& a, const auto& b) { return counts[a].first > counts[b].first; });
  for (std::string& name : names)
    name += fmt::format(" is best on {}, significantly on {}", counted(counts[name].first, "data set"),
                        counts[name].second);
  if (!names.empty()) sentences.push_back(fmt::format("{}.", fmt::join(names, "; ")));
  if (shared > 0)
    sentences.push_back(fmt::format("On {} several methods share the first place.", counted(shared, "data set")));
  if (behind > 0)
    sentences.push_back(fmt::format("On {} a method with failed trials, which comes last, has the better mean.",
                                    counted(behind, "data set")));
  return fmt::format("{}", fmt::join(sentences, " "));
}

/// Appends the difference of a method to the best, and the result of the test.
void append_test(const DataSetSummary& one, std::size_t place, std::vector<Cell>& cells, Table& table) {
  PairedDifference to_best{{}, {}, {place == 0 ? 0 : nan, 0, 0}, {}, {Decision::not_available, nan, ""}};
  Cell says = text_cell(one.value(place).n > 0 ? "best" : "-");
  if (place > 0 && !one.behind.empty()) {
    to_best = one.behind[place - 1];
    says = finding_cell(to_best.finding, table, Better::lower);
  }
  cells.push_back(number_cell(to_best.all.mean, significant(2)));
  append_interval(cells, to_best.interval, significant(2));
  cells.insert(cells.end(), {number_cell(to_best.finding.p, significant(2)), std::move(says)});
}

/// Returns true if accuracy would reward a model that always predicts the largest class.
bool tests_unbalanced_classes(const DataSetSummary& one) {
  return is_unbalanced(arma::sum(pooled_confusion(one.row(0).steps).C, 1));
}

/// Returns the table of every method against the best of its data set.
Table table_of(const std::vector<DataSetSummary>& all, const std::string& repeated) {
  const Quantity& metric = all[0].metric();
  const bool several = all.size() > 1, tested = std::ranges::any_of(all, &DataSetSummary::has_test);
  Table table{"answer", metric.heading};
  if (tested) table.title = several ? "Every method against the best of its data set" : "Every method against the best";
  if (several) table.columns.push_back({"dataset", "dataset"});
  table.columns.push_back({"method", "method"});
  table.columns.push_back({metric.name, metric.heading, Worth::result});
  // Unbalanced classes are shown with both accuracies.
  std::optional<Quantity> other;
  if (metric.name == "test_bac") other = quantity_of("test_acc");
  if (metric.name == "test_acc" && std::ranges::any_of(all, tests_unbalanced_classes)) other = quantity_of("test_bac");
  if (other) table.columns.push_back({other->name, other->heading, Worth::result});
  if (tested) {
    table.columns.insert(table.columns.end(), {{"behind", "behind the best", Worth::result},
                                               {"low", "95 % from", Worth::detail},
                                               {"high", "to", Worth::detail},
                                               {"p", "p", Worth::result},
                                               {"is", "the test says", Worth::result}});
  }
  table.columns.push_back({"setting", "setting", Worth::setting});
  add_remark(table, repeated);
  for (const DataSetSummary& one : all) {
    for (std::size_t place = 0; place < one.size(); ++place) {
      const ComparedSide& side = one.side(place);
      for (const ComparedMethod& method : side.methods) {
        std::vector<Cell> cells;
        if (several) cells.push_back(text_cell(one.name()));
        cells.push_back(text_cell(method.name));
        cells.push_back(score_cell(one.row(place), metric, place < one.standing.first, table));
        if (other) cells.push_back(summary_cell(one.row(place), other->name, other->display));
        if (tested) append_test(one, place, cells, table);
        cells.push_back(text_cell(method.settings[one.index].text));
        table.rows.push_back(std::move(cells));
      }
      if (metric.in_target_units) add_remark(table, units_text(one.row(place)));
      if (side.methods.size() > 1)
        add_remark(table, "Equal to the digits shown in every trial, and one method for the tests: " + side.name + ".");
    }
    if (!one.behind.empty())
      add_remark(table, fmt::format("p: {}, by Holm over the comparisons of a data set; each interval is of one "
                                    "comparison alone.",
                                    one.test->doc));
  }
  for (const DataSetSummary& one : all) remark_on_settings(one.comparison.sides, table);
  return table;
}

/// Summarises comparisons by one metric: one over several data sets, or one per data set.
void summarise(std::span<MethodComparison> comparisons, const std::string& repeated, const RunDescription& run,
               RunSummary& summary) {
  std::vector<DataSetSummary> all;
  for (MethodComparison& comparison : comparisons) {
    join_alike(comparison);
    put_in_order(standing_in(comparison, 0).order, comparison);  // ranking of the first data set
    for (std::size_t i = 0; i < comparison.rows.size(); ++i) all.push_back({comparison, i});
  }
  for (DataSetSummary& one : all) {
    if (one.has_test()) test_against_best(run, one);
  }
  Table table = table_of(all, repeated);
  if (comparisons[0].rows.size() < 2 || comparisons[0].sides.size() < 2) {
    for (const DataSetSummary& one : all)
      summary.sentences.push_back(one.has_test() ? best_and_next(one) : only_one(one));
    summary.tables.push_back(std::move(table));
    return;
  }
  MethodRanks ranks = ranks_in_summary(comparisons[0]);
  summary.sentences.push_back(ranks.sentence);
  summary.sentences.push_back(counts_text(all));
  for (const std::string& remark : table.remarks) {
    if (!remark.starts_with("p:")) add_remark(ranks.scores, remark);
  }
  summary.tables.push_back(std::move(ranks.scores));
  summary.further.push_back(std::move(table));
}

}  // namespace

RunSummary summary_of_methods(const Frame& frame) {
  std::map<std::string, bool> balanced;  // by data set
  for (const RecordRow& row : frame.rows()) {
    if (!balanced.contains(row.dataset))
      balanced[row.dataset] = judges_by_balanced_accuracy(frame.run(), frame.rows(), row.dataset);
  }
  RunSummary summary;
  for (const bool wanted : {true, false}) {
    std::vector<RecordRow> rows = frame.rows();
    std::erase_if(rows, [&](const RecordRow& row) { return balanced[row.dataset] != wanted; });
    std::vector<MethodComparison> all = methods_of(rows, nullptr, {wanted ? "test_bac" : "test_acc", "test_rmse"});
    for (auto first = all.begin(); first != all.end();) {
      const std::string& metric = first->metrics[0].name;
      const auto last = std::find_if(first, all.end(), [&](const auto& one) { return one.metrics[0].name != metric; });
      summarise({first, last}, repeated_text(frame.rows()), frame.run(), summary);
      first = last;
    }
  }
  return summary;
}

}  // namespace elmx
