#pragma once

#include <string>

#include "base/config/fields.hpp"
#include "models/cost.hpp"
#include "models/ridge/ridge_setup.hpp"
#include "models/trained_network.hpp"

namespace elmx {

/// What is in single and what in double precision: the outputs of the nodes, the Gram matrix with its factor,
/// and the solution.
///
///     short     features  gram    solve
///     double    double    double  double
///     single    single    single  single
///     mixed     single    single  double    refined with residuals in double, see MixedRidge
///     -         double    single  double    the same with outputs of the nodes in double
///     -         single    double  double    algorithm standard
///     auto      mixed where that is faster, else double
struct Precision {
  std::string features = "double", gram = "double", solve = "double";
  bool automatic = false;  ///< "auto", which stands for double until it is settled

  template <class F>
  void fields(F& field) {
    const Allowed either = one_of({"double", "single"});
    field("features", features, "of the outputs of the nodes", either);
    field("gram", gram, "of their products and of the factor", either);
    field("solve", solve, "of the output weights", either);
  }

  /// Throws ConfigError.
  static Precision from_json(const Json& value, const std::string& place);
  /// Its short form where it has one.
  Json to_json() const;
  static Json schema();

  bool single_features() const { return features == "single"; }
  /// Answers have the digits of single precision only.
  bool single_answers() const { return solve == "single"; }
  Arithmetic arithmetic() const;
  double word() const { return single_features() ? 4 : 8; }  ///< bytes of an output of a node

  /// "auto" made mixed or double: mixed where every algorithm can be, nothing is asked for that needs an
  /// inverse in double, the flops that it saves are more than those of its refinement, and every lambda is at
  /// least u N sqrt(L) / 10, u = 2^-24: below that the rounding of the Gram matrix can hide it, as it does
  /// for broad networks on MNIST.
  Precision settled(const RidgeSetup& setup, const Sizes& sizes) const;

  /// Throws ConfigError: an algorithm that is not defined for it.
  void check(const std::vector<std::string>& algorithms, const std::string& place) const;

  bool operator==(const Precision&) const = default;
};

/// The models of a sweep, which have one precision, with it settled.
template <class Options>
std::vector<Options> settled(std::vector<Options> models, const RidgeSetup& setup, const Sizes& sizes) {
  models.front().precision = models.front().precision.settled(setup, sizes);
  return models;
}

/// Of the training part.
inline Sizes sizes_of(const arma::mat& targets) {
  Sizes sizes;
  sizes.train = targets.n_rows;
  sizes.outputs = targets.n_cols;
  return sizes;
}

/// The text of a plan for "auto"; else "".
std::string note_on(const Precision& asked, const Precision& settled);

/// The precision in which a network is kept: that of its model, or, of "auto", what its matrices are in.
Precision precision_of(const Precision& model, const TrainedNetwork& network);

/// f.template operator()<T, W>() with T the type of the outputs of the nodes and W that of the output
/// weights.
template <class F>
auto with_types(const Precision& precision, const F& f) {
  if (!precision.single_features()) return f.template operator()<double, double>();
  if (precision.single_answers()) return f.template operator()<float, float>();
  return f.template operator()<float, double>();
}

}  // namespace elmx
