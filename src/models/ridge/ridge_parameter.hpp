#pragma once

#include <optional>
#include <string>

#include "base/config/fields.hpp"
#include "solvers/ridge/ridge_spectrum.hpp"

namespace elmx {

/// The options of choosing a ridge parameter within the training part: the criterion to minimise, and bounds
/// relative to the mean eigenvalue of A'A.
struct RidgeSearch {
  std::string criterion = "loo_mse";
  double from = 1e-9, to = 1e3;

  void fields(FieldVisitor& field);

  RidgeAim aim() const { return {criterion == "gcv" ? RidgeCriterion::gcv : RidgeCriterion::loo_mse, from, to}; }

  bool operator==(const RidgeSearch&) const = default;
};

/// The ridge parameter of a config: a number, "auto", or {"auto": "gcv", "from": 1e-9, "to": 1e3}.
struct RidgeParameter {
  double lambda = 1;                       ///< arbitrary if it is searched for
  std::optional<RidgeSearch> search = {};  ///< absent: lambda is given

  RidgeParameter() = default;
  RidgeParameter(double value) : lambda(value) {}  // NOLINT: meant to convert

  std::optional<RidgeAim> aim() const { return search ? std::optional(search->aim()) : std::nullopt; }

  /// Reads a ridge parameter. Throws ConfigError.
  static RidgeParameter from_json(const Json& value, const std::string& place);
  /// Returns the short form if there is one: a plain number for a number.
  Json to_json() const;
  static Json schema();

  bool operator==(const RidgeParameter&) const = default;
};

/// Returns a note if the choice lies at a bound, or if no value of the criterion was known; otherwise "".
std::string note_on(const RidgeChoice& choice, const RidgeSearch& search);

}  // namespace elmx
