#include <algorithm>

#include "models/rls.hpp"
#include "models/rls_network.hpp"

namespace elmx {

Cost rls_cost(const std::vector<RlsModelOptions>& models, const Sizes& sizes) {
  const RlsModelOptions& options = models.front();
  const auto M = static_cast<double>(std::min<uword>(options.batch, sizes.train));
  const double width = options.precision == "double" ? 8 : 4;
  double signals = 0, parameters = 0, squares = 0, forward = 0, rls = 0;
  for (const PlannedLayer& layer : plan_network(options, sizes.inputs, sizes.outputs, "/model")) {
    const double gates = layer.kind == "lstm" ? 8 : 3;  // the signal, its gradient, and what the way back needs
    signals += gates * M * static_cast<double>(layer.output.steps * layer.output.features());
    if (layer.kind == "embedding") parameters += static_cast<double>(layer.options.vocabulary.value_or(10000) * layer.output.features());
    for (const PlannedParameter& p : layer.parameters) {
      const auto q = static_cast<double>(p.inputs), r = static_cast<double>(p.outputs), B = M * static_cast<double>(p.rows);
      parameters += q * r;
      squares += q * q;
      forward += 2 * B * q * r;
      rls += 2 * q * q * std::min(r, B) + 3 * q * q;
    }
  }
  const double n = static_cast<double>(sizes.train), steps = n / M;
  Cost cost;
  bool has_P = false;
  for (const std::string& name : options.algorithms) {
    const bool uses_rls = rls_algorithm(name).hidden == OptimiserKind::rls;
    has_P = has_P || uses_rls;
    cost.flops += static_cast<double>(options.epochs) * steps * (3 * forward + (uses_rls ? rls : 0));
  }
  cost.flops += static_cast<double>(options.algorithms.size()) * forward *
                (steps * static_cast<double>(options.reported().size()) + static_cast<double>(options.epochs * sizes.test) / M);
  const double samples = (n + static_cast<double>(sizes.test)) * static_cast<double>(sizes.inputs + sizes.outputs);
  cost.bytes = width * (samples + signals + 4 * parameters + (has_P ? squares : 0)) + 8 * (n + static_cast<double>(sizes.test)) * static_cast<double>(sizes.outputs);
  return cost;
}

}  // namespace elmx
