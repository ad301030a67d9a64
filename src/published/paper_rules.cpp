#include "published/paper_rules.hpp"

#include <algorithm>
#include <cmath>

#include "table_formats/table.hpp"

namespace elmx {
namespace {

std::string text_of(const PaperRule& rule) {
  if (rule.rule == "relative") return "within " + show(100 * rule.tolerance) + " %";
  if (rule.rule == "absolute") return "within " + show(rule.tolerance);
  if (rule.rule == "at_most_times") return "at most " + show(rule.factor) + " x";
  if (rule.rule == "at_least_times") return "at least " + show(rule.factor) + " x";
  if (rule.rule == "not_below") return "at least published - " + show(rule.tolerance);
  if (rule.rule == "order") return "same order (ties within " + show(100 * rule.ties) + " %)";
  if (rule.rule == "rank") return "same order, ascending";
  if (rule.rule == "lowest") return "lowest (ties within " + show(100 * rule.ties) + " %)";
  if (rule.rule == "diverges") return "a trial fails, or at least published";
  return rule.rule == "same_text" ? "same text" : rule.rule;
}

}  // namespace

std::string rule_text(const PaperRule& rule) {
  std::string text = text_of(rule);
  const char* before = ", relative to ";
  for (const auto& [column, value] : rule.relative_to.items()) {
    text += before + column + " = " + (value.is_string() ? value.get<std::string>() : value.dump());
    before = ", ";
  }
  return text;
}

bool is_claim(const PaperRule& rule) { return rule.rule == "rank" || rule.rule == "lowest" || rule.rule == "diverges"; }

bool within_ties(double a, double b, double ties) {
  return a == b || std::abs(a - b) <= ties * std::max(std::abs(a), std::abs(b));
}

}  // namespace elmx
