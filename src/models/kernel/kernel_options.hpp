#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config/auto_number.hpp"
#include "models/ridge/ridge_setup.hpp"
#include "solvers/kernel/kernel_ridge.hpp"

namespace elmx {

/// The options of kernel ridge regression with a free intercept on the scaled inputs (see KernelRidge).
struct KernelOptions {
  struct Choice {
    std::string by = "loo_mse";
    std::size_t rows = 1500;

    template <class F>
    void fields(F& field) {
      field("by", by,
            "what the choice of \"auto\" makes small: leave-one-out squared errors, or (loo_acc) wrong classes, which "
            "class weights weigh",
            one_of({"loo_mse", "loo_acc"}));
      field("rows", rows, "the choice is made on so many random training samples at most", between(10, 10000));
    }
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

  template <class F>
  void fields(F& field) {
    field("family", family, "family of models", one_of({"kernel"}));
    field("algorithms", algorithms, "there is one algorithm: a factorisation of the kernel matrix", among({"exact"}));
    field("kernel", kernel,
          "exp(-r) of the L1 distance (laplace_l1) or the Euclidean one (laplace), exp(-r^2) (gaussian), or the limit "
          "of infinitely many random nodes: arc_cosine (relu), arcsine (erf)",
          among(kernel_names()));
    field("length", length,
          "length scale of the kernel over the mean distance of training samples (arc_cosine, arcsine: over the root "
          "of their mean squared norm), or \"auto\": chosen on the training part");
    field("ridge", ridge, "ridge penalty lambda, or \"auto\": chosen on the training part");
    field("choose", choose, "how \"auto\" chooses");
    field("intercept", intercept, "a free intercept; false is the kernel ELM as published");
    field("parts", parts,
          "the mean of machines on so many random parts of the training samples, each of which takes 1/parts^3 of the "
          "time (divide and conquer)",
          between(1, 1000));
    field("precision", precision,
          "double, single, or mixed: a factor in single and conjugate gradients to the digits of double",
          one_of({"double", "single", "mixed"}));
    field("leave_one_out", leave_one_out, "leave-one-out errors of some or all training samples; false");
    field("leave_one_out_rows", leave_one_out_rows,
          "leave-one-out errors are computed of so many random training samples at most; of all n samples they take "
          "as long as the solution",
          at_least(1));
  }

  static std::vector<std::string> kernel_names();
  std::vector<std::size_t> sizes() const { return {0}; }
  KernelArithmetic arithmetic() const;
  bool single_answers() const { return precision == "single"; }
  /// Checks the relations between members. Throws ConfigError with a place below `place`.
  void check(const std::string& place) const;
};

}  // namespace elmx
