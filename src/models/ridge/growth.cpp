#include "models/ridge/growth.hpp"

#include <algorithm>
#include <set>

#include "base/machine/stage.hpp"

namespace elmx {
namespace {

// Timed code first runs once, untimed, on few samples: a hundredth of the work of a large problem, and at
// most as many nodes as can be factorised in a fraction of a second.
constexpr uword kWarmNodes = 2000;

uword warm_samples(uword samples) { return std::min(samples, std::max<uword>(256, samples / 64)); }

/// Returns the seconds that f takes.
template <class F>
double timed(Clock& clock, const F& f) {
  const double begin = clock.now();
  f();
  return clock.now() - begin;
}

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
      auto solver = algorithm.make(GrowingProblem<T>{A, targets, lambda}, algorithm.options);
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

template <class T>
void Growth<T>::grow_to(uword columns, bool reported, const StepRounds<T>& rounds) {
  const uword begun = columns_;
  if (columns == begun) return;
  for (Growing<T>& one : growing_) one.point.step = {0, 0, 1};
  if (algorithm_.kind == StepKind::node && begun > 0) {
    grow_by_nodes(columns, rounds);
  } else {
    grow_by_blocks(columns, reported);
  }
  if (reported && algorithm_.kind == StepKind::node) look(growing_.front());
}

template <class T>
void Growth<T>::grow_by_nodes(uword columns, const StepRounds<T>& rounds) {
  Growing<T>& one = growing_.front();
  const auto add_node = [&] {
    report_stage("node", columns_ + 1, setup_.columns.back());
    sweep_->advance(1);
    ++columns_;
    if (one.ok()) one.point.status = one.solver->grow(sweep_->products());
  };
  one.point.total_seconds += timed(clock_, [&] {
    while (columns_ + 1 < columns && one.ok()) add_node();
  });
  if (!one.ok()) return;
  const double last = timed(clock_, add_node);
  one.point.total_seconds += last;
  if (one.ok()) one.point.step = rounds.step(algorithm_.name, columns, last);
}

template <class T>
void Growth<T>::grow_by_blocks(uword columns, bool reported) {
  const uword begun = columns_;
  const bool several = algorithm_.kind == StepKind::block && begun > 0 && setup_.block > 0;
  while (columns_ < columns && any_left()) {
    const uword q = several ? std::min(setup_.block, columns - columns_) : columns - columns_;
    const double together = timed(clock_, [&] { sweep_->advance(q); });
    columns_ += q;
    for (Growing<T>& one : growing_) {
      if (!one.ok()) continue;
      one.point.step.mean += together + timed(clock_, [&] { one.point.status = one.solver->grow(sweep_->products()); });
      if (reported && columns_ == columns && algorithm_.kind != StepKind::node) look(one);
    }
  }
  for (Growing<T>& one : growing_) {
    one.point.total_seconds += one.point.step.mean;
    if (several && setup_.times_per_node) one.point.step.mean /= static_cast<double>(columns - begun);
  }
}

template <class T>
bool Growth<T>::any_left() const {
  return std::ranges::any_of(growing_, [](const Growing<T>& one) { return one.ok(); });
}

template void warm_up(const RidgeSetup&, const TallMatrix<double>&, const RidgeTargets<double>&);
template void warm_up(const RidgeSetup&, const TallMatrix<float>&, const RidgeTargets<float>&);
template class StepRounds<double>;
template class StepRounds<float>;
template class Growth<double>;
template class Growth<float>;

}  // namespace elmx
