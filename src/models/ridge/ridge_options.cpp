#include "models/ridge/ridge_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/ridge/ridge_cost.hpp"

namespace elmx {

void RidgeOptions::reference_field(FieldVisitor& field) {
  field("reference", reference,
        "what weight_error and output_error are measured against: an independent QR of the augmented system, the "
        "standard solution by Cholesky, or nothing (for sizes at which a second solution costs too much)",
        one_of({"none", "qr", "cholesky"}));
}

void RidgeOptions::complete(const Json& given) {
  if (ridge.search && !given.contains("algorithms")) algorithms = {"path"};
}

void RidgeOptions::check(const std::string& place) const {
  if (!ridge.search) return;
  for (const std::string& name : algorithms) {
    if (ridge_algorithm(name).spectrum) continue;
    throw ConfigError(place + "/ridge", fmt::format("algorithm \"{}\" cannot choose the ridge parameter; use algorithm "
                                                    "\"{}\" or give a number",
                                                    name, choosing_algorithms()));
  }
}

RidgeSetup RidgeOptions::partial_setup() const {
  RidgeSetup setup;
  setup.algorithms = algorithms;
  setup.reference = reference;
  setup.leave_one_out = leave_one_out.value_or(false);
  return setup;
}

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
  RidgeOptions::check(place);
  precision.check(algorithms, place);
  if (!own.chol1.recursive() && precision.arithmetic() == Arithmetic::mixed) {
    throw ConfigError(place + "/chol1_factor",
                      "\"" + *own.chol1.factor +
                          "\" is not available with a Gram matrix in single and weights in double; use "
                          "model.precision=double or model.precision=single");
  }
}

RidgeSetup RidgeNetworkOptions::partial_setup() const {
  RidgeSetup setup = RidgeOptions::partial_setup();
  setup.options = own;
  setup.arithmetic = precision.arithmetic();
  return setup;
}

bool RidgeNetworkOptions::stores_columns(const RidgeSetup& setup, double samples) const {
  return elmx::stores_columns(expanded_input, setup, samples, precision.word());
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
