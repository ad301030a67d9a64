#include <algorithm>
#include <cmath>

#include "models/kernel/kernel.hpp"

namespace elmx {

AutoNumber AutoNumber::from_json(const Json& json, const std::string& place) {
  if (json == "auto") return {1, true};
  if (!json.is_number()) throw ConfigError(place, "expected a number > 0 or \"auto\", found " + json.dump());
  return {read_number(json, place, more_than(0)), false};
}

Json AutoNumber::schema() {
  return {{"anyOf", {{{"type", "number"}, {"exclusiveMinimum", 0}}, {{"type", "string"}, {"enum", {"auto"}}}}}};
}

std::vector<AlgorithmInfo> KernelOptions::known_algorithms() const {
  return {{.name = "exact",
           .summary = "the kernel machine, by a factorisation of the kernel matrix",
           .intermediate_flops = "n^3 / 3 + 2 n^2 C",
           .symbols = "n samples, C outputs",
           .step = "solves the whole machine"}};
}

void KernelOptions::Choice::fields(FieldVisitor& field) {
  field("by", by,
        "criterion of \"auto\": the least squared leave-one-out errors (loo_mse), or the fewest wrong classes, "
        "weighted by class weights (loo_acc) or with the same total weight of each class (loo_bac)",
        one_of({"loo_mse", "loo_acc", "loo_bac"}));
  field("rows", rows, "largest number of random training samples that are used for the choice", between(10, 10000));
}

void KernelOptions::fields(FieldVisitor& field) {
  first_fields(field, "the only algorithm: a factorisation of the kernel matrix");
  field("kernel", kernel,
        "exp(-r) of the L1 distance (laplace_l1) or the Euclidean one (laplace), exp(-r^2) (gaussian), or the limit of "
        "infinitely many random nodes: arc_cosine (relu), arcsine (erf)",
        among(names_of(kernels())));
  field("length", length,
        "length scale of the kernel, relative to the mean distance of training samples (arc_cosine, arcsine: to the "
        "root of their mean squared norm), or \"auto\": chosen on the training part");
  field("ridge", ridge, "ridge penalty lambda, or \"auto\": chosen on the training part");
  field("choose", choose, "options of the choice by \"auto\"");
  field("intercept", intercept,
        "whether the model has an intercept without a penalty; false is the kernel ELM as published");
  field("parts", parts,
        "number of random parts of the training samples; the model is the mean of kernel machines of the parts, each "
        "of which takes 1/parts^3 of the time (divide and conquer)",
        between(1, 1000));
  field("precision", precision,
        "double, single, or mixed (a factor in single precision, and conjugate gradients to the accuracy of double "
        "precision)",
        one_of({"double", "single", "mixed"}));
  field("leave_one_out", leave_one_out,
        "whether leave-one-out errors of some or all training samples are computed; false");
  field("leave_one_out_rows", leave_one_out_rows,
        "largest number of random training samples whose leave-one-out errors are computed; for all n samples this "
        "takes as long as the solution",
        at_least(1));
}

KernelArithmetic KernelOptions::arithmetic() const {
  if (precision == "single") return KernelArithmetic::in_single;
  return precision == "mixed" ? KernelArithmetic::mixed : KernelArithmetic::in_double;
}

void KernelOptions::check(const std::string& place) const {
  check_algorithms(place);
  named_row(kernels(), kernel, place + "/kernel", "unknown kernel \"" + kernel + "\"");
}

Cost KernelOptions::cost(std::size_t models, const Sizes& sizes) const {
  constexpr double kEigen = 20;        // n^3 flops of an eigendecomposition, one half bound by memory
  constexpr double kLengths = 5;       // lengths that choose_kernel tries
  constexpr double kRidges = 26;       // ridge parameters that it tries for each length
  constexpr double kProbeColumns = 8;  // columns of the inverse whose errors are shown
  constexpr double kConjugate = 8;     // products for a mixed solution
  // Part of a matrix in memory if only its upper triangle is written: half, or all with large pages.
  constexpr double kTouched = 0.7;
  const auto N = static_cast<double>(sizes.train), d = static_cast<double>(sizes.inputs),
             c = static_cast<double>(sizes.outputs), test = static_cast<double>(sizes.test);
  const double machines = std::min(static_cast<double>(parts), N), n = std::ceil(N / machines);
  const double entry = 6 * d + 40;  // flops of an entry: of its distance, and of an exponential function
  const bool single = arithmetic() != KernelArithmetic::in_double;
  const double known =
      leave_one_out.value_or(false) ? std::min(n, std::ceil(static_cast<double>(leave_one_out_rows) / machines)) : 0;
  const double products = 1 + (arithmetic() == KernelArithmetic::mixed ? kConjugate : 0);
  double flops =
      (single ? kSingleFlop : 1) * machines * (n * n * n / 3 + known * known * known / 3 + n * n * entry / 2);
  flops += products * machines * n * n * (entry + 2 * (c + kProbeColumns));
  flops += (N + test) * N * (entry + 2 * c);
  double bytes = (single ? 4 * (n * n / 2 + 512 * n) : kTouched * 8 * n * n) + (single ? 4 : 8) * known * 512;
  if (length.automatic || ridge.automatic) {
    const double rows = std::min(static_cast<double>(choose.rows), N);
    const double lengths = length.automatic ? kLengths : 1, ridges = ridge.automatic ? kRidges : 1;
    flops += lengths * (kEigen * rows * rows * rows + ridges * 2 * rows * rows * (c + 2));
    bytes = std::max(bytes, 2 * 8 * 5 * rows * rows);  // two at once, each with workspace for eigenvalues
  }
  // The samples and their points, in both precisions; right sides, probes and vectors of conjugate gradients.
  bytes += 8 * N * (3 * d + 10 * (c + 1) + 4 * kProbeColumns) + 8 * test * (2 * d + 2 * c) + 8 * 512 * 1024;
  return {{static_cast<double>(models) * flops}, bytes};
}

}  // namespace elmx
