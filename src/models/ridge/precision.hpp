#pragma once

#include <string>

#include "base/config/fields.hpp"
#include "models/model.hpp"
#include "models/ridge/ridge_setup.hpp"
#include "models/trained_network.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// The precision (single or double) of the outputs of the nodes, of the Gram matrix with its factor, and of
/// the solution.
///
///     short     features  gram    solve
///     double    double    double  double
///     single    single    single  single
///     mixed     single    single  double    refined with residuals in double, see MixedRidge
///     -         double    single  double    the same with outputs of the nodes in double
///     -         single    double  double    algorithm standard
///     auto      mixed if that is faster, else double
struct Precision {
  std::string features = "double", gram = "double", solve = "double";
  bool automatic = false;  ///< "auto", which stands for double until `settled`

  void fields(FieldVisitor& field);

  /// Reads a precision. Throws ConfigError.
  static Precision from_json(const Json& value, const std::string& place);
  /// Returns the short form if there is one.
  Json to_json() const;
  static Json schema();

  bool single_features() const { return features == "single"; }
  /// Returns true if outputs have the digits of single precision only.
  bool single_answers() const { return solve == "single"; }
  Arithmetic arithmetic() const;
  double word() const { return single_features() ? 4 : 8; }  ///< bytes of an output of a node

  /// Replaces "auto" by mixed or double. Mixed requires that every algorithm supports it, that nothing needs
  /// an inverse in double, that it saves more flops than its refinement costs, and that every lambda is at
  /// least u N sqrt(L) / 10, u = 2^-24. Below that, rounding of the Gram matrix can hide lambda, as for broad
  /// networks on MNIST.
  Precision settled(const RidgeSetup& setup, const Sizes& sizes) const;

  /// Throws ConfigError if an algorithm does not support this precision.
  void check(const std::vector<std::string>& algorithms, const std::string& place) const;

  bool operator==(const Precision&) const = default;
};

/// Returns the models of a sweep, which have one precision, with this precision settled.
template <class Options>
std::vector<Options> settled(std::vector<Options> models, const RidgeSetup& setup, const Sizes& sizes) {
  models.front().precision = models.front().precision.settled(setup, sizes);
  return models;
}

/// Returns the sizes of the training part.
inline Sizes sizes_of(const FoldView& fold) {
  Sizes sizes;
  sizes.train = fold.targets.n_rows;
  sizes.outputs = fold.targets.n_cols;
  sizes.ranks = fold.ranks->count();
  sizes.mpi = fold.ranks->present();
  return sizes;
}

/// Returns the text of a plan for "auto", otherwise "".
std::string note_on(const Precision& asked, const Precision& settled);

/// Returns the precision in which a network is stored: the precision of its model, or for "auto" the
/// precision of its matrices.
Precision precision_of(const Precision& model, const TrainedNetwork& network);

/// Calls f.template operator()<T, W>() with the types T of the outputs of the nodes and W of the output
/// weights.
template <class F>
auto with_types(const Precision& precision, const F& f) {
  if (!precision.single_features()) return f.template operator()<double, double>();
  if (precision.single_answers()) return f.template operator()<float, float>();
  return f.template operator()<float, double>();
}

}  // namespace elmx
