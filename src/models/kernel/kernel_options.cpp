#include <algorithm>

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

std::vector<AlgorithmInfo> kernel_algorithms() {
  return {{.name = "exact",
           .summary = "the kernel machine, by a factorisation of the kernel matrix",
           .intermediate_flops = "n^3 / 3 + 2 n^2 C",
           .symbols = "n samples, C outputs",
           .step = "solves the whole machine"}};
}

void KernelOptions::Choice::fields(FieldVisitor& field) {
  field("by", by,
        "what the choice of \"auto\" makes small: leave-one-out squared errors, or (loo_acc) wrong classes, which "
        "class weights weigh",
        one_of({"loo_mse", "loo_acc"}));
  field("rows", rows, "the choice is made on so many random training samples at most", between(10, 10000));
}

void KernelOptions::fields(FieldVisitor& field) {
  first_fields(field, "there is one algorithm: a factorisation of the kernel matrix", names_of(kernel_algorithms()));
  field("kernel", kernel,
        "exp(-r) of the L1 distance (laplace_l1) or the Euclidean one (laplace), exp(-r^2) (gaussian), or the limit of "
        "infinitely many random nodes: arc_cosine (relu), arcsine (erf)",
        among(names_of(kernels())));
  field("length", length,
        "length scale of the kernel over the mean distance of training samples (arc_cosine, arcsine: over the root of "
        "their mean squared norm), or \"auto\": chosen on the training part");
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
        "leave-one-out errors are computed of so many random training samples at most; of all n samples they take as "
        "long as the solution",
        at_least(1));
}

KernelArithmetic KernelOptions::arithmetic() const {
  if (precision == "single") return KernelArithmetic::in_single;
  return precision == "mixed" ? KernelArithmetic::mixed : KernelArithmetic::in_double;
}

void KernelOptions::check(const std::string& place) const {
  check_algorithms(names_of(kernel_algorithms()), place);
  const std::vector<std::string> known = names_of(kernels());
  if (std::ranges::count(known, kernel) == 0)
    throw ConfigError(place + "/kernel", "unknown kernel \"" + kernel + "\"" + suggest(kernel, known));
}

}  // namespace elmx
