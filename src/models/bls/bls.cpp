#include "models/bls/bls.hpp"

#include <optional>

#include "base/machine/machine.hpp"
#include "linalg/blas.hpp"
#include "models/bls/broad_network.hpp"
#include "models/bls/streamed_expansion.hpp"
#include "models/ridge/ridge_cost.hpp"
#include "models/ridge/ridge_trainer.hpp"

namespace elmx {
namespace {

/// The expanded input of a broad network: nodes are drawn and fitted where it is formed.
template <class T>
class BroadExpansion final : public Expansion<T> {
 public:
  BroadExpansion(const BlsOptions& options, uword samples, const Rng& rng)
      : map_(options.feature_map()),
        steps_(options.steps()),
        stored_(options.stores_expanded_input(static_cast<double>(samples))),
        rng_(rng) {}

  std::unique_ptr<TallMatrix<T>> form(const Inputs& train, const RowScale<T>& scale) override {
    features_.emplace(map_, steps_, train, rng_, Z_);
    const uword k = features_->sizes().back();
    if (stored_) {
      A_.set_size(Z_.n_rows, k);
      features_->expand(Z_, View<T>(A_));
      scale.apply(View<T>(A_));
      return std::make_unique<StoredMatrix<T>>(A_);
    }
    std::unique_ptr<TallMatrix<T>> streamed = std::make_unique<StreamedExpansion<T>>(*features_, Z_, k);
    if (scale.none()) return streamed;
    return std::make_unique<ScaledRows<T>>(std::move(streamed), scale);
  }

  std::vector<arma::mat> outputs(const Inputs& inputs, const std::vector<arma::Mat<T>>& weights) const override {
    return features_->outputs(inputs, weights);
  }

  TrainedNetwork network(const arma::Mat<T>& W) const override { return broad_network(*features_, W); }

 private:
  BroadFeatureMap map_;
  std::vector<BroadStep> steps_;
  bool stored_;
  Rng rng_;
  std::optional<BroadFeatures<T>> features_;  // empty until it is formed
  arma::Mat<T> Z_;                            // N x f, feature nodes
  arma::Mat<T> A_;                            // N x k where it is stored, rows scaled
};

template <class T>
std::unique_ptr<Trainer> make(const std::vector<BlsOptions>& models, FoldView fold, const Rng& rng) {
  auto expansion = std::make_unique<BroadExpansion<T>>(models.front(), fold.train.samples(), rng);
  return ridge_trainer<T>(ridge_setup(models), std::move(expansion), std::move(fold));
}

ExpansionCost expansion_cost(const BlsOptions& options, const Sizes& sizes) {
  const auto N = static_cast<double>(sizes.train), d = static_cast<double>(sizes.inputs) + 1,
             tested = static_cast<double>(sizes.test);
  const auto k = static_cast<double>(options.sizes().back());
  const bool stored = options.stores_expanded_input(N);
  double f = 0;
  for (const BroadStep& step : options.steps()) f += static_cast<double>(step.feature_groups * options.features.nodes);

  ExpansionCost cost;
  cost.word = options.precision == "double" ? 8 : 4;
  cost.block_rows = StreamedExpansion<double>::kSamples;
  const double once = 2 * N * std::max(f, 1.0) * k;  // forming all nodes, at most
  cost.flops = 2 * N * d * f * (options.features.sparse_coding ? 3 : 1) + 2 * once;
  cost.again = stored ? 0 : once;
  cost.test = 2 * tested * d * f;
  cost.test_column = 2 * tested * std::max(f, 1.0);
  // The projection and its products, and the inputs of a block on the way into them.
  const double rows = std::max(std::min(N, 2048.0), 512.0 * threads());
  cost.bytes = cost.word * (d * (2 * f + rows) + (stored ? N : cost.block_rows) * k + N * f);
  return cost;
}

}  // namespace

std::unique_ptr<Trainer> make_bls(const std::vector<BlsOptions>& models, FoldView fold, const Rng& rng) {
  return models.front().precision == "double" ? make<double>(models, std::move(fold), rng)
                                              : make<float>(models, std::move(fold), rng);
}

std::unique_ptr<Predictor> restore_bls(const BlsOptions& model, const TrainedNetwork& network,
                                       const NetworkShape& shape) {
  return model.precision == "double" ? restore_broad_network<double>(network, shape)
                                     : restore_broad_network<float>(network, shape);
}

Cost bls_cost(const std::vector<BlsOptions>& models, const Sizes& sizes) {
  const BlsOptions& options = models.front();
  const ExpansionCost expansion = expansion_cost(options, sizes);
  Cost cost = ridge_cost(ridge_setup(models), expansion, sizes);
  const double stored = expansion.word * static_cast<double>(sizes.train) * static_cast<double>(options.sizes().back());
  cost.note = std::string("expanded input ") + (expansion.again == 0 ? "stored" : "streamed") + " (" +
              show_bytes(stored) + " where stored)";
  return cost;
}

}  // namespace elmx
