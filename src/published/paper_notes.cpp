#include <set>

#include "published/paper.hpp"

namespace elmx {
namespace {

/// "100 or 500"; "the same" for a value that is filled in from the column itself.
std::string values_text(const std::string& column, const Json& value) {
  std::string text;
  for (const Json& one : value.is_array() ? value : Json::array({value})) {
    const std::string written = one.is_string() ? one.get<std::string>() : one.dump();
    text += (text.empty() ? "" : " or ") + (written == "{" + column + "}" ? "the same" : written);
  }
  return text;
}

/// "metric is m and nodes is 100 or 500".
std::string condition_text(const Json& match) {
  std::string text;
  for (const auto& [column, value] : match.items())
    text += (text.empty() ? "" : " and ") + column + " is " + values_text(column, value);
  return text;
}

std::string predicate_of(const PaperRule& rule) {
  const std::string ties = show(100 * rule.ties) + " % of the larger one count as tied)";
  if (rule.rule == "relative")
    return "agree within " + show(100 * rule.tolerance) + " % of the published value (relative)";
  if (rule.rule == "absolute") return "agree within " + show(rule.tolerance) + " of the published value (absolute)";
  if (rule.rule == "at_most_times")
    return "agree if they are at most " + show(rule.factor) + " times the published value";
  if (rule.rule == "not_below") return "agree if they are at least the published value less " + show(rule.tolerance);
  if (rule.rule == "order") return "agree if the algorithms rank as published (published values within " + ties;
  if (rule.rule == "rank") return "agree if the algorithms rank as published (rank 1 is the lowest value)";
  if (rule.rule == "lowest") return "agree if they are the lowest of their sweep (values within " + ties;
  if (rule.rule == "diverges")
    return "agree if a trial fails by its numbers, or if they are at least the published value";
  if (rule.rule == "same_text") return "agree if the text is the same";
  return rule.rule == "absent" ? "agree if the run has no number either" : "are shown without a verdict";
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
      notes.push_back(std::string("Deviation from the paper (") + kind + "): " + sentence);
  }
  return notes;
}

}  // namespace elmx
