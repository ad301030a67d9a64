#include "models/ridge/ridge_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "models/ridge/over_ranks.hpp"

namespace elmx {
namespace {

constexpr const char* kAuto = "auto";

struct Short {
  const char* name;
  Precision precision;
};

const std::array<Short, 4>& short_forms() {
  static const std::array<Short, 4> forms{{{"double", {"double", "double", "double"}},
                                           {"single", {"single", "single", "single"}},
                                           {"mixed", {"single", "single", "double"}},
                                           {"auto", {"double", "double", "double", true}}}};
  return forms;
}

constexpr double kUnit = 0x1p-24;
constexpr double kLeastFlops = 1e10, kWorthIt = 0.8;

}  // namespace

void RidgeSearch::fields(FieldVisitor& field) {
  field("auto", criterion,
        "the criterion that is least at the ridge parameter, of the targets as they are scaled for training",
        one_of({"loo_mse", "gcv"}));
  field("from", from, "lower bound, times the mean eigenvalue of A'A", more_than(0));
  field("to", to, "upper bound, times the mean eigenvalue of A'A", more_than(0));
}

RidgeParameter RidgeParameter::from_json(const Json& value, const std::string& place) {
  RidgeParameter parameter;
  if (value.is_object()) {
    read_options(value, place, parameter.search.emplace());
    if (!(parameter.search->from < parameter.search->to)) {
      throw ConfigError(place, fmt::format("expected \"from\" below \"to\", found {} and {}", parameter.search->from,
                                           parameter.search->to));
    }
    return parameter;
  }
  if (value.is_string()) {
    if (value != kAuto) throw ConfigError(place, "expected a number >= 0 or \"auto\", found " + value.dump());
    parameter.search.emplace();
    return parameter;
  }
  parameter.lambda = read_number(value, place, at_least(0));
  return parameter;
}

Json RidgeParameter::to_json() const {
  if (!search) return lambda;
  return *search == RidgeSearch() ? Json(kAuto) : write_options(*search);
}

Json RidgeParameter::schema() {
  return {{"anyOf",
           {{{"type", "number"}, {"minimum", 0}}, {{"type", "string"}, {"enum", {kAuto}}}, schema_of<RidgeSearch>()}}};
}

std::string note_on(const RidgeChoice& choice, const RidgeSearch& search) {
  if (!choice.determined) {
    return fmt::format("{} could not be computed at any ridge parameter of the search, so the upper bound was used",
                       search.criterion);
  }
  if (!choice.at_bound()) return "";
  const bool lower = choice.place == RidgeChoice::Place::lower_bound;
  return fmt::format("the ridge parameter lies at the {} bound of its search, {:.4g} times the mean eigenvalue",
                     lower ? "lower" : "upper", lower ? search.from : search.to);
}

void Precision::fields(FieldVisitor& field) {
  const Allowed either = one_of({"double", "single"});
  field("features", features, "of the outputs of the nodes", either);
  field("gram", gram, "of their products and of the factor", either);
  field("solve", solve, "of the output weights", either);
}

Precision Precision::from_json(const Json& value, const std::string& place) {
  Precision precision;
  if (value.is_object()) {
    read_options(value, place, precision);
    if (precision.single_answers() && precision != short_forms()[1].precision)
      throw ConfigError(
          place,
          "expected \"solve\": \"double\" unless \"features\" and \"gram\" are \"single\" too, found " + value.dump());
    return precision;
  }
  const std::string name = read_string(value, place, one_of(names_of(short_forms())));
  return std::ranges::find(short_forms(), name, &Short::name)->precision;
}

Json Precision::to_json() const {
  const auto found = std::ranges::find(short_forms(), *this, &Short::precision);
  return found != short_forms().end() ? Json(found->name) : write_options(*this);
}

Json Precision::schema() {
  return {{"anyOf", {{{"type", "string"}, {"enum", names_of(short_forms())}}, schema_of<Precision>()}}};
}

Precision Precision::settled(const RidgeSetup& setup, const Sizes& sizes) const {
  if (!automatic) return *this;
  const auto can_be_mixed = [](const std::string& name) { return ridge_algorithm(name).factor.has_value(); };
  const auto N = static_cast<double>(sizes.train), c = static_cast<double>(sizes.outputs),
             L = static_cast<double>(setup.capacity), m = static_cast<double>(setup.lambdas.size());
  const double in_double = N * L * L + m * L * L * L / 3, refined = m * kProducts * 4 * N * L * c;
  const bool pays = in_double >= kLeastFlops && in_double / 2 + refined <= kWorthIt * in_double;
  const double rounding = kUnit * N * std::sqrt(L) / 10;
  const bool visible =
      std::ranges::all_of(setup.lambdas, [&](const RidgeParameter& ridge) { return ridge.lambda >= rounding; });
  const bool possible = std::ranges::all_of(setup.algorithms, can_be_mixed) && !setup.leave_one_out &&
                        setup.options.chol1.recursive() && setup.reference == "none" && setup.single_features &&
                        !sizes.mpi;
  return pays && possible && visible ? Precision{"single", "single", "double"} : Precision{};
}

Precision precision_of(const Precision& model, const TrainedNetwork& network) {
  if (!model.automatic) return model;
  const bool single = std::ranges::any_of(
      network.matrices, [](const auto& named) { return std::holds_alternative<arma::fmat>(named.second); });
  return single ? Precision{"single", "single", "double"} : Precision{};
}

std::optional<ConfigError> RidgeNetworkOptions::not_saved(bool updatable) const {
  if (sample_growth().wanted())
    return ConfigError("/save_model", "a network whose samples arrive step by step is not saved; remove model.growth");
  if (!updatable) return std::nullopt;
  if (precision != Precision())
    return ConfigError("/save_model", "\"updatable\" needs double precision; use model.precision=double");
  for (const std::string& algorithm : algorithms) {
    if (!solves_ridge_problem(algorithm))
      return ConfigError("/save_model", "\"updatable\" needs algorithms that solve the ridge problem; leave out " +
                                            algorithm + " of model.algorithms");
  }
  return std::nullopt;
}

Arithmetic Precision::arithmetic() const {
  if (gram == "single" && solve == "double") return Arithmetic::mixed;
  if (features == "single" && gram == "double") return Arithmetic::wide_gram;
  return Arithmetic::of_samples;
}

void Precision::check(const std::vector<std::string>& algorithms, const std::string& place) const {
  for (const std::string& name : algorithms) {
    if (arithmetic() == Arithmetic::mixed && !ridge_algorithm(name).factor)
      throw ConfigError(place + "/precision",
                        fmt::format("algorithm \"{}\" does not support a Gram matrix in single with weights in double; "
                                    "use one of the algorithms {}",
                                    name, factor_algorithms()));
    if (arithmetic() == Arithmetic::wide_gram && name != "standard")
      throw ConfigError(
          place + "/precision",
          fmt::format("algorithm \"{}\" does not support a Gram matrix in double with outputs of the nodes "
                      "in single; use algorithm \"standard\"",
                      name));
  }
}

void RidgeNetworkOptions::reference_field(FieldVisitor& field) {
  field("reference", reference,
        "the solution that weight_error and output_error are relative to: an independent QR factorisation of the "
        "augmented system (qr), the standard solution by Cholesky (cholesky), or none (for sizes at which a second "
        "solution costs too much)",
        one_of({"none", "qr", "cholesky"}));
}

void SampleGrowth::fields(FieldVisitor& field) {
  field("samples", samples,
        "numbers of training samples, increasing: the network has all its nodes from the start, and each step adds "
        "samples; nodes that depend on samples are fitted to those of the first step",
        at_least(1));
  field("classes", classes, "so many classes are added at each step, in an order that is drawn for each repeat",
        at_least(1));
  field("order", order, "of the samples; random", one_of({"random", "file"}));
  field(
      "checked", checked,
      "each update is checked by its backward error, and replaced by a new factorisation if it has lost digits; true");
}

void SampleGrowth::check(const std::string& place) const {
  if (!wanted() && (order || checked))
    throw ConfigError(place + (order ? "/order" : "/checked"),
                      "has no effect without a schedule; use model.growth.samples or model.growth.classes");
  if (samples && classes) throw ConfigError(place + "/classes", "excludes model.growth.samples; use one of them");
  if (order && classes)
    throw ConfigError(place + "/order", "has no effect with model.growth.classes, whose order is drawn; remove it");
  if (!samples) return;
  const bool increasing = std::ranges::adjacent_find(*samples, std::greater_equal<>()) == samples->end();
  if (samples->empty() || !increasing)
    throw ConfigError(place + "/samples", "expected increasing numbers, found " + Json(*samples).dump());
}

void SampleGrowth::check(const Sizes& sizes) const {
  if (samples && samples->back() > sizes.train)
    throw ConfigError("/model/growth/samples", fmt::format("expected at most {} (the samples of a training part), "
                                                           "found {}",
                                                           sizes.train, samples->back()));
  if (classes && *classes >= sizes.outputs)
    throw ConfigError("/model/growth/classes",
                      fmt::format("expected fewer than the {} of the targets, found {}; steps by classes need a "
                                  "classification with one output for each class",
                                  counted(sizes.outputs, "output"), *classes));
}

std::vector<std::string> sample_algorithms() { return names_of(sample_algorithm_infos()); }

std::vector<AlgorithmInfo> sample_algorithm_infos() {
  const char* step = "makes the network of more samples";
  std::vector<AlgorithmInfo> infos{{.name = kRetrain,
                                    .summary = "for samples that arrive step by step: all samples so far, solved anew",
                                    .step = step}};
  for (const UpdateAlgorithm& row : update_algorithms())
    infos.push_back({.name = row.name, .summary = row.summary, .step = step});
  return infos;
}

void RidgeNetworkOptions::complete(const Json& given) {
  if (given.contains("algorithms")) return;
  if (ridge.search) algorithms = {"path"};
  if (sample_growth().wanted()) algorithms = {"gram"};
}

RidgeSetup RidgeNetworkOptions::partial_setup() const {
  RidgeSetup setup;
  setup.algorithms = algorithms;
  setup.reference = reference;
  setup.leave_one_out = leave_one_out.value_or(false);
  setup.options = own;
  setup.arithmetic = precision.arithmetic();
  setup.word = precision.word();
  return setup;
}

RidgeSetup RidgeNetworkOptions::settled_setup(std::vector<RidgeParameter> ridges, const Sizes& sizes) const {
  RidgeSetup all = setup(sizes.inputs);
  all.lambdas = std::move(ridges);
  if (sample_growth().wanted()) all.columns = {all.capacity};
  const Precision settled = precision.settled(all, sizes);
  all.arithmetic = settled.arithmetic();
  all.word = settled.word();
  return all;
}

std::optional<ConfigError> RidgeNetworkOptions::needs_one_rank() const {
  if (sample_growth().wanted())
    return ConfigError("/model/growth", "samples that arrive step by step do not work over several ranks");
  return elmx::needs_one_rank(partial_setup());
}

void RidgeNetworkOptions::solution_fields(FieldVisitor& field) {
  field("expanded_input", expanded_input,
        "whether the outputs of all nodes for all samples are kept in memory (stored), or computed again in blocks of "
        "samples whenever they are needed (streamed); auto: stored if they and the state of the algorithms take less "
        "than 0.7 of the memory of the machine",
        one_of({"auto", "stored", "streamed"}));
  field("precision", precision,
        "double, single, or mixed (outputs of the nodes and Gram matrix in single precision, weights refined to double "
        "precision); the long form sets the precision of each step");
  reference_field(field);
}

void RidgeNetworkOptions::check_growing_algorithms(const std::vector<std::string>& known,
                                                   const std::string& place) const {
  for (const std::string& name : algorithms) {
    if (std::ranges::count(sample_algorithms(), name) > 0)
      throw ConfigError(place + "/algorithms",
                        fmt::format("\"{}\" is for samples that arrive step by step; add model.growth.samples or "
                                    "model.growth.classes, or use one of: {}",
                                    name, fmt::join(known, ", ")));
  }
  check_algorithms(known, place);
}

void RidgeNetworkOptions::check_block_algorithms(const std::string& place, const std::string& why) const {
  const std::vector<std::string> known = names_of(block_algorithms());
  if (sample_growth().wanted()) return;
  for (const std::string& name : algorithms) {
    const auto by_nodes = [&](const RidgeAlgorithm& row) { return row.name == name && row.kind == StepKind::node; };
    if (std::ranges::any_of(ridge_algorithms(), by_nodes))
      throw ConfigError(place + "/algorithms", fmt::format("\"{}\" adds one node at a time, but {}; use one of: {}",
                                                           name, why, fmt::join(known, ", ")));
  }
  check_growing_algorithms(known, place);
}

void RidgeNetworkOptions::check(const std::string& place) const {
  const SampleGrowth growth = sample_growth();
  growth.check(place + "/growth");
  if (growth.wanted()) return check_sample_growth(place);
  for (const std::string& name : algorithms) {
    if (ridge.search && !ridge_algorithm(name).spectrum)
      throw ConfigError(place + "/ridge",
                        fmt::format("algorithm \"{}\" cannot choose the ridge parameter; use algorithm \"{}\" or give "
                                    "a number",
                                    name, choosing_algorithms()));
  }
  precision.check(algorithms, place);
  if (!own.chol1.recursive() && precision.arithmetic() == Arithmetic::mixed) {
    throw ConfigError(place + "/chol1_factor",
                      "\"" + *own.chol1.factor +
                          "\" is not available with a Gram matrix in single and weights in double; use "
                          "model.precision=double or model.precision=single");
  }
}

void RidgeNetworkOptions::check_sample_growth(const std::string& place) const {
  check_algorithms(sample_algorithms(), place);
  const auto refuse = [&](const char* key, const char* instead) {
    throw ConfigError(place + "/" + key,
                      std::string("does not work with samples that arrive step by step; use ") + instead);
  };
  if (ridge.search) refuse("ridge", "a number");
  if (precision != Precision()) refuse("precision", "\"double\"");
  if (expanded_input == "streamed") refuse("expanded_input", "\"auto\" or \"stored\"");
  if (leave_one_out.value_or(false)) refuse("leave_one_out", "false, without select");
}

bool RidgeNetworkOptions::stores_columns(const RidgeSetup& setup, double samples) const {
  constexpr double kOfMemory = 0.7;
  if (expanded_input != "auto") return expanded_input == "stored";
  const auto k = static_cast<double>(setup.capacity);
  double state = 0;
  for (const std::string& name : setup.algorithms) {
    const RidgeAlgorithm row = ridge_algorithm(name, setup.options);
    if (row.kind == StepKind::node) return true;
    state = std::max(state, (row.state_NL + row.spectrum) * samples * k + (row.state_LL + row.gram) * k * k);
  }
  return setup.word * (samples * k + state) < kOfMemory * machine_memory();
}

AlgorithmInfo info_of(const RidgeAlgorithm& row, std::string_view step) {
  AlgorithmInfo info{.name = row.name, .summary = row.summary, .step = step, .ridge_solution = row.ridge_solution};
  if (row.kind == StepKind::node) {
    info.intermediate_flops = row.intermediate_flops();
    info.weight_flops = row.weight_flops();
    info.symbols = "l nodes, K samples, M outputs";
  } else {
    info.intermediate_flops = row.block_flops();
    info.symbols = "l samples, k old and q added nodes";
  }
  return info;
}

std::vector<AlgorithmInfo> RidgeNetworkOptions::known_algorithms() const {
  std::vector<AlgorithmInfo> infos;
  for (const RidgeAlgorithm& row : block_algorithms()) {
    infos.push_back(info_of(row));
    if (row.name == "standard") infos.back().summary = "the whole network, solved anew at every size by Cholesky";
  }
  std::ranges::move(sample_algorithm_infos(), std::back_inserter(infos));
  return infos;
}

}  // namespace elmx
