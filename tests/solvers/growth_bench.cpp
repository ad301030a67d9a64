#include <memory>

#include "solvers/alg2.hpp"
#include "solvers/panel.hpp"
#include "support/bench.hpp"

namespace elmx {
namespace {

struct Data {
  arma::mat targets, H;

  Data(uword samples, uword nodes) : targets(uniform_matrix(samples, 1, 2)), H(samples, nodes) {
    const arma::mat X = uniform_matrix(samples, 9, 1);
    RandomLayer::draw(Rng(1, Purpose::layer), 9, nodes, Activation::triangular, {}).outputs(all_rows(X), 0, View<double>(H));
  }
};

// One step 2199 -> 2200 at K = 60000: p = H h reads H once, 8 l K bytes; all else is small beside it.
void alg2_step(benchmark::State& state) {
  set_threads(0);
  const Data data(60000, 2200);
  const RidgeProblem<double> problem{data.H, data.targets, 0.1};
  Alg2<double> before(problem), solver(problem);
  if (before.start(2199) != Status::ok) return state.SkipWithError("not solved");

  for (auto _ : state) {
    state.PauseTiming();
    solver.assign(before);
    state.ResumeTiming();
    if (solver.grow(1) != Status::ok) return state.SkipWithError("no step");
  }

  // eps cond(R) l for one recursion in R^-1; cond(R) < 1e6 here.
  if (!(off_by_tolerances(data.H, data.targets, 0.1, solver.weights()) <= 1e6)) return state.SkipWithError("wrong");
  report_bytes(state, 8.0 * 60000 * 2199);
}
BENCHMARK(alg2_step)->Iterations(10)->UseRealTime()->Unit(benchmark::kMillisecond);

// 2 -> 500 nodes at K = 36584 (Protein): 2 K flops for each of the l (l + 1) / 2 products of two nodes.
template <class Solver>
std::unique_ptr<Solver> make(const RidgeProblem<double>& problem) {
  if constexpr (std::same_as<Solver, Panel<double>>) {
    return std::make_unique<Solver>(problem, 128);
  } else {
    return std::make_unique<Solver>(problem);
  }
}

template <class Solver>
void growth(benchmark::State& state) {
  set_threads(0);
  const Data data(36584, 500);
  const RidgeProblem<double> problem{data.H, data.targets, 0.1};
  std::unique_ptr<Solver> solver;

  for (auto _ : state) {
    solver = make<Solver>(problem);
    if (solver->start(2) != Status::ok || solver->grow(498) != Status::ok) return state.SkipWithError("no growth");
  }

  const double allowed = std::same_as<Solver, Panel<double>> ? 1 : 1e6;  // as above
  if (!(off_by_tolerances<double>(data.H, data.targets, 0.1, solver->weights()) <= allowed)) return state.SkipWithError("wrong");
  const double flops = 2.0 * 36584 * 500 * 501 / 2;
  report_flops<double>(state, flops);
  if constexpr (std::same_as<Solver, Alg2<double>>) report_bytes(state, 4 * flops);
}
BENCHMARK_TEMPLATE(growth, Panel<double>)->Iterations(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(growth, Alg2<double>)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace elmx
