#include "models/trained_network.hpp"

#include <fmt/core.h>

#include "features/network_output.hpp"

namespace elmx {
namespace {

constexpr const char* kMembers = "average";
constexpr const char* kDirections = "jackknife_directions";
constexpr const char* kResiduals = "jackknife_residuals";

class SingleLayer final : public Predictor {
 public:
  SingleLayer(HiddenNodes nodes, arma::mat weights, arma::rowvec biases)
      : nodes_(std::move(nodes)), weights_(std::move(weights)), biases_(std::move(biases)) {}

  arma::mat outputs(const Inputs& inputs) override { return network_output(nodes_, inputs, weights_, biases_); }

 private:
  HiddenNodes nodes_;
  arma::mat weights_;    // L x c
  arma::rowvec biases_;  // empty: none
};

std::string prefix_of(std::size_t member) { return fmt::format("member{}_", member + 1); }

class AveragedPredictor final : public Predictor {
 public:
  explicit AveragedPredictor(std::vector<std::unique_ptr<Predictor>> members) : members_(std::move(members)) {}

  arma::mat outputs(const Inputs& inputs) override {
    arma::mat sum = members_.front()->outputs(inputs);
    for (std::size_t i = 1; i < members_.size(); ++i) sum += members_[i]->outputs(inputs);
    return sum / static_cast<double>(members_.size());
  }

  LeftOutOutputs left_out(const Inputs& inputs) override {
    LeftOutOutputs sum;
    for (const std::unique_ptr<Predictor>& member : members_) {
      LeftOutOutputs of_member = member->left_out(inputs);
      if (of_member.residuals.is_empty()) return {};
      if (member != members_.front()) {
        of_member.changes += sum.changes;
        of_member.residuals += sum.residuals;
      }
      sum = std::move(of_member);
    }
    return {sum.changes / static_cast<double>(members_.size()), sum.residuals / static_cast<double>(members_.size())};
  }

 private:
  std::vector<std::unique_ptr<Predictor>> members_;
};

}  // namespace

TrainedNetwork single_layer(const HiddenNodes& nodes, const arma::mat& output_weights,
                            const arma::rowvec& output_biases) {
  expects(nodes.count() == output_weights.n_rows, "single_layer: output weights of every hidden node");
  TrainedNetwork network;
  network.layout["activation"] = nodes.kind;
  network.matrices["weights"] = nodes.W;
  network.matrices["biases"] = arma::mat(nodes.b);
  network.matrices["output_weights"] = output_weights;
  if (!output_biases.is_empty()) network.matrices["output_biases"] = arma::mat(output_biases);
  return network;
}

std::unique_ptr<Predictor> restore_single_layer(const TrainedNetwork& network, const NetworkShape& shape) {
  const arma::uword L = network.matrix<double>("biases").n_cols;
  arma::rowvec output_biases;
  if (network.matrices.contains("output_biases"))
    output_biases = arma::vectorise(network.matrix<double>("output_biases", 1, shape.outputs), 1);
  HiddenNodes nodes(network.layout.at("activation").get<std::string>(),
                    network.matrix<double>("weights", shape.inputs, L),
                    arma::vectorise(network.matrix<double>("biases", 1, L), 1));
  return std::make_unique<SingleLayer>(std::move(nodes), network.matrix<double>("output_weights", L, shape.outputs),
                                       std::move(output_biases));
}

TrainedNetwork average_network(const std::vector<std::function<TrainedNetwork()>>& members) {
  TrainedNetwork all;
  all.layout[kMembers] = Json::array();
  for (std::size_t i = 0; i < members.size(); ++i) {
    const TrainedNetwork member = members[i]();
    all.layout[kMembers].push_back(member.layout);
    for (const auto& [name, matrix] : member.matrices) all.matrices[prefix_of(i) + name] = matrix;
  }
  return all;
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

template <class T>
void keep_left_out(const LeftOut& of, TrainedNetwork& network) {
  network.matrices[kDirections] = arma::conv_to<arma::Mat<T>>::from(of.directions);
  network.matrices[kResiduals] = of.residuals;
}

void drop_left_out(TrainedNetwork& network) {
  network.matrices.erase(kDirections);
  network.matrices.erase(kResiduals);
}

void keep_residuals(const arma::mat& residuals, TrainedNetwork& network) { network.matrices[kResiduals] = residuals; }

arma::mat kept_residuals(const TrainedNetwork& network, arma::uword c) {
  if (!network.matrices.contains(kResiduals)) return {};
  return network.matrix<double>(kResiduals, network.matrix<double>(kResiduals).n_rows, c);
}

template <class T>
std::optional<LeftOut> kept_left_out(const TrainedNetwork& network, arma::uword k, arma::uword c) {
  if (!network.matrices.contains(kDirections)) return std::nullopt;
  const arma::uword m = network.matrix<T>(kDirections).n_cols;
  return LeftOut{arma::conv_to<arma::mat>::from(network.matrix<T>(kDirections, k, m)),
                 network.matrix<double>(kResiduals, m, c)};
}

LeftOutOutputs left_out_outputs(const arma::mat& spread, const arma::mat& residuals) {
  LeftOutOutputs of{arma::cube(spread.n_rows, spread.n_cols, residuals.n_cols), residuals};
  for (arma::uword j = 0; j < residuals.n_cols; ++j) of.changes.slice(j) = spread.each_row() % residuals.col(j).t();
  return of;
}

template void keep_left_out<double>(const LeftOut&, TrainedNetwork&);
template void keep_left_out<float>(const LeftOut&, TrainedNetwork&);
template std::optional<LeftOut> kept_left_out<double>(const TrainedNetwork&, arma::uword, arma::uword);
template std::optional<LeftOut> kept_left_out<float>(const TrainedNetwork&, arma::uword, arma::uword);

}  // namespace elmx
