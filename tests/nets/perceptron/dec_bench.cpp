#include <chrono>

#include "features/activation.hpp"
#include "nets/perceptron/unit_step.hpp"
#include "support/bench.hpp"
#include "support/net.hpp"
#include "support/threads.hpp"

// What decomposition training spends its time on, beside the same products and activations without anything
// else, measured alternately in the same run: "over_parts" is the ratio of the two (medians). Arguments:
// samples, inputs with the threshold, threads.
//
//     unit:   E and its gradient as a function of one unit's weights        X w, g, X'e          4 P n flops
//     whole:  E and its gradient as a function of all weights (20 units)    X W, g, H Lambda, R Lambda', X'D, H'R

namespace elmx {
namespace {

constexpr uword kUnits = 20;

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Times `f` and `parts` in turn.
template <class F, class Parts>
void compare(benchmark::State& state, double flops, const F& f, const Parts& parts) {
  f();
  parts();
  std::vector<double> of_f, of_parts;
  for (auto _ : state) {
    of_f.push_back(seconds_of(f));
    of_parts.push_back(seconds_of(parts));
    state.SetIterationTime(of_f.back());
  }
  state.counters["over_parts"] = median(of_f) / median(of_parts);
  state.counters["flops"] = flops / median(of_f);
}

Net net_of(const benchmark::State& state) {
  return random_net(static_cast<uword>(state.range(0)), static_cast<uword>(state.range(1)) - 1, kUnits, 1, 1);
}

void unit(benchmark::State& state) {
  const Threads scope(static_cast<int>(state.range(2)));
  const Net net = net_of(state);
  const PerceptronProblem problem = net.problem();
  const arma::vec w0 = net.W.col(0), w = w0 + 0.1;
  arma::mat H(net.X.n_rows, kUnits);
  hidden_outputs(net.X, net.W, View<double>(H));
  const arma::mat R = H * net.Lambda - net.Y;
  const UnitError error(problem, w0, H.colptr(0), net.Lambda.row(0), View<const double>(R));
  arma::vec gradient(w.n_elem), v(net.X.n_rows), product(w.n_elem);

  const double value = error(w.memptr(), gradient.memptr());
  arma::mat W = net.W;
  W.col(0) = w;
  const auto exact =
      static_cast<double>(error_by_definition(net, W, net.Lambda) - error_by_definition(net, net.W, net.Lambda));
  if (!(std::abs(value - exact) <= 1e-8 * std::abs(exact))) return state.SkipWithError("wrong");

  compare(
      state, 4.0 * static_cast<double>(net.X.n_elem),
      [&] { benchmark::DoNotOptimize(error(w.memptr(), gradient.memptr())); },
      [&] {
        gemv(Op::none, 1.0, net.X, w.memptr(), 0.0, v.memptr());
        activate(Activation::sigmoid, v.memptr(), v.n_elem, 0.0);
        gemv(Op::transpose, 1.0, net.X, v.memptr(), 0.0, product.memptr());
      });
}

void whole(benchmark::State& state) {
  const Threads scope(static_cast<int>(state.range(2)));
  const Net net = net_of(state);
  const PerceptronProblem problem = net.problem();
  arma::mat grad_W(arma::size(net.W)), grad_Lambda(arma::size(net.Lambda)), H(net.X.n_rows, kUnits), D(arma::size(H)),
      R(arma::size(net.Y));

  const double value = error_and_gradient(problem, net.W, net.Lambda, View<double>(grad_W), View<double>(grad_Lambda));
  const auto exact = static_cast<double>(error_by_definition(net, net.W, net.Lambda));
  if (!(std::abs(value - exact) <= 1e-10 * exact)) return state.SkipWithError("wrong");

  compare(
      state, 4.0 * static_cast<double>(net.X.n_rows * kUnits * (net.X.n_cols + 1)),
      [&] {
        benchmark::DoNotOptimize(
            error_and_gradient(problem, net.W, net.Lambda, View<double>(grad_W), View<double>(grad_Lambda)));
      },
      [&] {
        gemm(Op::none, Op::none, 1.0, net.X, net.W, 0.0, View<double>(H));
        const auto N = static_cast<std::int64_t>(kUnits);
#pragma omp parallel for
        for (std::int64_t j = 0; j < N; ++j)
          activate(Activation::sigmoid, H.colptr(static_cast<uword>(j)), H.n_rows, 0.0);
        gemm(Op::none, Op::none, 1.0, H, net.Lambda, 0.0, View<double>(R));
        gemm(Op::none, Op::transpose, 1.0, R, net.Lambda, 0.0, View<double>(D));
        gemm(Op::transpose, Op::none, 1.0, net.X, D, 0.0, View<double>(grad_W));
        gemm(Op::transpose, Op::none, 1.0, H, R, 0.0, View<double>(grad_Lambda));
      });
}

void sizes(benchmark::internal::Benchmark* bench) {
  for (const int threads : {1, 2}) {
    bench->Args({59535, 9, threads});   // cod-rna
    bench->Args({20000, 41, threads});  // of the size of ailerons
  }
  bench->Iterations(200)->UseManualTime()->Unit(benchmark::kMicrosecond);
}
BENCHMARK(unit)->Apply(sizes);
BENCHMARK(whole)->Apply(sizes);

}  // namespace
}  // namespace elmx
