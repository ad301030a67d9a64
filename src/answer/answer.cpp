#include "answer/answer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "answer/lead.hpp"
#include "answer/over_data_sets.hpp"
#include "base/printable.hpp"
#include "results/row_keys.hpp"

namespace elmx {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string shown(const Contest& contest, const Entrant& entrant) {
  const Summary summary = summary_of(entrant.row, contest.metric.name);
  return plain_text(spread_cell(summary.mean, summary.sd, contest.metric.display));
}

/// Its setting, and how many of its trials the number lacks.
std::string circumstances(const Entrant& entrant) {
  const std::string lost = entrant.row.failed() == 0 ? ""
                                                     : std::to_string(entrant.row.failed()) + " of " +
                                                           counted(entrant.row.trials(), "trial") + " failed";
  return entrant.setting + (entrant.setting.empty() || lost.empty() ? "" : "; ") + lost;
}

std::string in_brackets(const std::string& text) { return text.empty() ? "" : " (" + text + ")"; }

bool has_number(const Contest& contest, std::size_t i) {
  return summary_of(contest.entrants[i].row, contest.metric.name).n > 0;
}

bool two_have_numbers(const Contest& contest) { return contest.entrants.size() > 1 && has_number(contest, 1); }

/// ", at the best of its 6 settings"; "" where it has one.
std::string at_best(const Entrant& entrant) {
  if (entrant.settings == 1) return "";
  const std::string count = entrant.settings == Entrant::kUnknown ? "" : std::to_string(entrant.settings) + " ";
  return std::string(", at the best of ") + (entrant.methods.size() > 1 ? "their " : "its ") + count + "settings";
}

/// Of a contest in which no two methods have a number.
std::string of_one(const Contest& contest) {
  const Entrant& only = contest.entrants[0];
  if (!has_number(contest, 0)) return contest.data_set + ": no trial succeeded.";
  const bool joined = only.methods.size() > 1;
  return contest.data_set + ": " + only.name + (joined ? " have the same " : " has a ") + contest.metric.label +
         " of " + shown(contest, only) + " over " + counted(only.row.steps.size(), "trial") + at_best(only) +
         in_brackets(circumstances(only)) + ". " +
         (contest.entrants.size() > 1 ? "Every other method failed, so there is nothing to test."
          : joined ? "They agree to the digits shown in every trial, so there is no difference to test."
                   : "There is no other method to test it against.");
}

/// What the test says of the best and `next`.
std::string verdict(const Leads& leads, const std::string& next) {
  const Lead& lead = leads.over[0];
  const Finding& finding = lead.difference.finding;
  if (lead.difference.all.n == 1) return "That is one trial of each, too few to test.";
  const std::string by = std::string(leads.test->doc) + ", p = " + show(finding.p, significant(2)) +
                         (leads.tested > 1 ? " by Holm over " + std::to_string(leads.tested) + " comparisons" : "");
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
      return lead.significant ? "The difference is significant (" + by + ")."
                              : "But trial by trial the test finds " + next + " to be better (" + by + ").";
  }
}

std::string interval_text(const std::optional<Interval>& interval, double sign) {
  if (!interval) return "";
  const double one = sign * interval->low, other = sign * interval->high;
  return " (95 % interval " + show(std::min(one, other), significant(2)) + " to " +
         show(std::max(one, other), significant(2)) + ")";
}

std::string of_several(const Contest& contest, const Leads& leads) {
  const Entrant &best = contest.entrants[0], &next = contest.entrants[1];
  const Lead& lead = leads.over[0];
  const bool lower = contest.metric.better == Better::lower;
  const double sign = lead.difference.all.mean > 0 ? 1 : -1;
  const auto described = [&](const Entrant& entrant) {
    return shown(contest, entrant) + at_best(entrant) + in_brackets(circumstances(entrant));
  };
  const std::string what = (lower ? "lowest " : "highest ") + contest.metric.label;
  if (contest.first > 1) {
    std::string text = contest.data_set + ": ";
    for (std::size_t i = 0; i < contest.first; ++i)
      text += (i == 0 ? "" : i + 1 == contest.first ? " and " : ", ") + contest.entrants[i].name;
    return text + " share the " + what + ", " + described(best) + ". " + best.name + " and " + next.name + ": " +
           verdict(leads, next.name);
  }
  return contest.data_set + ": " + best.name + (best.methods.size() > 1 ? " have the " : " has the ") + what +
         (some_incomplete_is_better(contest) ? " of the methods without a failed trial, " : ", ") + described(best) +
         ". Next " + (next.methods.size() > 1 ? "are " : "is ") + next.name + " with " + described(next) +
         (lead.difference.all.n == 0 ? ""
                                     : ", which is " + show(std::abs(lead.difference.all.mean), significant(2)) +
                                           (lead.difference.all.mean > 0 ? " more" : " less") +
                                           interval_text(lead.difference.interval, sign)) +
         ". " + verdict(leads, next.name);
}

Table leads_table(const std::string& metric, bool several, bool tested) {
  Table table{"answer",
              !tested   ? quantity_of(metric).heading
              : several ? "Every method against the best of its data set"
                        : "Every method against the best",
              {},
              {},
              {},
              {}};
  if (several) table.columns.push_back({"dataset", "dataset"});
  table.columns.push_back({"method", "method"});
  table.columns.push_back({metric, quantity_of(metric).heading, Worth::result});
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

Cell metric_cell(const Contest& contest, const Entrant& entrant, bool best, Table& table) {
  const Summary summary = summary_of(entrant.row, contest.metric.name);
  Cell cell = spread_cell(summary.mean, summary.sd, contest.metric.display);
  cell.best = best && summary.n > 0;
  if (entrant.row.failed() > 0) cell.note = footnote(table, failure_text(entrant.row));
  return cell;
}

/// What entrant i is behind the best by, and what the test says of it.
void append_lead(const Contest& contest, const Leads& leads, std::size_t i, std::vector<Cell>& cells, Table& table) {
  const double sign = contest.metric.better == Better::lower ? 1 : -1;
  const Lead* lead = i == 0 || leads.over.empty() ? nullptr : &leads.over[i - 1];
  const std::optional<Interval> interval = lead != nullptr ? lead->difference.interval : std::nullopt;
  const double behind = lead != nullptr ? sign * lead->difference.all.mean : i == 0 ? 0 : nan;
  for (const double value : {behind, interval ? (sign > 0 ? interval->low : -interval->high) : nan,
                             interval ? (sign > 0 ? interval->high : -interval->low) : nan,
                             lead != nullptr ? lead->difference.finding.p : nan})
    cells.push_back(number_cell(value, significant(2)));
  if (lead == nullptr) {
    cells.push_back(text_cell(has_number(contest, i) ? "best" : "-"));
    return;
  }
  const Finding& finding = lead->difference.finding;
  const bool decided = finding.decision == Decision::lower || finding.decision == Decision::higher;
  cells.push_back(text_cell(lead->significant ? "worse" : decided ? "better" : to_string(finding.decision)));
  if (!finding.why.empty()) cells.back().note = footnote(table, finding.why);
}

void append_contest(const Contest& contest, const Leads& leads, bool several, bool tested, Table& table) {
  for (std::size_t i = 0; i < contest.entrants.size(); ++i) {
    const Entrant& entrant = contest.entrants[i];
    for (const std::string& method : entrant.methods) {
      std::vector<Cell> cells;
      if (several) cells.push_back(text_cell(contest.data_set));
      cells.push_back(text_cell(method));
      cells.push_back(metric_cell(contest, entrant, i < contest.first, table));
      if (tested) append_lead(contest, leads, i, cells, table);
      cells.push_back(text_cell(entrant.setting));
      table.rows.push_back(std::move(cells));
    }
    if (entrant.methods.size() > 1)
      add_remark(table,
                 "Equal to the digits shown in every trial, and one method for the tests: " + entrant.name + ".");
  }
  if (!leads.over.empty())
    add_remark(table, std::string("p: ") + leads.test->doc +
                          ", by Holm over the comparisons of a data set; each interval is of one comparison alone.");
}

bool optimistic(const Tournament& tournament) {
  return std::ranges::any_of(tournament.contests, [](const Contest& contest) {
    return std::ranges::any_of(contest.entrants, [](const Entrant& entrant) { return entrant.settings > 1; });
  });
}

}  // namespace

Answer answer_of(const std::vector<RecordRow>& rows, const RunDescription& run) {
  Answer answer;
  for (const Tournament& tournament : tournaments(rows)) {
    const bool several = tournament.contests.size() > 1;
    const bool tested = std::ranges::any_of(tournament.contests, two_have_numbers);
    Table table = leads_table(tournament.contests[0].metric.name, several, tested);
    add_remark(table, repeated_text(rows));
    std::vector<Leads> all;
    for (const Contest& contest : tournament.contests) {
      const bool two = two_have_numbers(contest);
      all.push_back(two ? leads_in(contest, run) : Leads{&paired_tests().front(), {}, 0});
      append_contest(contest, all.back(), several, tested, table);
      if (!tournament.common || contest.entrants.size() < 2)
        answer.sentences.push_back(two ? of_several(contest, all.back()) : of_one(contest));
    }
    if (optimistic(tournament))
      add_remark(table,
                 "Where a method has several settings, the one that is best on the test part stands here: the numbers "
                 "and the tests are optimistic.");
    if (tournament.common && tournament.contests[0].entrants.size() > 1) {
      OverDataSets over = over_data_sets(tournament.contests, all);
      answer.sentences.insert(answer.sentences.end(), over.sentences.begin(), over.sentences.end());
      for (const std::string& remark : table.remarks) {
        if (!remark.starts_with("p:")) add_remark(over.table, remark);
      }
      answer.tables.push_back(std::move(over.table));
      answer.further.push_back(std::move(table));
    } else {
      answer.tables.push_back(std::move(table));
    }
  }
  return answer;
}

}  // namespace elmx
