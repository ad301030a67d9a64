#include <algorithm>
#include <cmath>

#include "base/machine/machine.hpp"
#include "linalg/blas.hpp"
#include "models/bls/bls.hpp"
#include "models/bls/bls_algorithms.hpp"
#include "models/bls/bls_storage.hpp"
#include "models/bls/expanded_input.hpp"

namespace elmx {
namespace {

constexpr double kOfMemory = 0.7;  // that the expanded input and the state of an algorithm may take together

double word_of(const BlsOptions& options) { return options.precision == "double" ? 8 : 4; }

}  // namespace

bool stores_expanded_input(const BlsOptions& options, double samples) {
  if (options.expanded_input != "auto") return options.expanded_input == "stored";
  const auto k = static_cast<double>(options.sizes().back());
  double state = 0;
  for (const std::string& name : options.algorithms) {
    const BlsAlgorithm& row = bls_algorithm(name, options.chol2_form);
    state = std::max(state, row.state_lk * samples * k + (row.state_kk + row.gram) * k * k);
  }
  return word_of(options) * (samples * k + state) < kOfMemory * machine_memory();
}

Cost bls_cost(const std::vector<BlsOptions>& models, const Sizes& sizes) {
  const BlsOptions& options = models.front();
  const auto l = static_cast<double>(sizes.train), d = static_cast<double>(sizes.inputs) + 1, c = static_cast<double>(sizes.outputs);
  const auto m = static_cast<double>(models.size());
  const double word = word_of(options);
  const bool stored = stores_expanded_input(options, l);
  const std::vector<uword> nodes = options.sizes();
  const auto k_end = static_cast<double>(nodes.back());
  const auto tested = static_cast<double>(sizes.test);
  double f = 0, q_most = 0, feed = 0, testing = 0;
  for (const BroadStep& step : options.steps()) f += static_cast<double>(step.feature_groups * options.features.nodes);

  Cost cost;
  const double streaming = 2 * l * std::max(f, 1.0) * k_end;  // forming all nodes once, at most
  cost.flops = 2 * l * d * f * (options.features.sparse_coding ? 3 : 1) + 2 * streaming;
  double k = 0, shared = 0, square = 0, residual = 0, inverse = 0, factor = 0, anew = 0, judging = 0;
  for (const uword size : nodes) {
    const double q = static_cast<double>(size) - k;
    q_most = std::max(q_most, q);
    feed += streaming * static_cast<double>(size) / k_end;
    shared += 2 * l * k * q;              // P
    square += l * q * (q + 2 * c);        // Q, H'Y
    residual += 2 * l * k * q + l * q * q;  // C, C'C
    inverse += 3 * l * q * (2 * k + q);
    factor += 2 * k * k * q + 2 * k * q * q + 2 * q * q * q / 3;
    anew += std::pow(k + q, 3) / 3;
    judging += 2 * l * std::pow(k + q, 2) + (stored ? 0 : streaming * static_cast<double>(size) / k_end);
    testing += 2 * tested * (d * f + (std::max(f, 1.0) + c * m) * (k + q));  // nodes formed anew for each size
    k += q;
  }
  double state = 0;
  for (const std::string& name : options.algorithms) {
    const BlsAlgorithm& row = bls_algorithm(name, options.chol2_form);
    cost.flops += testing;
    double numbers = m * (row.state_lk * l * k_end + row.state_kk * k_end * k_end) + (row.gram ? k_end * k_end : 0);
    numbers += 2 * k_end * q_most + q_most * q_most;
    if (row.residual) numbers += (stored || row.state_lk > 0 ? l : std::min<double>(l, StreamedExpansion<double>::kSamples)) * q_most;
    state = std::max(state, numbers);
    if (row.products != Products::none) cost.flops += shared;
    if (row.products == Products::gram) cost.flops += square;
    if (row.state_lk > 0) cost.flops += m * inverse;
    if (row.state_kk > 0) cost.flops += m * factor;
    if (row.residual && row.products == Products::border) cost.flops += m * residual;
    if (row.state_lk == 0 && row.state_kk == 0) cost.flops += m * anew;
    if (!stored) cost.flops += feed;
    if (options.leave_one_out.value_or(false) && row.ridge_solution) cost.flops += m * judging;
  }
  // The projection and its products, and the inputs of a block on the way into them.
  const double rows = std::max(std::min(l, 2048.0), 512.0 * threads());
  const double inputs = d * (2 * f + rows);
  const double expanded = (stored ? l : StreamedExpansion<double>::kSamples) * k_end;
  const double judged = 8 * m * c * (2 * l + 2 * static_cast<double>(sizes.test) + 2 * k_end) + word * (m * c * l + 4096 * k_end);
  cost.bytes = word * (inputs + expanded + l * f + l * c + state) + judged;
  cost.note = std::string("expanded input ") + (stored ? "stored" : "streamed") + " (" + show_bytes(word * l * k_end) + " where stored)";
  return cost;
}

}  // namespace elmx
