#include "features/hidden_nodes.hpp"
#include "support/bench.hpp"

// H = sigmoid(X W + 1 b) of MNIST's size: 60000 x 784 x 2200, 2 N d L flops in the product.

namespace elmx {
namespace {

template <class T>
void features(benchmark::State& state) {
  set_threads(0);
  const arma::mat X = uniform_matrix(60000, 784, 1);
  const Inputs inputs = all_rows(X);
  const HiddenNodes layer = HiddenNodes::draw("sigmoid", Rng(1, Purpose::layer), 784, 2200, {-0.1, 0.1, 0, 1});
  arma::Mat<T> H(60000, 2200);

  for (auto _ : state) layer.outputs(inputs, 0, View<T>(H));

  for (uword n = 0; n < 60000; n += 997) {
    const uword j = (n * 31) % 2200;
    double v = layer.b(j);
    for (uword i = 0; i < 784; ++i) v += (X(n, i) - inputs.scaler.offset(i)) * inputs.scaler.factor(i) * layer.W(i, j);
    if (!(std::abs(static_cast<double>(H(n, j)) - 1 / (1 + std::exp(-v))) <= tolerance<T>(784, 1)))
      return state.SkipWithError("wrong");
  }
  report_flops<T>(state, 2.0 * 60000 * 784 * 2200);
}
BENCHMARK_TEMPLATE(features, double)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(features, float)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace elmx
