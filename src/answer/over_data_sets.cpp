#include "answer/over_data_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/printable.hpp"
#include "results/row_keys.hpp"
#include "statistics/ties.hpp"
#include "tables/data_set_tables.hpp"

namespace elmx {
namespace {

/// Rows under the name of their contest, for what goes by data sets.
struct Sides {
  std::vector<std::string> names;
  std::vector<std::vector<RecordRow>> rows;  ///< of each contest, one a name
};

Sides sides_of(const std::vector<Contest>& contests) {
  Sides sides;
  for (const Contest& contest : contests) {
    for (const Entrant& entrant : contest.entrants) add_missing(sides.names, {entrant.name});
  }
  for (const Contest& contest : contests) {
    sides.rows.emplace_back();
    for (const std::string& name : sides.names) {
      RecordRow row = std::ranges::find(contest.entrants, name, &Entrant::name)->row;
      row.dataset = contest.data_set;
      sides.rows.back().push_back(std::move(row));
    }
  }
  return sides;
}

Comparison comparison_of(const Sides& sides) {
  Comparison comparison{{}, {}, &find_paired_test("wilcoxon"), kLevel, {}};
  for (const std::string& name : sides.names) comparison.sides.push_back({name, {}});
  for (const std::vector<RecordRow>& rows : sides.rows) {
    comparison.rows.emplace_back();
    for (const RecordRow& row : rows) comparison.rows.back().push_back(&row);
  }
  return comparison;
}

/// Sides by their mean ranks.
std::vector<std::size_t> ranking(const RanksOfSides& ranks) {
  const arma::uvec order = arma::stable_sort_index(ranks.friedman.ranks.t());
  return {order.begin(), order.end()};
}

std::string rank_text(double rank) { return show(rank, fixed_point(2)); }

/// "a and b, a and c"; "" where no two differ.
std::string far_apart(const Sides& sides, const RanksOfSides& ranks, const std::vector<std::size_t>& order) {
  std::string text;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      if (ranks.friedman.ranks(order[j]) - ranks.friedman.ranks(order[i]) < ranks.critical_difference) continue;
      text += (text.empty() ? "" : ", ") + ("\"" + sides.names[order[i]] + "\" and \"" + sides.names[order[j]] + "\"");
    }
  }
  return text;
}

std::string friedman_text(const Sides& sides, const RanksOfSides& ranks, const std::vector<std::size_t>& order) {
  const std::size_t k = sides.names.size();
  if (ranks.friedman.smallest_p > kLevel)
    return "Friedman's test cannot decide: " + std::to_string(k) + " methods need at least " +
           std::to_string(data_sets_needed(k, kLevel)) + " data sets for p <= " + shown_level(kLevel) + ".";
  const std::string p = "p = " + show(ranks.friedman.p, significant(2));
  if (ranks.friedman.p > kLevel) return "Friedman's test finds no difference of the methods (" + p + ").";
  const std::string apart = far_apart(sides, ranks, order);
  return "Friedman's test finds that the methods differ (" + p +
         "); by Nemenyi's test, with a critical difference of " + rank_text(ranks.critical_difference) + ", " +
         (apart.empty() ? "no two of them do." : "these do: " + apart + ".");
}

std::string wilcoxon_text(const Comparison& comparison, const Quantity& metric) {
  const PairOfSides pair = pairs_of_sides(comparison, metric)[0];
  if (!pair.finding.why.empty()) return "Wilcoxon's test over the data sets cannot decide. " + pair.finding.why + ".";
  if (pair.finding.decision == Decision::same) return "They are the same on every data set.";
  return std::string("Over the data sets the difference is ") +
         (pair.finding.decision == Decision::not_significant ? "not significant" : "significant") +
         " (Wilcoxon's signed-rank test, p = " + show(pair.finding.p, significant(2)) + ").";
}

std::string ranks_text(const Sides& sides, const RanksOfSides& ranks, const std::vector<std::size_t>& order,
                       const Quantity& metric) {
  const auto rank = [&](std::size_t i) { return ranks.friedman.ranks(order[i]); };
  std::string text = "Over " + counted(ranks.data_sets, "data set") + " ";
  std::size_t first = 1;
  while (first < order.size() && equal_but_for_rounding(rank(first), rank(0))) ++first;
  for (std::size_t i = 0; i < first; ++i)
    text += (i == 0 ? "" : i + 1 == first ? " and " : ", ") + sides.names[order[i]];
  text += (first > 1 ? " share the best mean rank in " : " has the best mean rank in ") + metric.label + ", " +
          rank_text(rank(0));
  for (std::size_t i = first; i < order.size(); ++i)
    text += (i == first ? "; then " : ", ") + sides.names[order[i]] + " " + rank_text(rank(i));
  return text + ".";
}

/// On how many data sets each method is best, and on how many of these significantly.
std::string counts_text(const std::vector<Contest>& contests, const std::vector<Leads>& leads) {
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts;
  std::vector<std::string> names;
  std::size_t shared = 0;
  for (std::size_t i = 0; i < contests.size(); ++i) {
    if (contests[i].first > 1) {
      ++shared;
      continue;
    }
    const std::string& name = contests[i].entrants[0].name;
    add_missing(names, {name});
    ++counts[name].first;
    counts[name].second += !leads[i].over.empty() && leads[i].over[0].significant;
  }
  std::ranges::stable_sort(names, [&](const auto& a, const auto& b) { return counts[a].first > counts[b].first; });
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "Best is " : "; ") + name + " on " + std::to_string(counts[name].first) +
            ", significantly " + (counts[name].second == 0 ? "on none" : "on " + std::to_string(counts[name].second));
  }
  if (!text.empty()) {
    const auto tested = std::ranges::find_if(leads, [](const Leads& one) { return !one.over.empty(); });
    if (tested != leads.end()) text += std::string(" (") + tested->test->doc + " against the next)";
    text += ".";
  }
  if (shared > 0)
    text += (text.empty() ? "" : " ") + std::string("On ") + std::to_string(shared) + " several share the first place.";
  if (const auto behind = std::ranges::count_if(contests, some_incomplete_is_better); behind > 0)
    text += " On " + std::to_string(behind) + " a method with failed trials, which comes last, has the better mean.";
  return text;
}

}  // namespace

OverDataSets over_data_sets(const std::vector<Contest>& contests, const std::vector<Leads>& leads) {
  const Sides sides = sides_of(contests);
  const Comparison comparison = comparison_of(sides);
  const Quantity& metric = contests[0].metric;
  std::string heading = metric.label;
  heading[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(heading[0])));
  OverDataSets over{{}, {"answer", heading + " of each method", {{"dataset", "dataset"}}, {}, {}, {}}};
  Table& table = over.table;
  std::vector<std::vector<std::string>> methods;  // of each side
  for (const std::string& name : sides.names) {
    methods.push_back(std::ranges::find(contests[0].entrants, name, &Entrant::name)->methods);
    for (const std::string& method : methods.back()) table.columns.push_back({method, method});
  }
  for (std::size_t i = 0; i < contests.size(); ++i) {
    std::vector<Cell> cells = {text_cell(contests[i].data_set)};
    for (std::size_t j = 0; j < sides.names.size(); ++j) {
      const RecordRow& row = sides.rows[i][j];
      const Summary summary = summary_of(row, metric.name);
      cells.push_back(spread_cell(summary.mean, summary.sd, metric.display));
      const auto place = std::ranges::find(contests[i].entrants, sides.names[j], &Entrant::name);
      cells.back().best =
          summary.n > 0 && static_cast<std::size_t>(place - contests[i].entrants.begin()) < contests[i].first;
      if (row.failed() > 0) cells.back().note = footnote(table, failure_text(row));
      cells.insert(cells.end(), methods[j].size() - 1, Cell(cells.back()));
    }
    table.rows.push_back(std::move(cells));
  }
  const RanksOfSides ranks = ranks_of_sides(comparison, metric);
  std::set<std::string> contents;
  std::vector<std::string> without;
  std::size_t known = 0;
  for (const std::vector<RecordRow>& rows : sides.rows) {
    const auto has_steps = std::ranges::find_if(rows, [](const RecordRow& row) { return !row.steps.empty(); });
    const auto lacks = [&](const RecordRow& row) { return summary_of(row, metric.name).n == 0; };
    if (std::ranges::any_of(rows, lacks)) without.push_back(rows[0].dataset);
    if (has_steps == rows.end()) continue;
    const Record& record = *has_steps->steps[0].record;
    contents.insert(record.samples.data.empty() ? record.dataset : record.samples.data + record.samples.test);
    ++known;
  }
  if (contents.size() < known) {
    over.sentences.push_back(
        "Mean ranks over the data sets have no meaning here: they are not several different ones.");
  } else if (ranks.data_sets < 2) {
    over.sentences.push_back("There are no mean ranks: fewer than two data sets have a number of every method.");
  } else {
    const std::vector<std::size_t> order = ranking(ranks);
    over.sentences.push_back(
        ranks_text(sides, ranks, order, metric) + " " +
        (sides.names.size() > 2 ? friedman_text(sides, ranks, order) : wilcoxon_text(comparison, metric)) +
        (without.empty() ? ""
                         : fmt::format(" Without {}, where not every method has a number.", fmt::join(without, ", "))));
    table.rows.push_back({text_cell("mean rank")});
    for (std::size_t j = 0; j < methods.size(); ++j)
      table.rows.back().insert(table.rows.back().end(), methods[j].size(),
                               number_cell(ranks.friedman.ranks(j), fixed_point(2)));
  }
  over.sentences.push_back(counts_text(contests, leads));
  return over;
}

}  // namespace elmx
