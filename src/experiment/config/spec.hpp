#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "data/options.hpp"
#include "data/splits/split.hpp"
#include "data/transforms/pca.hpp"
#include "data/transforms/targets.hpp"
#include "experiment/config/expect_options.hpp"
#include "experiment/config/select_options.hpp"
#include "models/registry/registry.hpp"

namespace elmx {

struct PreprocessOptions {
  std::string inputs = "minus_one_one";
  PcaOptions pca;
  TargetOptions targets;

  void fields(FieldVisitor& field);
};

/// The time budget of a generated config.
struct TimeBudget {
  double seconds = 60;
  double gflops = 60;

  void fields(FieldVisitor& field);
};

/// A config file. The family named in "model" reads "model"; separate readers handle "cases" and "paper".
struct ExperimentOptions {
  std::string name = "experiment";
  std::uint64_t seed = 1;
  std::size_t repeats = 1;
  DataOptions data;
  SplitOptions split;
  PreprocessOptions preprocess;
  Json model = Json::object();
  std::string baseline;
  std::optional<TimeBudget> budget;
  bool save_model = false;
  SelectOptions select;
  std::vector<Expectation> expect;
  Json cases = Json::object();
  Json paper = Json::object();
  Json full = Json::object();

  void fields(FieldVisitor& field);
};

struct StackMember;

/// One case of a config at one sweep point, with all options resolved.
struct CaseSpec {
  std::string name;                   ///< "" if the config has no cases
  std::map<std::string, Json> point;  ///< swept members: place -> value
  ExperimentOptions options;          ///< all but "model"
  const Family* family = nullptr;
  ModelPtr model;
  std::size_t setting = 0;   ///< equal for points that differ only in "model" and thus share data and folds
  std::size_t together = 0;  ///< equal for points that differ only in the member that their family shares
  /// The cases that a stack combines; null = not a stack.
  std::shared_ptr<const std::vector<StackMember>> members = {};

  /// Returns true if each trial keeps its network. If there is a choice among points, only the chosen
  /// networks are kept, at the end of the run. A stack chooses during training.
  bool saves_every_network() const {
    return options.save_model && (members || !options.select.wanted() || options.select.over.empty());
  }

  /// Returns the config of this case and point, with all defaults.
  Json resolved() const;

  /// Returns all options that determine the result of a trial, besides the data, algorithm, repeat and fold.
  Json identity() const;
};

/// One case that a stack combines.
struct StackMember {
  std::string name;  ///< the name of the case
  /// The metric of the training part by which the point and size are chosen.
  std::string by;
  std::vector<CaseSpec> points;  ///< one or more points with the samples and targets of the stack

  const std::string& algorithm() const { return points.front().model->algorithms().front(); }
};

/// The largest number of sweep points of all cases.
inline constexpr std::size_t kMostPoints = 100000;

/// Checks the whole config and expands it: the cases in order, each with the Cartesian product of its sweeps.
/// Throws ConfigError.
std::vector<CaseSpec> expand(const Json& config, std::size_t most_points = kMostPoints);

/// Prepends the folder to the relative paths of a config and of its cases.
void resolve_config_paths(Json& config, const std::string& folder);

/// Flattens the objects of data format options ("csv": {...}) in "data", "cases" and "full". Throws
/// ConfigError.
void unfold_formats(Json& config);

/// Returns the JSON Schema (draft-07) of a config file, with the known names of data sets and metrics.
Json config_schema(const std::vector<std::string>& sets, const std::vector<std::string>& metrics);

}  // namespace elmx
