#include "report/frame/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace elmx {
namespace {

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

/// Returns the row with only the trials whose value in the field is one of the texts.
RecordRow reduced(RecordRow row, const Dimension& field, const std::set<std::string>& texts) {
  const auto lacks = [&](const RecordTrial& trial) { return !texts.contains(text_of(field.value(row, trial))); };
  if (row.chose_this == 0 && std::ranges::count(row.over, field.key()) > 0) row.chose_this = row.trials();
  std::erase_if(row.steps, lacks);
  std::erase_if(row.failures, lacks);
  return row;
}

/// Returns how the errors of a row are scaled, from the config of its case and the swept options; "" = errors
/// are in the units of the targets.
std::string units_of(const RecordRow& row, const std::map<std::string, Json>& targets) {
  const std::string swept = "/preprocess/targets/";
  const auto found = targets.find(row.experiment_case);
  Json options = found == targets.end() || !found->second.is_object() ? Json::object() : found->second;
  for (const auto& [place, value] : row.point) {
    if (place.starts_with(swept)) options[place.substr(swept.size())] = value;
  }
  return options.value("units", "") == "scaled" ? "scaled (" + options.value("scale", "") + ")" : "";
}

}  // namespace

std::vector<std::string> Condition::meant(const std::set<std::string>& known, const std::string& option) const {
  if (known.contains(text)) return {text};
  std::vector<std::string> found;
  for (const std::string& value : values) {
    const auto number = number_in(value);
    found.push_back(value == kBestOnTestInShort        ? kBestOnTest
                    : number && !known.contains(value) ? show(*number)
                                                       : value);
    if (!known.contains(found.back()))
      throw ConfigError(option + ' ' + field + "=" + text,
                        "no record has \"" + found.back() + "\"" + suggest(found.back(), known));
  }
  return found;
}

Condition condition_of(const std::string& text, const std::string& option) {
  const auto sign = text.find('=');
  if (sign == std::string::npos) return {text, {}, {}};
  const std::string values = text.substr(sign + 1);
  if (values.empty())
    throw ConfigError(option + ' ' + text, "the value is missing; use field=value or field=value,value");
  return {text.substr(0, sign), split_list(values), values};
}

Predicate predicate_of(const std::vector<std::string>& texts, const std::string& option) {
  Predicate predicate;
  for (const std::string& text : texts)
    predicate.push_back(condition_of(text.find('=') == std::string::npos ? text + '=' : text, option));
  return predicate;
}

Predicate predicate_from_json(const Json& object) {
  Predicate predicate;
  for (const auto& [field, value] : object.items()) {
    Condition& condition = predicate.emplace_back(Condition{field, {}});
    for (const Json& one : value.is_array() ? value : Json::array({value})) condition.values.push_back(text_of(one));
    condition.text = fmt::format("{}", fmt::join(condition.values, ","));
  }
  return predicate;
}

BoundPredicate::BoundPredicate(const Predicate& predicate, const Dimensions& fields,
                               const std::vector<RecordRow>& known) {
  for (const Condition& condition : predicate) {
    const Dimension& field = fields.find(condition.field, "--where");
    const std::vector<std::string> meant = condition.meant(texts_in(field, known), "--where");
    conditions_.push_back({&field, {meant.begin(), meant.end()}});
  }
}

bool BoundPredicate::asks_for_choices() const {
  return std::ranges::any_of(conditions_,
                             [](const Bound& condition) { return condition.field->kind == DimensionKind::chosen; });
}

bool BoundPredicate::is_about_chosen_places(const std::vector<RecordRow>& rows) const {
  return std::ranges::any_of(conditions_, [&](const Bound& condition) {
    return std::ranges::any_of(
        rows, [&](const RecordRow& row) { return std::ranges::count(row.over, condition.field->key()) > 0; });
  });
}

std::vector<RecordRow> BoundPredicate::applied(std::vector<RecordRow> rows) const {
  for (const Bound& condition : conditions_) {
    for (RecordRow& row : rows) row = reduced(std::move(row), *condition.field, condition.texts);
    std::erase_if(rows, [](const RecordRow& row) { return row.trials() == 0; });
  }
  return rows;
}

std::vector<RecordRow> BoundPredicate::selected(std::vector<RecordRow> rows, bool with_choices) const {
  if (!with_choices && !asks_for_choices())
    std::erase_if(rows, [](const RecordRow& row) { return !row.chosen.empty(); });
  rows = applied(std::move(rows));
  if (rows.empty()) throw ConfigError("--where", "matches no result; elmx table DIR shows the values of each field");
  return rows;
}

std::map<std::string, RecordRow> parted(const RecordRow& row, const Dimension& field) {
  std::map<std::string, RecordRow> parts;
  for (const RecordTrial& trial : trials_of(row)) {
    const std::string text = text_of(field.value(row, trial));
    if (!parts.contains(text)) parts.emplace(text, reduced(row, field, {text}));
  }
  return parts;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts(text.empty() ? 0 : 1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == ',' && depth <= 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

Frame::Frame(std::vector<Record> records, RunDescription run) {
  const auto whole = std::make_shared<Run>(Run{std::move(records), std::move(run), {}, Dimensions({})});
  whole->rows = with_selections(group_records(whole->records, whole->description.order), whole->description.select);
  for (RecordRow& row : whole->rows) row.units = units_of(row, whole->description.targets);
  whole->fields = Dimensions(whole->rows, whole->description.order);
  rows_ = whole->rows;
  run_ = whole;
}

Frame Frame::where(const Predicate& predicate) const {
  Frame frame = *this;
  frame.predicate_.insert(frame.predicate_.end(), predicate.begin(), predicate.end());
  if (predicate.empty()) return frame;
  frame.rows_ = BoundPredicate(predicate, fields(), all_rows()).selected(std::move(frame.rows_), true);
  return frame;
}

}  // namespace elmx
