#include "models/ridge/sample_growth.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "base/machine/stage.hpp"
#include "features/network_output.hpp"
#include "linalg/blas.hpp"
#include "models/diagnostics.hpp"
#include "solvers/updates/updated_ridge.hpp"

namespace elmx {
namespace {

/// Returns the class of each row of encoded targets. Throws ConfigError unless each row has one output that
/// is on, and all others are off.
arma::uvec classes_of(const arma::mat& targets) {
  const double on = targets.max(), off = targets.min();
  for (uword i = 0; i < targets.n_rows; ++i) {
    const uword ons = arma::accu(targets.row(i) == on), offs = arma::accu(targets.row(i) == off);
    if (on == off || ons != 1 || offs + 1 != targets.n_cols)
      throw ConfigError("/model/growth/classes", "needs a classification with one output for each class");
  }
  return arma::index_max(targets, 1);
}

arma::uvec indices(const std::vector<std::uint64_t>& numbers) {
  return arma::uvec(std::vector<uword>(numbers.begin(), numbers.end()));
}

class SampleGrowthTrainer final : public Trainer {
 public:
  SampleGrowthTrainer(RidgeSetup setup, SamplesInSteps steps, Expansion<double> expansion, FoldView fold)
      : setup_(std::move(setup)),
        steps_(std::move(steps)),
        expansion_(std::move(expansion)),
        fold_(std::move(fold)),
        scale_(fold_.sample_weights.is_empty() ? arma::vec() : arma::vec(fold_.sample_weights.elem(steps_.order))),
        Y_(fold_.targets.rows(steps_.order)) {
    scale_.apply(View<double>(Y_));
  }

  void train(const std::string& algorithm, Clock& clock, const Observer& observe) override {
    if (A_.is_empty()) form_samples(clock);
    warm_up(algorithm);
    for (std::size_t model = 0; model < setup_.lambdas.size(); ++model) train(algorithm, model, clock, observe);
  }

 private:
  void train(const std::string& algorithm, std::size_t model, Clock& clock, const Observer& observe) {
    const double lambda = setup_.lambdas[model].lambda;
    const bool retrain = algorithm == kRetrain;
    const UpdateAlgorithm& row = update_algorithm(retrain ? "gram" : algorithm);
    const auto start = [&] { return row.make(A_.n_cols, Y_.n_cols, lambda, steps_.checked); };
    std::unique_ptr<UpdatedRidge> solver = start();
    Checkpoint point;
    point.point = model;
    point.nodes = setup_.nodes(A_.n_cols);
    point.feature_seconds = feature_seconds_;
    std::vector<arma::vec> accuracies;
    uword before = 0;
    for (std::size_t step = 0; step < steps_.counts.size(); ++step) {
      report_stage("step", step + 1, steps_.counts.size());
      const uword count = steps_.counts[step], first = retrain ? 0 : before;
      const double begin = clock.now();
      point.diagnostics.clear();
      point.notes.clear();
      if (retrain) solver = start();
      if (count > first) point.status = solver->change(rows(A_, first, count), rows(Y_, first, count), Change::add);
      point.step = {clock.now() - begin, 0, 1};
      point.total_seconds += point.step.mean;
      point.method = step > 0 && count > first && row.checkable && solver->factorised() ? "factorised" : "";
      point.parameters = step_parameters(step);
      if (point.status == Status::ok) judge(*solver, model, step, accuracies, point);
      observe(point);
      if (point.status != Status::ok) return;
      before = count;
    }
  }

  /// Runs an algorithm on few samples, untimed, so that threads and memory are ready.
  void warm_up(const std::string& algorithm) const {
    const uword few = std::min<uword>(A_.n_rows, 256);
    const auto solver = update_algorithm(algorithm == kRetrain ? "gram" : algorithm)
                            .make(A_.n_cols, Y_.n_cols, setup_.lambdas.front().lambda, steps_.checked);
    for (int twice = 0; twice < 2; ++twice) {
      if (solver->change(rows(A_, 0, few), rows(Y_, 0, few), Change::add) != Status::ok) return;
    }
  }

  /// Forms A of all samples in their order. A map that is fitted to samples sees the first step only.
  void form_samples(Clock& clock) {
    const double begin = clock.now();
    const uword N = steps_.order.n_elem, known = steps_.counts.front();
    const RowScale<double> none{arma::vec()};
    Inputs train = fold_.train;
    train.rows = arma::uvec(fold_.train.rows.elem(steps_.order.head(known)));
    const arma::mat first = expansion_.form(train, {0, known}, none)->stored()->copy();
    A_.set_size(N, first.n_cols);
    A_.head_rows(known) = first;
    if (known < N) {
      train.rows = arma::uvec(fold_.train.rows.elem(steps_.order.tail(N - known)));
      expansion_.map().outputs(train, 0, View<double>(A_).block(known, 0, N - known, A_.n_cols));
      train.X.rethrow();
    }
    scale_.apply(View<double>(A_));
    feature_seconds_ = clock.now() - begin;
  }

  std::map<std::string, double> step_parameters(std::size_t step) const {
    if (steps_.classes.empty()) return {{kSamples, static_cast<double>(steps_.counts[step])}};
    uword classes = 0;
    for (std::size_t i = 0; i <= step; ++i) classes += steps_.classes[i].n_elem;
    return {{kClasses, static_cast<double>(classes)}};
  }

  static View<const double> rows(const arma::mat& M, uword first, uword end) {
    return View<const double>(M).block(first, 0, end - first, M.n_cols);
  }

  /// Computes outputs and diagnostics of the solution for the samples so far.
  void judge(const UpdatedRidge& solver, std::size_t model, std::size_t step, std::vector<arma::vec>& accuracies,
             Checkpoint& point) {
    const uword count = steps_.counts[step];
    const double lambda = setup_.lambdas[model].lambda;
    const StoredMatrix<double> A{rows(A_, 0, count)};
    const arma::mat& W = solver.weights();
    const RidgeFit fit = ridge_fits<double>(A, rows(Y_, 0, count), {W}, {lambda}).front();
    point.diagnostics["backward_error"] = fit.backward_error;
    point.trained = steps_.order.head(count);
    point.train_output = scale_.undo(fit.output);
    point.test_output = network_output(expansion_.map(), fold_.test, W);
    double condition = arma::datum::nan, relative_error = arma::datum::nan;
    if (const Reference* reference = reference_at(model, step)) {
      condition = reference->condition;
      const double weight_error = compare(*reference, A, W, point);
      if (setup_.reference == "qr") relative_error = weight_error / arma::norm(reference->weights, "fro");
    } else {
      condition = (fit.squares + lambda) * inverse_norm<double>(solver, A, A_.n_cols);
    }
    if (const std::string doubt = doubt_about(condition, fit.backward_error, relative_error); !doubt.empty())
      point.notes[kWeights] = doubt;
    if (!steps_.classes.empty()) judge_classes(step, accuracies, point);
  }

  /// Computes the errors of weights and outputs, and returns the error of the weights.
  double compare(const Reference& reference, const TallMatrix<double>& A, const arma::mat& W, Checkpoint& point) const {
    const std::vector<arma::mat> exact{reference.weights};
    const double weight_error = arma::norm(W - reference.weights, "fro");
    point.diagnostics["condition"] = reference.condition;
    point.diagnostics["weight_error"] = weight_error;
    point.diagnostics["output_error_train"] =
        arma::norm(point.train_output - scale_.undo(std::move(outputs_of(A, exact).front())), "fro");
    point.diagnostics["output_error_test"] =
        arma::norm(point.test_output - network_output(expansion_.map(), fold_.test, reference.weights), "fro");
    return weight_error;
  }

  /// Computes accuracies among the classes so far, and lets no other class win.
  void judge_classes(std::size_t step, std::vector<arma::vec>& accuracies, Checkpoint& point) const {
    arma::uvec seen;
    for (std::size_t i = 0; i <= step; ++i) seen = arma::join_cols(seen, steps_.classes[i]);
    const auto only_seen = [&](arma::mat& Z) {
      const arma::mat known = Z.cols(seen);
      Z.each_col() = arma::vec(arma::min(known, 1) - 1);
      Z.cols(seen) = known;
    };
    only_seen(point.train_output);
    only_seen(point.test_output);
    const arma::uvec truth = arma::index_max(fold_.test_targets, 1), found = arma::index_max(point.test_output, 1);
    arma::vec now(step + 1);
    for (std::size_t i = 0; i <= step; ++i) {
      uword samples = 0, right = 0;
      for (uword j = 0; j < truth.n_elem; ++j) {
        if (!arma::any(steps_.classes[i] == truth(j))) continue;
        ++samples;
        right += truth(j) == found(j) ? 1 : 0;
      }
      now(i) = samples == 0 ? arma::datum::nan : static_cast<double>(right) / static_cast<double>(samples);
    }
    const auto mean = [](const arma::vec& values) {
      const arma::uvec known = arma::find_finite(values);
      return known.is_empty() ? arma::datum::nan : arma::mean(values.elem(known));
    };
    point.diagnostics["average_accuracy"] = mean(now);
    if (step > 0) {
      arma::vec fallen(step);
      for (std::size_t i = 0; i < step; ++i) {
        double best = 0;
        for (std::size_t earlier = i; earlier < step; ++earlier) best = std::max(best, accuracies[earlier](i));
        fallen(i) = best - now(i);
      }
      point.diagnostics["forgetting"] = mean(fallen);
    }
    accuracies.push_back(now);
  }

  /// Returns the reference for the samples of a step, which all algorithms share; null if there is none.
  const Reference* reference_at(std::size_t model, std::size_t step) {
    if (setup_.reference == "none") return nullptr;
    auto [entry, absent] = references_.try_emplace({model, step});
    if (absent) {
      const uword count = steps_.counts[step];
      const StoredMatrix<double> A{rows(A_, 0, count)};
      Reference reference;
      const Status status = solve_reference<double>(setup_.reference, A, RidgeTargets<double>(rows(Y_, 0, count)),
                                                    setup_.lambdas[model].lambda, A_.n_cols, reference);
      if (status == Status::ok) entry->second = std::move(reference);
    }
    return entry->second ? &*entry->second : nullptr;
  }

  RidgeSetup setup_;
  SamplesInSteps steps_;
  Expansion<double> expansion_;
  FoldView fold_;
  RowScale<double> scale_;  // in the order of the steps
  arma::mat A_, Y_;         // N x k and N x c, in the order of the steps, rows scaled
  double feature_seconds_ = 0;
  std::map<std::pair<std::size_t, std::size_t>, std::optional<Reference>> references_;  // by model and step
};

}  // namespace

SamplesInSteps::SamplesInSteps(const SampleGrowth& growth, const arma::mat& targets, const Rng& rng)
    : checked(growth.checked.value_or(true)) {
  const uword n = targets.n_rows;
  order = growth.order.value_or("random") == "random" ? indices(rng.with(Purpose::order).permutation(n))
                                                      : arma::regspace<arma::uvec>(0, n - 1);
  if (growth.samples) {
    for (const std::size_t count : *growth.samples) counts.push_back(count);
    order = order.head(counts.back());
    return;
  }
  const arma::uvec of_sample = arma::uvec(classes_of(targets).elem(order)),
                   in_order = indices(rng.with(Purpose::split).permutation(targets.n_cols));
  arma::uvec by_classes;
  for (uword first = 0; first < in_order.n_elem; first += *growth.classes) {
    classes.push_back(in_order.subvec(first, std::min<uword>(first + *growth.classes, in_order.n_elem) - 1));
    std::vector<uword> samples;
    for (uword i = 0; i < n; ++i) {
      if (arma::any(classes.back() == of_sample(i))) samples.push_back(order(i));
    }
    by_classes = arma::join_cols(by_classes, arma::uvec(samples));
    counts.push_back(by_classes.n_elem);
  }
  if (counts.front() == 0)
    throw ConfigError("/model/growth/classes", "the classes of the first step have no training sample; use more");
  order = by_classes;
}

FoldView SamplesInSteps::first(FoldView fold) const {
  const arma::uvec places = order.head(counts.front());
  fold.train.rows = arma::uvec(fold.train.rows.elem(places));
  fold.targets = arma::mat(fold.targets.rows(places));
  if (!fold.sample_weights.is_empty()) fold.sample_weights = arma::vec(fold.sample_weights.elem(places));
  return fold;
}

std::unique_ptr<Trainer> sample_growth_trainer(RidgeSetup setup, SamplesInSteps steps, Expansion<double> expansion,
                                               FoldView fold) {
  return std::make_unique<SampleGrowthTrainer>(std::move(setup), std::move(steps), std::move(expansion),
                                               std::move(fold));
}

Cost sample_growth_cost(const RidgeSetup& setup, const SampleGrowth& growth, const ExpansionCost& expansion,
                        const Sizes& sizes) {
  const auto N = static_cast<double>(sizes.train), test = static_cast<double>(sizes.test),
             c = static_cast<double>(sizes.outputs), k = static_cast<double>(setup.capacity),
             m = static_cast<double>(setup.lambdas.size());
  std::vector<double> counts;
  if (growth.samples) {
    counts.assign(growth.samples->begin(), growth.samples->end());
  } else {
    for (double classes = 0; classes < c; classes += static_cast<double>(*growth.classes))
      counts.push_back(N * std::min(classes + static_cast<double>(*growth.classes), c) / c);
  }
  Cost cost;
  cost.flops = expansion.flops;
  cost.passes = expansion.passes;
  // numbers beside A and the state: a copy of the first samples, nodes of test samples, or an update
  double at_work = std::max(counts.front() * k, numbers_at_once(sizes.test, k));
  for (const std::string& name : setup.algorithms) {
    const bool retrain = name == kRetrain;
    const UpdateAlgorithm& row = update_algorithm(retrain ? "gram" : name);
    double before = 0;
    for (const double count : counts) {
      const double added = retrain ? count : count - before;
      if (before > 0) at_work = std::max(at_work, row.numbers(added, k, c));
      const bool sums = before > 0 && row.checkable && growth.checked.value_or(true);
      cost.flops += m * (before == 0 ? update_algorithm("gram").flops(added, k, c) : row.flops(added, k, c));
      if (sums) cost.flops += m * added * k * k;
      cost.flops += m * ((4 * count + 2 * test) * k * c + expansion.test + expansion.test_column * k);
      before = count;
    }
  }
  if (setup.reference != "none") {
    for (const double count : counts)
      cost.flops += m * (setup.reference == "qr" ? 2 : 1) * (count * k * k + k * k * k / 3);
  }
  cost.test_passes = m * static_cast<double>(counts.size() * setup.algorithms.size());
  cost.bytes = expansion.bytes + 8 * (5 * k * k + at_work + 4 * (N + test) * c);
  return cost;
}

}  // namespace elmx
