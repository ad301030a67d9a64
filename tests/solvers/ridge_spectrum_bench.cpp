#include "linalg/decompositions.hpp"
#include "solvers/ridge/ridge_spectrum.hpp"
#include "solvers/ridge_algorithms.hpp"
#include "support/bench.hpp"

// Leave-one-out numbers of a sweep: 8000 samples, 1500 nodes, 13 ridge parameters, from the factor of each
// (what the solvers hold) and from one spectrum, in one run; and the decomposition itself by LAPACK and by
// tiles.

namespace elmx {
namespace {

constexpr uword kSamples = 8000, kNodes = 1500, kOutputs = 1;

struct Swept {
  arma::mat H, Y;
  std::vector<double> lambdas;

  Swept() : H(kSamples, kNodes), Y(uniform_matrix(kSamples, kOutputs, 2)) {
    const arma::mat X = uniform_matrix(kSamples, 9, 1);
    HiddenNodes::draw("triangular", Rng(1, Purpose::layer), 9, kNodes, {}).outputs(all_rows(X), 0, View<double>(H));
    for (const double lambda : arma::logspace(-3, 3, 13)) lambdas.push_back(lambda);
  }
};

const Swept& swept() {
  static const Swept one;
  return one;
}

std::vector<Leverages> from_factors() {
  const StoredMatrix<double> A{View<const double>(swept().H)};
  SweepProducts<double> products(ridge_algorithm("panel"), A, View<const double>(swept().Y), Arithmetic::of_samples);
  std::vector<std::unique_ptr<GrowingRidge<double>>> solvers;
  for (const double lambda : swept().lambdas) solvers.push_back(products.solver(lambda));
  products.advance(kNodes);
  std::vector<Leverages> all;
  for (std::size_t i = 0; i < solvers.size(); ++i) {
    if (solvers[i]->grow(products.products()) != Status::ok) return {};
    all.push_back(leverages<double>(*solvers[i], A, kNodes, swept().lambdas[i]));
  }
  return all;
}

std::vector<Leverages> from_spectrum() {
  const StoredMatrix<double> A{View<const double>(swept().H)};
  RidgeSpectrum spectrum;
  if (spectrum.decompose(A, swept().Y, kNodes, false) != Status::ok) return {};
  return spectrum.leverages(swept().lambdas, {});
}

/// apart: the largest relative difference from the leverages of the factors.
template <std::vector<Leverages> (*of)()>
void leave_one_out(benchmark::State& state) {
  set_threads(0);
  static_cast<void>(swept());
  std::vector<Leverages> all;
  for (auto _ : state) all = of();
  static const std::vector<Leverages> before = from_factors();
  double apart = 0;
  for (std::size_t i = 0; i < before.size() && i < all.size(); ++i)
    apart = std::max(apart, arma::abs(all[i].h / before[i].h - 1).max());
  state.counters["apart"] = apart;
  double drift = 0;
  for (const Leverages& one : all) drift = std::max(drift, one.drift);
  state.counters["drift"] = drift;
}
BENCHMARK_TEMPLATE(leave_one_out, from_factors)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(leave_one_out, from_spectrum)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

void eigen(benchmark::State& state) {
  set_threads(0);
  const auto n = static_cast<uword>(state.range(0));
  const arma::mat X = uniform_matrix(2 * n, n, 1), A = X.t() * X;
  for (auto _ : state) {
    arma::mat V = A;
    arma::vec theta;
    if (symmetric_eigen(V, theta) != Status::ok) return state.SkipWithError("not decomposed");
  }
}
BENCHMARK(eigen)->Arg(1500)->Arg(3000)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace elmx
