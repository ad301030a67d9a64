#include "models/linear/linear.hpp"

namespace elmx {
namespace {

using LinearMap = FeatureMap<double>;

constexpr double kIntercept = 256;  // lambda w_0^2 is lambda / 65536 times the squared intercept

/// Returns a constant column: a node without inputs.
LinearMap constant_column(std::size_t inputs, double value) {
  return LinearMap(LinearMap::Nodes{
      HiddenNodes("linear", arma::mat(inputs, 1, arma::fill::zeros), arma::rowvec{1}), value});
}

RidgeSetup with_columns(RidgeSetup setup, std::size_t columns) {
  setup.first = setup.capacity = setup.direct = columns;
  setup.columns = {columns};
  return setup;
}

}  // namespace

std::vector<AlgorithmInfo> linear_algorithms() {
  std::vector<AlgorithmInfo> infos{info_of(ridge_algorithm("standard")), info_of(ridge_algorithm("path"))};
  infos.front().summary = "ridge regression on the inputs: no network";
  return infos;
}

std::vector<AlgorithmInfo> mean_algorithms() {
  AlgorithmInfo info = info_of(ridge_algorithm("standard"));
  info.summary = "the mean of the targets, or the most frequent class";
  return {info};
}

void LinearOptions::fields(FieldVisitor& field) {
  first_fields(field, "nothing grows: standard, or path where ridge is auto", names_of(linear_algorithms()));
  field("ridge", ridge,
        "ridge penalty lambda; the intercept has 1/65536 of it, next to nothing up to 100 times the number of samples; "
        "auto: chosen in each training part by algorithm path");
  reference_field(field);
  field("leave_one_out", leave_one_out, "leave-one-out errors, GCV and degrees of freedom; 2 N d^2 flops; false");
}

void MeanOptions::fields(FieldVisitor& field) {
  first_fields(field, "nothing grows, so that there is one algorithm", names_of(mean_algorithms()));
  field("leave_one_out", leave_one_out, "leave-one-out errors, GCV and degrees of freedom; false");
}

FeatureMap<double> LinearOptions::feature_map(std::size_t inputs) const {
  return LinearMap(
      LinearMap::SideBySide{{constant_column(inputs, kIntercept), LinearMap(LinearMap::DirectLinks{inputs})}});
}

FeatureMap<double> MeanOptions::feature_map(std::size_t inputs) const { return constant_column(inputs, 1); }

void LinearOptions::check(const std::string& place) const {
  check_algorithms(names_of(linear_algorithms()), place);
  RidgeOptions::check(place);
}

void MeanOptions::check(const std::string& place) const { check_algorithms(names_of(mean_algorithms()), place); }

RidgeSetup ridge_setup(const std::vector<LinearOptions>& models, std::size_t inputs) {
  return with_columns(setup_without_columns(models), 1 + inputs);
}

RidgeSetup ridge_setup(const std::vector<MeanOptions>& models, std::size_t) {
  RidgeSetup setup;
  setup.algorithms = models.front().algorithms;
  setup.lambdas.assign(models.size(), 0);
  setup.leave_one_out = models.front().leave_one_out.value_or(false);
  return with_columns(std::move(setup), 1);
}

}  // namespace elmx
