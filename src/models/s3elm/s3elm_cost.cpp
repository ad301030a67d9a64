#include <algorithm>

#include "models/s3elm/s3elm.hpp"

namespace elmx {
namespace {

constexpr double kOfFullSpeed = 3;  // products of some hundred rows, and copies: a third of the speed of large ones
constexpr double kIterations = 20;  // half of the nodes are gone after about ten

}  // namespace

Cost s3elm_cost(const std::vector<S3elmModelOptions>& models, const Sizes& sizes) {
  const S3elmModelOptions& options = models.front();
  const auto n = static_cast<double>(sizes.train), N = n + static_cast<double>(sizes.unlabelled),
             L = static_cast<double>(options.nodes), C = static_cast<double>(sizes.outputs), r = std::min(N, L),
             m = std::min(n, L);
  const auto uses = [&](const char* name) {
    return std::count(options.algorithms.begin(), options.algorithms.end(), name) > 0;
  };
  const bool sparse = options.graph.kind == "knn";
  const double sigmas = options.graph.kind == "sparse_coding" ? 1 : static_cast<double>(options.graph.sigma.size());
  const double smallest_class = n / std::max(C, 2.0);  // it has no more parts than samples
  const double parts = 1 + std::min(static_cast<double>(options.cross_validation), smallest_class);

  Cost cost;
  cost.bytes = 8 * (3 * n * L + 2 * m * m);  // H, two copies at work, a Gram matrix and its factor
  if (uses("elm")) cost.flops += parts * n * L * std::min(n, L);
  if (uses("op-elm")) cost.flops += 2 * n * n * L * C;
  if (!uses("selm") && !uses("s3elm")) return cost;

  // H'H, the basis; Laplacian and spectrum of each sigma.
  cost.shared_bytes = 8 * (L * L + (N + L) * r) + (sparse ? 0 : sigmas * 16 * N * N);
  // H and its factorisation while the basis is made; the basis in the coordinates of the spectrum, the form of [Q E],
  // S3ELM's system, B'.
  cost.bytes += 8 * (2 * N * L + N * (r + n) + L * r + (r + n) * (r + n) + 3 * r * r);
  cost.flops += 4 * N * L * r;
  const double of_graph = (sparse ? 0 : 9 * N * N * N) + 2 * N * N * r;
  // half of the reduction to tridiagonal form reads the matrix anew
  if (!sparse) cost.bytes_moved += sigmas * 4 * N * N * N / 3;
  cost.flops += sigmas * of_graph;
  if (uses("selm"))
    cost.flops +=
        sigmas * parts * (2 * N * r * r + static_cast<double>(options.selm.lambda.size()) * r * r * (2 * n + C));
  if (uses("s3elm")) {
    const double iterations = std::min(kIterations, static_cast<double>(options.s3elm.iterations)), s = L / 2;
    const double iteration = std::min(s * s * s / 3, s * r * r + r * r * r / 3) + 4 * r * s * C + 2 * r * r * C,
                 system = n * r * r + r * r * r;
    const double trained = parts * (system + iterations * iteration);
    cost.flops += sigmas * static_cast<double>(options.s3elm.mu.size()) * (N * r * r + kOfFullSpeed * trained);
  }
  return cost;
}

}  // namespace elmx
