#include <fmt/ranges.h>

#include <set>

#include "published/paper.hpp"

namespace elmx {
namespace {

/// "metric is m and nodes is 100 or 500"; "the same" for a value that is filled in from the column itself.
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
  const std::string ties = show(100 * rule.ties) + " % of the larger one count as tied)";
  for (const auto& [name, text] :
       {std::pair<const char*, std::string>("relative", "within " + percent + " % of the published value (relative)"),
        {"absolute", "within " + tolerance + " of the published value (absolute)"},
        {"at_most_times", "if they are at most " + show(rule.factor) + " times the published value"},
        {"not_below", "if they are at least the published value less " + tolerance},
        {"order", "if the algorithms rank as published (published values within " + ties},
        {"rank", "if the algorithms rank as published (rank 1 is the lowest value)"},
        {"lowest", "if they are the lowest of their sweep (values within " + ties},
        {"diverges", "if a trial fails by its numbers, or if they are at least the published value"},
        {"same_text", "if the text is the same"},
        {"absent", "if the run has no number either"}}) {
    if (rule.rule == name) return "agree " + text;
  }
  return "are shown without a verdict";
}

/// The sentence on a rule that is not the `first` of its table.
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
  const PaperDeviations& d = options.deviations;
  for (const auto& [kind, sentences] : {std::pair("scale", d.scale), {"data", d.data}, {"settings", d.settings}}) {
    for (const std::string& sentence : sentences)
      notes.push_back(fmt::format("Deviation from the paper ({}): {}", kind, sentence));
  }
  return notes;
}

}  // namespace elmx
