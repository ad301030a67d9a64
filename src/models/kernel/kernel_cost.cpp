#include <algorithm>
#include <cmath>

#include "models/kernel/kernel.hpp"

namespace elmx {

Cost kernel_cost(const std::vector<KernelOptions>& models, const Sizes& sizes) {
  constexpr double kEigen = 20;        // n^3 flops of an eigendecomposition, one half bound by memory
  constexpr double kLengths = 5;       // lengths that choose_kernel tries
  constexpr double kRidges = 26;       // ridge parameters that it tries for each length
  constexpr double kProbeColumns = 8;  // columns of the inverse whose errors are shown
  constexpr double kConjugate = 8;     // products for a mixed solution
  // Part of a matrix in memory if only its upper triangle is written: half, or all with large pages.
  constexpr double kTouched = 0.7;
  const KernelOptions& options = models.front();
  const auto N = static_cast<double>(sizes.train), d = static_cast<double>(sizes.inputs),
             c = static_cast<double>(sizes.outputs), test = static_cast<double>(sizes.test);
  const double parts = std::min(static_cast<double>(options.parts), N), n = std::ceil(N / parts);
  const double entry = 6 * d + 40;  // flops of an entry: of its distance, and of an exponential function
  const bool single = options.arithmetic() != KernelArithmetic::in_double;
  const double known = options.leave_one_out.value_or(false)
                           ? std::min(n, std::ceil(static_cast<double>(options.leave_one_out_rows) / parts))
                           : 0;
  const double products = 1 + (options.arithmetic() == KernelArithmetic::mixed ? kConjugate : 0);
  double flops = (single ? kSingleFlop : 1) * parts * (n * n * n / 3 + known * known * known / 3 + n * n * entry / 2);
  flops += products * parts * n * n * (entry + 2 * (c + kProbeColumns));
  flops += (N + test) * N * (entry + 2 * c);
  double bytes = (single ? 4 * (n * n / 2 + 512 * n) : kTouched * 8 * n * n) + (single ? 4 : 8) * known * 512;
  if (options.length.automatic || options.ridge.automatic) {
    const double rows = std::min(static_cast<double>(options.choose.rows), N);
    const double lengths = options.length.automatic ? kLengths : 1, ridges = options.ridge.automatic ? kRidges : 1;
    flops += lengths * (kEigen * rows * rows * rows + ridges * 2 * rows * rows * (c + 2));
    bytes = std::max(bytes, 2 * 8 * 5 * rows * rows);  // two at once, each with workspace for eigenvalues
  }
  // The samples and their points, in both precisions; right sides, probes and vectors of conjugate gradients.
  bytes += 8 * N * (3 * d + 10 * (c + 1) + 4 * kProbeColumns) + 8 * test * (2 * d + 2 * c) + 8 * 512 * 1024;
  return {{static_cast<double>(models.size()) * flops}, bytes};
}

}  // namespace elmx
