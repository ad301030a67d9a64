#include "models/elm/elm.hpp"

#include <algorithm>
#include <optional>

#include "features/network_output.hpp"
#include "features/random_layer.hpp"
#include "linalg/blas.hpp"
#include "models/elm/elm_algorithms.hpp"
#include "models/elm/elm_judge.hpp"
#include "models/elm/elm_rounds.hpp"
#include "models/scaled_rows.hpp"
#include "models/single_layer.hpp"

namespace elmx {
namespace {

template <class T>
class Elm final : public Trainer {
 public:
  Elm(const std::vector<ElmOptions>& models, FoldView fold, const Rng& rng)
      : options_(models.front()),
        fold_(std::move(fold)),
        layer_(RandomLayer::draw(rng, fold_.train.dimension(), options_.nodes.stop, activation_from(options_.activation),
                                 {options_.weights[0], options_.weights[1], options_.biases[0], options_.biases[1]})),
        scale_(fold_.sample_weights),
        targets_(arma::conv_to<arma::Mat<T>>::from(fold_.targets)) {
    scale_.apply(View<T>(targets_));
    for (const ElmOptions& model : models) lambdas_.push_back(model.ridge);
  }

  void train(const std::string& name, Clock& clock, const Observer& observe) override {
    if (H_.n_cols == 0) form_features(clock);
    if (rounds_.empty()) prepare_times(clock);
    for (std::size_t model = 0; model < lambdas_.size(); ++model) train(model, elm_algorithm(name), clock, observe);
  }

 private:
  RidgeProblem<T> problem(std::size_t model) const { return {H_, targets_, lambdas_[model]}; }

  void train(std::size_t model, const ElmAlgorithm& algorithm, Clock& clock, const Observer& observe) {
    const auto solver = make_solver<T>(algorithm, problem(model), options_);
    double total = 0;
    Status status = timed(clock, total, [&] { return solver->start(options_.nodes.start); });
    Seconds step{total, 0, 1};
    for (const std::size_t size : options_.sizes()) {
      if (status == Status::ok && size > solver->nodes()) status = grow_to(size, model, algorithm, *solver, clock, total, step);
      observe(checkpoint(size, model, status, *solver, step, total));
      if (status != Status::ok) return;
    }
  }

  /// H for all nodes that will ever be added.
  void form_features(Clock& clock) {
    const double begin = clock.now();
    H_.set_size(fold_.train.samples(), options_.nodes.stop);
    layer_.outputs(fold_.train, 0, View<T>(H_));
    scale_.apply(View<T>(H_));
    feature_seconds_ = clock.now() - begin;
  }

  void prepare_times(Clock& clock) {
    warm_up(options_, problem(0));
    std::vector<StepRounds<T>> rounds;
    for (std::size_t model = 0; model < lambdas_.size(); ++model) rounds.emplace_back(options_, problem(model), clock);
    rounds_ = std::move(rounds);
  }

  template <class F>
  static Status timed(Clock& clock, double& total, const F& f) {
    const double begin = clock.now();
    const Status status = f();
    total += clock.now() - begin;
    return status;
  }

  /// Grows to `size`; `step` becomes the time of the step that reaches it.
  Status grow_to(uword size, std::size_t model, const ElmAlgorithm& algorithm, RidgeGrowth<T>& solver, Clock& clock, double& total,
                 Seconds& step) const {
    if (algorithm.kind != StepKind::node) {
      const uword added = size - solver.nodes();
      double seconds = 0;
      const Status status = timed(clock, seconds, [&] { return solver.grow(added); });
      total += seconds;
      step = {algorithm.kind == StepKind::panel ? seconds / static_cast<double>(added) : seconds, 0, 1};
      return status;
    }
    Status status = timed(clock, total, [&] { return solver.grow(size - 1 - solver.nodes()); });
    if (status != Status::ok) return status;
    double last = 0;
    status = timed(clock, last, [&] { return solver.grow(1); });
    total += last;
    step = rounds_[model].step(algorithm.name, size, last);
    return status;
  }

  Checkpoint checkpoint(uword size, std::size_t model, Status status, const RidgeGrowth<T>& solver, const Seconds& step, double total) {
    Checkpoint point;
    point.point = model;
    point.nodes = size;
    point.status = status;
    point.step = step;
    point.total_seconds = total;
    point.feature_seconds = feature_seconds_;
    if (status != Status::ok) return point;
    const arma::Mat<T> W = solver.weights();
    RidgeFit fit = std::move(ridge_fits<T>(StoredMatrix<T>(H_), targets_, {W}, {lambdas_[model]}).front());
    point.train_output = scale_.undo(std::move(fit.output));
    if (options_.leave_one_out.value_or(false)) {
      point.leverages = leverages<T>(solver, StoredMatrix<T>(H_), size, lambdas_[model], fit.gradient);
      point.leverages.refined = scale_.undo(std::move(point.leverages.refined));
    }
    point.test_output = test_output(W);
    point.network = [this, W] {
      return single_layer<T>(options_.activation, arma::mat(arma::join_cols(layer_.W, layer_.b)).head_cols(W.n_rows), W);
    };
    point.diagnostics["backward_error"] = fit.backward_error;
    double condition = 0, relative_error = arma::datum::nan;
    if (const Reference* reference = reference_at(size, model)) {
      const arma::Mat<T> exact = arma::conv_to<arma::Mat<T>>::from(reference->weights);
      point.diagnostics["weight_error"] = arma::norm(arma::conv_to<arma::mat>::from(W) - reference->weights, "fro");
      point.diagnostics["output_error_train"] = arma::norm(point.train_output - train_output(exact), "fro");
      point.diagnostics["output_error_test"] = arma::norm(point.test_output - test_output(exact), "fro");
      point.diagnostics["condition"] = condition = reference->condition;
      if (options_.reference == "qr") relative_error = point.diagnostics["weight_error"] / arma::norm(reference->weights, "fro");
    } else {
      condition = (fit.squares + lambdas_[model]) * inverse_norm<T>(solver, StoredMatrix<T>(H_), size);
    }
    if (const std::string doubt = doubt_about(condition, fit.backward_error, relative_error); !doubt.empty()) point.notes[kWeights] = doubt;
    return point;
  }

  /// Z = f(X_test W + 1 b) W.
  arma::mat test_output(const arma::Mat<T>& W) const { return network_output(layer_, fold_.test, W); }

  /// Z = H W of the unscaled samples.
  arma::mat train_output(const arma::Mat<T>& W) const {
    arma::Mat<T> Z(H_.n_rows, W.n_cols);
    gemm(Op::none, Op::none, T(1), View<const T>(H_).head_cols(W.n_rows), W, T(0), View<T>(Z));
    return scale_.undo(arma::conv_to<arma::mat>::from(Z));
  }

  /// The reference of this size, found once for all algorithms; null where there is none. Outputs are not kept: a sweep has many.
  const Reference* reference_at(uword size, std::size_t model) {
    if (options_.reference == "none") return nullptr;
    auto [entry, absent] = references_.try_emplace(std::pair(size, model));
    if (absent) {
      Reference reference;
      if (solve_reference(options_.reference, problem(model), size, reference) == Status::ok) entry->second = std::move(reference);
    }
    return entry->second ? &*entry->second : nullptr;
  }

  ElmOptions options_;  // of the first model; the others differ in ridge
  std::vector<double> lambdas_;
  FoldView fold_;
  RandomLayer layer_;
  RowScale<T> scale_;
  arma::Mat<T> H_;        // n_train x L, rows scaled; empty until the first run
  arma::Mat<T> targets_;  // n_train x c, rows scaled
  double feature_seconds_ = 0;
  std::vector<StepRounds<T>> rounds_;  // of each model
  std::map<std::pair<uword, std::size_t>, std::optional<Reference>> references_;
};

}  // namespace

std::unique_ptr<Trainer> make_elm(const std::vector<ElmOptions>& models, FoldView fold, const Rng& rng) {
  if (models.front().precision == "double") return std::make_unique<Elm<double>>(models, std::move(fold), rng);
  return std::make_unique<Elm<float>>(models, std::move(fold), rng);
}

std::unique_ptr<Predictor> restore_elm(const ElmOptions& model, const TrainedNetwork& network, const NetworkShape& shape) {
  return model.precision == "double" ? restore_single_layer<double>(network, shape) : restore_single_layer<float>(network, shape);
}

Cost elm_cost(const std::vector<ElmOptions>& models, const Sizes& sizes) {
  const ElmOptions& options = models.front();
  const auto N = static_cast<double>(sizes.train), d = static_cast<double>(sizes.inputs), c = static_cast<double>(sizes.outputs);
  const auto L = static_cast<double>(options.nodes.stop), l0 = static_cast<double>(options.nodes.start);
  const double word = options.precision == "double" ? 8 : 4;
  const double solves = static_cast<double>(options.sizes().size());
  const double solve_flops = N * L * L + L * L * L / 3;

  const double features = 2 * N * d * L;
  const double judged_flops = [&] {  // outputs, residual and the nodes of the test part, of each size and algorithm
    double sum = 0;
    for (const std::size_t size : options.sizes()) sum += static_cast<double>(size) * (4 * N * c + 2 * static_cast<double>(sizes.test) * (d + c));
    return sum * static_cast<double>(options.algorithms.size());
  }();
  Cost cost;
  double state = 0, largest_measured = 0, all_measured = 0;
  for (const std::string& name : options.algorithms) {
    const ElmAlgorithm& row = elm_algorithm(name);
    const double own = row.state_NL * N * L + row.state_LL * L * L;
    state = std::max(state, own);
    if (row.kind == StepKind::node && !options.timing.at.empty()) {
      all_measured += own;
      largest_measured = std::max(largest_measured, own);
      for (const std::size_t size : options.timing.at) cost.flops += 3 * N * static_cast<double>(size * size);
    }
    const double growth = (L * L - l0 * l0) / 2 * N;  // sum of l K over the steps
    if (row.kind == StepKind::restart) cost.flops += solves * solve_flops;
    if (row.kind == StepKind::panel) cost.flops += solve_flops;
    if (row.kind == StepKind::node) cost.bytes_moved += word * growth * (row.flops.lK + row.flops.MlK * c) / 2;
    if (row.kind == StepKind::node) {
      cost.bytes_moved += word * static_cast<double>(options.timing.at.size()) * static_cast<double>(options.timing.repetitions) * N * L *
                          (row.flops.lK + row.flops.MlK * c) / 2;
    }
  }
  state = std::max(state, all_measured + largest_measured);  // a state of each, and the one that takes the step
  if (options.leave_one_out.value_or(false)) {
    for (const std::size_t size : options.sizes()) {
      cost.flops += 2 * N * std::pow(static_cast<double>(size), 2) * static_cast<double>(options.algorithms.size());
    }
  }
  if (options.reference != "none") {
    state = std::max(state, 3 * L * L * 8 / word);
    cost.flops += (options.reference == "qr" ? 2 : 1) * solves * solve_flops;
  }
  const auto points = static_cast<double>(models.size());
  cost.flops = features + points * (cost.flops + judged_flops);
  cost.bytes_moved *= points;
  const double references = options.reference == "none" ? 0 : 8 * points * solves * L * c;
  const double judged = 8 * (2 * N + 2 * static_cast<double>(sizes.test)) * c + word * 4096 * L + references;
  const double layer = RandomLayer::working_bytes(sizes.inputs, options.nodes.stop, std::max(sizes.train, sizes.test), word);
  cost.bytes = word * (N * L + N * c + state) + layer + judged;
  return cost;
}

}  // namespace elmx
