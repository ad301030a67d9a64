#include "data/transforms/targets.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "base/error.hpp"

namespace elmx {
namespace {

constexpr double kOn = 1;

arma::uword positive_class(const Dataset& data) {
  const auto found = std::ranges::find(data.classes, data.positive);
  return found == data.classes.end() ? 1 : static_cast<arma::uword>(found - data.classes.begin());
}

/// Returns the column of the largest element of a row; NaN is never larger.
arma::uword largest(const arma::mat& Z, arma::uword row) {
  arma::uword best = 0;
  double value = -std::numeric_limits<double>::infinity();
  for (arma::uword j = 0; j < Z.n_cols; ++j) {
    if (Z(row, j) > value) {
      value = Z(row, j);
      best = j;
    }
  }
  return best;
}

arma::vec balanced(const Dataset& data, const arma::uvec& train) {
  arma::vec count(data.classes.size());
  for (const arma::uword row : train) ++count(data.labels(row));
  const double share = static_cast<double>(train.n_elem) / static_cast<double>(arma::accu(count > 0));
  return count.transform([&](double n) { return n > 0 ? share / n : 1.0; });
}

arma::vec explicit_weights(const Json& option, const Dataset& data) {
  arma::vec weights(data.classes.size(), arma::fill::ones);
  for (const auto& [name, weight] : option.items()) {
    const auto found = std::ranges::find(data.classes, name);
    if (found == data.classes.end()) {
      throw ConfigError("class_weights",
                        fmt::format("\"{}\" is not a class of {}{}", name, data.name, suggest(name, data.classes)));
    }
    weights(static_cast<arma::uword>(found - data.classes.begin())) =
        read_number(weight, "class_weights/" + name, between(1e-6, 1e6));
  }
  return weights;
}

}  // namespace

void TargetOptions::fields(FieldVisitor& field) {
  field("scale", scale, "regression: scaling of the targets, fitted on the training part", one_of(affine_scalings()));
  field(
      "coding", coding,
      "classification: one column for each class with 1 and 0 (zero_one) or 1 and -1 (minus_one_one); for two classes "
      "also a single column, where the positive class is 1 and the other class 0 (single) or -1 (single_minus)",
      one_of({"zero_one", "minus_one_one", "single", "single_minus"}));
  field("units", units, "regression: whether errors are reported in original or in scaled units",
        one_of({"original", "scaled"}));
  field("class_weights", class_weights,
        "classification: weight of the squared error of a sample: \"balanced\" (equal total weights of the classes, "
        "with mean 1) or {\"class\": weight, ...}");
}

Targets::Targets(const Dataset& data, const TargetOptions& options, const arma::uvec& train)
    : Targets(data, options, data.task == Task::regression ? Scaler::fit(options.scale, data.Y, train) : Scaler()) {
  if (options.class_weights) class_weights_ = elmx::class_weights(*options.class_weights, data, train);
}

Targets::Targets(const Dataset& data, const TargetOptions& options, Scaler scaler)
    : data_(data),
      scaler_(std::move(scaler)),
      scaled_units_(options.units == "scaled"),
      single_(options.coding.starts_with("single")),
      off_(options.coding == "zero_one" || options.coding == "single" ? 0 : -1),
      positive_(positive_class(data)) {
  if (data.task == Task::classification && single_ && data.classes.size() != 2) {
    throw ConfigError("coding", fmt::format("\"{}\" needs two classes, but {} has {}; use zero_one or minus_one_one",
                                            options.coding, data.name, data.classes.size()));
  }
}

arma::uword Targets::outputs() const {
  if (data_.task == Task::regression) return data_.Y.n_cols;
  return single_ ? 1 : data_.classes.size();
}

arma::mat Targets::encode(const arma::uvec& rows) const {
  if (data_.task == Task::regression) return scaler_.apply(data_.Y, rows);

  arma::mat T(rows.n_elem, outputs());
  T.fill(off_);
  for (arma::uword i = 0; i < rows.n_elem; ++i) {
    const arma::uword label = data_.labels(rows(i));
    if (!single_) T(i, label) = kOn;
    if (single_ && label == positive_) T(i, 0) = kOn;
  }
  return T;
}

arma::vec Targets::sample_weights(const arma::uvec& rows) const {
  if (class_weights_.is_empty()) return {};
  return class_weights_.elem(data_.labels(rows));
}

arma::uvec Targets::decode_labels(const arma::mat& Z) const {
  expects(data_.task == Task::classification, "decode_labels: the task is classification");
  expects(Z.n_cols == outputs(), "decode_labels: Z is n x c");
  const double middle = (kOn + off_) / 2;
  arma::uvec labels(Z.n_rows);
  for (arma::uword i = 0; i < Z.n_rows; ++i) {
    labels(i) = !single_ ? largest(Z, i) : Z(i, 0) > middle ? positive_ : 1 - positive_;
  }
  return labels;
}

arma::mat Targets::class_scores(const arma::mat& Z) const {
  if (!single_) return Z;
  arma::mat scores(Z.n_rows, 2, arma::fill::zeros);
  scores.col(positive_) = Z;
  return scores;
}

arma::mat Targets::to_original(const arma::mat& Z) const {
  expects(data_.task == Task::regression, "to_original: the task is regression");
  return scaler_.undo(Z);
}

arma::vec class_weights(const Json& option, const Dataset& data, const arma::uvec& train) {
  if (data.task != Task::classification)
    throw ConfigError("class_weights", "needs a classification, but " + data.name + " is a regression");
  if (option.is_object()) return explicit_weights(option, data);
  if (option != "balanced")
    throw ConfigError("class_weights", "expected \"balanced\" or {\"class\": weight, ...}, found " + option.dump());
  return balanced(data, train);
}

}  // namespace elmx
