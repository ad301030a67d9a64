#include <algorithm>

#include "features/network_output.hpp"
#include "models/s3elm/s3elm.hpp"
#include "models/s3elm/semi_supervised.hpp"

namespace elmx {
namespace {

// products of some hundred rows, and copies, with a third of the speed of large products
constexpr double kOfFullSpeed = 3;
constexpr double kIterations = 20;  // half of the nodes are pruned after about ten

/// Returns the most numbers beyond H of the n labelled samples that ELM and OP-ELM hold. L: nodes.
double of_labelled_alone(double n, double L, bool elm, bool op_elm) {
  const double m = std::min(n, L);
  double numbers = 0;
  // A copy with its transpose, the Gram matrix and its factor.
  if (elm) numbers = n * L + std::max(m < L ? n * L + m * m : 0, 2 * m * m);
  // A copy, the ranked columns twice, their basis and a copy of this basis.
  if (op_elm) numbers = std::max(numbers, n * L + 4 * n * m);
  return numbers;
}

}  // namespace

Cost s3elm_cost(const std::vector<S3elmModelOptions>& models, const Sizes& sizes) {
  const S3elmModelOptions& options = models.front();
  const auto n = static_cast<double>(sizes.train), N = n + static_cast<double>(sizes.unlabelled),
             L = static_cast<double>(options.nodes), C = static_cast<double>(sizes.outputs), r = std::min(N, L);
  const auto uses = [&](const char* name) {
    return std::count(options.algorithms.begin(), options.algorithms.end(), name) > 0;
  };
  const bool sparse = options.graph.kind == "knn";
  const double sigmas = options.graph.kind == "sparse_coding" ? 1 : static_cast<double>(options.graph.sigma.size());
  const double smallest_class = n / std::max(C, 2.0);  // at most one part per sample of this class
  const double parts = 1 + std::min(static_cast<double>(options.cross_validation), smallest_class);

  const double outputs = numbers_at_once(std::max({sizes.train, sizes.test, sizes.unlabelled}), L);
  Cost cost;
  cost.bytes = 8 * (n * L + std::max(of_labelled_alone(n, L, uses("elm"), uses("op-elm")), n * L + outputs));
  if (uses("elm")) cost.flops += parts * n * L * std::min(n, L);
  if (uses("op-elm")) cost.flops += 2 * n * n * L * C;
  if (!uses("selm") && !uses("s3elm")) return cost;

  // H'H and the basis; Laplacians, and for S3ELM the spectrum of each or a factor for each value of mu.
  const bool spectra = !sparse && uses("s3elm") && options.s3elm.mu.size() >= kSpectralFrom;
  const double factors = !uses("s3elm") ? 0 : spectra ? 1 : static_cast<double>(options.s3elm.mu.size());
  cost.shared_bytes = 8 * (L * L + (N + L) * r + (sparse ? 0 : sigmas * (1 + factors) * N * N));
  // One after another: H, its factorisation and a copy of Q; distances beside the Laplacian; the workspace of
  // the eigenvalues; [Q E], a copy, and its form, twice; the system, from a copy of the columns of the
  // labelled samples; L Q, copies of the basis with and without the labelled samples, and triangles.
  double most = std::max(2 * N * L + N * r, sparse ? 0 : N * N);
  if (spectra) most = std::max(most, 2 * N * N);
  if (uses("s3elm")) most = std::max(most, (spectra ? 1 : 2) * N * (r + n) + 2 * (r + n) * (r + n));
  if (uses("s3elm")) most = std::max(most, N * (r + n) + (r + n) * (r + n) + r * (r + 3 * n) + n * n + L * r + r * r);
  if (uses("selm")) most = std::max(most, 4 * N * r + 3 * L * r + 3 * r * r);
  cost.bytes = std::max(cost.bytes, 8 * (n * L + std::max(most, outputs)));
  cost.flops += 4 * N * L * r;
  const double of_graph = (sparse ? 0 : 9 * N * N * N) + 2 * N * N * r;
  // half of the reduction to tridiagonal form reads the matrix again
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
