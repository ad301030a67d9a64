#include "models/bls/bls.hpp"

#include <optional>

#include "linalg/blas.hpp"
#include "models/bls/bls_algorithms.hpp"
#include "models/bls/bls_storage.hpp"
#include "models/bls/broad_network.hpp"
#include "models/bls/expanded_input.hpp"
#include "models/judge.hpp"
#include "models/scaled_rows.hpp"
#include "models/warm_up.hpp"

namespace elmx {
namespace {

template <class F>
double seconds_of(Clock& clock, const F& f) {
  const double begin = clock.now();
  f();
  return clock.now() - begin;
}

template <class T>
class Bls final : public Trainer {
 public:
  Bls(const std::vector<BlsOptions>& models, FoldView fold, const Rng& rng)
      : options_(models.front()),
        fold_(std::move(fold)),
        rng_(rng),
        sizes_(options_.sizes()),
        stored_(stores_expanded_input(options_, static_cast<double>(fold_.train.samples()))),
        scale_(fold_.sample_weights),
        targets_(arma::conv_to<arma::Mat<T>>::from(fold_.targets)) {
    scale_.apply(View<T>(targets_));
    for (const BlsOptions& model : models) lambdas_.push_back(model.ridge);
  }

  void train(const std::string& name, Clock& clock, const Observer& observe) override {
    if (!input_) {
      form_features(clock);
      warm_up();
    }
    const BlsAlgorithm& algorithm = bls_algorithm(name, options_.chol2_form);
    RidgeProducts<T> products(*input_, targets_, algorithm.products);
    std::optional<GramMatrix<T>> gram;
    if (algorithm.gram) gram.emplace(sizes_.back());

    std::vector<Growing> growing;
    for (std::size_t i = 0; i < lambdas_.size(); ++i) {
      growing.push_back({i, make_solver<T>(algorithm, lambdas_[i], {targets_.n_rows, sizes_.back(), gram ? &*gram : nullptr}), {}, 0});
    }
    uword nodes = 0;
    for (const uword size : sizes_) {
      const double together = seconds_of(clock, [&] {
        products.advance(size - nodes);
        if (gram) gram->extend(products);
      });
      nodes = size;
      for (Growing& one : growing) {
        Checkpoint& point = one.checkpoint;
        const double own = seconds_of(clock, [&] { point.status = one.solver->grow(products); });
        point.point = one.model;
        point.nodes = nodes;
        point.method = one.solver->method();
        point.step = {together + own, 0, 1};
        point.total_seconds += together + own;
        point.feature_seconds = feature_seconds_;
        look_into(one, algorithm);
      }
      judge(growing, algorithm.ridge_solution);
      for (const Growing& one : growing) observe(one.checkpoint);
      std::erase_if(growing, [](const Growing& one) { return one.checkpoint.status != Status::ok; });
      if (growing.empty()) return;
    }
  }

 private:
  /// A model on its way.
  struct Growing {
    std::size_t model;
    std::unique_ptr<BroadGrowth<T>> solver;
    Checkpoint checkpoint;
    double inverse_norm = 0;  // of R^-1; 0: another problem is solved
  };

  /// What only the solver can say of its R^-1, before another ridge parameter is at work.
  void look_into(Growing& one, const BlsAlgorithm& algorithm) const {
    Checkpoint& point = one.checkpoint;
    point.leverages = {};
    if (!algorithm.ridge_solution || point.status != Status::ok) return;
    if (options_.reference == "none") one.inverse_norm = inverse_norm<T>(*one.solver, *input_, point.nodes);
    if (!options_.leave_one_out.value_or(false)) return;
    const double lambda = lambdas_[one.model];
    const RidgeFit fit = std::move(ridge_fits<T>(*input_, targets_, {one.solver->weights()}, {lambda}).front());
    point.leverages = leverages<T>(*one.solver, *input_, point.nodes, lambda, fit.gradient);
    point.leverages.refined = scale_.undo(std::move(point.leverages.refined));
  }

  /// Nodes drawn and fitted, feature nodes, and the expanded input.
  void form_features(Clock& clock) {
    feature_seconds_ = seconds_of(clock, [&] {
      features_.emplace(options_.feature_map(), options_.steps(), fold_.train, rng_, Z_);
      if (stored_) {
        A_.set_size(Z_.n_rows, sizes_.back());
        features_->expand(Z_, View<T>(A_));
        scale_.apply(View<T>(A_));
        input_ = std::make_unique<StoredMatrix<T>>(A_);
      } else {
        input_ = std::make_unique<StreamedExpansion<T>>(*features_, Z_);
        if (!scale_.none()) input_ = std::make_unique<ScaledRows<T>>(std::move(input_), scale_);
      }
    });
  }

  /// A run of every algorithm that nobody times, on few samples: code, pages, threads and buffers are there when times are taken.
  void warm_up() const {
    const uword few = warm_samples(targets_.n_rows);
    const View<const T> targets = View<const T>(targets_).block(0, 0, few, targets_.n_cols);
    std::unique_ptr<TallMatrix<T>> input;
    if (stored_) {
      input = std::make_unique<StoredMatrix<T>>(View<const T>(A_).block(0, 0, few, A_.n_cols));
    } else {
      input = std::make_unique<StreamedExpansion<T>>(*features_, View<const T>(Z_).block(0, 0, few, Z_.n_cols));
    }
    std::vector<uword> sizes = sizes_;
    std::erase_if(sizes, [](uword size) { return size > kWarmNodes; });
    if (sizes.empty()) return;
    for (const std::string& name : options_.algorithms) {
      const BlsAlgorithm& algorithm = bls_algorithm(name, options_.chol2_form);
      RidgeProducts<T> products(*input, targets, algorithm.products);
      std::optional<GramMatrix<T>> gram;
      if (algorithm.gram) gram.emplace(sizes.back());
      const auto solver = make_solver<T>(algorithm, lambdas_[0], {few, sizes.back(), gram ? &*gram : nullptr});
      uword nodes = 0;
      for (const uword size : sizes) {
        products.advance(size - nodes);
        if (gram) gram->extend(products);
        if (solver->grow(products) != Status::ok) break;
        nodes = size;
      }
    }
  }

  /// Outputs and diagnostics of the solutions that are there, all in one pass over each part; the generalised inverse's solve another problem.
  void judge(std::vector<Growing>& growing, bool ridge_solution) {
    std::vector<arma::Mat<T>> weights;
    std::vector<double> lambdas;
    std::vector<Checkpoint*> points;
    std::vector<double> inverses;
    for (Growing& one : growing) {
      if (one.checkpoint.status != Status::ok) continue;
      weights.push_back(one.solver->weights());
      lambdas.push_back(lambdas_[one.model]);
      points.push_back(&one.checkpoint);
      inverses.push_back(one.inverse_norm);
    }
    std::vector<RidgeFit> fits = ridge_fits<T>(*input_, targets_, weights, lambdas);
    std::vector<arma::mat> test = features_->outputs(fold_.test, weights);
    for (std::size_t i = 0; i < points.size(); ++i) {
      points[i]->train_output = scale_.undo(std::move(fits[i].output));
      points[i]->test_output = std::move(test[i]);
      points[i]->network = [this, W = weights[i]] { return broad_network(*features_, W); };
      points[i]->diagnostics = {{"backward_error", fits[i].backward_error}};
      add_errors(weights[i], *points[i]);
      points[i]->notes.clear();
      if (ridge_solution) add_doubt(weights[i], (fits[i].squares + lambdas[i]) * inverses[i], *points[i]);
    }
  }

  void add_errors(const arma::Mat<T>& W, Checkpoint& point) {
    const Reference* reference = reference_at(point.point, W.n_rows);
    if (reference == nullptr) return;
    point.diagnostics["weight_error"] = arma::norm(arma::conv_to<arma::mat>::from(W) - reference->weights, "fro");
    point.diagnostics["output_error_train"] = arma::norm(point.train_output - reference->train_output, "fro");
    point.diagnostics["output_error_test"] = arma::norm(point.test_output - reference->test_output, "fro");
    point.diagnostics["condition"] = reference->condition;
  }

  /// condition: estimated, for where there is no reference.
  void add_doubt(const arma::Mat<T>& W, double condition, Checkpoint& point) {
    double error = arma::datum::nan;
    if (const Reference* reference = reference_at(point.point, W.n_rows)) {
      condition = reference->condition;
      error = point.diagnostics["weight_error"] / arma::norm(reference->weights, "fro");
    }
    if (const std::string doubt = doubt_about(condition, point.diagnostics["backward_error"], error); !doubt.empty()) point.notes[kWeights] = doubt;
  }

  /// The reference of this model and size, found once for all algorithms; null where there is none.
  const Reference* reference_at(std::size_t model, uword size) {
    if (options_.reference == "none") return nullptr;
    auto [entry, absent] = references_.try_emplace({model, size});
    if (absent) {
      Reference reference;
      if (solve_by_qr<T>(*input_, targets_, lambdas_[model], size, reference) == Status::ok) {
        const std::vector<arma::Mat<T>> W{arma::conv_to<arma::Mat<T>>::from(reference.weights)};
        reference.train_output = scale_.undo(std::move(outputs_of(*input_, W).front()));
        reference.test_output = std::move(features_->outputs(fold_.test, W).front());
        entry->second = std::move(reference);
      }
    }
    return entry->second ? &*entry->second : nullptr;
  }

  BlsOptions options_;  // of the first model; the others differ in ridge
  std::vector<double> lambdas_;
  FoldView fold_;
  Rng rng_;
  std::vector<uword> sizes_;
  bool stored_;
  RowScale<T> scale_;
  arma::Mat<T> targets_;                      // l x c, rows scaled
  std::optional<BroadFeatures<T>> features_;  // empty until the first run
  arma::Mat<T> Z_;                            // l x f, feature nodes
  arma::Mat<T> A_;                            // l x k where it is stored, rows scaled
  std::unique_ptr<TallMatrix<T>> input_;
  double feature_seconds_ = 0;
  std::map<std::pair<std::size_t, uword>, std::optional<Reference>> references_;
};

}  // namespace

std::unique_ptr<Trainer> make_bls(const std::vector<BlsOptions>& models, FoldView fold, const Rng& rng) {
  if (models.front().precision == "double") return std::make_unique<Bls<double>>(models, std::move(fold), rng);
  return std::make_unique<Bls<float>>(models, std::move(fold), rng);
}

std::unique_ptr<Predictor> restore_bls(const BlsOptions& model, const TrainedNetwork& network, const NetworkShape& shape) {
  return model.precision == "double" ? restore_broad_network<double>(network, shape) : restore_broad_network<float>(network, shape);
}

}  // namespace elmx
