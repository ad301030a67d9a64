#include "published/paper_rules.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "table_formats/table.hpp"

namespace elmx {
namespace {

Verdict verdict_of(bool agrees) { return agrees ? Verdict::agrees : Verdict::disagrees; }

bool tied(double a, double b, double ties) { return std::abs(a - b) <= ties * std::max(std::abs(a), std::abs(b)); }

Verdict judge_order(const PaperCell& cell, const std::vector<PaperCell>& all) {
  bool compared = false;
  for (const PaperCell& other : all) {
    if (other.group != cell.group || other.algorithm == cell.algorithm || !other.published || !other.measured) continue;
    if (tied(*cell.published, *other.published, cell.rule.ties)) continue;
    compared = true;
    const bool as_published =
        *cell.published < *other.published ? *cell.measured < *other.measured : *cell.measured > *other.measured;
    if (!as_published) return Verdict::disagrees;
  }
  return compared ? Verdict::agrees : Verdict::shown;
}

/// Where a trial failed there is nothing worse.
std::optional<double> cost_of(const PaperCell& cell) {
  return cell.failed > 0 ? std::optional(std::numeric_limits<double>::infinity()) : cell.measured;
}

Verdict judge_lowest(const PaperCell& cell, const std::vector<PaperCell>& all) {
  const std::optional<double> cost = cost_of(cell);
  if (!cost) return Verdict::not_available;
  if (std::isinf(*cost)) return Verdict::disagrees;
  bool compared = false, tie = false;
  for (const PaperCell& other : all) {
    const std::optional<double> others = cost_of(other);
    if (other.grid != cell.grid || other.group == cell.group || !others) continue;
    compared = true;
    const bool near = std::isfinite(*others) && tied(*cost, *others, cell.rule.ties);
    if (!near && *others < *cost) return Verdict::disagrees;
    tie = tie || near;
  }
  if (!compared) return Verdict::shown;
  return tie ? Verdict::tied : Verdict::agrees;
}

}  // namespace

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees:
      return "agrees";
    case Verdict::disagrees:
      return "disagrees";
    case Verdict::tied:
      return "tie";
    case Verdict::not_available:
      return "NA";
    case Verdict::shown:
      return "shown";
  }
  return "";
}

namespace {

std::string text_of(const PaperRule& rule) {
  if (rule.rule == "relative") return "within " + show(100 * rule.tolerance) + " %";
  if (rule.rule == "absolute") return "within " + show(rule.tolerance);
  if (rule.rule == "at_most_times") return "at most " + show(rule.factor) + " x";
  if (rule.rule == "at_least_times") return "at least " + show(rule.factor) + " x";
  if (rule.rule == "not_below") return "at least published - " + show(rule.tolerance);
  if (rule.rule == "order") return "same order (ties within " + show(100 * rule.ties) + " %)";
  if (rule.rule == "lowest") return "lowest (ties within " + show(100 * rule.ties) + " %)";
  if (rule.rule == "diverges") return "a trial fails, or at least published";
  return rule.rule == "same_text" ? "same text" : rule.rule;
}

}  // namespace

std::string rule_text(const PaperRule& rule) {
  std::string text = text_of(rule);
  const char* before = ", over ";
  for (const auto& [column, value] : rule.relative_to.items()) {
    text += before + column + " " + (value.is_string() ? value.get<std::string>() : value.dump());
    before = ", ";
  }
  return text;
}

bool counts_failures(const PaperRule& rule) { return rule.rule == "lowest" || rule.rule == "diverges"; }

Verdict judge(const PaperCell& cell, const std::vector<PaperCell>& all) {
  const std::string& rule = cell.rule.rule;
  if (rule == "shown") return Verdict::shown;
  if (rule == "absent") return verdict_of(!cell.measured);
  if (rule == "same_text") {
    if (cell.measured_text.empty()) return Verdict::not_available;
    return verdict_of(cell.measured_text == cell.published_text);
  }
  if (rule == "lowest") return judge_lowest(cell, all);
  if (rule == "diverges" && cell.failed > 0) return Verdict::agrees;
  if (!cell.published || !cell.measured) return Verdict::not_available;
  const double p = *cell.published;
  const double m = *cell.measured;
  if (rule == "relative") return verdict_of(std::abs(m - p) <= cell.rule.tolerance * std::abs(p));
  if (rule == "absolute") return verdict_of(std::abs(m - p) <= cell.rule.tolerance);
  if (rule == "at_most_times") return verdict_of(m <= cell.rule.factor * p);
  if (rule == "not_below") return verdict_of(m >= p - cell.rule.tolerance);
  if (rule == "diverges") return verdict_of(m >= p);
  if (rule == "at_least_times") return verdict_of(m >= cell.rule.factor * p);
  expects(rule == "order", "judge: a rule of PaperRule");
  return judge_order(cell, all);
}

}  // namespace elmx
