#include "models/ridge/ridge_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/machine/machine.hpp"
#include "models/ridge/over_ranks.hpp"

namespace elmx {
namespace {

constexpr const char* kAuto = "auto";

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

void RidgeNetworkOptions::reference_field(FieldVisitor& field) {
  field("reference", reference,
        "what weight_error and output_error are measured against: an independent QR of the augmented system, the "
        "standard solution by Cholesky, or nothing (for sizes at which a second solution costs too much)",
        one_of({"none", "qr", "cholesky"}));
}

void RidgeNetworkOptions::complete(const Json& given) {
  if (ridge.search && !given.contains("algorithms")) algorithms = {"path"};
}

RidgeSetup RidgeNetworkOptions::partial_setup() const {
  RidgeSetup setup;
  setup.algorithms = algorithms;
  setup.reference = reference;
  setup.leave_one_out = leave_one_out.value_or(false);
  setup.options = own;
  setup.arithmetic = precision.arithmetic();
  return setup;
}

std::optional<ConfigError> RidgeNetworkOptions::needs_one_rank() const { return elmx::needs_one_rank(partial_setup()); }

void RidgeNetworkOptions::solution_fields(FieldVisitor& field) {
  field(
      "expanded_input", expanded_input,
      "all nodes of all samples in memory (stored), or formed anew in blocks of samples where they are needed "
      "(streamed); auto: stored where that and the state of the algorithms take less than 0.7 of the machine's memory",
      one_of({"auto", "stored", "streamed"}));
  field("precision", precision,
        "double, single, or mixed: outputs of the nodes and Gram matrix in single, weights refined to double; the long "
        "form says what is what");
  reference_field(field);
}

void RidgeNetworkOptions::check_block_algorithms(const std::string& place, const std::string& why) const {
  const std::vector<std::string> known = names_of(block_algorithms());
  for (const std::string& name : algorithms) {
    const auto by_nodes = [&](const RidgeAlgorithm& row) { return row.name == name && row.kind == StepKind::node; };
    if (std::ranges::any_of(ridge_algorithms(), by_nodes))
      throw ConfigError(place + "/algorithms", fmt::format("\"{}\" adds one node at a time, but {}; use one of: {}",
                                                           name, why, fmt::join(known, ", ")));
  }
  check_algorithms(known, place);
}

void RidgeNetworkOptions::check(const std::string& place) const {
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
  return precision.word() * (samples * k + state) < kOfMemory * machine_memory();
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

std::vector<AlgorithmInfo> block_algorithm_infos() {
  std::vector<AlgorithmInfo> infos;
  for (const RidgeAlgorithm& row : block_algorithms()) {
    infos.push_back(info_of(row));
    if (row.name == "standard") infos.back().summary = "the whole network, solved anew at every size by Cholesky";
  }
  return infos;
}

}  // namespace elmx
