#include <memory>

#include "base/machine/clock.hpp"
#include "solvers/blocks/direct_ridge.hpp"
#include "solvers/blocks/factor_growth.hpp"
#include "support/bench.hpp"

// A broad network of 11100 nodes on 60000 samples (random data), the solution alone, expanded input stored. "of_gemm":
// flops of one ridge parameter, l k^2 + 2 l k c and the factorisation, as a share of a matrix product's rate.
// "eight_over_one": what eight ridge parameters cost over one.

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

template <class F>
double seconds_of(const F& f) {
  SteadyClock clock;
  const double begin = clock.now();
  f();
  return clock.now() - begin;
}

/// make(lambda, gram) makes the solver; factor: flops of its factorisation as a multiple of k^3.
template <class T, class Make>
void measure(benchmark::State& state, double factor, const Make& make) {
  set_threads(0);
  const arma::Mat<T> A = uniform<T>(kSamples, kNodes), Y = uniform<T>(kSamples, kOutputs);
  const StoredMatrix<T> input{View<const T>(A)};
  const double rate = gemm_rate<T>(2048);
  for (auto _ : state) {
    RidgeProducts<T> products(input, View<const T>(Y), Products::gram);
    GramMatrix<T> gram(kNodes);
    const double shared = seconds_of([&] {
      products.advance(kNodes);
      gram.extend(products);
    });
    double first = 0, all = 0;
    std::vector<std::unique_ptr<GrowingRidge<T>>> solvers;
    for (int i = 0; i < 8; ++i) {
      solvers.push_back(make(1e-2 * (i + 1), gram));
      Status status = Status::ok;
      const double own = seconds_of([&] { status = solvers.back()->grow(products); });
      if (status != Status::ok) return state.SkipWithError("not solved");
      if (i == 0) first = own;
      all += own;
    }
    if (!(off_by_tolerances<T>(A, Y, 1e-2, solvers.front()->weights()) <= 1)) return state.SkipWithError("wrong");
    constexpr double l = kSamples, k = kNodes, c = kOutputs;
    state.counters["of_gemm"] = (l * k * k + 2 * l * k * c + factor * k * k * k) / (shared + first) / rate;
    state.counters["one_s"] = shared + first;
    state.counters["eight_over_one"] = (shared + all) / (shared + first);
  }
}

template <class T>
void chol_1(benchmark::State& state) {
  measure<T>(state, 2.0 / 3, [](double lambda, GramMatrix<T>&) { return std::make_unique<Chol1<T>>(lambda, kNodes); });
}
BENCHMARK(chol_1<double>)->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK(chol_1<float>)->Iterations(1)->Unit(benchmark::kSecond);

void d_rdg(benchmark::State& state) {
  measure<double>(state, 1.0 / 3, [](double lambda, GramMatrix<double>& gram) {
    return std::make_unique<DirectRidge<double>>(lambda, gram);
  });
}
BENCHMARK(d_rdg)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace elmx
