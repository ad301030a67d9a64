#include <algorithm>

#include "base/machine/machine.hpp"
#include "features/network_output.hpp"
#include "models/dec/dec.hpp"

namespace elmx {
namespace {

/// Returns the evaluations of the error in the inner minimisation of a unit. The minimisation ends at an
/// absolute norm of the gradient: immediately for targets near 0, and at the limit of iterations for targets
/// of thousands, with 1.2 evaluations each (counted on the data sets of the paper).
double evaluations_of(double targets, double limit) {
  if (targets < 0.1) return 1;
  return targets < 1000 ? std::min(25.0, 1.2 * limit) : 1.2 * limit;
}

}  // namespace

Cost dec_cost(const std::vector<DecOptions>& models, const Sizes& sizes) {
  const DecOptions& options = models.front();
  const auto P = static_cast<double>(sizes.train), n = static_cast<double>(sizes.inputs + 1),
             C = static_cast<double>(sizes.outputs);
  const auto largest = [](const std::vector<std::size_t>& values) {
    return static_cast<double>(*std::max_element(values.begin(), values.end()));
  };
  const auto uses = [&](const char* name) {
    return std::count(options.algorithms.begin(), options.algorithms.end(), name) > 0;
  };

  const uword most_samples = std::max(sizes.train, sizes.test);

  Cost cost;
  for (const std::size_t size : options.sizes()) {
    const auto N = static_cast<double>(size);
    const double solve = P * N * N + N * N * N / 3, both_products = 4 * P * N * (n + C);
    // An evaluation reads X twice and makes about ten passes over the samples.
    const double evaluations = evaluations_of(sizes.targets, static_cast<double>(options.dec.inner.iterations)) * N;
    if (uses("dec")) cost.flops += largest(options.dec.report) * solve;
    if (uses("dec")) cost.bytes_moved += largest(options.dec.report) * evaluations * 8 * P * (2 * n + 10);
    if (uses("dec")) cost.calls += largest(options.dec.report) * evaluations * 20;
    if (uses("lbfgs")) cost.bytes_moved += largest(options.lbfgs.report) * 8 * P * (n + 10 * N);
    if (uses("lbfgs")) cost.flops += largest(options.lbfgs.report) * both_products;
    if (uses("relm")) cost.flops += solve;
    if (uses("elm")) cost.flops += 4 * solve;
    // H, and additionally the largest of: the Gram matrix, the H and gradients of the current blocks of
    // samples for L-BFGS, the H of outputs, or the copy of H that its singular values replace.
    const double blocks = std::min(static_cast<double>(threads()), P / 512 + 1);
    double beside = std::max({N * N, 2 * blocks * std::min(P, 512.0) * N, numbers_at_once(most_samples, N)});
    if (uses("elm")) beside = std::max(beside, P * N + std::min(P, N) * std::min(P, N));
    double variables = (n + C) * N;
    if (uses("lbfgs")) variables *= 2 * static_cast<double>(options.memory) + 6;
    cost.bytes = std::max(cost.bytes, 8 * (P * N + beside + variables));
  }
  cost.bytes += 8 * (P * (n + 6 * C) + static_cast<double>(sizes.test) * C);
  return cost;
}

}  // namespace elmx
