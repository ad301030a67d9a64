#include "models/elm/elm_rounds.hpp"

#include <memory>
#include <set>

#include "models/elm/elm_algorithms.hpp"
#include "models/warm_up.hpp"

namespace elmx {

template <class T>
void warm_up(const ElmOptions& options, const RidgeProblem<T>& problem) {
  const uword few = warm_samples(problem.H.rows), most = std::min<uword>(options.nodes.stop, kWarmNodes);
  const uword start = std::min<uword>(options.nodes.start, most);
  const RidgeProblem<T> part{problem.H.block(0, 0, few, most), problem.targets.block(0, 0, few, problem.targets.cols), problem.lambda};
  for (const std::string& name : options.algorithms) {
    const ElmAlgorithm& algorithm = elm_algorithm(name);
    const uword first = algorithm.kind == StepKind::node ? std::max(start, most - 1) : start;
    const auto solver = make_solver<T>(algorithm, part, options);
    if (solver->start(first) == Status::ok && first < most) static_cast<void>(solver->grow(most - first));
  }
}

template <class T>
StepRounds<T>::StepRounds(const ElmOptions& options, const RidgeProblem<T>& problem, Clock& clock) {
  const std::set<uword> sizes(options.timing.at.begin(), options.timing.at.end());
  for (const uword size : sizes) measure(size, options, problem, clock);
}

template <class T>
void StepRounds<T>::measure(uword size, const ElmOptions& options, const RidgeProblem<T>& problem, Clock& clock) {
  std::map<std::string, std::unique_ptr<RidgeGrowth<T>>> before;
  for (const std::string& name : options.algorithms) {
    if (elm_algorithm(name).kind != StepKind::node) continue;
    auto solver = make_solver<T>(elm_algorithm(name), problem, options);
    if (solver->start(size - 1) == Status::ok) before[name] = std::move(solver);
  }
  for (std::size_t round = 0; round <= options.timing.repetitions; ++round) {
    std::erase_if(before, [&](const auto& state) {
      std::vector<double>& measured = seconds_[{state.first, size}];
      const auto trial = make_solver<T>(elm_algorithm(state.first), problem, options);
      trial->assign(*state.second);
      const double begin = clock.now();
      const Status status = trial->grow(1);
      const double seconds = clock.now() - begin;
      if (status != Status::ok) measured.clear();
      if (status == Status::ok && round > 0) measured.push_back(seconds);
      return status != Status::ok;
    });
  }
}

template <class T>
Seconds StepRounds<T>::step(std::string_view algorithm, uword size, double once) const {
  const auto found = seconds_.find({std::string(algorithm), size});
  if (found == seconds_.end() || found->second.empty()) return {once, 0, 1};
  Seconds step = seconds_of(found->second);
  step.rounds = found->second;
  return step;
}

template void warm_up(const ElmOptions&, const RidgeProblem<double>&);
template void warm_up(const ElmOptions&, const RidgeProblem<float>&);
template class StepRounds<double>;
template class StepRounds<float>;

}  // namespace elmx
