#include <algorithm>
#include <cmath>

#include "models/kernel/kernel.hpp"

namespace elmx {
namespace {

constexpr double kEntry = 40;      // flops per entry of the kernel matrix, except its distance
constexpr double kOfDistance = 6;  // flops per coordinate, at the speed of products
constexpr double kEigen = 20;      // n^3 flops of an eigendecomposition, one half bound by memory
constexpr double kLengths = 5;     // lengths that are tried
constexpr double kRidges = 26;     // ridge parameters for each length
constexpr double kProbeColumns = 8;
// Part of a matrix in memory if only its upper triangle is written: half, or all with large pages.
constexpr double kTouched = 0.7;
constexpr double kConjugate = 8;  // products for a mixed solution

}  // namespace

Cost kernel_cost(const std::vector<KernelOptions>& models, const Sizes& sizes) {
  const KernelOptions& options = models.front();
  const auto N = static_cast<double>(sizes.train), d = static_cast<double>(sizes.inputs),
             c = static_cast<double>(sizes.outputs), test = static_cast<double>(sizes.test);
  const double parts = std::min(static_cast<double>(options.parts), N), n = std::ceil(N / parts);
  const auto m = static_cast<double>(models.size());
  const bool single = options.arithmetic() != KernelArithmetic::in_double;
  const double entry = kOfDistance * d + kEntry, rate = single ? kSingleFlop : 1;
  const double known = options.leave_one_out.value_or(false)
                           ? std::min(n, std::ceil(static_cast<double>(options.leave_one_out_rows) / parts))
                           : 0;
  Cost cost;
  double flops = rate * parts * (n * n * n / 3 + known * known * known / 3 + n * n * entry / 2);
  const double products = 1 + (options.arithmetic() == KernelArithmetic::mixed ? kConjugate : 0);
  flops += products * parts * n * n * (entry + 2 * (c + kProbeColumns));
  flops += (N + test) * N * (entry + 2 * c);
  double bytes = single ? 4 * (n * n / 2 + 512 * n) : kTouched * 8 * n * n;
  bytes += known > 0 ? (single ? 4 : 8) * known * 512 : 0;
  if (options.length.automatic || options.ridge.automatic) {
    const double rows = std::min(static_cast<double>(options.choose.rows), N);
    const double lengths = options.length.automatic ? kLengths : 1, ridges = options.ridge.automatic ? kRidges : 1;
    flops += lengths * (kEigen * rows * rows * rows + ridges * 2 * rows * rows * (c + 2));
    bytes = std::max(bytes, 2 * 8 * 5 * rows * rows);  // two at once, each with workspace for eigenvalues
  }
  cost.flops = m * flops;
  // The samples and their points, in both precisions; right sides, probes and vectors of conjugate gradients.
  cost.bytes = bytes + 8 * N * (3 * d + 10 * (c + 1) + 4 * kProbeColumns) + 8 * test * (2 * d + 2 * c) + 8 * 512 * 1024;
  cost.calls = 0;
  return cost;
}

}  // namespace elmx
