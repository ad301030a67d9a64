#include "experiment/runner.hpp"

#include <algorithm>
#include <exception>
#include <mutex>

#include "base/machine.hpp"
#include "data/table.hpp"
#include "experiment/saved_model.hpp"
#include "linalg/blas.hpp"

namespace elmx {
namespace {

template <class Visit>
void for_each_task(const Plan& plan, const Visit& visit) {
  for (const PlannedCase& c : plan.cases) {
    for (std::size_t repeat = 0; repeat < c.folds.size(); ++repeat) {
      for (std::size_t fold = 0; fold < c.folds[repeat].size(); ++fold) visit(c, repeat, fold);
    }
  }
}

std::vector<FoldTask> missing_tasks(const Plan& plan, const ResultsFolder& results, SharedWork* shared) {
  const std::set<std::string>& finished = results.finished();
  std::vector<FoldTask> tasks;
  for_each_task(plan, [&](const PlannedCase& c, std::size_t repeat, std::size_t fold) {
    FoldTask task{&c.specs, c.data.get(), c.folds[repeat][fold], repeat, fold, {}, shared, results.path(), results.path() / "states"};
    for (const std::string& algorithm : c.spec().algorithms) {
      const bool missing = std::any_of(c.specs.begin(), c.specs.end(), [&](const CaseSpec& spec) {
        return !finished.contains(unit_key(spec, *c.data, algorithm, repeat, fold));
      });
      if (missing) task.algorithms.push_back(algorithm);
    }
    if (!task.algorithms.empty()) tasks.push_back(std::move(task));
  });
  return tasks;
}

/// A unit that is finished is not trained again: its model must be there.
void refuse_lost_models(const Plan& plan, const ResultsFolder& results) {
  const bool kept = std::ranges::any_of(plan.cases, [](const PlannedCase& c) { return c.spec().options.save_model; });
  if (!kept || results.finished().empty()) return;
  std::size_t lost = 0;
  for (const Record& record : records_of(plan, results.path())) {
    lost += has_network(record) && !std::filesystem::exists(model_file(results.path(), record));
  }
  if (lost == 0) return;
  throw UserError(ExitCode::resume_refused, (results.path() / "models").string() + ": " + counted(lost, "finished unit") +
                                                " without a model file; allowed: --force to begin anew, -o for another folder");
}

}  // namespace

int jobs_for(const Plan& plan, int asked) {
  arma::uword tasks = 0;
  for (const PlannedCase& c : plan.cases) tasks += c.tasks();
  const int wanted = asked > 0 ? asked : plan.many_small_tasks() ? threads() : 1;
  return static_cast<int>(std::min<arma::uword>(static_cast<arma::uword>(wanted), tasks));
}

void run_plan(const Plan& plan, ResultsFolder& results, const RunnerOptions& options,
              const std::function<void(const Record&)>& progress) {
  refuse_lost_models(plan, results);
  SharedWork shared(available_memory() / 4);
  const std::vector<FoldTask> tasks = missing_tasks(plan, results, &shared);
  const auto count = static_cast<long>(tasks.size());
  const int jobs = jobs_for(plan, options.jobs);
  std::mutex writing;
  std::exception_ptr failure;
  std::atomic<bool> failed = false;
  const auto stopped = [&] { return failed.load() || (options.stop != nullptr && options.stop->load()); };

  const auto give_up = [&] {
    if (!failed.exchange(true)) failure = std::current_exception();
  };

  const auto work = [&](const FoldTask& task) {
    if (stopped()) return;
    try {
      const auto clock = options.make_clock();
      run_task(task, *clock, stopped, [&](Record record) {
        const std::lock_guard lock(writing);
        if (failed || results.finished().contains(record.key)) return;
        try {
          results.append(record);
          progress(record);
        } catch (...) {
          give_up();
        }
      });
    } catch (...) {
      const std::lock_guard lock(writing);
      give_up();
    }
  };
  if (jobs > 1) {
#pragma omp parallel for num_threads(jobs) schedule(dynamic, 1)
    for (long t = 0; t < count; ++t) work(tasks[static_cast<std::size_t>(t)]);
  } else {
    for (const FoldTask& task : tasks) work(task);
  }
  if (failure) std::rethrow_exception(failure);
}

std::vector<Record> records_of(const Plan& plan, const std::filesystem::path& folder) {
  std::map<std::string, Record> by_key;
  for (Record& record : read_records(folder)) {
    const std::string key = record.key;
    by_key[key] = std::move(record);
  }
  std::vector<Record> ordered;
  for_each_task(plan, [&](const PlannedCase& c, std::size_t repeat, std::size_t fold) {
    for (const std::string& algorithm : c.spec().algorithms) {
      for (const CaseSpec& spec : c.specs) {
        const auto found = by_key.find(unit_key(spec, *c.data, algorithm, repeat, fold));
        if (found != by_key.end()) ordered.push_back(found->second);
      }
    }
  });
  return ordered;
}

}  // namespace elmx
