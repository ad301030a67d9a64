#include "linalg/cholesky.hpp"
#include "support/bench.hpp"
#include "support/problem.hpp"

// G = R'R at n = 2200, n^3 / 3 flops: in blocks on all threads and on one, beside LAPACK's on one.

namespace elmx {
namespace {

constexpr int kSize = 2200;

arma::mat definite() {
  arma::mat G = 0.01 * normal_matrix(kSize, kSize, 1);
  G.diag().fill(4);
  return arma::symmatu(G);
}

/// ||R'R - G|| / ||G||
double backward_error(const arma::mat& factored, const arma::mat& G) {
  const arma::mat R = arma::trimatu(factored);
  arma::mat product(kSize, kSize);
  gemm(Op::transpose, Op::none, 1.0, R, R, 0.0, View<double>(product));
  return relative_difference(product, G);
}

template <class Factor>
void measure(benchmark::State& state, const Factor& factor) {
  const arma::mat G = definite();
  arma::mat R;
  for (auto _ : state) {
    state.PauseTiming();
    R = G;
    state.ResumeTiming();
    if (!factor(R)) return state.SkipWithError("not factored");
  }
  if (!(backward_error(R, G) <= tolerance(kSize, kSize))) return state.SkipWithError("wrong");
  report_flops<double>(state, 1.0 * kSize * kSize * kSize / 3);
}

void blocked(benchmark::State& state) {
  set_threads(static_cast<int>(state.range(0)));
  measure(state, [](arma::mat& R) { return cholesky(View<double>(R)) == Status::ok; });
}
BENCHMARK(blocked)->ArgName("threads")->Arg(1)->Arg(0)->Iterations(5)->UseRealTime()->Unit(benchmark::kMillisecond);

void lapack_on_one_thread(benchmark::State& state) {
  set_threads(1);
  measure(state, [](arma::mat& R) {
    int n = kSize, failed = 0;
    arma::dpotrf_("U", &n, R.memptr(), &n, &failed, 1);
    return failed == 0;
  });
}
BENCHMARK(lapack_on_one_thread)->Iterations(5)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace elmx
