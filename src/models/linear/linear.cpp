#include "models/linear/linear.hpp"

namespace elmx {
namespace {

constexpr double kIntercept = 256;  // lambda w_0^2 is lambda / 65536 times the squared intercept

/// Returns a constant column: a node without inputs.
template <class T>
FeatureMap<T> constant_column(std::size_t inputs, double value) {
  return FeatureMap<T>(typename FeatureMap<T>::Nodes{
      HiddenNodes("linear", arma::mat(inputs, 1, arma::fill::zeros), arma::rowvec{1}), value});
}

RidgeSetup with_columns(RidgeSetup setup, std::size_t columns) {
  setup.first = setup.capacity = setup.direct = columns;
  setup.columns = {columns};
  return setup;
}

}  // namespace

std::vector<AlgorithmInfo> LinearOptions::known_algorithms() const {
  std::vector<AlgorithmInfo> infos{info_of(ridge_algorithm("standard")), info_of(ridge_algorithm("path"))};
  infos.front().summary = "ridge regression on the inputs: no network";
  return infos;
}

std::vector<AlgorithmInfo> MeanOptions::known_algorithms() const {
  AlgorithmInfo info = info_of(ridge_algorithm("standard"));
  info.summary = "the mean of the targets, or the most frequent class";
  return {info};
}

void LinearOptions::fields(FieldVisitor& field) {
  first_fields(field, "the algorithm: standard, or path if ridge is auto");
  field("ridge", ridge,
        "ridge penalty lambda; the intercept has 1/65536 of it, next to nothing up to 100 times the number of samples; "
        "auto: chosen in each training part by algorithm path");
  reference_field(field);
  field("leave_one_out", leave_one_out,
        "whether leave-one-out errors, GCV and degrees of freedom are computed; 2 N d^2 flops; false");
}

void MeanOptions::fields(FieldVisitor& field) {
  first_fields(field, "the only algorithm");
  field("leave_one_out", leave_one_out, "whether leave-one-out errors, GCV and degrees of freedom are computed; false");
}

template <class T>
std::vector<Expansion<T>> LinearOptions::expansions(const FoldView& fold, const Rng&, bool stored) const {
  const uword d = fold.train.dimension();
  typename FeatureMap<T>::SideBySide columns;
  columns.maps.push_back(constant_column<T>(d, kIntercept));
  columns.maps.emplace_back(typename FeatureMap<T>::DirectLinks{d});
  return {Expansion<T>(FeatureMap<T>(std::move(columns)), stored)};
}

template <class T>
std::vector<Expansion<T>> MeanOptions::expansions(const FoldView& fold, const Rng&, bool stored) const {
  return {Expansion<T>(constant_column<T>(fold.train.dimension(), 1), stored)};
}

template std::vector<Expansion<double>> LinearOptions::expansions(const FoldView&, const Rng&, bool) const;
template std::vector<Expansion<float>> LinearOptions::expansions(const FoldView&, const Rng&, bool) const;
template std::vector<Expansion<double>> MeanOptions::expansions(const FoldView&, const Rng&, bool) const;
template std::vector<Expansion<float>> MeanOptions::expansions(const FoldView&, const Rng&, bool) const;

ExpansionCost LinearOptions::expansion_cost(const RidgeSetup& setup, const Sizes& sizes, bool stored) const {
  return node_cost(setup.capacity, sizes, setup.word, stored);
}

void LinearOptions::check(const std::string& place) const {
  check_algorithms(place);
  RidgeNetworkOptions::check(place);
}

void MeanOptions::check(const std::string& place) const { check_algorithms(place); }

RidgeSetup LinearOptions::setup(std::size_t inputs) const { return with_columns(partial_setup(), 1 + inputs); }

RidgeSetup MeanOptions::setup(std::size_t) const { return with_columns(partial_setup(), 1); }

}  // namespace elmx
