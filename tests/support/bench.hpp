#pragma once

#include <benchmark/benchmark.h>

#include <map>

#include "base/machine/clock.hpp"
#include "features/hidden_nodes.hpp"
#include "linalg/blas.hpp"
#include "models/diagnostics.hpp"
#include "support/judge.hpp"

// Helpers of the benchmarks. Each benchmark checks its result before its figures count, and relates them to a
// measurement of the same machine in the same run: a matrix product, or one pass through the memory.

namespace elmx {

/// Reports "flops" (work / s) and "of_gemm", their share of a matrix product of T on the threads in use.
template <class T>
void report_flops(benchmark::State& state, double flops) {
  static std::map<int, double> rates;
  double& rate = rates[threads()];
  if (rate == 0) rate = gemm_rate<T>(2048);
  state.counters["flops"] = benchmark::Counter(flops, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["of_gemm"] = benchmark::Counter(flops / rate, benchmark::Counter::kIsIterationInvariantRate);
}

/// Reports "bytes" (read / s) and "of_stream", their share of reading a long vector once.
inline void report_bytes(benchmark::State& state, double bytes) {
  static const double rate = read_bandwidth(5e8);
  state.counters["bytes"] = benchmark::Counter(bytes, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["of_stream"] = benchmark::Counter(bytes / rate, benchmark::Counter::kIsIterationInvariantRate);
}

/// Returns the seconds that f takes.
template <class F>
double seconds_of(const F& f) {
  SteadyClock clock;
  const double begin = clock.now();
  f();
  return clock.now() - begin;
}

/// Returns a matrix that is uniform on [0, 1), like the raw inputs of a data set.
inline arma::mat uniform_matrix(uword rows, uword cols, std::uint64_t seed) {
  const Rng rng(seed, Purpose::synthetic);
  arma::mat X(rows, cols, arma::fill::none);
#pragma omp parallel for
  for (uword i = 0; i < X.n_elem; ++i) X(i) = rng.uniform(i);
  return X;
}

inline Inputs all_rows(const arma::mat& X) {
  return {X, arma::regspace<arma::uvec>(0, X.n_rows - 1),
          Scaler::fit("minus_one_one", X, arma::regspace<arma::uvec>(0, 99))};
}

/// Returns the backward error, computed by its definition, as a multiple of the tolerance of one solve.
template <class T>
double off_by_tolerances(const arma::Mat<T>& H, const arma::Mat<T>& targets, double lambda, const arma::Mat<T>& W) {
  return ridge_fits<T>(StoredMatrix<T>(H), targets, {W}, {lambda}).front().backward_error /
         tolerance<T>(H.n_rows, W.n_rows);
}

}  // namespace elmx
