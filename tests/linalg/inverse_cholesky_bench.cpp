#include <cblas.h>

#include "linalg/division_free.hpp"
#include "linalg/inverse_cholesky.hpp"
#include "linalg/inverse_ldl.hpp"
#include "support/bench.hpp"
#include "support/problem.hpp"

extern "C" {
void dpotrf_(const char*, const int*, double*, const int*, int*);
void dtrtri_(const char*, const char*, const int*, double*, const int*, int*);
}

// F with F F' = R^-1 at n = 8000, 2 n^3 / 3 flops, and the LDL' forms, beside LAPACK's Cholesky factorisation and
// triangular inverse (potrf, trtri) on as many threads. On a shared machine: --benchmark_repetitions=5
// --benchmark_enable_random_interleaving; CPU is that of the process.

namespace elmx {
namespace {

constexpr int kSize = 8000;

arma::mat definite() {
  arma::mat G = 0.005 * normal_matrix(kSize, kSize, 1);
  G.diag().fill(4);
  return arma::symmatu(G);
}

enum class Form { cholesky, ldl };

/// ||R F F'x - x|| / ||x|| for one x; F F' is L D L' in the LDL' form.
double probe(Form form, const arma::mat& factored, const arma::mat& R) {
  const arma::vec x = normal_matrix(kSize, 1, 2);
  arma::vec y = x;
  const bool unit = form == Form::ldl;
  trmv(Op::transpose, unit, View<const double>(factored), y.memptr());
  if (unit) y %= factored.diag();
  trmv(Op::none, unit, View<const double>(factored), y.memptr());
  return arma::norm(R * y - x) / arma::norm(x);
}

template <class Factor>
void measure(benchmark::State& state, Form form, const Factor& factor) {
  const arma::mat R = definite();
  arma::mat S;
  for (auto _ : state) {
    state.PauseTiming();
    S = R;
    state.ResumeTiming();
    if (!factor(S)) return state.SkipWithError("not factored");
  }
  if (!(probe(form, S, R) <= tolerance(kSize, kSize))) return state.SkipWithError("wrong");
  report_flops<double>(state, 2.0 / 3 * kSize * kSize * kSize);
}

void timed(benchmark::internal::Benchmark* bench) {
  bench->Iterations(1)->UseRealTime()->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);
}

void blocked(benchmark::State& state) {
  set_threads(0);
  measure(state, Form::cholesky, [](arma::mat& S) { return inverse_cholesky(View<double>(S)) == Status::ok; });
}
BENCHMARK(blocked)->Apply(timed);

void blocked_ldl(benchmark::State& state) {
  set_threads(0);
  measure(state, Form::ldl, [](arma::mat& S) { return inverse_ldl(View<double>(S)) == Status::ok; });
}
BENCHMARK(blocked_ldl)->Apply(timed);

void division_free(benchmark::State& state) {
  set_threads(0);
  measure(state, Form::ldl, [](arma::mat& S) {
    std::vector<double> pivots(kSize);
    const Status status = division_free_inverse(View<double>(S), pivots.data());
    divide(View<double>(S), pivots.data());
    return status == Status::ok;
  });
}
BENCHMARK(division_free)->Apply(timed);

void lapack(benchmark::State& state) {
  set_threads(0);
  openblas_set_num_threads(threads());
  measure(state, Form::cholesky, [](arma::mat& S) {
    int n = kSize, failed = 0;
    dpotrf_("U", &n, S.memptr(), &n, &failed);
    if (failed == 0) dtrtri_("U", "N", &n, S.memptr(), &n, &failed);
    return failed == 0;
  });
  openblas_set_num_threads(1);
}
BENCHMARK(lapack)->Apply(timed);

}  // namespace
}  // namespace elmx
