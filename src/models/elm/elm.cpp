#include "models/elm/elm.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace elmx {
namespace {

std::vector<std::string> known_activations() {
  std::vector<std::string> names = hidden_node_names();
  names.emplace_back(kFourier);
  return names;
}

}  // namespace

void ElmOptions::fields(FieldVisitor& field) {
  first_fields(field, "algorithms to compare, which use the same random nodes");
  own.products.fields(field);
  drawing.range_fields(
      field,
      "activation of the hidden nodes; rbf: Gaussian nodes with centres and widths; fourier: random Fourier features",
      known_activations());
  field("gamma", gamma,
        "fourier: constant of the kernel exp(-gamma ||x - y||^2), which takes the place of the ranges of weights and "
        "biases; 1",
        more_than(0));
  drawing.draw_fields(field);
  field("ridge", ridge,
        "ridge penalty lambda (the paper's k0^2); auto: chosen in each training part by algorithm path");
  field("growth", growth, "training samples that arrive step by step");
  field("nodes", nodes, "growth of the network; a number or a list of numbers stands for the sizes in report");
  field("panel", panel, "number of nodes that algorithms with blocks (panel, chol-1, ...) add at once", at_least(1));
  solution_fields(field);
  field("timing", timing, "repeated measurements of single steps");
  field("leave_one_out", leave_one_out,
        "whether leave-one-out errors, GCV and degrees of freedom are computed at each reported size; 2 N k^2 flops "
        "each, not timed; false");
}

Json ElmOptions::Nodes::long_form(const Json& value, const std::string& place) {
  if (value.is_number() || expand_series(value, place).is_array()) {
    std::vector<std::size_t> sizes;
    // errors name the place that the user wrote
    FieldOf(sizes, "report", "", at_least(1)).read(value, place);
    if (sizes.empty()) throw ConfigError(place, "expected one or more sizes, found []");
    return long_form({{"report", value}}, place);
  }
  if (!value.is_object())
    throw ConfigError(place,
                      "expected a number, a list of numbers or an object with \"report\", found " + value.dump());
  if (value.contains("stop") || !value.contains("report")) return value;
  std::vector<std::size_t> sizes;
  FieldOf(sizes, "report", "", at_least(1)).read(value["report"], place + "/report");
  if (sizes.empty()) return value;
  Json object = value;
  object["stop"] = *std::ranges::max_element(sizes);
  if (!object.contains("start")) object["start"] = std::min(Nodes().start, *std::ranges::min_element(sizes));
  return object;
}

Json ElmOptions::Nodes::short_schema() {
  const Json size = {{"type", "integer"}, {"minimum", 1}};
  return {{"anyOf", {size, {{"type", "array"}, {"items", size}, {"minItems", 1}}, {{"$ref", "#/definitions/range"}}}}};
}

std::vector<std::size_t> ElmOptions::sizes() const {
  if (growth.wanted()) return {nodes.stop};
  std::vector<std::size_t> all =
      nodes.report.empty() ? std::vector<std::size_t>{nodes.start, nodes.stop} : nodes.report;
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

template <class T>
std::vector<Expansion<T>> ElmOptions::expansions(const FoldView& fold, const Rng& rng, bool stored) const {
  using Map = FeatureMap<T>;
  const NodeDraw how = drawing.node_draw(gamma.value_or(1));
  // the kernel of Fourier features is the mean of 2 sin sin over the nodes
  const double factor = drawing.activation == kFourier ? std::sqrt(2 / static_cast<double>(nodes.stop)) : 1;
  const auto draw = [how, factor, rng, count = nodes.stop](const TrainingSamples* samples, uword inputs) {
    if (how.kind == "landmarks") return Map(drawn_landmarks(how, rng, count, *samples));
    return Map(typename Map::Nodes{draw_nodes(how, rng, inputs, count, samples), factor});
  };
  std::vector<Expansion<T>> one;
  one.push_back(drawn_expansion<T>(how, draw, fold, stored));
  return one;
}

template std::vector<Expansion<double>> ElmOptions::expansions(const FoldView&, const Rng&, bool) const;
template std::vector<Expansion<float>> ElmOptions::expansions(const FoldView&, const Rng&, bool) const;

ExpansionCost ElmOptions::expansion_cost(const RidgeSetup& setup, const Sizes& sizes, bool stored) const {
  ExpansionCost cost = node_cost(setup.capacity, sizes, setup.word, stored);
  drawing.add_cost(nodes.stop, sizes, cost);
  return cost;
}

std::optional<ConfigError> ElmOptions::needs_one_rank() const {
  if (const auto draw = drawing.needs_one_rank()) return draw;
  return RidgeNetworkOptions::needs_one_rank();
}

RidgeSetup ElmOptions::setup(std::size_t) const {
  RidgeSetup setup = partial_setup();
  setup.first = nodes.start;
  setup.capacity = nodes.stop;
  for (const std::size_t size : sizes()) setup.columns.push_back(size);
  setup.block = panel;
  setup.times_per_node = true;
  setup.timed.assign(timing.at.begin(), timing.at.end());
  setup.repetitions = timing.repetitions;
  setup.single_features = drawing.can_be_single();
  return setup;
}

std::vector<AlgorithmInfo> ElmOptions::known_algorithms() const {
  std::vector<AlgorithmInfo> infos;
  for (const RidgeAlgorithm& row : ridge_algorithms()) {
    infos.push_back(info_of(row, row.kind == StepKind::node    ? "adds one node"
                                 : row.kind == StepKind::block ? "adds a block of nodes"
                                                               : "solves the whole network"));
  }
  std::ranges::move(sample_algorithm_infos(), std::back_inserter(infos));
  return infos;
}

void ElmOptions::check(const std::string& place) const {
  if (!growth.wanted()) check_growing_algorithms(names_of(ridge_algorithms()), place);
  if (growth.wanted() && !timing.at.empty())
    throw ConfigError(place + "/timing", "needs algorithms that add single nodes; remove it or model.growth");
  const auto by_nodes = [&](const std::string& name) {
    return !growth.wanted() && ridge_algorithm(name).kind == StepKind::node;
  };
  if (own.products.products && std::ranges::none_of(algorithms, by_nodes)) {
    throw ConfigError(place + "/products",
                      fmt::format("\"{}\" has no effect, because no algorithm adds single nodes; use it with {}",
                                  *own.products.products, node_algorithms()));
  }
  if (expanded_input == "streamed")
    check_block_algorithms(place, "model.expanded_input=streamed needs blocks of nodes");
  RidgeNetworkOptions::check(place);
  const std::vector<const char*> given = given_options(*this);
  drawing.check(known_activations(), given, precision.single_features(), place);
  if (gamma && drawing.activation != kFourier)
    throw ConfigError(
        place + "/gamma",
        fmt::format("has no effect with activation \"{}\"; use model.activation=fourier or remove this key",
                    drawing.activation));
  for (const std::string_view key : given) {
    if (drawing.activation == kFourier && (key == "weights" || key == "biases"))
      throw ConfigError(fmt::format("{}/{}", place, key),
                        "has no effect with activation \"fourier\"; use model.gamma or remove this key");
  }
  if (nodes.start > nodes.stop) {
    throw ConfigError(place + "/nodes/start",
                      fmt::format("expected at most {} (model.nodes.stop), found {}", nodes.stop, nodes.start));
  }
  const auto check_size = [&](std::size_t size, std::size_t least, const char* key) {
    if (size < least || size > nodes.stop) {
      throw ConfigError(fmt::format("{}/{}", place, key),
                        fmt::format("expected sizes from {} (model.nodes.start{}) to {} (model.nodes.stop), found {}",
                                    least, least > nodes.start ? " + 1" : "", nodes.stop, size));
    }
  };
  for (const std::size_t size : nodes.report) check_size(size, nodes.start, "nodes/report");
  const auto reported = sizes();
  for (const std::size_t size : timing.at) {
    check_size(size, nodes.start + 1, "timing/at");
    if (std::find(reported.begin(), reported.end(), size) == reported.end()) {
      throw ConfigError(place + "/timing/at",
                        fmt::format("expected sizes that are also in model.nodes.report, found {}", size));
    }
  }
}

}  // namespace elmx
