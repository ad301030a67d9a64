#include "experiment/selftest/experiment_checks.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>

#include "base/files/own_files.hpp"
#include "experiment/plan/plan.hpp"
#include "experiment/records/results.hpp"
#include "experiment/run/runner.hpp"
#include "experiment/selftest/exact_results.hpp"
#include "models/registry/registry.hpp"
#include "models/ridge/ridge_options.hpp"

namespace elmx {
namespace {

namespace fs = std::filesystem;

/// Returns the algorithms of a family that solve the ridge problem for given samples.
Json ridge_algorithms_of(std::string_view family) {
  const std::vector<std::string> by_samples = sample_algorithms();
  Json names = Json::array();
  for (const AlgorithmInfo& row : algorithms()) {
    if (row.family == family && row.ridge_solution && std::ranges::count(by_samples, row.name) == 0)
      names.push_back(row.name);
  }
  return names;
}

/// Returns the algorithms that can run in mixed precision.
Json mixed_algorithms() {
  Json names = Json::array();
  for (const RidgeAlgorithm& row : ridge_algorithms()) {
    if (row.factor) names.push_back(row.name);
  }
  return names;
}

/// Returns the config of an experiment with a case for every name in kExactResults. scripts/golden/exact.py
/// explains why the results are rational.
Json exact_experiment(const fs::path& samples) {
  const Json equal_nodes{{"activation", "relu"}, {"weights", {1, 1}}, {"biases", {2, 2}}};
  const auto model = [](const char* family, const Json& algorithms, Json options) -> Json {
    options["family"] = family;
    options["algorithms"] = algorithms;
    return {{"model", options}};
  };
  const auto with_equal_nodes = [&](Json options) {
    options.update(equal_nodes);
    options["ridge"] = 0.5;
    return options;
  };
  Json cases = Json::object();
  cases["mean"] = model("mean", ridge_algorithms_of("mean"), {{"leave_one_out", true}});
  cases["linear"] = model("linear", ridge_algorithms_of("linear"), {{"ridge", 0.5}});
  cases["elm"] = model("elm", ridge_algorithms_of("elm"), with_equal_nodes({{"nodes", 3}}));
  cases["elm, linear nodes"] = model("elm", ridge_algorithms_of("elm"),
                                     {{"activation", "linear"}, {"ridge", 0}, {"nodes", 4}, {"leave_one_out", true}});
  cases["elm, in steps"] =
      model("elm", sample_algorithms(),
            with_equal_nodes({{"nodes", 3}, {"growth", {{"samples", {9, 16}}, {"order", "file"}}}}));
  cases["rvfl"] = model("rvfl", mixed_algorithms(), with_equal_nodes({{"nodes", 2}, {"layers", 2}}));
  cases["rvfl"]["model"]["precision"] = {"double", "mixed", "single"};
  cases["bls"] = model("bls", ridge_algorithms_of("bls"),
                       {{"standardise", false},
                        {"ridge", 0},
                        {"features", {{"groups", 1}, {"nodes", 4}, {"sparse_coding", false}}},
                        {"enhancement", {{"nodes", 0}}}});
  cases["kernel"] = model("kernel", {"exact"}, {{"kernel", "gaussian"}, {"length", 1e-3}, {"ridge", 0.5}});
  cases["kernel"]["model"]["precision"] = {"double", "mixed", "single"};
  cases["stack"] = model("stack", {"nnls"}, {{"of", {"mean", "elm, linear nodes"}}});
  const Json halves{{"nodes", {3}}, {"weights", {0, 0}}, {"tau_lambda", 0.5}, {"dec", {{"report", {1}}}}};
  cases["dec"] = model("dec", {"dec", "relm"}, halves);
  cases["dec, minimum norm"] = model("dec", {"elm"}, halves);
  cases["s3elm"] = model("s3elm", {"elm"}, {{"nodes", 3}, {"elm", {{"gamma", {2}}}}, {"cross_validation", 0}});
  cases["s3elm, pruned"] = model("s3elm", {"op-elm"}, {{"nodes", 3}, {"cross_validation", 0}});
  for (const char* name : {"s3elm", "s3elm, pruned"}) cases[name]["model"].update(equal_nodes);
  cases["rls"] = model("rls", {"rls", "rls+m"},
                       {{"layers", Json::array()}, {"k", 1}, {"eta", 1}, {"forgetting", 0.9}, {"epochs", 40}});
  cases["rls"]["model"].update({{"batch", 1}, {"precision", {"double", "single"}}});
  cases["rls"]["data"] = {{"target", "z"}, {"drop", {"y"}}};
  return {{"name", "selftest"},
          {"seed", 4},  // with which four random nodes are far from linearly dependent
          {"data", {{"path", samples.string()}, {"target", "y"}, {"drop", {"z"}}}},
          {"split", {{"kind", "given"}, {"column", "part"}}},
          {"preprocess", {{"inputs", "none"}, {"targets", {{"scale", "none"}}}}},
          {"cases", cases}};
}

/// Runs what `folder` lacks of the plan. stop_after: number of trials before an interruption; 0 = none.
std::vector<Record> run_in(const fs::path& folder, const Json& config, const Plan& plan, std::size_t stop_after = 0) {
  ResultsFolder results(folder, describe_experiment(config, plan), Earlier::resume, plan_files(plan));
  std::atomic<bool> stop = false;
  std::size_t finished = 0;
  RunnerOptions options;
  options.make_clock = [] { return std::make_unique<FakeClock>(); };
  options.stop = &stop;
  run_plan(plan, results, options, [&](const Record&) { stop = ++finished == stop_after || stop; });
  return read_records(folder);
}

double in_units(double found, std::int64_t numerator, std::int64_t denominator, double eps) {
  constexpr double kCondition = 10;  // of these small problems
  const long double exact = static_cast<long double>(numerator) / static_cast<long double>(denominator);
  return static_cast<double>(std::abs(static_cast<long double>(found) - exact) / (1 + exact)) / (kCondition * eps);
}

/// Compares the errors of the test part at the last step of each record.
CheckGroup compare_with_exact(const std::vector<Record>& records) {
  CheckGroup group{.name = "exact results"};
  for (const ExactResult& exact : kExactResults) {
    std::size_t found = 0;
    for (const Record& record : records) {
      if (record.experiment_case != exact.of) continue;
      ++found;
      const auto precision = record.point.find("/model/precision");
      const bool single = precision != record.point.end() && precision->second == "single";
      const double eps = single ? std::numeric_limits<float>::epsilon() : arma::datum::eps;
      const std::string function =
          fmt::format("{} {}{}", record.family, record.algorithm, single ? " in single precision" : "");
      const auto compare = [&](const char* metric, std::int64_t numerator, std::int64_t denominator) {
        const std::string where = fmt::format("{} of case \"{}\"", metric, exact.of);
        if (record.steps.empty() || !record.steps.back().metrics.contains(metric))
          return group.add(function, where, false);
        group.add(function, where, in_units(record.steps.back().metrics.at(metric), numerator, denominator, eps));
      };
      compare("test_mse", exact.squares, exact.of_squares);
      compare("test_mae", exact.absolute, exact.of_absolute);
    }
    group.add(std::string(exact.of), "a record of the experiment", found > 0);
  }
  for (const Family& family : families()) {
    const bool ran = std::ranges::count(records, family.name, &Record::family) > 0;
    group.add(std::string(family.name), "a case of the experiment", ran);
  }
  return group;
}

// Files

/// Returns true if another process cannot lock a folder that this process has locked, and can afterwards.
bool locks_are_seen(const fs::path& folder) {
  const auto other_can_lock = [&] {
    const pid_t child = ::fork();
    if (child == 0) {
      const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      ::_exit(descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : 1);
    }
    int status = 1;
    return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
  };
  bool seen = false;
  {
    const FolderLock lock(folder);
    seen = !other_can_lock();
  }
  return seen && other_can_lock();
}

/// Returns true if a reader that has opened the file sees the old content, and a later reader the new one.
bool replaces_at_once(const fs::path& file) {
  const std::string before(100000, 'a'), after(50000, 'b');
  write_file(file, before);
  const Descriptor earlier(file, O_RDONLY);
  write_file(file, after);
  std::string seen(before.size(), ' ');
  const ssize_t got = ::pread(earlier.number(), seen.data(), seen.size(), 0);
  return got == static_cast<ssize_t>(before.size()) && seen == before && has_content(file, after);
}

bool appends_whole_lines(const fs::path& file) {
  { AppendFile(file).append("first"); }
  write_file(file, read_file(file) + "torn");
  AppendFile again(file);
  again.append("second");
  return again.torn_bytes() == 4 && has_content(file, "first\nsecond\n");
}

bool syncs(const fs::path& file) {
  const Descriptor written(file, O_WRONLY | O_CREAT);
  return written && write_all(written.number(), "content") && ::fsync(written.number()) == 0;
}

}  // namespace

std::vector<CheckGroup> check_experiments(const fs::path& folder) {
  CheckGroup files{.name = "files and resuming"};
  const auto check = [&](const char* what, const std::function<bool()>& holds) {
    bool held = false;
    try {
      held = holds();
    } catch (const UserError& error) {
      return files.add(what, error.what(), false);
    }
    files.add(what, folder.parent_path().string(), held);
  };
  check("fsync", [&] { return syncs(folder / "synced"); });
  check("rename", [&] { return replaces_at_once(folder / "replaced"); });
  check("append", [&] { return appends_whole_lines(folder / "appended"); });
  check("lock", [&] { return fs::create_directory(folder / "locked") && locks_are_seen(folder / "locked"); });

  const fs::path samples = folder / "samples.csv";
  write_file(samples, kExactSamples);
  const Json config = exact_experiment(samples);
  const Plan plan = make_plan(config, folder);
  const fs::path whole = folder / "undisturbed", parts = folder / "resumed";
  const CheckGroup exact = compare_with_exact(run_in(whole, config, plan));
  check("resume", [&] {
    constexpr std::size_t kBefore = 5;
    const std::size_t before = run_in(parts, config, plan, kBefore).size();
    const fs::path records = records_file(parts);
    write_file(records, read_file(records) + "{\"torn");
    run_in(parts, config, plan);
    return before >= kBefore && before < plan.trials() && has_content(records, read_file(records_file(whole)));
  });
  return {exact, files};
}

}  // namespace elmx
