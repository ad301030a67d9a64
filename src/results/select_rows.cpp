#include "results/select_rows.hpp"

#include <algorithm>
#include <set>

#include "results/number.hpp"

namespace elmx {
namespace {

using Condition = RowConditions::Condition;

std::set<std::string> texts_in(const Dimension& field, const std::vector<RecordRow>& rows) {
  std::set<std::string> texts;
  for (const RecordRow& row : rows) {
    const bool of_row = field.kind != DimensionKind::of_trial;
    if (of_row) texts.insert(text_of(field.value(row, {})));
    if (of_row && row.chosen.empty()) continue;
    for (const RecordTrial& trial : trials_of(row)) texts.insert(text_of(field.value(row, trial)));
  }
  return texts;
}

Condition condition_of(const std::string& text, const Dimensions& fields, const std::vector<RecordRow>& rows) {
  const auto sign = text.find('=');
  if (sign == std::string::npos || sign + 1 == text.size())
    throw ConfigError("--where " + text + ": no value; allowed: field=value or field=value,value");
  Condition condition{&fields.find(text.substr(0, sign), "--where"), {}};
  const std::string values = text.substr(sign + 1);
  const std::set<std::string> known = texts_in(*condition.field, rows);
  if (known.count(values) > 0) {  // a value may have commas of its own
    condition.texts = {values};
    return condition;
  }
  for (const std::string& value : split_list(values)) {
    if (known.count(meant(value, known)) == 0)
      throw ConfigError("--where " + text + ": no record has \"" + value + "\"" + suggest(value, known));
    condition.texts.insert(meant(value, known));
  }
  return condition;
}

bool lets_through(const Condition& condition, const RecordRow& row, const RecordTrial& trial) {
  return condition.texts.count(text_of(condition.field->value(row, trial))) > 0;
}

/// The row with the trials alone that the condition lets through.
RecordRow reduced(RecordRow row, const Condition& condition) {
  if (row.chose_this == 0 && std::ranges::count(row.over, condition.field->key()) > 0) row.chose_this = row.trials();
  std::erase_if(row.steps, [&](const RecordedStep& s) {
    return !lets_through(condition, row, {s.record, s.step, "ok"});
  });
  for (auto& [why, records] : row.failures)
    std::erase_if(records, [&, &why = why](const Record* record) {
      return !lets_through(condition, row, {record, nullptr, why});
    });
  std::erase_if(row.failures, [](const auto& failure) { return failure.second.empty(); });
  return row;
}

}  // namespace

std::string meant(const std::string& text, const std::set<std::string>& known) {
  if (text == kBestOnTestInShort) return kBestOnTest;
  const auto number = number_in(text);
  return number && known.count(text) == 0 ? show(*number) : text;
}

std::map<std::string, RecordRow> parted(const RecordRow& row, const Dimension& field) {
  std::map<std::string, std::vector<RecordTrial>> trials;
  for (const RecordTrial& trial : trials_of(row)) trials[text_of(field.value(row, trial))].push_back(trial);
  if (trials.size() == 1) return {{trials.begin()->first, row}};
  std::map<std::string, RecordRow> parts;
  for (const auto& [text, own] : trials) {
    Condition condition{&field, {text}};
    parts.emplace(text, reduced(row, condition));
  }
  return parts;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t last = std::min(text.find(',', first), text.size());
    parts.push_back(text.substr(first, last - first));
    first = last + 1;
  }
  return parts;
}

RowConditions::RowConditions(const std::vector<std::string>& texts, const Dimensions& fields,
                             const std::vector<RecordRow>& known) {
  for (const std::string& text : texts) conditions_.push_back(condition_of(text, fields, known));
}

bool RowConditions::ask_for_choices() const {
  return std::ranges::any_of(conditions_,
                             [](const Condition& condition) { return condition.field->kind == DimensionKind::chosen; });
}

bool RowConditions::about_chosen_places(const std::vector<RecordRow>& rows) const {
  return std::ranges::any_of(conditions_, [&](const Condition& condition) {
    return std::ranges::any_of(
        rows, [&](const RecordRow& row) { return std::ranges::count(row.over, condition.field->key()) > 0; });
  });
}

std::vector<RecordRow> RowConditions::applied(std::vector<RecordRow> rows) const {
  for (const Condition& condition : conditions_) {
    for (RecordRow& row : rows) row = reduced(std::move(row), condition);
    std::erase_if(rows, [](const RecordRow& row) { return row.trials() == 0; });
  }
  return rows;
}

std::vector<RecordRow> select_rows(std::vector<RecordRow> rows, const Dimensions& fields,
                                   const std::vector<std::string>& texts, bool with_choices) {
  const RowConditions conditions(texts, fields, rows);
  if (!with_choices && !conditions.ask_for_choices())
    std::erase_if(rows, [](const RecordRow& row) { return !row.chosen.empty(); });
  rows = conditions.applied(std::move(rows));
  if (rows.empty()) throw ConfigError("--where: no record meets all conditions; allowed: those that some record meets");
  return rows;
}

}  // namespace elmx
