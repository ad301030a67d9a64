#include <memory>

#include "solvers/ridge_algorithms.hpp"
#include "support/bench.hpp"

// A broad network of 11100 nodes on 60000 samples (random data), the solution alone, expanded input stored.
// "of_gemm": flops of one ridge parameter, l k^2 + 2 l k c and the factorisation, as a share of a matrix
// product's rate. "eight_over_one": what eight ridge parameters cost over one.

namespace elmx {
namespace {

constexpr uword kSamples = 60000, kNodes = 11100, kOutputs = 10;

template <class T>
arma::Mat<T> uniform(uword rows, uword cols) {
  arma::Mat<T> A(rows, cols, arma::fill::none);
  const Rng rng(1, Purpose::synthetic);
#pragma omp parallel for
  for (uword i = 0; i < A.n_elem; ++i) A(i) = static_cast<T>(rng.uniform(i) - 0.5);
  return A;
}

/// factor: flops of the factorisation as a multiple of k^3.
template <class T>
void measure(benchmark::State& state, const char* algorithm, double factor,
             Arithmetic arithmetic = Arithmetic::of_samples) {
  set_threads(0);
  const arma::Mat<T> A = uniform<T>(kSamples, kNodes), Y = uniform<T>(kSamples, kOutputs);
  const StoredMatrix<T> input{View<const T>(A)};
  const double rate = gemm_rate<T>(2048);
  const bool mixed = arithmetic == Arithmetic::mixed;
  for (auto _ : state) {
    SweepProducts<T> sweep(ridge_algorithm(algorithm), input, View<const T>(Y), arithmetic);
    const double shared = seconds_of([&] { sweep.advance(kNodes); });
    double first = 0, all = 0;
    std::vector<std::unique_ptr<GrowingRidge<T>>> solvers;
    for (int i = 0; i < 8; ++i) {
      solvers.push_back(sweep.solver(1e-2 * (i + 1)));
      Status status = Status::ok;
      const double own = seconds_of([&] { status = solvers.back()->grow(sweep.products()); });
      if (status != Status::ok) return state.SkipWithError("not solved");
      if (i == 0) first = own;
      all += own;
    }
    const double off =
        ridge_fits<T, double>(input, arma::conv_to<arma::mat>::from(Y), {solvers.front()->wide_weights()}, {1e-2})
            .front()
            .backward_error;
    if (!(off <= (mixed ? tolerance<double>(kSamples, kNodes) : tolerance<T>(kSamples, kNodes))))
      return state.SkipWithError("wrong");
    constexpr double l = kSamples, k = kNodes, c = kOutputs;
    state.counters["of_gemm"] = (l * k * k + 2 * l * k * c + factor * k * k * k) / (shared + first) / rate;
    state.counters["one_s"] = shared + first;
    state.counters["eight_over_one"] = (shared + all) / (shared + first);
    if (mixed) state.counters["products"] = static_cast<double>(solvers.front()->mixed_step()->products);
  }
}

void in_double(benchmark::State& state, const char* algorithm, double factor) {
  measure<double>(state, algorithm, factor);
}
void in_single(benchmark::State& state, const char* algorithm, double factor) {
  measure<float>(state, algorithm, factor);
}
void in_mixed(benchmark::State& state, const char* algorithm, double factor) {
  measure<float>(state, algorithm, factor, Arithmetic::mixed);
}
BENCHMARK_CAPTURE(in_double, chol_1, "chol-1", 2.0 / 3)->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(in_mixed, chol_1, "chol-1", 2.0 / 3)->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(in_single, chol_1, "chol-1", 2.0 / 3)->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(in_double, d_rdg, "d-rdg", 1.0 / 3)->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(in_mixed, d_rdg, "d-rdg", 1.0 / 3)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace elmx
