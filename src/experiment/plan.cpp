#include "experiment/plan.hpp"

#include <algorithm>

#include "base/machine.hpp"
#include "base/share.hpp"
#include "data/catalogue.hpp"
#include "data/load.hpp"
#include "experiment/data_names.hpp"

namespace elmx {
namespace {

constexpr double kProgramBytes = 40e6;    // code, libraries, thread stacks and BLAS buffers
constexpr double kSmallTaskBytes = 64e6;  // a fold below this gains more from jobs than from threads

std::size_t largest_fold(const std::vector<std::vector<Fold>>& folds, arma::uvec Fold::*part) {
  std::size_t most = 0;
  for (const auto& repeat : folds) {
    for (const Fold& fold : repeat) most = std::max<std::size_t>(most, (fold.*part).n_elem);
  }
  return most;
}

/// The row numbers of every fold, twice: in the plan and in the queue of the runner.
double bytes_of_folds(const ExperimentOptions& options, arma::uword samples) {
  const std::string& kind = options.split.kind;  // labelled: most rows may be in the test and in the unlabelled part
  const double folds = kind == "k_fold" ? static_cast<double>(options.split.folds) : kind == "labelled" ? 2 : 1;
  return 16.0 * static_cast<double>(samples) * folds * static_cast<double>(options.repeats);
}

std::shared_ptr<const Dataset> load(const CaseSpec& spec, const DataNames& names, const Catalogue& catalogue,
                                    const std::filesystem::path& data_dir) {
  const DataOptions& options = spec.options.data;
  Dataset data = load_dataset(options, catalogue, data_dir, spec.options.seed);
  data.name = names.of(options);
  return std::make_shared<const Dataset>(std::move(data));
}

arma::uword count_outputs(const Dataset& data, const TargetOptions& options, const Fold& fold) {
  try {
    return Targets(data, options, fold.train).outputs();
  } catch (const ConfigError& error) {
    throw ConfigError(std::string("/preprocess/targets/") + error.what());
  }
}

PlannedCase plan_case(CaseSpec spec, std::shared_ptr<const Dataset> data) {
  if (spec.options.select.classifies() && data->task == Task::regression) {
    throw ConfigError("/select/by: \"" + spec.options.select.by + "\": " + data->name + " is a regression; allowed: loo_mse, gcv");
  }
  PlannedCase planned{{std::move(spec)}, std::move(data), {}, {}, {}, 0, 0};
  const ExperimentOptions& options = planned.spec().options;
  planned.fold_bytes = bytes_of_folds(options, planned.data->X.n_rows);
  if (options.split.folds <= planned.data->X.n_rows) refuse_beyond_memory("/repeats", "the list of all folds", planned.fold_bytes);
  for (std::uint32_t repeat = 0; repeat < options.repeats; ++repeat) {
    planned.folds.push_back(make_folds(*planned.data, options.split, options.seed, repeat));
  }
  const arma::uword outputs = count_outputs(*planned.data, options.preprocess.targets, planned.folds.front().front());
  // Of principal components there are at most as many as samples; how many are kept is known once they are computed.
  const arma::uword d = planned.data->X.n_cols, inputs = options.preprocess.pca.wanted() ? std::min(d, planned.data->X.n_rows) : d;
  planned.sizes = {largest_fold(planned.folds, &Fold::train), largest_fold(planned.folds, &Fold::test), inputs, outputs,
                   largest_fold(planned.folds, &Fold::unlabelled)};
  planned.data_bytes = 8.0 * static_cast<double>(planned.data->X.n_elem + planned.data->Y.n_elem + planned.data->labels.n_elem);
  return planned;
}

/// Whether the points of `a` and `b` differ in what their family computes together, and in nothing else.
bool computed_together(const CaseSpec& a, const CaseSpec& b) {
  if (a.family != b.family || a.family->shared.empty() || a.name != b.name || a.algorithms != b.algorithms) return false;
  const Json::json_pointer shared{std::string(a.family->shared)};
  Json one = a.identity(), other = b.identity();
  one[shared] = other[shared] = nullptr;
  return one == other && a.options.repeats == b.options.repeats;
}

Cost cost_of(const PlannedCase& planned) {
  std::vector<Json> models;
  for (const CaseSpec& spec : planned.specs) models.push_back(spec.options.model);
  Cost cost = planned.spec().family->cost(models, planned.sizes);
  if (planned.spec().options.preprocess.pca.wanted()) cost.bytes += pca_bytes(planned.data->X.n_rows, planned.data->X.n_cols);
  return cost;
}

/// Costs of case i; fewer points are computed together where all of them need more memory than there is.
void split_to_fit(std::vector<PlannedCase>& cases, std::size_t i, double available) {
  for (cases[i].cost = cost_of(cases[i]); cases[i].specs.size() > 1; cases[i].cost = cost_of(cases[i])) {
    if (cases[i].data_bytes + cases[i].cost.shared_bytes + cases[i].cost.bytes <= available) return;
    PlannedCase rest = cases[i];
    const auto middle = static_cast<long>(rest.specs.size() / 2);
    rest.specs.erase(rest.specs.begin(), rest.specs.begin() + middle);
    cases[i].specs.erase(cases[i].specs.begin() + middle, cases[i].specs.end());
    cases.insert(cases.begin() + static_cast<long>(i) + 1, std::move(rest));
  }
}

}  // namespace

arma::uword Plan::units() const {
  arma::uword sum = 0;
  for (const PlannedCase& c : cases) sum += c.units();
  return sum;
}

bool PlannedCase::small() const {
  return cost.bytes < kSmallTaskBytes && spec().options.model.value("timing", Json::object()).value("at", Json::array()).empty();
}

double Plan::peak_bytes(const Jobs& jobs) const {
  double largest = 0, shared = 0, data = 0;
  std::vector<const Dataset*> counted;
  for (const PlannedCase& c : cases) {
    largest = std::max(largest, c.cost.bytes * (c.small() ? jobs.small : jobs.large));
    shared = std::max(shared, c.cost.shared_bytes);
    data += c.fold_bytes;
    if (std::find(counted.begin(), counted.end(), c.data.get()) == counted.end()) {
      counted.push_back(c.data.get());
      data += c.data_bytes;
    }
  }
  return kProgramBytes + data + shared + largest;
}

double Plan::flops() const {
  double sum = 0;
  for (const PlannedCase& c : cases) sum += c.cost.flops * static_cast<double>(c.tasks());
  return sum;
}

double Plan::bytes_moved() const {
  double sum = 0;
  for (const PlannedCase& c : cases) sum += c.cost.bytes_moved * static_cast<double>(c.tasks());
  return sum;
}

namespace {

/// Records tell the data sets of a case and sweep point apart by their names.
class DistinctNames {
 public:
  void add(const CaseSpec& spec, const Dataset& data) {
    const Json options = write_options(spec.options.data);
    const auto [known, is_new] = options_.try_emplace({spec.name, data.name, Json(spec.point).dump()}, options);
    if (!is_new && known->second != options) {
      throw ConfigError("/data: two data sets are called \"" + data.name + "\"; allowed: \"cases\", which have names of their own");
    }
  }

 private:
  std::map<std::tuple<std::string, std::string, std::string>, Json> options_;
};

}  // namespace

Plan make_plan(const Json& config, const std::filesystem::path& data_dir) {
  std::vector<CaseSpec> specs = expand(config);
  const Catalogue catalogue = read_catalogue(share_dir() / "data" / "catalogue.json");
  std::map<std::string, std::shared_ptr<const Dataset>> loaded;
  const double available = available_memory();
  Plan plan;
  const DataNames names(specs);
  DistinctNames distinct;
  for (CaseSpec& spec : specs) {
    const std::string which = write_options(spec.options.data).dump() + std::to_string(spec.options.seed);
    auto& data = loaded[which];
    const std::string where = spec.name.empty() ? "" : "case \"" + spec.name + "\": ";
    try {
      if (!data) data = load(spec, names, catalogue, data_dir);
      distinct.add(spec, *data);
      const auto together = std::find_if(plan.cases.begin(), plan.cases.end(), [&](const PlannedCase& c) {
        return computed_together(c.spec(), spec);
      });
      if (together != plan.cases.end()) {
        together->specs.push_back(std::move(spec));
      } else {
        plan.cases.push_back(plan_case(std::move(spec), data));
      }
    } catch (const ConfigError& error) {
      throw ConfigError(where + error.what());
    }
  }
  for (std::size_t i = 0; i < plan.cases.size(); ++i) split_to_fit(plan.cases, i, available);
  return plan;
}

void refuse_what_cannot_fit(const Plan& plan, const Jobs& jobs) {
  const double needed = plan.peak_bytes(jobs), available = available_memory();
  if (needed <= available) return;
  const auto largest = std::max_element(plan.cases.begin(), plan.cases.end(), [](const PlannedCase& a, const PlannedCase& b) {
    return a.cost.bytes + a.cost.shared_bytes < b.cost.bytes + b.cost.shared_bytes;
  });
  throw ConfigError((largest->spec().name.empty() ? "" : "case \"" + largest->spec().name + "\": ") + std::string("/model/nodes: ") +
                    "the network needs " + show_bytes(needed) + " of memory; allowed: what is available, " + show_bytes(available));
}

}  // namespace elmx
