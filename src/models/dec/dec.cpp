#include "models/dec/dec.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/machine/clock.hpp"
#include "base/machine/stage.hpp"
#include "features/network_output.hpp"
#include "linalg/blas.hpp"
#include "linalg/decompositions.hpp"
#include "models/diagnostics.hpp"
#include "models/trained_network.hpp"
#include "nets/perceptron/decomposition.hpp"

namespace elmx {
namespace {

// A training is complete if its gradient norm is below this part of the first gradient norm.
constexpr double kTrained = 0.01;
constexpr const char* kNoStep =
    "the line search of L-BFGS finds no step, far from a minimum; scale the inputs or the targets "
    "(preprocess.inputs, preprocess.targets.scale)";

/// The reporting state of a training of one size: the values of `report` in increasing order.
class Progress {
 public:
  Progress(uword nodes, const std::vector<std::size_t>& report) : wanted_(report.begin(), report.end()) {
    point_.nodes = nodes;
  }

  std::size_t last() const { return *wanted_.rbegin(); }
  bool wants(std::size_t iteration) const { return wanted_.count(iteration) > 0; }

  void add(double error, double gradient_norm) {
    point_.trace["objective"].push_back(error);
    point_.trace["gradient_norm"].push_back(gradient_norm);
    point_.diagnostics["objective"] = error;
    point_.diagnostics["gradient_norm"] = gradient_norm;
  }

  /// Returns the state after `iteration`; the caller adds the outputs.
  Checkpoint at(std::size_t iteration, double seconds) const {
    Checkpoint point = point_;
    point.iterations = iteration;
    point.total_seconds = seconds;
    point.step = {seconds, 0, 1};
    return point;
  }

  /// Returns the values that were not reached when training ended at `iteration`.
  std::vector<std::size_t> after(std::size_t iteration) const {
    return {wanted_.upper_bound(iteration), wanted_.end()};
  }

 private:
  std::set<std::size_t> wanted_;
  Checkpoint point_;
};

class Dec final : public Trainer {
 public:
  Dec(const DecOptions& options, FoldView fold, const Rng& rng)
      : options_(options), fold_(std::move(fold)), rng_(rng), X_(fold_.train.samples(), fold_.train.dimension() + 1) {
    X_.col(0).fill(-1);
    fold_.train.block(0, X_.n_rows, X_.colptr(1));
  }

  void train(const std::string& algorithm, Clock& clock, const Observer& observer) override {
    if (!warm_) warm_up();
    Status status = Status::ok;
    const Observer observe = [&](const Checkpoint& point) {
      status = point.status;
      observer(point);
    };
    const auto sizes = options_.sizes();
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (status != Status::ok) return;
      const StagePart part(i, sizes.size());
      const std::size_t N = sizes[i];
      if (algorithm == "dec") decompose(N, options_.dec.scheme, options_.dec.report, clock, observe);
      if (algorithm == "relm") decompose(N, "elm", {1}, clock, observe);
      if (algorithm == "lbfgs") minimise_all(N, clock, observe);
      if (algorithm == "elm") solve_minimum_norm(N, clock, observe);
    }
  }

 private:
  PerceptronProblem problem(uword N) const {
    return {X_, fold_.targets, options_.tau_w / static_cast<double>(X_.n_cols * N), options_.tau_lambda};
  }

  /// Returns the hidden units as nodes: the threshold has the input -1.
  static HiddenNodes nodes_of(const arma::mat& W) { return {"sigmoid", W.tail_rows(W.n_rows - 1), -W.row(0)}; }

  /// Draws a random start with columns of `rows` numbers: unit j is the same for every N.
  arma::mat draw(Purpose purpose, uword rows, uword N) const {
    const Rng rng = rng_.with(purpose);
    const double low = options_.weights[0], width = options_.weights[1] - low;
    arma::mat M(rows, N);
    for (uword i = 0; i < M.n_elem; ++i) M(i) = low + width * rng.uniform(i);
    return M;
  }

  /// Runs each step once, untimed, so that code, pages, threads and buffers are ready for timed runs.
  void warm_up() {
    const uword N = options_.sizes().front();
    Decomposition training(problem(N), draw(Purpose::layer, X_.n_cols, N),
                           arma::mat(N, fold_.targets.n_cols, arma::fill::zeros),
                           scheme_from(options_.dec.scheme, N, options_.dec.block), options_.decomposition(rng_));
    static_cast<void>(training.block_step());
    arma::mat slope_W(X_.n_cols, N), slope_Lambda(N, fold_.targets.n_cols);
    static_cast<void>(error_and_gradient(problem(N), training.W(), training.Lambda(), View<double>(slope_W),
                                         View<double>(slope_Lambda)));
    warm_ = true;
  }

  /// Performs major steps of a scheme (or block steps, if maxiter counts these).
  void decompose(uword N, const std::string& scheme, const std::vector<std::size_t>& report, Clock& clock,
                 const Observer& observe) const {
    const PerceptronProblem of_size = problem(N);
    const bool by_block = options_.dec.counts == "inner_pass";
    Progress progress(N, report);
    Stopwatch watch(clock);
    Decomposition training(of_size, draw(Purpose::layer, X_.n_cols, N),
                           arma::mat(N, of_size.outputs(), arma::fill::zeros),
                           scheme_from(scheme, N, options_.dec.block), options_.decomposition(rng_));
    double before = training.error();
    for (std::size_t iteration = 1; iteration <= progress.last(); ++iteration) {
      report_stage(by_block ? "block step" : "major step", iteration, progress.last());
      Status status = by_block ? training.block_step() : training.major_step();
      const double seconds = watch.stop(), error = training.error(), gradient = training.gradient_norm();
      if (status == Status::ok && !(error <= before + 1e-12 * (1 + before))) status = Status::not_decreasing;
      progress.add(error, gradient);
      const auto show = [&](std::size_t wanted, const std::string& method) {
        Checkpoint point = progress.at(wanted, seconds);
        point.method = method;
        point.status = status;
        if (status == Status::ok) {
          add_outputs(training.W(), training.Lambda(), training.H(), of_size.tau_lambda, clock, point);
        } else {
          point.diagnostics.clear();  // the diagnostics belong to a step that failed
        }
        observe(point);
      };
      if (status != Status::ok) return show(iteration, "");
      if (progress.wants(iteration)) show(iteration, "");
      if (options_.dec.gradient_tolerance > 0 && gradient <= options_.dec.gradient_tolerance) {
        for (const std::size_t wanted : progress.after(iteration))
          show(wanted, "converged at " + std::to_string(iteration));
        return;
      }
      before = error;
      watch.go();
    }
  }

  /// Minimises over (W, Lambda) by L-BFGS. If the line search fails, the memory is dropped and -gradient is
  /// tried; if that fails too, the training ends.
  void minimise_all(uword N, Clock& clock, const Observer& observe) const {
    const PerceptronProblem of_size = problem(N);
    const uword n = X_.n_cols, C = of_size.outputs();
    Progress progress(N, options_.lbfgs.report);
    const std::size_t every = std::max<std::size_t>(1, progress.last() / 100);
    arma::vec x =
        arma::join_cols(arma::vectorise(draw(Purpose::layer, n, N)), arma::vectorise(draw(Purpose::output, C, N).t()));
    const Objective error = [&](const double* v, double* gradient) {
      return error_and_gradient(of_size, {v, n, N, n}, {v + n * N, N, C, N}, {gradient, n, N, n},
                                {gradient + n * N, N, C, N});
    };
    arma::vec slope(x.n_elem);
    static_cast<void>(error(x.memptr(), slope.memptr()));
    const double steepest = arma::norm(slope);
    LbfgsStop stop = LbfgsStop::iterations;
    LbfgsIterate last{0, x.memptr(), 0, steepest};
    Stopwatch watch(clock);
    const auto show = [&](const double* v, std::size_t iteration, double seconds, const std::string& method) {
      Checkpoint point = progress.at(iteration, seconds);
      point.method = method;
      if (stop == LbfgsStop::line_search && !(last.gradient_norm <= kTrained * steepest))
        point.notes[kWeights] = kNoStep;
      const arma::mat W(v, n, N), Lambda(v + n * N, N, C);
      arma::mat H(X_.n_rows, N);
      hidden_outputs(X_, W, View<double>(H));
      add_outputs(W, Lambda, H, std::nullopt, clock, point);
      observe(point);
    };

    LbfgsOptions options;
    options.memory = options_.memory;
    options.accuracy = 0;
    std::size_t done = 0, traced = 0;
    while (done < progress.last()) {
      options.iterations = progress.last() - done;
      stop = LbfgsStop::iterations;
      const LbfgsSummary summary = minimise_lbfgs(error, x, options, [&](const LbfgsIterate& iterate) {
        const std::size_t iteration = done + iterate.iteration;
        report_stage("iteration", iteration, progress.last());
        last = iterate;
        if (iteration % every != 0 && !progress.wants(iteration)) return;
        const double seconds = watch.stop();
        progress.add(iterate.value, iterate.gradient_norm);
        traced = iteration;
        if (progress.wants(iteration)) show(iterate.x, iteration, seconds, "");
        watch.go();
      });
      if (!std::isfinite(summary.value)) {
        Checkpoint point = progress.at(0, watch.stop());
        point.status = Status::not_finite;
        return observe(point);
      }
      done += summary.iterations;
      stop = summary.stop;
      if (summary.iterations == 0 || summary.stop == LbfgsStop::converged) break;
    }
    const double seconds = watch.stop();
    if (traced < done) progress.add(last.value, last.gradient_norm);
    for (const std::size_t wanted : progress.after(done)) {
      show(x.memptr(), wanted, seconds,
           (stop == LbfgsStop::converged ? "converged at " : "line search ended at ") + std::to_string(done));
    }
  }

  /// Computes Lambda = H^+ Y. With rcond the pseudo-inverse drops singular values of H below rcond times the
  /// largest. Such a solution does not solve the least-squares problem, so it has no backward error.
  void solve_minimum_norm(uword N, Clock& clock, const Observer& observe) const {
    Stopwatch watch(clock);
    const arma::mat W = draw(Purpose::layer, X_.n_cols, N);
    arma::mat H(X_.n_rows, N), Lambda;
    hidden_outputs(X_, W, View<double>(H));
    const double rcond = options_.elm.rcond.value_or(0);
    const Status status = minimum_norm(H, fold_.targets, Lambda, rcond);
    Checkpoint point = Progress(N, {0}).at(0, watch.stop());
    point.status = status;
    if (status == Status::ok) add_outputs(W, Lambda, H, rcond > 0 ? std::nullopt : std::optional(0.0), clock, point);
    observe(point);
  }

  /// Adds the outputs on both parts and the network, whose W and Lambda must outlive the checkpoint. Adds the
  /// backward error if Lambda solves the ridge problem of H with penalty `ridge`.
  void add_outputs(const arma::mat& W, const arma::mat& Lambda, const arma::mat& H, std::optional<double> ridge,
                   Clock& clock, Checkpoint& point) const {
    const StoredMatrix<double> stored{View<const double>(H)};
    if (ridge) {
      RidgeFit fit = std::move(ridge_fits<double>(stored, fold_.targets, {Lambda}, {*ridge}).front());
      point.diagnostics["backward_error"] = fit.backward_error;
      point.train_output = std::move(fit.output);
    } else {
      point.train_output = std::move(outputs_of<double>(stored, {Lambda}).front());
    }
    const HiddenNodes nodes = nodes_of(W);
    const double begin = clock.now();
    point.test_output = network_output(nodes, fold_.test, Lambda);
    point.test_seconds = clock.now() - begin;
    point.network = [&W, &Lambda] { return single_layer(nodes_of(W), Lambda); };
  }

  DecOptions options_;
  FoldView fold_;
  Rng rng_;
  arma::mat X_;  // P x n, first column -1
  bool warm_ = false;
};

}  // namespace

std::unique_ptr<Trainer> make_dec(const std::vector<DecOptions>& models, FoldView fold, const Rng& rng) {
  expects(models.size() == 1, "make_dec: one model");
  return std::make_unique<Dec>(models.front(), std::move(fold), rng);
}

std::unique_ptr<Predictor> DecOptions::restore(const TrainedNetwork& network, const NetworkShape& shape) const {
  return restore_single_layer(network, shape);
}

}  // namespace elmx
