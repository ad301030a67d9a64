#pragma once

#include <optional>
#include <string>

#include "base/config/fields.hpp"
#include "solvers/ridge/ridge_choice.hpp"

namespace elmx {

/// How a ridge parameter is chosen within the training part: the criterion that is least at it, and bounds relative to
/// the mean eigenvalue of A'A.
struct RidgeSearch {
  std::string criterion = "loo_mse";
  double from = 1e-9, to = 1e3;

  template <class F>
  void fields(F& field) {
    field("auto", criterion,
          "the criterion that is least at the ridge parameter, of the targets as they are scaled for training",
          one_of({"loo_mse", "gcv"}));
    field("from", from, "lower bound, times the mean eigenvalue of A'A", more_than(0));
    field("to", to, "upper bound, times the mean eigenvalue of A'A", more_than(0));
  }

  /// The bounds of matrices with this mean eigenvalue.
  RidgeBounds bounds(double mean_eigenvalue) const { return {from * mean_eigenvalue, to * mean_eigenvalue}; }

  bool operator==(const RidgeSearch&) const = default;
};

/// The ridge parameter of a config: a number, "auto", or {"auto": "gcv", "from": 1e-9, "to": 1e3}.
struct RidgeParameter {
  double lambda = 0;                       ///< where it is not searched for
  std::optional<RidgeSearch> search = {};  ///< absent: lambda is given

  RidgeParameter() = default;
  RidgeParameter(double value) : lambda(value) {}  // NOLINT: meant to convert

  /// Throws ConfigError.
  static RidgeParameter from_json(const Json& value, const std::string& place);
  /// Its short form where it has one: a plain number is written as one.
  Json to_json() const;
  static Json schema();

  bool operator==(const RidgeParameter&) const = default;
};

/// In Checkpoint::parameters: the ridge parameter that was chosen.
inline constexpr const char* kRidge = "ridge";

/// Says that the choice lies at a bound, or that no value of the criterion was known; "" where neither is so.
std::string note_on(const RidgeChoice& choice, const RidgeSearch& search);

}  // namespace elmx
