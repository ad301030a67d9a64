#include "models/ensemble.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/machine/stage.hpp"
#include "models/trained_network.hpp"

namespace elmx {
namespace {

constexpr const char* kMembers = "average";

std::string prefix_of(std::size_t member) { return fmt::format("member{}_", member + 1); }

/// Joins the members as "member1_output_weights" ..., with their layouts in a list.
TrainedNetwork together(const std::vector<std::function<TrainedNetwork()>>& members) {
  TrainedNetwork all;
  all.layout[kMembers] = Json::array();
  for (std::size_t i = 0; i < members.size(); ++i) {
    const TrainedNetwork member = members[i]();
    all.layout[kMembers].push_back(member.layout);
    for (const auto& [name, matrix] : member.matrices) all.matrices[prefix_of(i) + name] = matrix;
  }
  return all;
}

template <class M>
void add(M& sum, const M& some) {
  if (sum.is_empty()) {
    sum = some;
  } else if (!some.is_empty()) {
    sum += some;
  }
}

/// The average of the members of one model so far.
class Average {
 public:
  Checkpoint with(const Checkpoint& point) {
    ++members_;
    add(train_, point.train_output);
    add(test_, point.test_output);
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
    return average_of(point);
  }

 private:
  Checkpoint average_of(const Checkpoint& last) const {
    const double m = members_;
    Checkpoint point;
    point.point = last.point;
    point.nodes = nodes_;
    point.status = last.status;
    point.method = last.method;
    point.step = last.step;
    point.total_seconds = total_seconds_;
    point.feature_seconds = feature_seconds_;
    if (last.status != Status::ok) return point;
    point.train_output = train_ / m;
    point.test_output = test_ / m;
    point.diagnostics = worst_;
    point.notes = notes_;
    point.network = [networks = networks_] { return together(networks); };
    return point;
  }

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

class AveragedPredictor final : public Predictor {
 public:
  explicit AveragedPredictor(std::vector<std::unique_ptr<Predictor>> members) : members_(std::move(members)) {}

  arma::mat outputs(const Inputs& inputs) override {
    arma::mat sum;
    for (const std::unique_ptr<Predictor>& member : members_) add(sum, member->outputs(inputs));
    return sum / static_cast<double>(members_.size());
  }

  LeftOutOutputs left_out(const Inputs& inputs) override {
    LeftOutOutputs sum;
    for (const std::unique_ptr<Predictor>& member : members_) {
      const LeftOutOutputs of_member = member->left_out(inputs);
      if (of_member.residuals.is_empty()) return {};
      add(sum.changes, of_member.changes);
      add(sum.residuals, of_member.residuals);
    }
    return {sum.changes / static_cast<double>(members_.size()), sum.residuals / static_cast<double>(members_.size())};
  }

 private:
  std::vector<std::unique_ptr<Predictor>> members_;
};

}  // namespace

std::unique_ptr<Trainer> averaging_trainer(std::vector<std::unique_ptr<Trainer>> members) {
  return std::make_unique<AveragingTrainer>(std::move(members));
}

std::unique_ptr<Predictor> restore_average(
    const TrainedNetwork& network, const std::function<std::unique_ptr<Predictor>(const TrainedNetwork&)>& restore) {
  const Json& layouts = network.layout.at(kMembers);
  if (!layouts.is_array() || layouts.empty())
    throw DataError("network/layout", "expected one or more members of the ensemble, found none");
  std::vector<std::unique_ptr<Predictor>> members;
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    TrainedNetwork member;
    member.layout = layouts[i];
    const std::string prefix = prefix_of(i);
    for (const auto& [name, matrix] : network.matrices) {
      if (name.starts_with(prefix)) member.matrices[name.substr(prefix.size())] = matrix;
    }
    try {
      members.push_back(restore(member));
    } catch (const DataError& error) {  // use the name of the matrix in the file
      std::string place = error.place();
      if (place.starts_with("network/")) place.insert(std::string("network/").size(), prefix);
      throw DataError(place, error.problem());
    }
  }
  return std::make_unique<AveragedPredictor>(std::move(members));
}

}  // namespace elmx
