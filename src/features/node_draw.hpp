#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "features/hidden_nodes.hpp"
#include "features/landmark_nodes.hpp"

namespace elmx {

/// A view of the N training samples for a draw of nodes: scaled inputs X (N x d) times a metric M (d x d),
/// and targets.
struct TrainingSamples {
  const Inputs& inputs;
  const arma::mat& targets;           // N x c
  const arma::mat* metric = nullptr;  // M; null: I

  /// Returns the rows of X M of the given samples, in their order.
  arma::mat rows(const arma::uvec& samples) const;
};

/// The distribution from which hidden nodes f(W'x + b) are drawn.
struct NodeDraw {
  std::string kind = "uniform";  ///< a row of draw_kinds()
  std::string activation;        ///< as HiddenNodes names it
  NodeRanges ranges = {};
  double scale = 1;                    ///< scale of the weights, for kinds without ranges
  uword metric_rounds = 0;             ///< rounds of learnt_metric; 0: the metric is I
  Kernel kernel = Kernel::laplace_l1;  ///< kernel of landmarks
  double length = 1;                   ///< length scale of landmarks, see LandmarkNodes::draw

  /// Returns true if draw_nodes needs the training samples.
  bool looks_at_samples() const;
};

/// The arguments of a draw. Node j depends only on the Rng, j and the samples, whether nodes are drawn one by
/// one or in blocks.
struct DrawRequest {
  const NodeDraw& draw;
  const Rng& rng;
  uword inputs, nodes;
  std::uint64_t first_draw;
  const TrainingSamples* samples;  ///< null if the kind does not need samples
};

/// One kind of draw.
struct DrawKind {
  std::string_view name;
  std::string_view summary;
  bool looks_at_samples;
  bool has_ranges;                                   ///< false: the kind has a scale, and additive nodes only
  HiddenNodes (*nodes)(const DrawRequest& request);  ///< null: kernels at landmarks (see LandmarkNodes)
};

std::span<const DrawKind> draw_kinds();

/// Returns the row of a kind. The name must be known.
const DrawKind& draw_kind(const std::string& name);

/// Draws `nodes` nodes of `inputs` inputs. `samples` may be null if the draw does not need samples. A learnt
/// metric M is folded into the weights: f((M W)'x + b). Landmarks are drawn by drawn_landmarks instead.
HiddenNodes draw_nodes(const NodeDraw& draw, const Rng& rng, uword inputs, uword nodes, const TrainingSamples* samples,
                       std::uint64_t first_draw = 0);

std::shared_ptr<const LandmarkNodes> drawn_landmarks(const NodeDraw& draw, const Rng& rng, uword nodes,
                                                     const TrainingSamples& samples);

}  // namespace elmx
