#include "experiment/plan/plan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/files/files.hpp"
#include "base/machine/clock.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "data/catalogue.hpp"
#include "data/load.hpp"
#include "data/table/dataset.hpp"
#include "experiment/records/record.hpp"
#include "linalg/block_cyclic.hpp"

namespace elmx {
namespace {

constexpr double kInputBytes = 700;  // per input: its name, its report, its scaling

std::size_t largest_fold(const Folds& folds, arma::uvec Fold::*part) {
  std::size_t most = 0;
  for (const auto& repeat : folds) {
    for (const Fold& fold : repeat) most = std::max<std::size_t>(most, (fold.*part).n_elem);
  }
  return most;
}

/// The row numbers of every fold.
double bytes_of_folds(const ExperimentOptions& options, arma::uword samples) {
  // labelled: most rows may be in the test and in the unlabelled part
  const std::string& kind = options.split.kind;
  const auto folds = static_cast<double>(options.split.explicit_folds());
  const double parts = kind == "labelled" ? 2 : 1;
  return (8.0 * parts * static_cast<double>(samples) + kFoldBytes) * folds * static_cast<double>(options.repeats);
}

/// Returns true if a case can read its inputs in blocks. Throws ConfigError if it cannot and the inputs must
/// stay on disk.
bool takes_blocks(const CaseSpec& spec) {
  if (spec.members) {
    return std::ranges::all_of(*spec.members,
                               [](const StackMember& one) { return std::ranges::all_of(one.points, takes_blocks); });
  }
  const bool asked = spec.options.data.from_disk.value_or(false);
  if (!spec.family->can.streaming) {
    if (!asked) return false;
    throw ConfigError("/data/from_disk", fmt::format("family \"{}\" needs all inputs in memory; use false or one of {}",
                                                     spec.family->name, families_with(&Capabilities::streaming)));
  }
  if (!spec.options.preprocess.pca.wanted()) return true;
  if (!asked) return false;
  throw ConfigError("/data/from_disk",
                    "preprocess.pca needs all inputs in memory; use false or no principal components");
}

std::shared_ptr<const Dataset> load(const CaseSpec& spec, const DataNames& names, const Catalogue& catalogue,
                                    const std::filesystem::path& data_dir) {
  const DataOptions& options = spec.options.data;
  Dataset data = load_dataset(options, catalogue, data_dir, spec.options.seed, spec.options.split.needed_column(),
                              takes_blocks(spec));
  data.name = names.of(options);
  if (spec.options.save_model) refuse_names_beyond_utf8(data, options.path.empty() ? data.name : options.path);
  return std::make_shared<const Dataset>(std::move(data));
}

/// Sets the number of outputs and the variance of the targets in the training part of a fold.
void measure_targets(const Dataset& data, const TargetOptions& options, const Fold& fold, Sizes& sizes) {
  try {
    const Targets targets(data, options, fold.train);
    sizes.outputs = targets.outputs();
    if (data.task == Task::regression)
      sizes.target_variance = arma::mean(arma::vectorise(arma::var(targets.encode(fold.train))));
  } catch (const ConfigError& error) {
    throw ConfigError("/preprocess/targets/" + error.place(), error.problem());
  }
}

void refuse_wrong_choice(const ExperimentOptions& options, const Dataset& data) {
  if (options.select.classifies() && data.task == Task::regression) {
    throw ConfigError("/select/by", fmt::format("\"{}\" needs classes, but {} is a regression; use loo_mse or gcv",
                                                options.select.by, data.name));
  }
}

Folds draw_folds(const ExperimentOptions& options, const Dataset& data) {
  std::vector<std::vector<Fold>> folds;
  for (std::uint32_t repeat = 0; repeat < options.repeats; ++repeat) {
    folds.push_back(make_folds(data, options.split, options.seed, repeat));
  }
  return Folds(std::move(folds));
}

/// Estimates the memory for inputs on disk: the blocks for reading and for the passes, and a few copies of
/// all row numbers and targets while folds are drawn and used.
double bytes_on_disk(const Dataset& data) {
  constexpr double kBlocks = 64e6, kCopies = 6;
  const auto N = static_cast<double>(data.samples());
  return data.on_disk->working_bytes() + kBlocks + kCopies * 8 * N;
}

/// A cache of the parts that points share if they differ only in "model", stored as a case without points.
/// Each data set is loaded once and its folds are drawn once.
class Settings {
 public:
  Settings(const DataNames& names, const std::filesystem::path& data_dir, const Communicator& ranks,
           std::optional<LoadedData> loaded)
      : names_(names),
        catalogue_(shipped_catalogue()),
        data_dir_(data_dir),
        ranks_(ranks),
        loaded_before_(std::move(loaded)) {}

  const PlannedCase& of(const CaseSpec& spec) {
    if (number_ != spec.setting) setting_ = make(spec);
    number_ = spec.setting;
    return setting_;
  }

 private:
  PlannedCase make(const CaseSpec& spec) {
    const ExperimentOptions& options = spec.options;
    const Json which = {write_options(options.data), options.seed, options.split.needed_column().name,
                        takes_blocks(spec)};
    auto& data = loaded_[which.dump()];
    const bool loaded_before = loaded_before_ && loaded_before_->options == which.front() &&
                               options.split.needed_column().name.empty() &&
                               (takes_blocks(spec) || !loaded_before_->data->on_disk);
    if (!data) data = loaded_before ? loaded_before_->data : load(spec, names_, catalogue_, data_dir_);
    if (!distinct_.emplace(spec.name, data->name, Json(spec.point).dump()).second)
      throw ConfigError("/data", "two data sets are called \"" + data->name +
                                     "\"; list each set once, or use \"cases\", which give each data set a name");
    refuse_wrong_choice(options, *data);
    PlannedCase planned;
    planned.data = data;
    planned.fold_bytes = bytes_of_folds(options, data->samples());
    if (options.split.folds <= data->samples())
      refuse_beyond_memory("/repeats", "the list of all folds", planned.fold_bytes);
    const auto [folds, is_new] = folds_.try_emplace(Json{which, options.split.identity(), options.repeats}.dump());
    if (is_new) folds->second = draw_folds(options, *data);
    planned.folds = folds->second;
    // There are at most as many principal components as samples. Their number is known after the computation.
    const arma::uword d = data->dimension(),
                      inputs = options.preprocess.pca.wanted() ? std::min(d, data->samples()) : d;
    planned.sizes = {.train = largest_fold(planned.folds, &Fold::train),
                     .test = largest_fold(planned.folds, &Fold::test),
                     .inputs = inputs,
                     .unlabelled = largest_fold(planned.folds, &Fold::unlabelled),
                     .ranks = ranks_.count(),
                     .mpi = ranks_.present()};
    measure_targets(*data, options.preprocess.targets, planned.folds.front().front(), planned.sizes);
    planned.data_bytes = 8.0 * static_cast<double>(data->X.n_elem + data->Y.n_elem + data->labels.n_elem) +
                         kInputBytes * static_cast<double>(d) + (data->on_disk ? bytes_on_disk(*data) : 0);
    return planned;
  }

  const DataNames& names_;
  Catalogue catalogue_;
  std::filesystem::path data_dir_;
  const Communicator& ranks_;
  std::optional<LoadedData> loaded_before_;
  std::map<std::string, std::shared_ptr<const Dataset>> loaded_;
  std::map<std::string, Folds> folds_;
  /// Records tell the data sets of a case and sweep point apart by their names.
  std::set<std::tuple<std::string, std::string, std::string>> distinct_;
  std::optional<std::size_t> number_;
  PlannedCase setting_;
};

Cost cost_of(const PlannedCase& planned, const Sizes& sizes) {
  constexpr double kJudged = 6 * 8;  // per sample of a part: class, prediction, scores, orders and copies
  Cost cost = planned.spec().model->cost(planned.specs.size(), sizes);
  cost.bytes += kJudged * static_cast<double>(std::max(sizes.train, sizes.test));
  if (planned.spec().options.preprocess.pca.wanted())
    cost.bytes += pca_bytes(planned.data->samples(), planned.data->dimension());
  return cost;
}

/// Sets the costs of the saved models, except how often a network is trained again.
void plan_models(PlannedCase& planned) {
  const ExperimentOptions& options = planned.spec().options;
  planned.kept_work = {};
  planned.final_cost = {};
  if (!options.save_model) return;
  if (options.select.wanted() && !planned.spec().saves_every_network())
    planned.kept_work = planned.spec().model->cost(1, planned.sizes);
  Sizes all = planned.sizes;
  all.train = planned.data->samples();
  all.test = 1;
  planned.final_cost = cost_of(planned, all);
}

/// Counts the networks that are trained again: for each algorithm, each fold takes one of all points of a
/// case on a data set.
void count_kept(std::vector<PlannedCase>& cases) {
  const auto of = [](const PlannedCase& c) { return std::pair(c.spec().name, c.data.get()); };
  std::map<std::pair<std::string, const Dataset*>, double> parts;
  for (const PlannedCase& c : cases) ++parts[of(c)];
  for (PlannedCase& c : cases) c.kept_work = static_cast<double>(c.tasks()) / parts[of(c)] * c.kept_work;
}

/// Adds a case with its cost. If all points together need more memory than available, adds the case in parts
/// with fewer points computed together.
void add_fitting(PlannedCase planned, double available, std::vector<PlannedCase>& cases) {
  planned.cost = cost_of(planned, planned.sizes);
  plan_models(planned);
  const double bytes = std::max(planned.cost.bytes, planned.final_cost.bytes);
  const bool fits = planned.data_bytes + planned.cost.shared_bytes + bytes <= available;
  if (fits || planned.specs.size() == 1) return cases.push_back(std::move(planned));
  std::vector<CaseSpec> specs = std::exchange(planned.specs, {});
  PlannedCase rest = planned;
  const auto begin = std::move_iterator(specs.begin()), end = std::move_iterator(specs.end());
  const auto middle = begin + static_cast<long>(specs.size() / 2);
  planned.specs.assign(begin, middle);
  rest.specs.assign(middle, end);
  add_fitting(std::move(planned), available, cases);
  add_fitting(std::move(rest), available, cases);
}

/// Calls f. Errors name the case, if it has a name.
template <class F>
void in_case(const std::string& name, const F& f) {
  try {
    f();
  } catch (const ConfigError& error) {
    throw ConfigError(error.place(), (name.empty() ? "" : "case \"" + name + "\": ") + error.problem());
  }
}

std::vector<std::string> keys_of_case(const PlannedCase& planned) {
  std::vector<TrialKeys> keys_of;  // each spec
  for (const CaseSpec& spec : planned.specs) keys_of.emplace_back(spec, *planned.data);
  std::vector<std::string> keys;
  keys.reserve(planned.trials());
  for (std::size_t repeat = 0; repeat < planned.folds.size(); ++repeat) {
    for (std::size_t fold = 0; fold < planned.folds[repeat].size(); ++fold) {
      for (const std::string& algorithm : planned.spec().model->algorithms) {
        for (TrialKeys& of_spec : keys_of) keys.push_back(of_spec.of(algorithm, repeat, fold));
      }
    }
  }
  return keys;
}

/// The cases in the order of their first points.
std::vector<PlannedCase> cases_of(std::vector<CaseSpec> specs, const std::filesystem::path& data_dir,
                                  const Communicator& ranks, std::optional<LoadedData> loaded) {
  const DataNames names(specs);
  Settings settings(names, data_dir, ranks, std::move(loaded));
  std::vector<PlannedCase> cases;
  std::unordered_map<std::size_t, std::size_t> number;  // of the case that a point is computed in
  for (CaseSpec& spec : specs) {
    const auto [found, is_new] = number.try_emplace(spec.together, cases.size());
    if (is_new) in_case(spec.name, [&] { cases.push_back(settings.of(spec)); });
    cases[found->second].specs.push_back(std::move(spec));
  }
  return cases;
}

/// Throws ConfigError if the ranks cannot share the case.
void refuse_over_ranks(const PlannedCase& c, const Communicator& ranks) {
  if (ranks.count() > 1) {
    for (const CaseSpec& spec : c.specs) {
      if (const auto refused = needs_one_rank(*spec.model)) throw ConfigError(*refused);
      if (spec.options.save_model.updatable)
        throw ConfigError("/save_model", "\"updatable\" needs one rank; run without mpirun");
    }
    const auto count = static_cast<arma::uword>(ranks.count());
    for (const auto& repeat : c.folds) {
      for (const Fold& fold : repeat) {
        if (fold.train.n_elem < count)
          throw ConfigError(fmt::format("{} training samples for {} ranks; use at most as many ranks as samples",
                                        fold.train.n_elem, count));
      }
    }
  }
  const arma::uword nodes = c.cost.shared;
  if (!ranks.present() || within_indices(nodes, ranks.count())) return;
  throw ConfigError(
      "/model/nodes",
      fmt::format("{} columns over {} are more than 2^31 numbers on one rank, which ScaLAPACK cannot count; use at "
                  "least {} ranks or fewer nodes",
                  nodes, counted(static_cast<std::size_t>(ranks.count()), "rank"),
                  ranks_within_indices(nodes, ranks.count())));
}

/// Returns the path of a file, with "./" before a path without folder, so that it differs from the names of
/// sets.
std::string whole_path(const DataOptions& data) {
  if (data.path == kStandardInput) return fmt::format("./{}", kNameOfStandardInput);
  const std::filesystem::path path = std::filesystem::path(data.path).lexically_normal();
  return path.has_parent_path() ? path.string() : "./" + path.string();
}

/// The last `parts` parts of a path.
std::string end_of(const std::string& path, std::size_t parts) {
  std::size_t slash = path.size();
  for (; parts > 0; --parts) {
    slash = slash == 0 ? std::string::npos : path.rfind('/', slash - 1);
    if (slash == std::string::npos) return path;
  }
  return path.substr(slash + 1);
}

}  // namespace

std::string DataNames::key(const DataOptions& data) { return data.set.empty() ? whole_path(data) : "set " + data.set; }

DataNames::DataNames(const std::vector<CaseSpec>& specs) {
  std::set<std::string> sets;
  std::set<std::string> paths;
  for (const CaseSpec& spec : specs) {
    const DataOptions& data = spec.options.data;
    if (!data.set.empty())
      sets.insert(names_[key(data)] = data.set);
    else
      paths.insert(key(data));
  }
  for (const std::string& path : paths) {
    const auto taken = [&](std::size_t parts) {
      const std::string name = end_of(path, parts);
      const auto has_name = [&](const std::string& other) { return other != path && end_of(other, parts) == name; };
      return sets.contains(name) || std::ranges::any_of(paths, has_name);
    };
    std::size_t parts = 1;
    while (end_of(path, parts) != path && taken(parts)) ++parts;
    names_[path] = end_of(path, parts);
  }
}

Fold PlannedCase::all_rows() const {
  const arma::uvec rows = arma::regspace<arma::uvec>(0, data->samples() - 1);
  return {rows, rows.head(1), {}};
}

std::span<const std::string> PlannedCase::keys(std::size_t repeat, std::size_t fold) const {
  if (!all_keys) all_keys = std::make_shared<const std::vector<std::string>>(keys_of_case(*this));
  const std::size_t of_fold = trials() / tasks();
  return std::span(*all_keys).subspan((repeat * folds.front().size() + fold) * of_fold, of_fold);
}

void check_without_data(const std::vector<CaseSpec>& specs) {
  const Catalogue catalogue = shipped_catalogue();
  std::optional<std::size_t> checked;
  for (const CaseSpec& spec : specs) {
    if (checked == spec.setting) continue;
    checked = spec.setting;
    in_case(spec.name, [&] {
      const DataOptions& data = spec.options.data;
      refuse_foreign_options(data, data.set.empty() ? nullptr : &catalogue.find(data.set));
      if (data.set.empty() && data.format == "delimited" && data.target.empty())
        throw ConfigError("/data/target", "missing; give the names or numbers of the target columns");
      takes_blocks(spec);
      spec.options.split.needed_column();
    });
  }
}

Plan make_plan(const Json& config, const std::filesystem::path& data_dir, const Communicator& ranks,
               std::optional<LoadedData> loaded) {
  SteadyClock clock;
  const double begun = clock.now();
  Plan plan;
  plan.ranks = &ranks;
  plan.available = available_memory() / ranks.on_this_machine();
  std::vector<CaseSpec> specs = expand(config);
  check_without_data(specs);
  for (PlannedCase& planned : cases_of(std::move(specs), data_dir, ranks, std::move(loaded)))
    add_fitting(std::move(planned), plan.available, plan.cases);
  for (const PlannedCase& c : plan.cases) in_case(c.spec().name, [&] { refuse_over_ranks(c, ranks); });
  count_kept(plan.cases);
  if (plan.members_bytes() > 0) {
    for (PlannedCase& c : plan.cases) {
      if (c.spec().members) c.cost.flops = c.final_cost.flops = 0;  // the members come from the cache
    }
  }
  plan.load_seconds = clock.now() - begun;
  return plan;
}

}  // namespace elmx
