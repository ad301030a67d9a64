#include "report/frame/frame.hpp"

#include <set>

namespace elmx {
namespace {

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

Frame::Frame(std::vector<Record> records, RunDescription run) {
  const auto whole = std::make_shared<Run>(Run{std::move(records), std::move(run), {}, Dimensions({})});
  whole->rows = with_selections(group_records(whole->records, whole->description.order), whole->description.select);
  for (RecordRow& row : whole->rows) row.units = units_of(row, whole->description.targets);
  whole->fields = Dimensions(whole->rows, whole->description.order);
  rows_ = whole->rows;
  run_ = whole;
}

std::vector<Record> Frame::records() const {
  if (predicate_.empty()) return run_->records;
  std::map<const Record*, std::set<const StepRecord*>> steps;
  for (const RecordRow& row : rows_) {
    for (const RecordTrial& trial : trials_of(row)) steps[trial.record].insert(trial.step);
  }
  std::vector<Record> records;
  for (const Record& record : run_->records) {
    const auto found = steps.find(&record);
    if (found == steps.end()) continue;
    records.push_back(record);
    const bool failed_in_each = found->second == std::set<const StepRecord*>{nullptr};
    if (failed_in_each) continue;
    records.back().steps.clear();
    for (const StepRecord& step : record.steps) {
      if (found->second.contains(&step)) records.back().steps.push_back(step);
    }
  }
  return records;
}

Frame Frame::where(const Predicate& predicate) const {
  Frame frame = *this;
  frame.predicate_.insert(frame.predicate_.end(), predicate.begin(), predicate.end());
  if (predicate.empty()) return frame;
  frame.rows_ = BoundPredicate(predicate, fields(), all_rows()).selected(std::move(frame.rows_), true);
  return frame;
}

}  // namespace elmx
