#include "models/linear/linear_options.hpp"

#include <array>

#include "models/algorithm_names.hpp"
#include "solvers/ridge_algorithms.hpp"

namespace elmx {
namespace {

using Map = FeatureMap<double>;

constexpr double kIntercept = 256;  // lambda w_0^2 is lambda / 65536 times the squared intercept

/// Returns a constant column: a node without inputs.
Map constant_column(uword inputs, double value) {
  return Map(
      Map::Nodes{HiddenNodes::made_of("linear", arma::mat(inputs, 1, arma::fill::zeros), arma::rowvec{1}), value});
}

template <class Options>
RidgeSetup setup_of(const std::vector<Options>& models, uword columns) {
  RidgeSetup setup;
  setup.algorithms = models.front().algorithms;
  setup.first = setup.capacity = setup.direct = columns;
  setup.columns = {columns};
  setup.leave_one_out = models.front().leave_one_out.value_or(false);
  return setup;
}

}  // namespace

void LinearOptions::fields(FieldVisitor& field) {
  field("family", family, "family of models", one_of({"linear"}));
  field("algorithms", algorithms, "nothing grows: standard, or path where ridge is auto", among({"standard", "path"}));
  field("ridge", ridge,
        "ridge penalty lambda; the intercept has 1/65536 of it, next to nothing up to 100 times the number of samples; "
        "auto: chosen in each training part by algorithm path");
  field("reference", reference,
        "what weight_error and output_error are measured against: an independent QR of the augmented system, the "
        "standard solution by Cholesky, or "
        "nothing (for sizes at which a second solution costs too much)",
        one_of({"none", "qr", "cholesky"}));
  field("leave_one_out", leave_one_out, "leave-one-out errors, GCV and degrees of freedom; 2 N d^2 flops; false");
}

void MeanOptions::fields(FieldVisitor& field) {
  field("family", family, "family of models", one_of({"mean"}));
  field("algorithms", algorithms, "nothing grows, so that there is one algorithm", among({"standard"}));
  field("leave_one_out", leave_one_out, "leave-one-out errors, GCV and degrees of freedom; false");
}

FeatureMap<double> LinearOptions::feature_map(uword inputs) const {
  return Map(Map::SideBySide{{constant_column(inputs, kIntercept), Map(Map::DirectLinks{inputs})}});
}

FeatureMap<double> MeanOptions::feature_map(uword inputs) const { return constant_column(inputs, 1); }

void LinearOptions::check(const std::string& place) const {
  check_algorithms(algorithms, std::array{ridge_algorithm("standard"), ridge_algorithm("path")}, place);
  check_ridge(ridge, algorithms, place);
}

void MeanOptions::check(const std::string& place) const {
  check_algorithms(algorithms, std::array{ridge_algorithm("standard")}, place);
}

RidgeSetup ridge_setup(const std::vector<LinearOptions>& models, uword inputs) {
  RidgeSetup setup = setup_of(models, 1 + inputs);
  for (const LinearOptions& model : models) setup.lambdas.push_back(model.ridge);
  setup.reference = models.front().reference;
  return setup;
}

RidgeSetup ridge_setup(const std::vector<MeanOptions>& models, uword) {
  RidgeSetup setup = setup_of(models, 1);
  setup.lambdas.assign(models.size(), 0);
  return setup;
}

}  // namespace elmx
