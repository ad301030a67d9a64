#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/ridge/ridge_options.hpp"
#include "models/trainer.hpp"
#include "solvers/ridge/leverages.hpp"
#include "solvers/ridge_algorithms.hpp"

namespace elmx {

/// Runs every algorithm once on few samples, untimed, so that code, pages, threads and buffers are ready for
/// timed runs.
template <class T>
void warm_up(const RidgeSetup& setup, const TallMatrix<T>& A, const RidgeTargets<T>& targets);

/// Measures the steps of one node that reach the sizes of setup.timed, repeatedly from the same states. Round
/// r of every algorithm precedes round r + 1 of any algorithm, so that disturbances of the machine affect all
/// algorithms alike. Round 0 does not count. The states come from a direct solution with one node less, and
/// copying them is not timed.
template <class T>
class StepRounds {
 public:
  StepRounds(const RidgeSetup& setup, const TallMatrix<T>& A, const RidgeTargets<T>& targets, double lambda,
             Clock& clock);

  /// Returns the times of the algorithm for the step to this size. If the size is not in setup.timed or a
  /// step failed, returns `once`, the time measured during training.
  Seconds step(std::string_view algorithm, uword columns, double once) const;

 private:
  // One time per round, by algorithm and columns.
  std::map<std::pair<std::string, uword>, std::vector<double>> seconds_;
};

/// A model during growth.
template <class T>
struct Growing {
  Checkpoint point;  ///< model, status, times and leverages so far
  std::unique_ptr<GrowingRidge<T>> solver;
  double inverse_norm = 0;               ///< ||R^-1||; 0: not known, or not needed beside a reference
  std::optional<LeftOut> left_out = {};  ///< if requested

  bool ok() const { return point.status == Status::ok; }
};

/// Grows one algorithm for some of the models, from the first columns to the last.
template <class T>
class Growth {
 public:
  using Look = std::function<void(Growing<T>&, uword columns)>;

  /// look: called for each solver that has just reached a reported size while its R^-1 is available (d-rdg
  /// has one R^-1 for all models).
  Growth(const RidgeSetup& setup, const RidgeAlgorithm& algorithm, const std::vector<std::size_t>& models,
         std::unique_ptr<Sweep<T>> sweep, Clock& clock, Look look)
      : setup_(setup), algorithm_(algorithm), clock_(clock), look_(std::move(look)), sweep_(std::move(sweep)) {
    for (const std::size_t model : models) {
      Growing<T>& one = growing_.emplace_back();
      one.point.point = model;
      one.solver = sweep_->solver(setup.lambdas[model].lambda, setup.lambdas[model].aim());
    }
  }

  std::vector<Growing<T>>& models() { return growing_; }
  /// Returns the spectrum of the columns so far; null if the algorithm uses no decomposition.
  const RidgeSpectrum* spectrum() const { return sweep_->spectrum(); }

  /// Grows to `columns` if necessary. The reported time belongs to the last step.
  void grow_to(uword columns, bool reported, const StepRounds<T>& rounds);

 private:
  /// Adds single nodes, for one model. All nodes but the last are timed together, because reading the clock
  /// takes a considerable part of such a step.
  void grow_by_nodes(uword columns, const StepRounds<T>& rounds);
  void grow_by_blocks(uword columns, bool reported);
  bool any_left() const;

  void look(Growing<T>& one) {
    if (one.ok()) look_(one, columns_);
  }

  const RidgeSetup& setup_;
  const RidgeAlgorithm& algorithm_;
  Clock& clock_;
  Look look_;
  std::unique_ptr<Sweep<T>> sweep_;
  std::vector<Growing<T>> growing_;
  uword columns_ = 0;
};

}  // namespace elmx
