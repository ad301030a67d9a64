#include "tables/summary_of_methods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/nan.hpp"
#include "base/printable.hpp"
#include "results/row_keys.hpp"
#include "tables/method_ranks.hpp"

namespace elmx {
namespace {

/// One data set of a comparison, and the best method there against each other one.
struct DataSetSummary {
  MethodComparison& comparison;
  std::size_t index;
  Standing standing = standing_in(comparison, index);
  std::vector<PairedDifference> leads = {};  ///< other less best, in the order of the standing; p by Holm
  const PairedTest* test = nullptr;          ///< of the leads
  std::size_t tested = 0;                    ///< how many of these have a p, which Holm's correction is over

  std::size_t size() const { return standing.order.size(); }
  const ComparedSide& side(std::size_t place) const { return comparison.sides[standing.order[place]]; }
  const RecordRow& row(std::size_t place) const { return side(place).rows[index]; }
  const MethodSetting& setting(std::size_t place) const { return side(place).settings[index]; }
  const Quantity& metric() const { return comparison.metrics[0]; }
  bool lower_is_better() const { return metric().better == Better::lower; }
  Summary value(std::size_t place) const { return summary_of(row(place), metric().name); }
  bool tests() const { return size() > 1 && value(1).n > 0; }
};

/// The corrected t-test where the split of the run allows it, else Wilcoxon's.
const PairedTest& test_for(const RecordRow& row, const RunDescription& run) {
  try {
    test_over_train(run, row);
    return find_paired_test("corrected_t");
  } catch (const ConfigError&) {
    return paired_tests().front();
  }
}

void find_leads(DataSetSummary& one, const RunDescription& run) {
  MethodComparison& comparison = one.comparison;
  comparison.test = one.test = &test_for(one.row(0), run);
  comparison.test_over_train = [&run](const RecordRow& row) { return test_over_train(run, row); };
  const auto leads_at = [&](double level) {
    std::vector<PairedDifference> leads;
    for (std::size_t i = 1; i < one.size(); ++i)
      leads.push_back(comparison.difference(one.row(0), one.row(i), one.metric().name, level));
    return leads;
  };
  one.leads = leads_at(comparison.alpha);
  std::vector<double> p;
  for (const PairedDifference& lead : one.leads) p.push_back(lead.finding.p);
  one.tested = static_cast<std::size_t>(std::ranges::count_if(p, [](double value) { return !std::isnan(value); }));
  // Holm's first step takes level / tested: where no comparison can have so small a p, none can be significant.
  if (one.tested > 1) {
    const auto strict = leads_at(comparison.alpha / static_cast<double>(one.tested));
    const bool open = std::ranges::none_of(strict, [](const PairedDifference& lead) {
      return lead.finding.decided() || lead.finding.decision == Decision::not_significant;
    });
    for (std::size_t i = 0; open && i < strict.size(); ++i) one.leads[i].finding = strict[i].finding;
  }
  const std::vector<double> adjusted = holm(p);
  for (std::size_t i = 0; i < adjusted.size(); ++i) {
    Finding& finding = one.leads[i].finding;
    finding.p = adjusted[i];
    if (finding.decided() && finding.p > comparison.alpha) finding.decision = Decision::not_significant;
  }
}

/// Whether the other method is worse by the test: on the trials that both have it may be better.
bool significant_lead(const DataSetSummary& one, std::size_t lead) {
  return one.leads[lead].finding.decision == (one.lower_is_better() ? Decision::higher : Decision::lower);
}

/// "0.90 ± 0.01, at the best of its 6 settings (nodes 20; 1 of 5 trials failed)"; `between` stands after the number.
std::string described(const DataSetSummary& one, std::size_t place, const std::string& between = "") {
  const auto& [text, count] = one.setting(place);
  const RecordRow& row = one.row(place);
  std::string result =
      plain_text(spread_cell(one.value(place).mean, one.value(place).sd, one.metric().display)) + between;
  if (count != 1)
    result += fmt::format(", at the best of {}{}settings", one.side(place).methods.size() > 1 ? "their " : "its ",
                          count == MethodSetting::kUnknown ? "" : std::to_string(count) + " ");
  const std::string lost =
      row.failed() == 0 ? "" : fmt::format("{} of {} failed", row.failed(), counted(row.trials(), "trial"));
  const std::string brackets = text + (text.empty() || lost.empty() ? "" : "; ") + lost;
  return result + (brackets.empty() ? "" : " (" + brackets + ")");
}

/// Of a data set on which no two methods have a number.
std::string only_one(const DataSetSummary& one) {
  if (one.value(0).n == 0) return one.row(0).dataset + ": no trial succeeded.";
  const bool joined = one.side(0).methods.size() > 1;
  return fmt::format("{}: {} {} {} of {}. {}", one.row(0).dataset, one.side(0).name, joined ? "have the same" : "has a",
                     one.metric().label, described(one, 0, " over " + counted(one.row(0).steps.size(), "trial")),
                     one.size() > 1 ? "Every other method failed, so there is nothing to test."
                     : joined ? "They agree to the digits shown in every trial, so there is no difference to test."
                              : "There is no other method to test it against.");
}

/// What the test says of the best and the next.
std::string verdict(const DataSetSummary& one) {
  const auto& [a, b, all, interval, finding] = one.leads[0];
  if (all.n == 1) return "That is one trial of each, too few to test.";
  const std::string by = fmt::format("{}, p = {}{}", one.test->doc, show(finding.p, significant(2)),
                                     one.tested > 1 ? fmt::format(" by Holm over {} comparisons", one.tested) : "");
  switch (finding.decision) {
    case Decision::not_available:
      return "They have no trial in common, so nothing can be tested.";
    case Decision::same:
      return "They are the same in every trial.";
    case Decision::cannot_decide:
      return "The trials are too few to test it. " + finding.why + ".";
    case Decision::not_significant:
      return "The difference is not significant (" + by + ").";
    default:
      return significant_lead(one, 0)
                 ? "The difference is significant (" + by + ")."
                 : "But trial by trial the test finds " + one.side(1).name + " to be better (" + by + ").";
  }
}

/// ", which is 3.0 more (95 % interval 0.055 to 5.9)"
std::string difference_text(const PairedDifference& lead) {
  if (lead.all.n == 0) return "";
  const bool more = lead.all.mean > 0;
  std::string text =
      fmt::format(", which is {} {}", show(std::abs(lead.all.mean), significant(2)), more ? "more" : "less");
  if (lead.interval)
    text +=
        fmt::format(" (95 % interval {} to {})", show(more ? lead.interval->low : -lead.interval->high, significant(2)),
                    show(more ? lead.interval->high : -lead.interval->low, significant(2)));
  return text;
}

std::string best_and_next(const DataSetSummary& one) {
  const ComparedSide &best = one.side(0), &next = one.side(1);
  const std::string what = (one.lower_is_better() ? "lowest " : "highest ") + one.metric().label;
  if (one.standing.first > 1) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < one.standing.first; ++i) names.push_back(one.side(i).name);
    return fmt::format("{}: {} share the {}, {}. {} and {}: {}", one.row(0).dataset, enumerated(names), what,
                       described(one, 0), best.name, next.name, verdict(one));
  }
  return fmt::format("{}: {} {} the {}{}{}. Next {} {} with {}{}. {}", one.row(0).dataset, best.name,
                     best.methods.size() > 1 ? "have" : "has", what,
                     one.standing.behind_by_fails ? " of the methods without a failed trial, " : ", ",
                     described(one, 0), next.methods.size() > 1 ? "are" : "is", next.name, described(one, 1),
                     difference_text(one.leads[0]), verdict(one));
}

/// On how many data sets each method is best, and on how many of these significantly.
std::string counts_text(const std::vector<DataSetSummary>& all) {
  std::vector<std::string> names, parts;
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts;
  std::size_t shared = 0, behind = 0;
  const char* test = nullptr;
  for (const DataSetSummary& one : all) {
    behind += one.standing.behind_by_fails;
    if (test == nullptr && !one.leads.empty()) test = one.test->doc;
    if (one.standing.first > 1) {
      ++shared;
      continue;
    }
    add_missing(names, {one.side(0).name});
    auto& [best, significantly] = counts[one.side(0).name];
    ++best;
    significantly += !one.leads.empty() && significant_lead(one, 0);
  }
  std::ranges::stable_sort(names, [&](const auto& a, const auto& b) { return counts[a].first > counts[b].first; });
  for (const std::string& name : names) {
    const auto& [best, significantly] = counts[name];
    parts.push_back(fmt::format("{} on {}, significantly on {}", name, best,
                                significantly == 0 ? "none" : std::to_string(significantly)));
  }
  std::string text;
  if (!parts.empty())
    text = fmt::format("Best is {}{}.", fmt::join(parts, "; "),
                       test == nullptr ? "" : fmt::format(" ({} against the next)", test));
  if (shared > 0) text += fmt::format("{}On {} several share the first place.", text.empty() ? "" : " ", shared);
  if (behind > 0)
    text += fmt::format(" On {} a method with failed trials, which comes last, has the better mean.", behind);
  return text;
}

Table leads_table(const Quantity& metric, bool several, bool tested) {
  const std::string title = !tested   ? metric.heading
                            : several ? "Every method against the best of its data set"
                                      : "Every method against the best";
  Table table{"answer", title, {}, {}, {}, {}};
  if (several) table.columns.push_back({"dataset", "dataset"});
  table.columns.push_back({"method", "method"});
  table.columns.push_back({metric.name, metric.heading, Worth::result});
  if (tested) {
    table.columns.insert(table.columns.end(), {{"behind", "behind the best", Worth::result},
                                               {"low", "95 % from", Worth::detail},
                                               {"high", "to", Worth::detail},
                                               {"p", "p", Worth::result},
                                               {"is", "the test says", Worth::result}});
  }
  table.columns.push_back({"setting", "setting", Worth::setting});
  return table;
}

/// What a method is behind the best by, and what the test says of it.
void append_lead(const DataSetSummary& one, std::size_t place, std::vector<Cell>& cells, Table& table) {
  if (place == 0 || one.leads.empty()) {
    for (const double value : {place == 0 ? 0.0 : nan, nan, nan, nan})
      cells.push_back(number_cell(value, significant(2)));
    cells.push_back(text_cell(one.value(place).n > 0 ? "best" : "-"));
    return;
  }
  const auto& [a, b, all, interval, finding] = one.leads[place - 1];
  const bool lower = one.lower_is_better();
  for (const double value : {lower ? all.mean : -all.mean,
                             !interval ? nan
                             : lower   ? interval->low
                                       : -interval->high,
                             !interval ? nan
                             : lower   ? interval->high
                                       : -interval->low,
                             finding.p})
    cells.push_back(number_cell(value, significant(2)));
  cells.push_back(text_cell(significant_lead(one, place - 1) ? "worse"
                            : finding.decided()              ? "better"
                                                             : to_string(finding.decision)));
  if (!finding.why.empty()) cells.back().note = footnote(table, finding.why);
}

void append_leads(const DataSetSummary& one, bool several, bool tested, Table& table) {
  for (std::size_t place = 0; place < one.size(); ++place) {
    const std::vector<std::string>& methods = one.side(place).methods;
    for (const std::string& method : methods) {
      std::vector<Cell> cells;
      if (several) cells.push_back(text_cell(one.row(place).dataset));
      cells.push_back(text_cell(method));
      cells.push_back(score_cell(one.row(place), one.metric(), place < one.standing.first, table));
      if (tested) append_lead(one, place, cells, table);
      cells.push_back(text_cell(one.setting(place).text));
      table.rows.push_back(std::move(cells));
    }
    if (methods.size() > 1)
      add_remark(table, "Equal to the digits shown in every trial, and one method for the tests: " +
                            one.side(place).name + ".");
  }
  if (!one.leads.empty())
    add_remark(table, fmt::format("p: {}, by Holm over the comparisons of a data set; each interval is of one "
                                  "comparison alone.",
                                  one.test->doc));
}

/// Of comparisons by one metric: one over several data sets, or one a data set.
void summarise(std::span<MethodComparison> comparisons, const std::string& repeated, const RunDescription& run,
               RunSummary& summary) {
  std::vector<DataSetSummary> all;
  for (MethodComparison& comparison : comparisons) {
    join_alike(comparison);
    put_in_order(standing_in(comparison, 0).order, comparison);  // columns as the first data set ranks them
    for (std::size_t i = 0; i < comparison.rows.size(); ++i) all.push_back({comparison, i});
  }
  const bool several = all.size() > 1, tested = std::ranges::any_of(all, &DataSetSummary::tests);
  const bool ranked = comparisons[0].rows.size() > 1 && comparisons[0].sides.size() > 1;
  Table table = leads_table(all[0].metric(), several, tested);
  add_remark(table, repeated);
  for (DataSetSummary& one : all) {
    const bool two = one.tests();
    if (two) find_leads(one, run);
    append_leads(one, several, tested, table);
    if (!ranked) summary.sentences.push_back(two ? best_and_next(one) : only_one(one));
  }
  const bool optimistic = std::ranges::any_of(comparisons, [](const MethodComparison& comparison) {
    return std::ranges::any_of(comparison.sides, [](const ComparedSide& side) {
      return std::ranges::any_of(side.settings, [](const MethodSetting& setting) { return setting.count > 1; });
    });
  });
  if (optimistic) add_remark(table, kBestOfSettings);
  if (!ranked) {
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
  std::vector<MethodComparison> all = methods_of(frame.rows());
  RunSummary summary;
  const auto middle =
      std::ranges::find_if(all, [](const MethodComparison& one) { return one.metrics[0].name != "test_acc"; });
  for (const auto& [first, last] : {std::pair(all.begin(), middle), std::pair(middle, all.end())}) {
    if (first != last) summarise({first, last}, repeated_text(frame.rows()), frame.run(), summary);
  }
  return summary;
}

}  // namespace elmx
