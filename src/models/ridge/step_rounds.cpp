#include "models/ridge/step_rounds.hpp"

#include <algorithm>
#include <set>

namespace elmx {
namespace {

// Timed code first runs once, untimed, on few samples: a hundredth of the work of a large problem, and at
// most as many nodes as can be factorised in a fraction of a second.
constexpr uword kWarmNodes = 2000;

uword warm_samples(uword samples) { return std::min(samples, std::max<uword>(256, samples / 64)); }

}  // namespace

template <class T>
void warm_up(const RidgeSetup& setup, const TallMatrix<T>& A, const RidgeTargets<T>& targets) {
  const uword few = warm_samples(A.rows()), most = std::min<uword>(setup.last(), kWarmNodes);
  const uword start = std::min<uword>(setup.first, most);
  const std::unique_ptr<TallMatrix<T>> part = A.leading(few, most);
  for (const std::string& name : setup.algorithms) {
    const RidgeAlgorithm algorithm = ridge_algorithm(name, setup.options);
    const uword first = algorithm.kind == StepKind::node ? std::max(start, most - 1) : start;
    GrowingRun<T> run(algorithm, *part, targets.rows(0, few), setup.lambdas.front().lambda, setup.arithmetic);
    const bool in_blocks = algorithm.kind == StepKind::block && setup.block > 0;
    Status status = run.add(first);
    while (status == Status::ok && run.nodes() < most) {
      status = run.add(in_blocks ? std::min(setup.block, most - run.nodes()) : most - run.nodes());
    }
  }
}

template <class T>
StepRounds<T>::StepRounds(const RidgeSetup& setup, const TallMatrix<T>& A, const RidgeTargets<T>& targets,
                          double lambda, Clock& clock) {
  for (const uword columns : std::set<uword>(setup.timed.begin(), setup.timed.end())) {
    RidgeProducts<T> products(A, targets.template in<T>(), Products::none);
    products.advance(columns - 1);
    std::map<std::string, std::unique_ptr<OneNodeGrowth<T>>> before, trials;
    for (const std::string& name : setup.algorithms) {
      const RidgeAlgorithm algorithm = ridge_algorithm(name, setup.options);
      if (algorithm.kind != StepKind::node) continue;
      auto solver = make_solver<T>(algorithm, {A, targets, lambda});
      if (solver->grow(products) == Status::ok) before[name].reset(&dynamic_cast<OneNodeGrowth<T>&>(*solver.release()));
    }
    products.advance(1);
    for (const auto& [name, state] : before) trials[name] = state->copy();
    for (std::size_t round = 0; round <= setup.repetitions; ++round) {
      std::erase_if(before, [&](const auto& state) {
        std::vector<double>& measured = seconds_[{state.first, columns}];
        OneNodeGrowth<T>& trial = *trials[state.first];
        trial.assign(*state.second);  // reuses memory: new pages take longer than the step
        const double begin = clock.now();
        const Status status = trial.grow(products);
        const double seconds = clock.now() - begin;
        if (status != Status::ok) measured.clear();
        if (status == Status::ok && round > 0) measured.push_back(seconds);
        return status != Status::ok;
      });
    }
  }
}

template <class T>
Seconds StepRounds<T>::step(std::string_view algorithm, uword columns, double once) const {
  const auto found = seconds_.find({std::string(algorithm), columns});
  if (found == seconds_.end() || found->second.empty()) return {once, 0, 1};
  Seconds step = seconds_of(found->second);
  step.rounds = found->second;
  return step;
}

template void warm_up(const RidgeSetup&, const TallMatrix<double>&, const RidgeTargets<double>&);
template void warm_up(const RidgeSetup&, const TallMatrix<float>&, const RidgeTargets<float>&);
template class StepRounds<double>;
template class StepRounds<float>;

}  // namespace elmx
