#include "models/ridge/swept_leverages.hpp"

#include <algorithm>

namespace elmx {

bool takes_spectrum(const RidgeAlgorithm& algorithm, const RidgeSetup& setup, const SweepSize& size) {
  if (!setup.leave_one_out || !algorithm.ridge_solution) return false;
  if (algorithm.spectrum) return true;
  const bool positive =
      std::ranges::all_of(setup.lambdas, [](const RidgeParameter& ridge) { return ridge.lambda > 0; });
  return size.in_double && setup.arithmetic == Arithmetic::of_samples && positive && algorithm.state_NL == 0 &&
         algorithm.kind != StepKind::node && spectrum_pays(size.samples, size.columns, size.models);
}

double leave_one_out_flops(const RidgeAlgorithm& algorithm, const RidgeSetup& setup, const SweepSize& size) {
  const auto N = static_cast<double>(size.samples), k = static_cast<double>(size.columns),
             m = static_cast<double>(size.models);
  if (!takes_spectrum(algorithm, setup, size)) return m * 2 * N * k * k;
  return (algorithm.spectrum ? 0 : spectrum_flops(N, k)) + m * 6 * N * std::min(N, k);
}

}  // namespace elmx
