#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/fields.hpp"
#include "data/options.hpp"
#include "data/splits/split.hpp"
#include "data/transforms/pca.hpp"
#include "data/transforms/targets.hpp"

namespace elmx {

struct Family;
struct Model;

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

/// Returns true if training metrics of points that differ at this place can be compared, because the points
/// have the same samples and scale. by_classes: the metric counts correct classes, and thus does not depend
/// on the coding of the targets and the weights of the classes in the sum of squares.
bool can_be_chosen(const std::string& place, bool by_classes = false);

/// The choice of sweep points and sizes by training metrics: each trial (case, data set, algorithm, repeat,
/// fold) takes its best point.
struct SelectOptions {
  std::string by = "none";
  std::vector<std::string> over;

  void fields(FieldVisitor& field);

  bool wanted() const { return by != "none"; }
  bool classifies() const { return by == "loo_acc" || by == "loo_bac"; }

  /// Replaces the names in `over` by full places and "nodes", or fills an empty `over` with everything that
  /// can be chosen. axes: the sweeps of the case; model: the model of any point. Throws ConfigError if there
  /// is nothing to choose and the case is not `one_of_several` candidates, or if the family or a place cannot
  /// be chosen by training metrics.
  void complete(const std::vector<Axis>& axes, const Family& family, const Model& model, bool one_of_several);
};

/// A bound on the results of a run, for every row of its tables that matches `where`.
struct Expectation {
  Json where = Json::object();
  std::string metric;
  std::string statistic = "mean";
  std::optional<double> at_least, at_most, equals;
  double tolerance = 0;

  void fields(FieldVisitor& field);

  /// Checks the options. Throws ConfigError that starts with `place`.
  void check(const std::string& place) const;
};

/// The networks that a run saves: none (false), for predictions (true), or the final model also with the sums
/// over its training rows that `elmx update` and `elmx forget` change ("updatable").
struct SaveModel {
  bool wanted = false;
  bool updatable = false;

  operator bool() const { return wanted; }  // NOLINT: meant to convert

  /// Reads true, false or "updatable". Throws ConfigError.
  static SaveModel from_json(const Json& value, const std::string& place);
  Json to_json() const;
  static Json schema();
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
  SaveModel save_model;
  SelectOptions select;
  std::vector<Expectation> expect;
  Json cases = Json::object();
  Json paper = Json::object();
  Json full = Json::object();

  void fields(FieldVisitor& field);
};

/// Prepends the folder to the relative paths of a config and of its cases.
void resolve_config_paths(Json& config, const std::string& folder);

/// Flattens the objects of data format options ("csv": {...}) in "data", "cases" and "full". Throws
/// ConfigError.
void unfold_formats(Json& config);

/// Returns the JSON Schema (draft-07) of a config file, with the known names of data sets and metrics.
Json config_schema(const std::vector<std::string>& sets, const std::vector<std::string>& metrics);

// The keys of a config (config_keys.cpp)

/// One key of a config, from the schema.
struct ConfigKey {
  std::string place;                  ///< "/model/ridge"
  std::vector<std::string> families;  ///< below /model: the families that have the key with this description
  std::string description;
  std::string allowed;  ///< "a number >= 0, or a list of them"; "" = see the description
  Json default_value;   ///< null = none
};

/// Returns every key of a config, in the order of the schema (config_schema), but not again below "cases".
std::vector<ConfigKey> config_keys(const Json& schema);

/// Returns the keys that a user may mean by "/model/ridge", "model.ridge" or "ridge".
std::vector<ConfigKey> keys_named(const std::vector<ConfigKey>& keys, const std::string& name);

// The names that a config may use (config_names.cpp)

/// A list of names with their meanings, in rows of texts. The first text of a row is the name.
struct NameList {
  const char* name;
  std::vector<std::string> headings;
  /// data: the folder of data sets
  std::vector<std::vector<std::string>> (*rows)(const std::filesystem::path& data);
  std::string remark = {};
};

/// Returns the lists of families, algorithms, activations, draws, data sets and metrics.
std::vector<NameList> config_names();

/// Returns the flops of one step of each algorithm of this name: "flops (elm): 2 N q ...; N samples, ...".
std::vector<std::string> flops_of(std::string_view algorithm);

}  // namespace elmx
