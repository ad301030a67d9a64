#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "models/ridge/ridge_setup.hpp"
#include "solvers/kernel/kernel_ridge.hpp"

namespace elmx {

/// A number > 0, or "auto" for a number that is chosen on the training part.
struct AutoNumber {
  double value = 1;
  bool automatic = false;

  static AutoNumber from_json(const Json& json, const std::string& place);
  Json to_json() const { return automatic ? Json("auto") : Json(value); }
  static Json schema();
};

/// The options of kernel ridge regression with a free intercept on the scaled inputs (see KernelRidge).
struct KernelOptions {
  struct Choice {
    std::string by = "loo_mse";
    std::size_t rows = 1500;

    void fields(FieldVisitor& field);
  };

  std::string family = "kernel";
  std::vector<std::string> algorithms = {"exact"};
  std::string kernel = "laplace_l1";
  AutoNumber length{1, true};
  AutoNumber ridge{1, true};
  Choice choose;
  bool intercept = true;
  std::size_t parts = 1;
  std::string precision = "double";
  std::optional<bool> leave_one_out;
  std::size_t leave_one_out_rows = 5000;

  void fields(FieldVisitor& field);

  static std::vector<std::string> kernel_names();
  std::vector<std::size_t> sizes() const { return {0}; }
  KernelArithmetic arithmetic() const;
  bool single_answers() const { return precision == "single"; }
  /// Checks the relations between members. Throws ConfigError with a place below `place`.
  void check(const std::string& place) const;
};

}  // namespace elmx
