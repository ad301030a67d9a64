#include "solvers/blocks/block_solvers.hpp"
#include "support/bench.hpp"

// The standard ELM at MNIST's size, 60000 x 2200, 10 outputs: N L^2 + 2 N L c + L^3 / 3 flops (Gram matrix,
// H'T, solve). The features are those of 9 inputs here; hidden_nodes_bench has what 784 cost.

namespace elmx {
namespace {

template <class A, class T>
void standard(benchmark::State& state) {
  set_threads(0);
  const uword N = 60000, L = 2200, c = 10;
  const arma::mat X = uniform_matrix(N, 9, 1);
  const arma::Mat<T> targets = arma::conv_to<arma::Mat<T>>::from(uniform_matrix(N, c, 2));
  arma::Mat<T> H(N, L);
  HiddenNodes::draw("triangular", Rng(1, Purpose::layer), 9, L, {}).outputs(all_rows(X), 0, View<T>(H));
  const StoredMatrix<T> input{View<const T>(H)};
  Standard<A, T> solver(0.1, View<const T>(targets));

  for (auto _ : state) {
    RidgeProducts<T> products(input, View<const T>(targets), Products::none);
    products.advance(L);
    if (solver.grow(products) != Status::ok) return state.SkipWithError("not solved");
  }

  // Mixed weights are rounded to float, which is the error of one operation.
  if (!(off_by_tolerances<T>(H, targets, 0.1, solver.weights()) <= 1)) return state.SkipWithError("wrong");
  report_flops<A>(state, 1.0 * N * L * L + 2.0 * N * L * c + 1.0 * L * L * L / 3);
}
BENCHMARK_TEMPLATE(standard, double, double)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(standard, float, float)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(standard, double, float)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace elmx
