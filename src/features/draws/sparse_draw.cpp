#include "features/draws/sparse_draw.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace elmx {
namespace {

constexpr std::array<uword, 5> kInputsOfNode{1, 2, 3, 4, 6};
constexpr std::uint64_t kDrawsOfNode = 16;  // m, up to six inputs, up to six weights, the bias

uword index_below(double uniform, uword n) { return static_cast<uword>(uniform * static_cast<double>(n)); }

}  // namespace

HiddenNodes draw_sparse(const DrawRequest& request) {
  const Rng& rng = request.rng;
  const uword d = request.inputs;
  const double scale = request.draw.scale;
  arma::mat W(d, request.nodes, arma::fill::zeros);
  arma::rowvec b(request.nodes);
  for (uword j = 0; j < request.nodes; ++j) {
    std::uint64_t next = request.first_draw + j * kDrawsOfNode;
    const uword m = std::min(d, kInputsOfNode[index_below(rng.uniform(next++), kInputsOfNode.size())]);
    std::set<uword> inputs;  // Floyd's algorithm: all sets of m inputs have the same chance
    for (uword last = d - m; last < d; ++last) {
      const uword one = index_below(rng.uniform(next++), last + 1);
      inputs.insert(inputs.contains(one) ? last : one);
    }
    for (const uword i : inputs) W(i, j) = scale * rng.normal(next++) / std::sqrt(static_cast<double>(m));
    b(j) = (2 * rng.uniform(next) - 1) * std::max(1.0, scale);
  }
  return HiddenNodes::made_of(request.draw.activation, std::move(W), std::move(b));
}

}  // namespace elmx
