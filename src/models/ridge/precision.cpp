#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "models/ridge/ridge_cost.hpp"
#include "solvers/ridge_algorithms.hpp"

namespace elmx {
namespace {

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
  std::vector<std::string> names;
  for (const Short& form : short_forms()) names.emplace_back(form.name);
  const std::string name = read_string(value, place, one_of(names));
  return std::ranges::find(short_forms(), name, &Short::name)->precision;
}

Json Precision::to_json() const {
  const auto found = std::ranges::find(short_forms(), *this, &Short::precision);
  return found != short_forms().end() ? Json(found->name) : write_options(*this);
}

Json Precision::schema() {
  Json names = Json::array();
  for (const Short& form : short_forms()) names.push_back(form.name);
  return {{"anyOf", {{{"type", "string"}, {"enum", names}}, schema_of<Precision>()}}};
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

}  // namespace elmx
