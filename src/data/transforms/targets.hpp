#pragma once

#include <armadillo>
#include <optional>
#include <string>

#include "base/config/fields.hpp"
#include "data/table/dataset.hpp"
#include "data/transforms/scaler.hpp"

namespace elmx {

/// Options for the encoding of targets and the units of reported errors.
struct TargetOptions {
  std::string scale = "none";
  std::string coding = "zero_one";
  std::string units = "original";
  std::optional<Json> class_weights;

  void fields(FieldVisitor& field);
};

/// The targets of one data set as numbers that a least-squares method can fit, and the way back.
///
///     regression      T = scaled Y, fitted on the training rows   c = columns of Y
///     classification  T = on for samples of the class, else off  c = classes, or 1 for the single codings
///
/// The data set must outlive the object.
class Targets {
 public:
  /// train: the rows on which scaling and class weights are fitted. Throws ConfigError for a single coding
  /// without exactly two classes, and for class weights that do not fit the data; its place is "coding" or
  /// "class_weights".
  Targets(const Dataset& data, const TargetOptions& options, const arma::uvec& train);

  /// Creates the targets of samples that a model predicts; `scaler` was fitted when the model was trained.
  Targets(const Dataset& data, const TargetOptions& options, Scaler scaler);

  /// Returns the number of columns of T and of every prediction.
  arma::uword outputs() const;

  /// Returns T (n x c), the targets of n rows.
  arma::mat encode(const arma::uvec& rows) const;

  /// Returns the weights of the squared errors of n rows: n positive numbers, or empty if all are equal.
  arma::vec sample_weights(const arma::uvec& rows) const;

  /// Returns the weights of the classes: C positive numbers, or empty if all are equal.
  const arma::vec& class_weights() const { return class_weights_; }

  /// Returns the target of the samples of other classes: 0 or -1.
  double off() const { return off_; }

  /// Returns the class indices of the outputs Z (n x c): the class of the largest output (the first of
  /// equals; an output that is NaN is never the largest), or for the single codings the positive class if the
  /// output is above the middle of on and off.
  arma::uvec decode_labels(const arma::mat& Z) const;

  /// Returns a score for each class (n x m): the outputs Z (n x c) themselves, or for the single codings the
  /// output for the positive class and 0 for the other.
  arma::mat class_scores(const arma::mat& Z) const;

  /// Returns regression outputs Z (n x c) in the units of Y.
  arma::mat to_original(const arma::mat& Z) const;

  /// Returns true if errors of a regression are to be reported on the scale of T.
  bool in_scaled_units() const { return scaled_units_; }

  /// Returns the scaler of the targets of a regression (1 x c).
  const Scaler& scaler() const { return scaler_; }

  /// Returns the index of the positive class of a two-class problem; by default the second class.
  arma::uword positive() const { return positive_; }

 private:
  const Dataset& data_;
  Scaler scaler_;
  bool scaled_units_;
  bool single_;
  double off_;
  arma::uword positive_ = 1;
  arma::vec class_weights_;  // C, or empty
};

/// Returns the weights of the classes in the sum of squares: C positive numbers.
///
///     "balanced"              w_k = n / (m n_k): n training samples, n_k of class k, m classes occur; mean 1
///     {"class": weight, ...}  as given; classes that are not named have weight 1
///
/// train: the rows that are counted. Throws ConfigError for a regression, an unknown class or word, or a
/// weight that is not positive.
arma::vec class_weights(const Json& option, const Dataset& data, const arma::uvec& train);

}  // namespace elmx
