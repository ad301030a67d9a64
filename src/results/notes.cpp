#include "results/notes.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/printable.hpp"
#include "models/trainer.hpp"
#include "results/pooled.hpp"

namespace elmx {
namespace {

/// "2 of 5 trials: why; 1 of 5 trials: another reason".
std::string counted_notes(const RecordRow& row, const std::string& name) {
  std::map<std::string, std::set<const Record*>> noted;
  std::set<const Record*> trials;
  for (const RecordedStep& recorded : row.steps) {
    const auto note = recorded.step->notes.find(name);
    if (note != recorded.step->notes.end()) noted[note->second].insert(recorded.record);
    trials.insert(recorded.record);
  }
  std::string text;
  for (const auto& [why, with] : noted) {
    text += (text.empty() ? "" : "; ") + std::to_string(with.size()) + " of " + counted(trials.size(), "trial") + ": " +
            why;
  }
  return text;
}

}  // namespace

std::string note_of(const RecordRow& row, const Quantity& quantity) {
  const std::string text =
      is_pooled(quantity.name) ? pooled_value(row.steps, quantity.name).note : counted_notes(row, quantity.name);
  return text.empty() ? "" : quantity.heading + ": " + text;
}

std::string doubt_of(const RecordRow& row) {
  return both_notes(counted_notes(row, kWeights), counted_notes(row, kGraph));
}

std::string both_notes(const std::string& a, const std::string& b) {
  return a + (a.empty() || b.empty() ? "" : ". ") + b;
}

std::size_t count_doubtful(const std::vector<Record>& records) {
  return static_cast<std::size_t>(std::ranges::count_if(records, [](const Record& record) {
    return std::ranges::any_of(record.steps, [](const StepRecord& step) { return step.notes.contains(kWeights); });
  }));
}

}  // namespace elmx
