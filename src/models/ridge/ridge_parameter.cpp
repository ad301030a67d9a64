#include "models/ridge/ridge_parameter.hpp"

#include <fmt/core.h>

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

}  // namespace elmx
