#include "published/epochs_to_reach.hpp"

#include <algorithm>
#include <limits>

namespace elmx {
namespace {

/// Mean training loss after each epoch that all trials have; empty where one of them failed or was not traced.
std::vector<double> mean_losses(const RecordRow& row) {
  if (row.failed() > 0 || row.steps.empty()) return {};
  std::vector<const std::vector<double>*> traces;
  std::size_t epochs = std::numeric_limits<std::size_t>::max();
  for (const RecordedStep& recorded : row.steps) {
    const auto found = recorded.step->trace.find("train_loss");
    if (found == recorded.step->trace.end()) return {};
    traces.push_back(&found->second);
    epochs = std::min(epochs, found->second.size());
  }
  std::vector<double> means(epochs, 0.0);
  for (std::size_t e = 0; e < epochs; ++e) {
    for (const auto* trace : traces) means[e] += (*trace)[e] / static_cast<double>(traces.size());
  }
  return means;
}

}  // namespace

std::optional<double> epochs_to_reach(const RecordRow& row, const RecordRow& reference) {
  const std::vector<double> losses = mean_losses(row), goal = mean_losses(reference);
  if (losses.empty() || goal.empty()) return std::nullopt;
  const auto reached = std::find_if(losses.begin(), losses.end(), [&](double loss) { return loss <= goal.back(); });
  if (reached == losses.end()) return std::numeric_limits<double>::infinity();
  return static_cast<double>(reached - losses.begin()) + 1;
}

}  // namespace elmx
