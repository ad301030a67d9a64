#include "models/model.hpp"

#include <algorithm>

namespace elmx {

void Model::first_fields(FieldVisitor& field, const char* doc) {
  field("family", family, "family of models", one_of({family}));
  field("algorithms", algorithms, doc, among(names_of(known_algorithms())));
}

bool Model::solves_ridge_problem(std::string_view algorithm) const {
  const std::vector<AlgorithmInfo> known = known_algorithms();
  return named_row(known, algorithm, "unknown algorithm").ridge_solution;
}

std::optional<ConfigError> Model::not_saved(bool updatable) const {
  if (!updatable) return std::nullopt;
  return ConfigError("/save_model", "\"updatable\" needs a network that solves one ridge problem, not \"" + family +
                                        "\"; use elm, bls, rvfl or linear, and in place of kernel elm or rvfl with "
                                        "model.draw=landmarks");
}

void Model::check_algorithms(const std::vector<std::string>& known, const std::string& place) const {
  if (algorithms.empty()) throw ConfigError(place + "/algorithms", "expected at least one algorithm, found []");
  for (const std::string& name : algorithms) {
    if (std::ranges::count(known, name) == 0)
      throw ConfigError(place + "/algorithms", "unknown algorithm \"" + name + "\"" + suggest(name, known));
    if (std::ranges::count(algorithms, name) > 1)
      throw ConfigError(place + "/algorithms", "duplicate algorithm \"" + name + "\"; list each algorithm once");
  }
}

}  // namespace elmx
