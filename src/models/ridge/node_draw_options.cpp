#include "models/ridge/node_draw_options.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "features/learnt_metric.hpp"

namespace elmx {

void check_hidden_nodes(const std::string& activation, const std::vector<std::string>& known,
                        const std::vector<double>& biases, bool single, const std::string& place) {
  if (std::ranges::count(known, activation) == 0) {
    throw ConfigError(place + "/activation", "unknown activation \"" + activation + "\"" + suggest(activation, known));
  }
  if (activation != "rbf") return;
  if (single)
    throw ConfigError(place + "/precision", "\"rbf\" nodes are computed in double precision only; use \"double\"");
  if (!biases.empty() && biases[0] < 0) {
    throw ConfigError(
        place + "/biases",
        "the biases of \"rbf\" nodes are widths: expected a range of numbers >= 0, found " + Json(biases).dump());
  }
}

void NodeDrawOptions::range_fields(FieldVisitor& field, const char* doc, const std::vector<std::string>& activations) {
  field("activation", activation, doc, among(activations));
  field("weights", weights, "range of the random input weights, which are uniform");
  field("biases", biases, "range of the random biases, which are uniform; rbf: range of the widths");
}

void NodeDrawOptions::draw_fields(FieldVisitor& field) {
  field("draw", draw,
        "kind of random nodes: from the ranges of weights and biases (uniform), between training samples of different "
        "targets (pairs), with weights of one to six inputs (sparse), or kernels at training samples (landmarks); "
        "uniform",
        one_of(names_of(draw_kinds())));
  field("weight_scale", weight_scale, "pairs, sparse: factor of the weights; 1", more_than(0));
  field("learn_metric", learn_metric,
        "number of rounds that learn a metric of the inputs, by average gradient outer products, before the nodes are "
        "drawn; 0",
        between(0, 100));
  field("kernel", kernel, "landmarks: the kernel; laplace_l1", one_of(names_of(kernels())));
  field("length", length,
        "landmarks: length scale of the kernel, relative to the mean distance of training samples (arc_cosine, "
        "arcsine: to the root of their mean squared norm); 1",
        more_than(0));
}

NodeDraw NodeDrawOptions::node_draw(double gamma) const {
  return {draw.value_or("uniform"),
          activation,
          {weights[0], weights[1], biases[0], biases[1], gamma},
          weight_scale.value_or(1),
          learn_metric.value_or(0),
          kernel_from(kernel.value_or("laplace_l1")),
          length.value_or(1)};
}

void NodeDrawOptions::check(const std::vector<std::string>& activations, const std::vector<const char*>& given,
                            bool single_features, const std::string& place) const {
  const std::vector<std::string> nodes{"uniform", "pairs", "sparse"}, uniform{"uniform"}, scaled{"pairs", "sparse"},
      landmark{"landmarks"};
  std::vector<OwnedOption> owned{{"activation", false, nodes},    {"weights", false, uniform},
                                 {"biases", false, uniform},      {"gamma", false, nodes},
                                 {"weight_scale", false, scaled}, {"learn_metric", false, nodes},
                                 {"kernel", false, landmark},     {"length", false, landmark}};
  for (OwnedOption& option : owned) option.given = std::ranges::count(given, std::string_view(option.key)) > 0;
  check_hidden_nodes(activation, activations, biases, single_features, place);
  check_range(weights, place + "/weights");
  check_range(biases, place + "/biases");
  const std::string kind = draw.value_or("uniform");
  refuse_options_of_others(owned, kind, place, "has no effect with draw");
  if (landmarks() && single_features)
    throw ConfigError(place + "/precision", "landmark nodes are computed in double precision only; use \"double\"");
  if (landmarks()) return;
  if (!draw_kind(kind).has_ranges && (activation == "rbf" || activation == kFourier))
    throw ConfigError(place + "/draw",
                      fmt::format("\"{}\" needs an activation of the form f(a'x + b), found \"{}\"; change the "
                                  "activation or use \"uniform\"",
                                  kind, activation));
  if (learn_metric.value_or(0) > 0 && (activation == "rbf" || activation == "hardlim"))
    throw ConfigError(
        place + "/learn_metric",
        fmt::format("needs an activation of the form f(a'x + b) that has a slope, found \"{}\"", activation));
}

std::optional<ConfigError> NodeDrawOptions::needs_one_rank() const {
  if (learn_metric.value_or(0) == 0) return std::nullopt;
  return ConfigError("/model/learn_metric", fmt::format("expected 0 over several ranks, found {}", *learn_metric));
}

void NodeDrawOptions::add_cost(std::size_t nodes, const Sizes& sizes, ExpansionCost& cost) const {
  const auto L = static_cast<double>(nodes), d = static_cast<double>(sizes.inputs),
             c = static_cast<double>(sizes.outputs);
  if (draw_kind(draw.value_or("uniform")).looks_at_samples) {
    cost.flops += 64 * L * d;  // the distances of eight pairs
    cost.passes += 1;
  }
  if (landmarks()) {
    constexpr double kEntry = 40;  // flops, at the speed of products, per exponential or similar function
    const double once = static_cast<double>(sizes.train) * L * (kEntry + 4 * d + L), test = kEntry + 4 * d + L;
    cost.flops += 2 * L * L * L / 3 + (cost.again == 0 ? once : 0);
    cost.again += cost.again == 0 ? 0 : once;
    cost.test_column += static_cast<double>(sizes.test) * test;
    cost.bytes += 8 * (2 * L * L + 2 * L * d);
    return;
  }
  const auto rounds = static_cast<double>(learn_metric.value_or(0));
  if (rounds == 0) return;
  const double n = std::min(static_cast<double>(sizes.train), static_cast<double>(kMetricSamples)),
               l = std::min(L, static_cast<double>(kMetricNodes));
  const double network = 4 * n * d * l + 4 * n * l * l + 9 * l * l * l + 40 * n * l * (c + 1);
  cost.flops += rounds * (network + 2 * d * l * l + 2 * d * d * l + 2 * n * d * d + 11 * d * d * d);
  cost.flops += 2 * d * d * L;  // the metric goes into the weights
  cost.passes += rounds;
  cost.bytes += 8 * (2 * n * (d + l) + 3 * l * l + 4 * d * d);
}

}  // namespace elmx
