#include "models/ridge/ridge_trainer.hpp"

#include <algorithm>
#include <optional>

#include "base/machine/stage.hpp"
#include "features/network_output.hpp"
#include "models/diagnostics.hpp"
#include "models/ridge/growth.hpp"
#include "models/ridge/updatable_network.hpp"
#include "models/trained_network.hpp"

namespace elmx {
namespace {

template <class W, class T>
arma::Mat<W> weights_of(const GrowingRidge<T>& solver) {
  if constexpr (std::same_as<W, T>)
    return solver.weights();
  else
    return solver.wide_weights();
}

template <class T>
class RidgeTrainer final : public Trainer {
 public:
  RidgeTrainer(RidgeSetup setup, Expansion<T> expansion, FoldView fold)
      : setup_(std::move(setup)),
        fold_(std::move(fold)),
        ranks_(*fold_.ranks),
        own_(part_of(fold_.train.samples(), ranks_.rank(), ranks_.count())),
        own_test_(part_of(fold_.test.samples(), ranks_.rank(), ranks_.count())),
        scale_(fold_.sample_weights),
        own_scale_(own_weights()),
        exact_targets_(scaled<double>()),
        rounded_targets_(scaled<T>()),
        targets_(setup_.arithmetic == Arithmetic::of_samples
                     ? RidgeTargets<T>(View<const T>(rounded_targets_))
                     : RidgeTargets<T>(View<const T>(rounded_targets_), View<const double>(exact_targets_))),
        expansion_(std::move(expansion)) {}

  void train(const std::string& name, Clock& clock, const Observer& observe) override {
    prepare(clock);
    const RidgeAlgorithm algorithm = ridge_algorithm(name, setup_.options);
    const bool together = algorithm.kind != StepKind::node;  // single nodes are timed one by one
    std::vector<std::size_t> models;
    for (std::size_t model = 0; model < setup_.lambdas.size(); ++model) {
      models.push_back(model);
      const StagePart part(together ? 0 : model, together ? 1 : setup_.lambdas.size());
      if (together && model + 1 < setup_.lambdas.size()) continue;
      train(models, algorithm, clock, observe);
      models.clear();
    }
  }

 private:
  void train(const std::vector<std::size_t>& models, const RidgeAlgorithm& algorithm, Clock& clock,
             const Observer& observe) {
    const auto look = [&](Growing<T>& one, uword columns) { look_into(one, columns, algorithm); };
    Growth<T> growth(setup_, algorithm, models, sweep_of(algorithm), clock, look);
    const StepRounds<T>& rounds = rounds_[models.front()];
    growth.grow_to(setup_.first, setup_.first == setup_.columns.front(), rounds);
    for (std::size_t update = 0; update < setup_.columns.size(); ++update) {
      const uword columns = setup_.columns[update];
      if (algorithm.kind != StepKind::node) report_stage("update", update + 1, setup_.columns.size());
      growth.grow_to(columns, true, rounds);
      if (by_spectrum(algorithm, columns)) look_at_all(growth.models(), growth.spectrum(), columns);
      for (const Checkpoint& point : checkpoints(growth.models(), columns, algorithm.ridge_solution)) observe(point);
      std::erase_if(growth.models(), [](const Growing<T>& one) { return !one.ok(); });
      if (growth.models().empty()) return;
    }
  }

  std::unique_ptr<Sweep<T>> sweep_of(const RidgeAlgorithm& algorithm) const {
    if (over_ranks_) return distributed_sweep<T>(algorithm, *over_ranks_, setup_.arithmetic);
    return std::make_unique<SweepProducts<T>>(algorithm, *A_, own_targets(), setup_.arithmetic);
  }

  /// Forms A for all nodes that will be added. Then timed code runs once, and single steps are measured.
  void prepare(Clock& clock) {
    if (!A_) form_samples(clock);
    if (!rounds_.empty()) return;
    warm_up<T>(setup_, *A_, own_targets());
    std::vector<StepRounds<T>> rounds;
    for (const RidgeParameter& ridge : setup_.lambdas)
      rounds.emplace_back(setup_, *A_, own_targets(), ridge.lambda, clock);
    rounds_ = std::move(rounds);
  }

  void form_samples(Clock& clock) {
    const GramWork work{static_cast<double>(fold_.train.samples()), static_cast<double>(fold_.train.dimension()),
                        static_cast<double>(setup_.capacity), gram_word(setup_.arithmetic, sizeof(T))};
    const bool over_ranks = trains_over_ranks(setup_, ranks_);
    if (over_ranks && sizeof(T) * work.nodes * static_cast<double>(own_.size()) > most_held(ranks_.on_this_machine()))
      expansion_.stream();
    const double begin = clock.now();
    A_ = expansion_.form(fold_.train, own_, own_scale_);
    feature_seconds_ = clock.now() - begin;
    if (!over_ranks) return;
    const auto nodes_of_all = [this](const arma::uvec& nodes) {
      return expansion_.form_only(nodes, fold_.train, scale_);
    };
    over_ranks_.emplace(
        SharedSamples<T>{*A_, own_targets(), fold_.train.samples(), nodes_of_all, targets_, work.best(ranks_.count())});
  }

  /// Returns S Y in W.
  template <class W>
  arma::Mat<W> scaled() const {
    arma::Mat<W> Y = arma::conv_to<arma::Mat<W>>::from(fold_.targets);
    RowScale<W>(fold_.sample_weights).apply(View<W>(Y));
    return Y;
  }
  RidgeTargets<T> own_targets() const { return targets_.rows(own_.begin, own_.size()); }
  arma::vec own_weights() const {
    return scale_.none() ? arma::vec() : arma::vec(fold_.sample_weights.subvec(own_.begin, own_.end - 1));
  }

  /// Returns the outputs on the test part of all ranks.
  template <class W>
  std::vector<arma::mat> test_outputs(const std::vector<arma::Mat<W>>& weights) const {
    std::vector<arma::mat> outputs;
    if (own_test_.size() > 0) {
      outputs = network_outputs(expansion_.map(), part_of(fold_.test, own_test_), weights);
    } else {
      outputs.assign(weights.size(), arma::mat(0, targets_.cols()));
    }
    for (arma::mat& Z : outputs) Z = rows_of_all(ranks_, Z, own_test_, fold_.test.samples());
    return outputs;
  }

  /// Computes the diagnostics of R^-1 that only the solver knows.
  void look_into(Growing<T>& one, uword columns, const RidgeAlgorithm& algorithm) {
    one.inverse_norm = 0;
    one.point.leverages = {};
    one.left_out.reset();
    if (!algorithm.ridge_solution) return;
    if (reference_at(one, columns) == nullptr) one.inverse_norm = inverse_norm<T>(*one.solver, *A_, columns);
    if (!fold_.left_out.is_empty() && scale_.none() && !over_ranks_) one.left_out = left_out_of(*one.solver);
    if (!setup_.leave_one_out || by_spectrum(algorithm, columns)) return;
    one.point.leverages = leverages_of(*one.solver, columns, lambda_of(one));
    one.point.leverages.refined = scale_.undo(std::move(one.point.leverages.refined));
  }

  /// Returns the ridge parameter of the current solution.
  double lambda_of(const Growing<T>& one) const {
    const std::optional<RidgeChoice> choice = one.solver->choice();
    return choice ? choice->lambda : setup_.lambdas[one.point.point].lambda;
  }

  bool by_spectrum(const RidgeAlgorithm& algorithm, uword columns) const {
    return !over_ranks_ && takes_spectrum(algorithm, setup_, A_->rows(), columns, std::same_as<T, double>);
  }

  /// Computes the leverages of all models at these columns. spectrum: null if none is available.
  void look_at_all(std::vector<Growing<T>>& growing, const RidgeSpectrum* spectrum, uword columns) {
    std::vector<Growing<T>*> trained;
    std::vector<double> lambdas;
    std::vector<arma::mat> gradients;
    for (Growing<T>& one : growing) {
      if (!one.ok()) continue;
      trained.push_back(&one);
      lambdas.push_back(lambda_of(one));
      gradients.push_back(fit_of(*one.solver, lambdas.back()).gradient);
    }
    if (trained.empty()) return;
    if constexpr (std::same_as<T, double>) {
      if (spectrum == nullptr) spectrum = spectrum_at(columns);
    }
    if (spectrum == nullptr) return;
    std::vector<Leverages> all = spectrum->leverages(lambdas, gradients);
    for (std::size_t i = 0; i < trained.size(); ++i) {
      all[i].refined = scale_.undo(std::move(all[i].refined));
      trained[i]->point.leverages = std::move(all[i]);
    }
  }

  /// Returns a spectrum and keeps it for the next algorithm; null if the decomposition fails.
  const RidgeSpectrum* spectrum_at(uword columns) {
    if (!spectrum_ || spectrum_->columns() != columns) {
      spectrum_.emplace();
      if (spectrum_->decompose(*A_, own_targets().template in<double>(), columns, false) != Status::ok)
        spectrum_.reset();
    }
    return spectrum_ ? &*spectrum_ : nullptr;
  }

  std::optional<LeftOut> left_out_of(GrowingRidge<T>& solver) const {
    const arma::mat W = solver.wide_weights(), Y = fold_.targets.rows(fold_.left_out);
    const InverseOperator<double>* exact = solver.exact_inverse();
    if constexpr (std::same_as<T, double>) {
      return left_out<double>(exact ? *exact : solver, *A_, fold_.left_out, W, Y);
    } else {
      if (exact) return left_out<double>(*exact, WidenedMatrix(*A_), fold_.left_out, W, Y);
      return left_out<T>(solver, *A_, fold_.left_out, W, Y);
    }
  }

  RidgeFit fit_of(const GrowingRidge<T>& solver, double lambda) const {
    return std::move(
        ridge_fits<T, double>(*A_, own_targets().template in<double>(), {solver.wide_weights()}, {lambda}, ranks_)
            .front());
  }

  Leverages leverages_of(GrowingRidge<T>& solver, uword columns, double lambda) const {
    const RidgeFit fit = fit_of(solver, lambda);
    const InverseOperator<double>* exact = solver.exact_inverse();
    if constexpr (std::same_as<T, double>) {
      return leverages<double>(exact ? *exact : solver, *A_, columns, lambda, fit.gradient);
    } else {
      if (exact) return leverages<double>(*exact, WidenedMatrix(*A_), columns, lambda, fit.gradient);
      Leverages of = leverages<T>(solver, *A_, columns, lambda, fit.gradient);
      // In single precision, rounding of the outputs exceeds the drift of the weights.
      if (setup_.arithmetic == Arithmetic::of_samples)
        of.refined += fit.output - outputs_of<T>(*A_, std::vector<arma::Mat<T>>{solver.weights()}).front();
      return of;
    }
  }

  /// Returns outputs and diagnostics of the available solutions, all in one pass over each part.
  std::vector<Checkpoint> checkpoints(const std::vector<Growing<T>>& growing, uword columns, bool ridge_solution) {
    return setup_.arithmetic == Arithmetic::of_samples ? checkpoints_in<T>(growing, columns, ridge_solution)
                                                       : checkpoints_in<double>(growing, columns, ridge_solution);
  }

  /// W: the type of the weights.
  template <class W>
  std::vector<Checkpoint> checkpoints_in(const std::vector<Growing<T>>& growing, uword columns, bool ridge_solution) {
    std::vector<arma::Mat<W>> weights;
    std::vector<double> lambdas;
    for (const Growing<T>& one : growing) {
      if (!one.ok()) continue;
      weights.push_back(weights_of<W>(*one.solver));
      lambdas.push_back(lambda_of(one));
    }
    std::vector<RidgeFit> fits = ridge_fits<T, W>(*A_, own_targets().template in<W>(), weights, lambdas, ranks_);
    std::vector<arma::mat> test = test_outputs(weights);
    std::vector<Checkpoint> points;
    std::size_t i = 0;
    for (const Growing<T>& one : growing) {
      Checkpoint& point = points.emplace_back(one.point);
      point.nodes = setup_.nodes(columns);
      point.method = one.solver->method();
      point.feature_seconds = feature_seconds_;
      if (!one.ok()) {
        point.leverages = {};  // of the size before
        continue;
      }
      point.train_output = scale_.undo(rows_of_all(ranks_, fits[i].output, own_, fold_.train.samples()));
      point.test_output = std::move(test[i]);
      add_choice(one, point);
      point.network = [this, kept = weights[i], without = one.left_out, lambda = lambdas[i]] {
        TrainedNetwork network = mapped_network(expansion_.map(), kept);
        if (without) keep_left_out<T>(*without, network);
        if (fold_.updatable) keep_sums_in(network, lambda);
        return network;
      };
      point.diagnostics["backward_error"] = fits[i].backward_error;
      if (const std::optional<MixedStep> mixed = one.solver->mixed_step()) {
        point.diagnostics["products"] = static_cast<double>(mixed->products);
        point.diagnostics["shift"] = mixed->shift;
      }
      double condition = (fits[i].squares + lambdas[i]) * one.inverse_norm, relative_error = arma::datum::nan;
      if (const Reference* reference = reference_at(one, columns)) {
        condition = reference->condition;
        const bool same = setup_.reference == "qr" && one.solver->method() == "qr";  // `auto` has used QR
        if (!same) add_errors(*reference, weights[i], point);
        point.diagnostics["condition"] = condition;
        if (setup_.reference == "qr" && !same)
          relative_error = point.diagnostics["weight_error"] / arma::norm(reference->weights, "fro");
      }
      const std::string doubt = ridge_solution ? doubt_about(condition, fits[i].backward_error, relative_error) : "";
      if (!doubt.empty()) point.notes[kWeights] = doubt;
      ++i;
    }
    return points;
  }

  void keep_sums_in(TrainedNetwork& network, double lambda) const {
    expects(std::same_as<T, double> && !over_ranks_, "keep_sums: in double precision, on one rank");
    if constexpr (std::same_as<T, double>) keep_sums(*A_, exact_targets_, scale_, lambda, network);
  }

  void add_choice(const Growing<T>& one, Checkpoint& point) const {
    const std::optional<RidgeChoice> choice = one.solver->choice();
    if (!choice) return;
    const RidgeSearch& search = *setup_.lambdas[one.point.point].search;
    point.parameters[kRidge] = choice->lambda;
    point.chosen = search.criterion;
    if (const std::string note = note_on(*choice, search); !note.empty()) point.notes[kRidge] = note;
  }

  template <class W>
  void add_errors(const Reference& reference, const arma::Mat<W>& weights, Checkpoint& point) const {
    const std::vector<arma::Mat<W>> exact{arma::conv_to<arma::Mat<W>>::from(reference.weights)};
    const arma::mat train = scale_.undo(std::move(outputs_of(*A_, exact).front())),
                    test = network_output(expansion_.map(), fold_.test, exact.front());
    point.diagnostics["weight_error"] = arma::norm(arma::conv_to<arma::mat>::from(weights) - reference.weights, "fro");
    point.diagnostics["output_error_train"] = arma::norm(point.train_output - train, "fro");
    point.diagnostics["output_error_test"] = arma::norm(point.test_output - test, "fro");
  }

  /// Returns the reference of this model and size, computed once for all algorithms; null if there is none.
  /// Outputs are not stored: a sweep has many.
  const Reference* reference_at(const Growing<T>& one, uword columns) {
    if (setup_.reference == "none") return nullptr;
    auto [entry, absent] = references_.try_emplace({one.point.point, columns});
    if (absent) {
      Reference reference;
      const Status status = solve_reference<T>(setup_.reference, *A_, targets_, lambda_of(one), columns, reference);
      if (status == Status::ok) entry->second = std::move(reference);
    }
    return entry->second ? &*entry->second : nullptr;
  }

  RidgeSetup setup_;
  FoldView fold_;
  const Communicator& ranks_;
  Part own_, own_test_;  // samples of this rank
  RowScale<T> scale_, own_scale_;
  arma::mat exact_targets_;       // N x c, rows scaled, for all ranks ...
  arma::Mat<T> rounded_targets_;  // ... and in the type of the samples
  RidgeTargets<T> targets_;
  Expansion<T> expansion_;
  std::unique_ptr<TallMatrix<T>> A_;            // for this rank, rows scaled; null until the first run
  std::optional<SharedSamples<T>> over_ranks_;  // only under MPI
  double feature_seconds_ = 0;
  std::vector<StepRounds<T>> rounds_;  // for each model
  std::map<std::pair<std::size_t, uword>, std::optional<Reference>> references_;
  std::optional<RidgeSpectrum> spectrum_;  // for the columns at which it was needed last
};

}  // namespace

template <class T>
std::unique_ptr<Trainer> ridge_trainer(RidgeSetup setup, Expansion<T> expansion, FoldView fold) {
  return std::make_unique<RidgeTrainer<T>>(std::move(setup), std::move(expansion), std::move(fold));
}

template std::unique_ptr<Trainer> ridge_trainer(RidgeSetup, Expansion<double>, FoldView);
template std::unique_ptr<Trainer> ridge_trainer(RidgeSetup, Expansion<float>, FoldView);

}  // namespace elmx
