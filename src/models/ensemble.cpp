#include <algorithm>
#include <cmath>

#include "base/machine/stage.hpp"
#include "models/trained_network.hpp"
#include "models/trainer.hpp"

namespace elmx {
namespace {

/// The average of the members of one model so far.
class Average {
 public:
  /// Adds a member, and returns the average with it.
  Checkpoint with(const Checkpoint& point) {
    ++members_;
    if (members_ == 1) {
      train_ = point.train_output;
      test_ = point.test_output;
    } else if (point.status == Status::ok) {
      train_ += point.train_output;
      test_ += point.test_output;
    }
    nodes_ += point.nodes;
    total_seconds_ += point.total_seconds;
    feature_seconds_ += point.feature_seconds;
    for (const auto& [name, value] : point.diagnostics) {
      if (name.starts_with("output_error")) continue;
      const auto [worst, is_new] = worst_.try_emplace(name, value);
      if (!is_new && (std::isnan(value) || value > worst->second)) worst->second = value;
    }
    notes_.insert(point.notes.begin(), point.notes.end());
    networks_.push_back(point.network);
    Checkpoint mean;
    mean.point = point.point;
    mean.nodes = nodes_;
    mean.status = point.status;
    mean.method = point.method;
    mean.step = point.step;
    mean.total_seconds = total_seconds_;
    mean.feature_seconds = feature_seconds_;
    if (point.status != Status::ok) return mean;
    mean.train_output = train_ / members_;
    mean.test_output = test_ / members_;
    mean.diagnostics = worst_;
    mean.notes = notes_;
    mean.network = [networks = networks_] { return average_network(networks); };
    return mean;
  }

 private:
  double members_ = 0, total_seconds_ = 0, feature_seconds_ = 0;
  arma::uword nodes_ = 0;
  arma::mat train_, test_;
  std::map<std::string, double> worst_;
  std::map<std::string, std::string> notes_;
  std::vector<std::function<TrainedNetwork()>> networks_;
};

class AveragingTrainer final : public Trainer {
 public:
  explicit AveragingTrainer(std::vector<std::unique_ptr<Trainer>> members) : members_(std::move(members)) {}

  void train(const std::string& algorithm, Clock& clock, const Observer& observe) override {
    std::map<std::size_t, Average> averages;  // by model; a failed model adds no more members
    std::map<std::size_t, bool> failed;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const StagePart part(i, members_.size());
      members_[i]->train(algorithm, clock, [&](const Checkpoint& point) {
        if (failed[point.point]) return;
        failed[point.point] = point.status != Status::ok;
        observe(averages[point.point].with(point));
      });
    }
  }

 private:
  std::vector<std::unique_ptr<Trainer>> members_;
};

}  // namespace

std::unique_ptr<Trainer> averaging_trainer(std::vector<std::unique_ptr<Trainer>> members) {
  return std::make_unique<AveragingTrainer>(std::move(members));
}

}  // namespace elmx
