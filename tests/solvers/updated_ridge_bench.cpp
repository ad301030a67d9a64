#include "solvers/ridge_algorithms.hpp"
#include "solvers/updates/updated_ridge.hpp"
#include "support/bench.hpp"

// Updates of a network of 3080 nodes with 60000 samples (random data) against training it again.
// "of_gemm": the flops of the update as a share of a matrix product's rate. "speedup": the time of training on all samples
// (Gram matrix and Cholesky factorisation, expanded input stored) over that of the update, in one run.

namespace elmx {
namespace {

constexpr uword kSamples = 60000, kNodes = 3080, kOutputs = 10;

arma::mat uniform(uword rows, uword cols, std::uint64_t seed) { return uniform_matrix(rows, cols, seed) - 0.5; }

void update(benchmark::State& state, std::string_view name, uword count, bool checked) {
  set_threads(0);
  const UpdateAlgorithm& algorithm = update_algorithm(name);
  const arma::mat A = uniform(kSamples, kNodes, 1), Y = uniform(kSamples, kOutputs, 2);
  const uword before = kSamples - count;
  const double rate = gemm_rate<double>(2048), lambda = 1e-2;
  const View<const double> first = View<const double>(A).block(0, 0, before, kNodes),
                           first_targets = View<const double>(Y).block(0, 0, before, kOutputs);
  const arma::mat added = A.tail_rows(count), targets = Y.tail_rows(count);
  for (auto _ : state) {
    const auto solver = algorithm.make(kNodes, kOutputs, lambda, checked);
    Status status = solver->change(first, first_targets, Change::add);
    if (status == Status::ok) status = solver->change(added, targets, Change::add);
    std::vector<double> updates;
    for (int i = 0; i < 3 && status == Status::ok; ++i) {
      status = solver->change(added, targets, Change::remove);
      updates.push_back(seconds_of([&] {
        if (status == Status::ok) status = solver->change(added, targets, Change::add);
      }));
    }
    if (status != Status::ok) return state.SkipWithError("not solved");
    if (algorithm.checkable && solver->factorised())
      return state.SkipWithError("a new factorisation replaced the update");
    const double off = off_by_tolerances(A, Y, lambda, solver->weights());
    if (!(off <= 1)) return state.SkipWithError("wrong");
    const double again = seconds_of([&] {
      GramRidge all(kNodes, kOutputs, lambda);
      if (all.change(A, Y, Change::add) != Status::ok) state.SkipWithError("not solved");
    });
    std::ranges::sort(updates);
    const double seconds = updates[1];
    const double sums = checked && algorithm.checkable ? static_cast<double>(count) * kNodes * kNodes : 0;
    const double flops = algorithm.flops(static_cast<double>(count), kNodes, kOutputs) + sums;
    state.counters["update_s"] = seconds;
    state.counters["speedup"] = again / seconds;
    state.counters["of_gemm"] = flops / seconds / rate;
    state.counters["off"] = off;
  }
}

#define UPDATE(label, name, count, checked) \
  BENCHMARK_CAPTURE(update, label, name, count, checked)->Iterations(1)->Unit(benchmark::kSecond)
UPDATE(gram_1000, "gram", 1000, true);
UPDATE(factor_1000, "factor", 1000, false);
UPDATE(factor_1000_checked, "factor", 1000, true);
UPDATE(inverse_factor_1000, "inverse-factor", 1000, false);
UPDATE(inverse_1000, "inverse", 1000, false);
UPDATE(os_elm_1000, "os-elm", 1000, false);
UPDATE(gram_10, "gram", 10, true);
UPDATE(factor_10, "factor", 10, false);
UPDATE(inverse_factor_10, "inverse-factor", 10, false);
UPDATE(inverse_10, "inverse", 10, false);
UPDATE(inverse_10000, "inverse", 10000, false);
UPDATE(os_elm_10000, "os-elm", 10000, false);
UPDATE(inverse_factor_10000, "inverse-factor", 10000, false);
#undef UPDATE

}  // namespace
}  // namespace elmx
