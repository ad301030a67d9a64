#include <cblas.h>

#include "linalg/inverse_cholesky.hpp"
#include "support/bench.hpp"
#include "support/problem.hpp"

// F with F F' = R^-1 at n = 8000, 2 n^3 / 3 flops, beside LAPACK's Cholesky factorisation and
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

/// ||R F F'x - x|| / ||x|| for one x.
double probe(const arma::mat& F, const arma::mat& R) {
  const arma::vec x = normal_matrix(kSize, 1, 2);
  arma::vec y = x;
  trmv(Op::transpose, false, View<const double>(F), y.memptr());
  trmv(Op::none, false, View<const double>(F), y.memptr());
  return arma::norm(R * y - x) / arma::norm(x);
}

template <class Factor>
void measure(benchmark::State& state, const Factor& factor) {
  const arma::mat R = definite();
  arma::mat S;
  for (auto _ : state) {
    state.PauseTiming();
    S = R;
    state.ResumeTiming();
    if (!factor(S)) return state.SkipWithError("not factored");
  }
  if (!(probe(S, R) <= tolerance(kSize, kSize))) return state.SkipWithError("wrong");
  report_flops<double>(state, 2.0 / 3 * kSize * kSize * kSize);
}

void timed(benchmark::internal::Benchmark* bench) {
  bench->Iterations(1)->UseRealTime()->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);
}

void blocked(benchmark::State& state) {
  set_threads(0);
  measure(state, [](arma::mat& S) { return inverse_cholesky(View<double>(S)) == Status::ok; });
}
BENCHMARK(blocked)->Apply(timed);

void lapack(benchmark::State& state) {
  set_threads(0);
  openblas_set_num_threads(threads());
  measure(state, [](arma::mat& S) {
    int n = kSize, failed = 0;
    arma::dpotrf_("U", &n, S.memptr(), &n, &failed, 1);
    if (failed == 0) arma::dtrtri_("U", "N", &n, S.memptr(), &n, &failed, 1, 1);
    return failed == 0;
  });
  openblas_set_num_threads(1);
}
BENCHMARK(lapack)->Apply(timed);

}  // namespace
}  // namespace elmx
