#include "models/s3elm/s3elm.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/machine/stage.hpp"
#include "features/network_output.hpp"
#include "linalg/decompositions.hpp"
#include "models/diagnostics.hpp"
#include "models/s3elm/semi_supervised.hpp"
#include "models/trained_network.hpp"
#include "solvers/ridge/ridge_spectrum.hpp"
#include "solvers/sparse/s3elm.hpp"

namespace elmx {
namespace {

using Parameters = std::map<std::string, double>;

constexpr double kStartTolerance = 1e-12;  // tolerance of the pseudo-inverse in W_0

/// A trained network.
struct Fit {
  Status status = Status::ok;
  arma::uvec active;
  arma::mat W;         // s x C
  arma::rowvec bias;   // empty: none
  double seconds = 0;  // random features excluded
  std::map<std::string, double> diagnostics;
  std::vector<double> objective;  // after each iteration
  uword isolated = 0;             // samples without a neighbour in the graph
};

class S3elm final : public Trainer {
 public:
  S3elm(const S3elmModelOptions& options, FoldView fold, const Rng& rng)
      : options_(options),
        fold_(std::move(fold)),
        nodes_(HiddenNodes::draw(options.activation, rng, fold_.train.dimension(), options.nodes,
                                 {options.weights[0], options.weights[1], options.biases[0], options.biases[1]})),
        samples_(options_, fold_, nodes_),
        parts_(labelled_parts(fold_.targets, options.cross_validation, rng.with(Purpose::validation))),
        H_(fold_.train.samples(), nodes_.count()) {}

  void train(const std::string& algorithm, Clock& clock, const Observer& observe) override {
    if (!warm_) warm_up();
    const double begin = clock.now();
    nodes_.outputs(fold_.train, 0, H_);
    feature_seconds_ = clock.now() - begin;
    if (algorithm == "selm" || algorithm == "s3elm") feature_seconds_ += samples_.hidden(clock)->feature_seconds;
    const std::vector<Parameters> grid = grid_of(algorithm);
    std::vector<HeldOutScore> scores(grid.size());
    std::vector<Fit> fits(grid.size());
    const std::size_t parts = parts_needed(grid.size());
    std::size_t visits = 0;
    const Visit visit = [&](std::size_t point, std::size_t part, Fit fit) {
      report_stage("grid point", visits / parts + 1, grid.size(),
                   static_cast<double>(visits % parts + 1) / static_cast<double>(parts));
      ++visits;
      if (part > 0) return add_score(parts_[part], fit, scores[point]);
      observe(checkpoint(grid[point], fit, grid.size() == 1, clock));
      fits[point] = std::move(fit);
    };
    if (algorithm == "elm") train_elm(clock, visit);
    if (algorithm == "op-elm") train_op_elm_once(clock, visit);
    if (algorithm == "selm") train_selm(clock, visit);
    if (algorithm == "s3elm") train_s3elm_grid(clock, visit);
    if (grid.size() == 1 || parts_.size() == 1) return;
    std::size_t best = 0;
    for (std::size_t point = 1; point < grid.size(); ++point) {
      if (scores[point].better_than(scores[best])) best = point;
    }
    Checkpoint chosen = checkpoint(grid[best], fits[best], true, clock);
    chosen.chosen = "cross validation";
    observe(chosen);
  }

 private:
  /// Receives the fit of a point of the grid on a part, in any order of the points. Part 0, all labelled
  /// samples, is reported.
  using Visit = std::function<void(std::size_t point, std::size_t part, Fit fit)>;

  /// Runs hidden nodes and one solution, untimed, so that code, pages, threads and buffers are ready for
  /// timed runs.
  void warm_up() {
    nodes_.outputs(fold_.train, 0, H_);
    arma::mat W;
    static_cast<void>(RidgePath(H_, fold_.targets).solve(1, W));
    warm_ = true;
  }

  std::vector<double> sigmas() const {
    return options_.graph.kind == "sparse_coding" ? std::vector<double>{1} : options_.graph.sigma;
  }

  std::vector<Parameters> grid_of(const std::string& algorithm) const {
    std::vector<Parameters> grid;
    if (algorithm == "op-elm") return {{}};
    if (algorithm == "elm") {
      for (const double gamma : options_.elm.gamma) grid.push_back({{"gamma", gamma}});
      return grid;
    }
    const auto& [name, values] =
        algorithm == "selm" ? std::pair("lambda", options_.selm.lambda) : std::pair("mu", options_.s3elm.mu);
    for (const double sigma : sigmas()) {
      for (const double value : values) {
        grid.push_back({{name, value}});
        if (options_.graph.kind != "sparse_coding") grid.back()["sigma"] = sigma;
      }
    }
    return grid;
  }

  std::size_t parts_needed(std::size_t points) const { return points == 1 ? 1 : parts_.size(); }

  void train_elm(Clock& clock, const Visit& visit) const {
    const std::vector<double>& gammas = options_.elm.gamma;
    for (std::size_t part = 0; part < parts_needed(gammas.size()); ++part) {
      const double begin = clock.now();
      RidgePath path(H_.rows(parts_[part].train), fold_.targets.rows(parts_[part].train));
      const double shared = clock.now() - begin;
      for (std::size_t point = 0; point < gammas.size(); ++point) {
        const double started = clock.now();
        Fit fit;
        fit.status = path.solve(1 / gammas[point], fit.W);
        fit.seconds = shared + clock.now() - started;
        fit.active = all_nodes();
        if (part == 0 && fit.status == Status::ok) {
          const StoredMatrix<double> stored{View<const double>(H_)};
          fit.diagnostics["backward_error"] =
              ridge_fits<double>(stored, fold_.targets, {fit.W}, {1 / gammas[point]}).front().backward_error;
        }
        visit(point, part, std::move(fit));
      }
    }
  }

  void train_op_elm_once(Clock& clock, const Visit& visit) const {
    const double begin = clock.now();
    OpElmFit trained;
    Fit fit;
    fit.status = train_op_elm(H_, fold_.targets, options_.op_elm_options(), trained);
    fit.seconds = clock.now() - begin;
    fit.active = std::move(trained.active);
    fit.W = std::move(trained.W);
    fit.bias = std::move(trained.bias);
    fit.diagnostics["loo_mse"] = trained.loo;
    visit(0, 0, std::move(fit));
  }

  /// Reports all points as failed if the hidden outputs cannot be used.
  void fail(std::size_t points, Status status, const Visit& visit) const {
    Fit failed;
    failed.status = status;
    for (std::size_t point = 0; point < points; ++point) {
      for (std::size_t part = 0; part < parts_needed(points); ++part) visit(point, part, failed);
    }
  }

  void train_selm(Clock& clock, const Visit& visit) const {
    const auto hidden = samples_.hidden(clock);
    if (hidden->status != Status::ok) return fail(options_.selm.lambda.size() * sigmas().size(), hidden->status, visit);
    const double lifting = clock.now();
    // The published pseudo-inverse drops singular values below this tolerance; here it sets the rank of H
    // once for all lambda and graphs.
    const uword r = hidden->basis.rank(hidden->basis.pseudo_inverse_tolerance());
    const RangeBasis basis{hidden->basis.Q.head_cols(r), hidden->basis.Bt.head_cols(r), hidden->basis.diagonal.head(r)};
    const MinimumNormLift lift(basis.Bt);
    const double of_nodes = hidden->basis_seconds + clock.now() - lifting;
    const std::vector<double>& lambdas = options_.selm.lambda;
    const bool exact = options_.selm.form == "exact";
    std::size_t first = 0;
    for (const double sigma : sigmas()) {
      const auto graph = samples_.graph(sigma, clock);
      const double multiplying = clock.now();
      const arma::mat LQ = graph->times(basis.Q);
      arma::mat QtLQ;
      if (exact) QtLQ = arma::symmatu(basis.Q.t() * LQ);
      const double of_graph = of_nodes + graph->seconds + clock.now() - multiplying;
      for (std::size_t part = 0; part < parts_needed(lambdas.size() * sigmas().size()); ++part) {
        const arma::uvec places = samples_.labelled().elem(parts_[part].train);
        const arma::mat labels = fold_.targets.rows(parts_[part].train);
        const double begin = clock.now();
        std::optional<ApproximateSelm> path;
        if (!exact) path.emplace(basis, lift, LQ, places, labels);
        const double of_part = of_graph + clock.now() - begin;
        for (std::size_t k = 0; k < lambdas.size(); ++k) {
          const double started = clock.now();
          Fit fit;
          fit.status = exact ? exact_selm(basis, QtLQ, basis.Q.rows(places), labels, lambdas[k], fit.W)
                             : path->solve(lambdas[k], fit.W);
          fit.seconds = of_part + clock.now() - started;
          fit.active = all_nodes();
          fit.isolated = graph->isolated;
          visit(first + k, part, std::move(fit));
        }
      }
      first += lambdas.size();
    }
  }

  /// The W_0 of a part.
  struct Start {
    Status status = Status::ok;
    arma::mat W;
    double seconds = 0;
  };

  Start start(const LabelledPart& part, const RangeBasis& basis, Clock& clock) const {
    Start made;
    const double begin = clock.now();
    const arma::mat H = H_.rows(part.train), labels = fold_.targets.rows(part.train);
    if (options_.s3elm.start == "labelled") made.status = minimum_norm(H, labels, made.W, kStartTolerance);
    if (options_.s3elm.start == "ridge")
      made.status = RidgePath(H, labels).solve(1 / options_.s3elm.start_gamma, made.W);
    if (options_.s3elm.start == "padded") {  // H^+ Y~ = B^+ Q'Y~
      const uword r = basis.rank(kStartTolerance);
      const arma::mat Ql = basis.Q.rows(samples_.labelled().elem(part.train));
      made.W = MinimumNormLift(basis.Bt.head_cols(r))(Ql.head_cols(r).t() * labels);
    }
    made.seconds = clock.now() - begin;
    return made;
  }

  void train_s3elm_grid(Clock& clock, const Visit& visit) const {
    const auto hidden = samples_.hidden(clock);
    const std::size_t mus = options_.s3elm.mu.size();
    if (hidden->status != Status::ok) return fail(mus * sigmas().size(), hidden->status, visit);
    std::vector<Start> starts;
    for (std::size_t part = 0; part < parts_needed(mus * sigmas().size()); ++part) {
      starts.push_back(start(parts_[part], hidden->basis, clock));
      starts.back().seconds += hidden->basis_seconds;
    }
    std::size_t first = 0;
    for (const double sigma : sigmas()) {
      if (options_.s3elm.variant == "hw_equals_y")
        train_constrained(sigma, first, hidden->basis, starts, clock, visit);
      else
        train_free(sigma, first, *hidden, starts, clock, visit);
      first += mus;
    }
  }

  /// Trains the points of one graph with the labels Y eliminated.
  void train_free(double sigma, std::size_t first, const HiddenPiece& hidden, const std::vector<Start>& starts,
                  Clock& clock, const Visit& visit) const {
    const RangeBasis& basis = hidden.basis;
    SemiSupervised::Forms forms(samples_, sigma, basis.Q, clock);
    const double of_graph = forms.seconds();
    for (std::size_t k = 0; k < options_.s3elm.mu.size(); ++k) {
      const double mu = options_.s3elm.mu[k], before = forms.seconds();
      arma::mat form;
      const Status formed = forms.at(options_.s3elm.tau * (1 - mu), clock, form);
      const auto solve = [&](std::size_t part, S3elmFit& trained) {
        const arma::uvec& train = parts_[part].train;
        LabelSystem system;
        const Status status =
            label_system(form, basis.rank(), train, fold_.targets.rows(train), options_.s3elm.tau * mu, system);
        if (status != Status::ok) return status;
        return train_s3elm(system, basis.Bt, starts[part].W, options_.s3elm_options(), trained, &hidden.gram);
      };
      visit_parts(first + k, {formed, of_graph + forms.seconds() - before, forms.isolated()}, starts, solve, clock,
                  visit);
    }
  }

  /// Trains the points of one graph with Y = HW.
  void train_constrained(double sigma, std::size_t first, const RangeBasis& basis, const std::vector<Start>& starts,
                         Clock& clock, const Visit& visit) const {
    const auto graph = samples_.graph(sigma, clock);
    const double multiplying = clock.now();
    const arma::mat QtLQ = arma::symmatu(basis.Q.t() * graph->times(basis.Q));
    const double of_graph = graph->seconds + clock.now() - multiplying;
    for (std::size_t k = 0; k < options_.s3elm.mu.size(); ++k) {
      const double mu = options_.s3elm.mu[k], tau = options_.s3elm.tau;
      const auto solve = [&](std::size_t part, S3elmFit& trained) {
        const arma::mat Ql = basis.Q.rows(samples_.labelled().elem(parts_[part].train));
        ConstrainedSystem system;
        const Status status =
            constrained_system(QtLQ, Ql, fold_.targets.rows(parts_[part].train), tau * (1 - mu), tau * mu, system);
        if (status != Status::ok) return status;
        return train_s3elm(system, basis.Bt, starts[part].W, options_.s3elm_options(), trained);
      };
      visit_parts(first + k, {Status::ok, of_graph, graph->isolated}, starts, solve, clock, visit);
    }
  }

  /// The preparation of a point of the grid: its status, its time, and the samples without a neighbour.
  struct Prepared {
    Status status;
    double seconds;
    uword isolated;
  };

  /// Trains all parts of a point by solve(part, fit).
  template <class Solve>
  void visit_parts(std::size_t point, const Prepared& of, const std::vector<Start>& starts, const Solve& solve,
                   Clock& clock, const Visit& visit) const {
    for (std::size_t part = 0; part < starts.size(); ++part) {
      const double begin = clock.now();
      S3elmFit trained;
      Fit fit;
      fit.status = of.status != Status::ok ? of.status : starts[part].status;
      if (fit.status == Status::ok) fit.status = solve(part, trained);
      fit.seconds = of.seconds + starts[part].seconds + clock.now() - begin;
      fit.isolated = of.isolated;
      fit.active = std::move(trained.active);
      fit.W = std::move(trained.W);
      if (fit.status == Status::ok) {
        fit.objective.assign(trained.objective.begin() + 1, trained.objective.end());
        fit.diagnostics = {{"objective", fit.objective.back()},
                           {"objective_rise", trained.rise},
                           {"iterations", static_cast<double>(trained.iterations)}};
      }
      visit(point, part, std::move(fit));
    }
  }

  void add_score(const LabelledPart& part, const Fit& fit, HeldOutScore& score) const {
    if (fit.status != Status::ok) {
      score.failed = true;
      return;
    }
    arma::mat Z = arma::mat(H_.submat(part.held_out, fit.active)) * fit.W;
    if (!fit.bias.is_empty() && !Z.is_empty()) Z.each_row() += fit.bias;
    score.add(Z, fold_.targets.rows(part.held_out), (fold_.targets.min() + fold_.targets.max()) / 2);
  }

  arma::uvec all_nodes() const { return arma::regspace<arma::uvec>(0, 1, nodes_.count() - 1); }

  /// Measures the outputs of the network of `fit`, which outlives the checkpoint.
  Checkpoint checkpoint(const Parameters& parameters, const Fit& fit, bool only_point, Clock& clock) const {
    Checkpoint point;
    point.nodes = nodes_.count();
    point.status = fit.status;
    point.parameters = parameters;
    point.total_seconds = fit.seconds;
    point.feature_seconds = feature_seconds_;
    point.step = {fit.seconds, 0, 1};
    if (fit.status != Status::ok) return point;
    if (fit.isolated > 0)
      point.notes[kGraph] = fmt::format("{} of {} samples have no neighbour in the graph; use a smaller sigma",
                                        fit.isolated, samples_.inputs().samples());
    point.diagnostics = fit.diagnostics;
    point.diagnostics["nodes_kept"] = static_cast<double>(fit.active.n_elem);
    if (only_point && !fit.objective.empty()) point.trace["objective"] = fit.objective;
    const double begin = clock.now();
    const HiddenNodes kept = nodes_.only(fit.active);
    point.test_output = network_output(kept, fold_.test, fit.W, fit.bias);
    point.test_seconds = clock.now() - begin;
    point.train_output = network_output(kept, fold_.train, fit.W, fit.bias);
    if (!same_rows(fold_.unlabelled.rows, fold_.test.rows))
      point.unlabelled_output = network_output(kept, fold_.unlabelled, fit.W, fit.bias);
    point.network = [this, &fit] {
      TrainedNetwork network = single_layer(nodes_.only(fit.active), fit.W, fit.bias);
      network.matrices["active_nodes"] = arma::umat(fit.active);
      return network;
    };
    return point;
  }

  static bool same_rows(const arma::uvec& a, const arma::uvec& b) { return a.n_elem == b.n_elem && arma::all(a == b); }

  S3elmModelOptions options_;
  FoldView fold_;
  HiddenNodes nodes_;
  SemiSupervised samples_;
  std::vector<LabelledPart> parts_;
  arma::mat H_;  // n x L, for the labelled samples
  bool warm_ = false;
  double feature_seconds_ = 0;
};

}  // namespace

std::unique_ptr<Trainer> make_s3elm(const std::vector<S3elmModelOptions>& models, FoldView fold, const Rng& rng) {
  expects(models.size() == 1, "make_s3elm: one model");
  return std::make_unique<S3elm>(models.front(), std::move(fold), rng);
}

std::unique_ptr<Predictor> S3elmModelOptions::restore(const TrainedNetwork& network, const NetworkShape& shape) const {
  return restore_single_layer(network, shape);
}

}  // namespace elmx
