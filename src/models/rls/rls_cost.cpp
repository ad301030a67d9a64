#include <fmt/core.h>

#include <algorithm>

#include "models/rls/rls.hpp"
#include "models/rls/rls_network.hpp"

namespace elmx {
namespace {

constexpr double kOfFullSpeed = 2;    // products of a batch are small, with half the speed of large ones
constexpr double kCallsOfLayer = 20;  // forward, backward and the step of one layer

/// Returns the flops of RLS beside the gradient: P D, P x and the change of P. P: q x q, parameters: q x r, B
/// rows per batch.
double flops_beside_gradient(double q, double r, double B) {
  return 2 * q * q * (cheaper_by_factors(q, r, B) ? B : r) + 5 * q * q;
}

}  // namespace

std::map<std::string, double> rls_ratios(const std::vector<PlannedLayer>& plan, double batch) {
  std::map<std::string, double> ratios;
  for (const PlannedLayer& layer : plan) {
    if (layer.parameters.empty()) continue;
    double sgd = 0, with_rls = 0, parameters = 0, squares = 0;
    for (const PlannedParameter& p : layer.parameters) {
      const auto q = static_cast<double>(p.inputs), r = static_cast<double>(p.outputs),
                 B = batch * static_cast<double>(p.rows);
      sgd += 2 * B * q * r;
      with_rls += 2 * B * q * r + flops_beside_gradient(q, r, B);
      parameters += q * r;
      squares += q * q;
    }
    const std::string sizes = fmt::format(
        "{}x{}", layer.input.channels * (layer.kind == "convolution" ? 1 : layer.input.rows * layer.input.cols),
        layer.output.channels);
    ratios["time_ratio " + sizes] = with_rls / sgd;
    ratios["space_ratio " + sizes] = (parameters + squares) / parameters;
  }
  return ratios;
}

Cost rls_cost(const std::vector<RlsModelOptions>& models, const Sizes& sizes) {
  const RlsModelOptions& options = models.front();
  const auto M = static_cast<double>(std::min<uword>(options.batch, sizes.train));
  const bool in_double = options.precision == "double";
  const double width = in_double ? 8 : 4, flop = kOfFullSpeed * (in_double ? 1 : kSingleFlop);
  double signals = 0, parameters = 0, squares = 0, of_output = 0, forward = 0, rls = 0, calls = 0;
  for (const PlannedLayer& layer : plan_network(options, sizes.inputs, sizes.outputs, "/model")) {
    // the signal, its gradient, and the numbers for the backward pass
    const double gates = layer.kind == "lstm" ? 8 : layer.kind == "dense" || layer.kind == "output" ? 2 : 3;
    signals += gates * M * static_cast<double>(layer.output.steps * layer.output.features());
    if (layer.kind == "embedding") parameters += static_cast<double>(layer.options.words() * layer.output.features());
    calls += kCallsOfLayer * static_cast<double>(layer.output.steps);
    for (const PlannedParameter& p : layer.parameters) {
      const auto q = static_cast<double>(p.inputs), r = static_cast<double>(p.outputs),
                 B = M * static_cast<double>(p.rows);
      parameters += q * r;
      squares += q * q;
      if (p.output) of_output += q * q;
      forward += 2 * B * q * r;
      rls += flops_beside_gradient(q, r, B);
    }
  }
  const double n = static_cast<double>(sizes.train), steps = n / M;
  Cost cost;
  double P = 0;  // most numbers of the matrices P at one time
  for (const std::string& name : options.algorithms) {
    const bool uses_rls = rls_algorithm(name).hidden == OptimiserKind::rls;
    const bool output_by_rls = rls_algorithm(name).output == OptimiserKind::rls;
    if (uses_rls) P = std::max(P, squares - (output_by_rls ? 0 : of_output));
    const double all = static_cast<double>(options.epochs) * steps;
    cost.flops += all * flop * (3 * forward + (uses_rls ? rls : 0));
    // P is read and written twice; parameters, their gradients, means and squares; signals.
    cost.bytes_moved += all * width * ((uses_rls ? 4 * squares : 0) + 8 * parameters + 3 * signals);
    cost.calls += all * calls;
  }
  cost.flops += static_cast<double>(options.algorithms.size()) * flop * forward *
                (steps * static_cast<double>(options.reported().size()) +
                 static_cast<double>(options.epochs) * static_cast<double>(sizes.test) / M);
  const double samples = (n + static_cast<double>(sizes.test)) * static_cast<double>(sizes.inputs + sizes.outputs);
  cost.bytes = width * (samples + signals + 4 * parameters + P) +
               8 * (n + static_cast<double>(sizes.test)) * static_cast<double>(sizes.outputs);
  return cost;
}

}  // namespace elmx
