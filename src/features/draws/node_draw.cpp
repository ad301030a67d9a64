#include "features/draws/node_draw.hpp"

#include <algorithm>
#include <array>

#include "features/draws/learnt_metric.hpp"
#include "features/draws/pairs_draw.hpp"
#include "features/draws/sparse_draw.hpp"
#include "linalg/blas.hpp"

namespace elmx {
namespace {

HiddenNodes draw_uniform(const DrawRequest& request) {
  const NodeDraw& draw = request.draw;
  return HiddenNodes::draw(draw.activation, request.rng, request.inputs, request.nodes, draw.ranges,
                           request.first_draw);
}

constexpr std::array<DrawKind, 4> kDrawKinds{{
    {"uniform", "weights and biases from their ranges", false, true, draw_uniform},
    {"pairs", "weights along the lines between training samples of different targets", true, false, draw_pairs},
    {"sparse", "each node sees one to six inputs", false, false, draw_sparse},
    {"landmarks", "kernels at training samples, Nystroem features", true, false, nullptr},
}};

}  // namespace

std::span<const DrawKind> draw_kinds() { return kDrawKinds; }

std::vector<std::string> draw_names() {
  std::vector<std::string> names;
  for (const DrawKind& row : draw_kinds()) names.emplace_back(row.name);
  return names;
}

const DrawKind& draw_kind(const std::string& name) {
  const auto row = std::ranges::find(kDrawKinds, name, &DrawKind::name);
  expects(row != kDrawKinds.end(), "draw_kind: a kind that there is");
  return *row;
}

bool NodeDraw::looks_at_samples() const { return metric_rounds > 0 || draw_kind(kind).looks_at_samples; }

HiddenNodes draw_nodes(const NodeDraw& draw, const Rng& rng, uword inputs, uword nodes, const TrainingSamples* samples,
                       std::uint64_t first_draw) {
  expects(samples != nullptr || !draw.looks_at_samples(), "draw_nodes: the samples that the draw looks at");
  const DrawKind& kind = draw_kind(draw.kind);
  expects(kind.nodes != nullptr, "draw_nodes: nodes f(W'x + b)");
  if (draw.metric_rounds == 0) return kind.nodes({draw, rng, inputs, nodes, first_draw, samples});
  const arma::mat M = learnt_metric(draw, rng.with(Purpose::metric), *samples, nodes);
  const TrainingSamples seen{samples->inputs, samples->targets, &M};
  const arma::mat drawn = kind.nodes({draw, rng, inputs, nodes, first_draw, &seen}).weights();
  arma::mat W(inputs, nodes, arma::fill::none);
  gemm(Op::none, Op::none, 1.0, M, View<const double>(drawn).block(0, 0, inputs, nodes), 0.0, View<double>(W));
  return HiddenNodes::made_of(draw.activation, std::move(W), drawn.tail_rows(1));
}

std::shared_ptr<const LandmarkNodes> drawn_landmarks(const NodeDraw& draw, const Rng& rng, uword nodes,
                                                     const TrainingSamples& samples) {
  return std::make_shared<const LandmarkNodes>(
      LandmarkNodes::draw(draw.kernel, draw.length, rng, samples.inputs, nodes));
}

}  // namespace elmx
