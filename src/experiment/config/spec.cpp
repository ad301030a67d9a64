#include "experiment/config/spec.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>

namespace elmx {
namespace {

constexpr const char* kSetPlace = "/data/set";
constexpr std::string_view kData = "/data/";

using Axes = std::span<const Axis>;

std::size_t points_of(Axes axes) {
  std::size_t points = 1;
  for (const Axis& axis : axes) points *= axis.values.size();
  return points;
}

/// Throws ConfigError for the first sweep that brings the number of points, `before` so far, beyond
/// most_points.
void check_count(Axes axes, std::size_t before, std::size_t most_points) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (before + points_of(axes.first(i + 1)) > most_points) {
      throw ConfigError(
          axes[i].place,
          fmt::format("this sweep brings the config to more than {} points; use fewer values", most_points));
    }
  }
}

/// Returns the config with the first value in place of each swept list, so that the copy for each point does
/// not grow with the number of points.
Json without_lists(Json config, Axes axes) {
  for (const Axis& axis : axes) config[Json::json_pointer(axis.place)] = axis.values.front();
  return config;
}

/// Returns the index of the value of each axis at point p; the last axis varies fastest.
std::vector<std::size_t> indices_of(Axes axes, std::size_t p) {
  std::vector<std::size_t> indices(axes.size());
  for (std::size_t i = axes.size(); i-- > 0; p /= axes[i].values.size()) indices[i] = p % axes[i].values.size();
  return indices;
}

/// Puts the values of point p into the config and into the record's `point`.
void set_point(Axes axes, std::size_t p, Json& config, std::map<std::string, Json>& point) {
  const std::vector<std::size_t> indices = indices_of(axes, p);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::string& place = axes[i].place;
    const Json& value = config[Json::json_pointer(place)] = axes[i].values[indices[i]];
    if (place != kSetPlace) point[place] = value;  // the data set of a record says it
  }
}

/// The number of point p among the points without the axis at `place`.
std::size_t number_without(Axes axes, std::string_view place, std::size_t p) {
  const std::vector<std::size_t> indices = indices_of(axes, p);
  std::size_t number = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].place != place) number = number * axes[i].values.size() + indices[i];
  }
  return number;
}

/// Returns a point without its model.
CaseSpec setting_of(const Json& chosen, const std::string& name, const Family& family) {
  CaseSpec spec;
  spec.name = name;
  spec.family = &family;
  read_options(chosen, "", spec.options);
  spec.options.model = Json::object();  // points have their own
  spec.options.data.given = chosen.value("data", Json());
  spec.options.split.given = chosen.value("split", Json());
  spec.options.split.complete();
  if (spec.options.preprocess.targets.class_weights && !family.can.class_weights) {
    throw ConfigError("/preprocess/targets/class_weights",
                      fmt::format("family \"{}\" has no class weights; use one of {}", family.name,
                                  families_with(&Capabilities::class_weights)));
  }
  return spec;
}

/// Refuses an axis with two values for the same point ("a.csv" and "./a.csv", 1e-3 and 0.001), whose trials
/// would count twice. `points` is the grid of all axes, the last axis varying fastest.
void check_distinct(Axes axes, std::span<const CaseSpec> points) {
  std::size_t stride = points.size();
  for (const Axis& axis : axes) {
    stride /= axis.values.size();
    std::map<std::string, std::size_t> seen;
    for (std::size_t i = 0; axis.values.size() > 1 && i < axis.values.size(); ++i) {
      const auto [earlier, is_new] = seen.emplace(points[i * stride].resolved().dump(), i);
      if (is_new) continue;
      throw ConfigError(axis.place, fmt::format("values {} and {} of the sweep are the same, {}; use each value once",
                                                earlier->second + 1, i + 1, axis.values[i].dump()));
    }
  }
}

/// A case as it is laid over the rest of the config.
struct MergedCase {
  std::string name;
  Json config;
  bool stacked = false;  ///< a stack combines it, and needs its leave-one-out outputs
};

void add_points(const MergedCase& of, std::size_t most_points, std::vector<CaseSpec>& specs) {
  const auto& [name, config, stacked] = of;
  const Json model = config.value("model", Json::object());
  const Family& family = family_of(model, "/model");
  std::vector<Axis> axes;
  find_sweeps<ExperimentOptions>(config, "", axes);
  const std::size_t outside = axes.size();
  family.find_sweeps(model, "/model", axes);
  const Axes of_setting = Axes(axes).first(outside), of_model = Axes(axes).subspan(outside);
  const std::size_t before = specs.size(), models = points_of(of_model);
  check_count(axes, before, most_points);

  Json chosen = without_lists(config, axes);
  const Json nothing = Json::object();
  for (std::size_t s = 0; s < points_of(of_setting); ++s) {
    std::map<std::string, Json> outer;
    set_point(of_setting, s, chosen, outer);
    const CaseSpec setting = setting_of(chosen, name, family);
    for (std::size_t m = 0; m < models; ++m) {
      CaseSpec& spec = specs.emplace_back(setting);
      spec.point = outer;
      spec.setting = before + s;
      spec.together = before + s * models + number_without(of_model, family.shared, m);
      set_point(of_model, m, chosen, spec.point);
      spec.model = family.read(chosen.contains("model") ? chosen["model"] : nothing, "/model",
                               spec.options.select.wanted() || stacked);
      const SaveModel& save = spec.options.save_model;
      if (const auto refused = save.wanted ? spec.model->not_saved(save.updatable) : std::nullopt)
        throw ConfigError(*refused);
      spec.options.select.complete(axes, family, *spec.model, !name.empty());
    }
  }
  check_distinct(axes, std::span(specs).subspan(before));
}

/// Returns the name that distinguishes the data sets of a list.
std::string name_of_data(const Json& data) {
  if (data.contains("set")) return data["set"].dump();
  const Json path = data.value("path", Json());
  return path.is_string() ? std::filesystem::path(path.get<std::string>()).lexically_normal().string() : path.dump();
}

/// The sweep points of each data set, where "data" is a list of them.
void add_data_sets(const MergedCase& of, std::size_t most_points, std::vector<CaseSpec>& specs) {
  const Json data = of.config.value("data", Json::object());
  if (!data.is_array()) return add_points(of, most_points, specs);
  if (data.empty()) throw ConfigError("/data", "the list is empty, expected one or more data sets");
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::string place = "/data/" + std::to_string(i);
    require_object(data[i], place);
    const auto [earlier, is_new] = seen.emplace(name_of_data(data[i]), i);
    if (!is_new)
      throw ConfigError(place,
                        fmt::format("has the same name as data[{}]; use \"cases\", which give each data set a name",
                                    earlier->second));
    MergedCase one = of;
    one.config["data"] = data[i];
    try {
      add_points(one, most_points, specs);
    } catch (const ConfigError& error) {
      if (std::string_view(error.place() + "/").starts_with(kData))
        throw ConfigError(place + error.place().substr(kData.size() - 1), error.problem());
      throw ConfigError(error.place(), fmt::format("data set {}: {}", i + 1, error.problem()));
    }
  }
}

/// A case of another family has nothing to do with the common members of "model".
bool names_another_family(const Json& variant, const Json& common) {
  const Json::json_pointer family("/model/family");
  return variant.contains(family) && variant[family] != (common.contains(family) ? common[family] : Json("elm"));
}

/// Notes which cases the stacks of a config combine.
void mark_stacked(std::vector<MergedCase>& cases) {
  for (const MergedCase& stack : cases) {
    if (!is_stack(stack.config)) continue;
    for (MergedCase& one : cases) one.stacked = one.stacked || may_combine(stack.config, one.name);
  }
}

/// Returns true if what all cases have in common is refused on its own with the same error: then no case is
/// to blame.
bool is_common(const ConfigError& error, const Json& common, std::size_t most_points) {
  try {
    std::vector<CaseSpec> specs;
    add_data_sets({"", common}, most_points, specs);
  } catch (const ConfigError& alone) {
    return std::string_view(alone.what()) == error.what();
  }
  return false;
}

/// The algorithm that speed-ups refer to must run somewhere.
void check_baseline(const std::vector<CaseSpec>& specs) {
  std::set<std::string_view> known;
  for (const CaseSpec& spec : specs) known.insert(spec.model->algorithms.begin(), spec.model->algorithms.end());
  for (const CaseSpec& spec : specs) {
    const std::string& baseline = spec.options.baseline;
    if (baseline.empty() || known.contains(baseline)) continue;
    throw ConfigError("/baseline", fmt::format("\"{}\" is not an algorithm of the config{}", baseline,
                                               suggest(baseline, spec.model->algorithms)));
  }
}

}  // namespace

Json CaseSpec::resolved() const {
  Json config = write_options(options);
  config["model"] = model->json();
  return config;
}

Json CaseSpec::identity() const {
  Json without_algorithms = model->json();
  without_algorithms.erase("algorithms");
  Json identity = {{"seed", options.seed},
                   {"data", options.data.identity()},
                   {"split", options.split.identity()},
                   {"preprocess", write_options(options.preprocess)},
                   {"model", without_algorithms}};
  if (members) identity["members"] = identity_of(*members);
  return identity;
}

std::vector<CaseSpec> expand(const Json& given, std::size_t most_points) {
  require_object(given, "");
  Json config = given;
  unfold_formats(config);
  std::vector<CaseSpec> specs;
  const Json cases = config.value("cases", Json::object());
  require_object(cases, "/cases");
  require_object(config.value("full", Json::object()), "/full");
  Json common = config;
  common.erase("cases");
  common.erase("full");
  if (cases.empty()) {
    if (is_stack(common))
      throw ConfigError("/model/family", "\"stack\" combines other cases; write it as one of \"cases\"");
    add_data_sets({"", common}, most_points, specs);
  }
  std::vector<MergedCase> all;
  for (const auto& [name, variant] : cases.items()) {
    require_object(variant, "/cases/" + name);
    if (variant.contains("expect"))
      throw ConfigError(
          fmt::format("/cases/{}/expect", name),
          fmt::format(
              "a case has no expectations of its own; move them beside \"cases\" with \"where\": {{\"case\": \"{}\"}}",
              name));
    if (variant.contains("cases"))
      throw ConfigError("/cases/" + name + "/cases",
                        "a case cannot contain cases; list all cases in the outer \"cases\"");
    Json merged = common;
    if (names_another_family(variant, common)) merged.erase("model");
    merge(merged, variant);
    if (is_stack(merged)) set_inputs_aside(name, variant, merged);
    all.push_back({name, std::move(merged)});
  }
  mark_stacked(all);
  for (const MergedCase& one : all) {
    try {
      add_data_sets(one, most_points, specs);
    } catch (const ConfigError& error) {
      if (is_common(error, common, most_points)) throw;
      if (existing_part(cases[one.name], error.place()) == error.place())
        throw ConfigError("/cases/" + one.name + error.place(), error.problem());
      throw ConfigError(error.place(), fmt::format("case \"{}\": {}", one.name, error.problem()));
    }
  }
  link_stacks(specs);
  check_baseline(specs);
  const std::vector<Expectation>& expect = specs.front().options.expect;
  for (std::size_t i = 0; i < expect.size(); ++i) expect[i].check("/expect/" + std::to_string(i));
  return specs;
}

}  // namespace elmx
