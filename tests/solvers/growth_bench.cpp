#include <memory>

#include "solvers/ridge_algorithms.hpp"
#include "support/bench.hpp"

namespace elmx {
namespace {

struct Data {
  arma::mat targets, H;

  Data(uword samples, uword nodes) : targets(uniform_matrix(samples, 1, 2)), H(samples, nodes) {
    const arma::mat X = uniform_matrix(samples, 9, 1);
    HiddenNodes::draw("triangular", Rng(1, Purpose::layer), 9, nodes, {}).outputs(all_rows(X), 0, View<double>(H));
  }
};

// One step 2199 -> 2200 at K = 60000: p = H h reads H once, 8 l K bytes; all else is small beside it.
void alg2_step(benchmark::State& state) {
  set_threads(0);
  const Data data(60000, 2200);
  const StoredMatrix<double> A{View<const double>(data.H)};
  RidgeProducts<double> products(A, View<const double>(data.targets), Products::none);
  const auto before = make_recursion<double>(NodeRecursion::alg2, data.H, data.targets, 0.1);
  products.advance(2199);
  if (before->grow(products) != Status::ok) return state.SkipWithError("not solved");
  products.advance(1);
  std::unique_ptr<OneNodeGrowth<double>> solver;

  for (auto _ : state) {
    state.PauseTiming();
    solver = before->copy();
    state.ResumeTiming();
    if (solver->grow(products) != Status::ok) return state.SkipWithError("no step");
  }

  // eps cond(R) l for one recursion in R^-1; cond(R) < 1e6 here.
  if (!(off_by_tolerances<double>(data.H, data.targets, 0.1, solver->weights()) <= 1e6))
    return state.SkipWithError("wrong");
  report_bytes(state, 8.0 * 60000 * 2199);
}
BENCHMARK(alg2_step)->Iterations(10)->UseRealTime()->Unit(benchmark::kMillisecond);

// 2 -> 500 nodes at K = 36584 (Protein): 2 K flops for each of the l (l + 1) / 2 products of two nodes.
// Parameter allowed is the largest distance from the solution, in tolerances, as in alg2_step.
void growth(benchmark::State& state, const char* name, uword block, double allowed) {
  set_threads(0);
  const Data data(36584, 500);
  const StoredMatrix<double> A{View<const double>(data.H)};
  std::unique_ptr<GrowingRun<double>> run;

  for (auto _ : state) {
    run = std::make_unique<GrowingRun<double>>(ridge_algorithm(name), A, View<const double>(data.targets), 0.1);
    if (run->add(2) != Status::ok) return state.SkipWithError("no start");
    while (run->nodes() < 500) {
      if (run->add(std::min<uword>(block, 500 - run->nodes())) != Status::ok) return state.SkipWithError("no growth");
    }
  }

  if (!(off_by_tolerances<double>(data.H, data.targets, 0.1, run->weights()) <= allowed))
    return state.SkipWithError("wrong");
  const double flops = 2.0 * 36584 * 500 * 501 / 2;
  report_flops<double>(state, flops);
  if (block == 1) report_bytes(state, 4 * flops);
}
BENCHMARK_CAPTURE(growth, panel, "panel", 128, 1)->Iterations(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(growth, alg2, "alg2", 1, 1e6)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace elmx
