#include "features/broad_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/numbers.hpp"
#include "features/activation.hpp"
#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"

namespace elmx {
namespace {

constexpr uword kSamples = 2048;              // samples per pass over the data
constexpr uword kSamplesAtOnce = kFullBlock;  // samples per block, whose inputs stay in cache
constexpr double kBias = 0.1;

/// Returns true if a range or deviation is explained by rounding.   size: the largest magnitude of the
/// numbers
template <class T>
bool is_constant(T range, T size) {
  return !(range > 8 * std::numeric_limits<T>::epsilon() * size);  // NaN too
}

/// Scales each row of X (n x d) to mean 0 and standard deviation 1 (divisor d - 1); a constant row becomes 0.
template <class T>
void standardise_rows(View<T> X) {
#pragma omp parallel for schedule(static)
  for (uword i = 0; i < X.rows; ++i) {
    const auto [mean, sd] = mean_and_sd(X.cols, [&](uword j) { return static_cast<double>(X(i, j)); });
    const double factor = is_constant(static_cast<T>(sd), static_cast<T>(std::abs(mean))) ? 0 : 1 / sd;
    for (uword j = 0; j < X.cols; ++j) X(i, j) = static_cast<T>((static_cast<double>(X(i, j)) - mean) * factor);
  }
}

/// Scales each row of A to [-1, 1]; a constant row becomes 0.
template <class T>
void scale_rows(View<T> A) {
#pragma omp parallel for schedule(static)
  for (uword i = 0; i < A.rows; ++i) {
    T least = A(i, 0), most = A(i, 0);
    for (uword j = 1; j < A.cols; ++j) {
      least = std::min(least, A(i, j));
      most = std::max(most, A(i, j));
    }
    const bool constant = is_constant(most - least, std::max(std::abs(least), std::abs(most)));
    const T factor = constant ? T(0) : T(2) / (most - least), middle = least + (most - least) / 2;
    for (uword j = 0; j < A.cols; ++j) A(i, j) = (A(i, j) - middle) * factor;
  }
}

/// Draws a matrix uniformly from [-1, 1); column j uses the draws of node first + j only.
template <class T>
arma::Mat<T> uniform_weights(const Rng& rng, std::uint64_t first, uword rows, uword cols) {
  arma::Mat<T> W(rows, cols);
  for (uword i = 0; i < W.n_elem; ++i) W(i) = static_cast<T>(2 * rng.uniform(first + i) - 1);
  return W;
}

/// Returns an orthonormal basis of the columns of W, or of the rows of a wide W.
template <class T>
arma::Mat<T> orthonormal_basis(const arma::Mat<T>& W) {
  arma::mat Q, R, wide = arma::conv_to<arma::mat>::from(W);
  const bool rows = W.n_rows < W.n_cols;
  if (rows) wide = wide.t();
  arma::qr_econ(Q, R, wide);
  Q.each_row() %= arma::sign(R.diag()).t();  // makes the basis independent of the library's signs
  return arma::conv_to<arma::Mat<T>>::from(rows ? arma::mat(Q.t()) : Q);
}

/// Draws enhancement nodes fed by the feature nodes first ... of Z, and shrinks them. Their column is not
/// set.
template <class T>
typename BroadFeatures<T>::Part enhancement(const BroadFeatureMap& map, const Rng& rng, std::uint64_t draw, uword first,
                                            uword inputs, uword count, View<const T> Z) {
  arma::Mat<T> W = uniform_weights<T>(rng, draw, inputs + 1, count);
  if (map.orthonormal) W = orthonormal_basis(W);
  const arma::Row<T> biases = static_cast<T>(kBias) * W.tail_rows(1);
  W.shed_row(inputs);

  const auto blocks = static_cast<long>((Z.rows + kSamplesAtOnce - 1) / kSamplesAtOnce);
  T most = -std::numeric_limits<T>::infinity();
#pragma omp parallel for schedule(dynamic, 1) reduction(max : most)
  for (long b = 0; b < blocks; ++b) {
    const uword row = static_cast<uword>(b) * kSamplesAtOnce, rows = std::min(kSamplesAtOnce, Z.rows - row);
    arma::Mat<T> V(rows, count);
    gemm(Op::none, Op::none, T(1), Z.block(row, first, rows, inputs), W, T(0), View<T>(V));
    for (uword j = 0; j < count; ++j)
      most = std::max(most, *std::max_element(V.begin_col(j), V.end_col(j)) + biases(j));
  }
  const T factor = static_cast<T>(map.shrink) / (most > T(0) ? most : T(1));
  return {0, count, first, inputs, factor * W, factor * biases};
}

}  // namespace

template <class T>
BroadFeatures<T>::BroadFeatures(const BroadFeatureMap& map, const std::vector<BroadStep>& steps, const Inputs& train,
                                const Rng& rng, arma::Mat<T>& training) {
  fitted_.standardise = map.standardise;
  uword groups = 0;
  for (const BroadStep& step : steps) groups += step.feature_groups;
  fitted_.projection = uniform_weights<T>(rng, 0, train.dimension() + 1, groups * map.group);
  if (map.sparse_coding) fine_tune(map, train);
  fitted_.offset.zeros(fitted_.projection.n_cols);
  fitted_.factor.ones(fitted_.projection.n_cols);
  training = feature_nodes(train);
  scale_features(training);

  const Rng enhancing = rng.with(Purpose::enhancement);
  std::uint64_t draw = 0;
  uword features = 0, column = 0;
  const auto append = [&](Part part) {
    part.column = column;
    column += part.count;
    if (part.count > 0) fitted_.parts.push_back(std::move(part));
  };
  const auto append_enhancement = [&](uword first, uword inputs, uword count) {
    if (count > 0) append(enhancement<T>(map, enhancing, draw, first, inputs, count, training));
    draw += (inputs + 1) * count;
  };
  for (const BroadStep& step : steps) {
    const uword added = step.feature_groups * map.group;
    append({0, added, features, added, {}, {}});
    append_enhancement(features, added, step.enhancement_of_added);
    features += added;
    append_enhancement(0, features, step.enhancement);
    fitted_.sizes.push_back(column);
  }
}

template <class T>
arma::Mat<T> BroadFeatures<T>::block(const Inputs& inputs, uword first, uword count) const {
  arma::Mat<T> X(count, inputs.dimension() + 1);
  inputs.block(first, count, X.memptr());
  if (fitted_.standardise) standardise_rows(View<T>(X).head_cols(inputs.dimension()));
  X.tail_cols(1).fill(static_cast<T>(kBias));
  return X;
}

/// Replaces the random weights We by the sparse codes B'.
template <class T>
void BroadFeatures<T>::fine_tune(const BroadFeatureMap& map, const Inputs& train) {
  const uword n = map.group, f = fitted_.projection.n_cols;
  arma::Mat<T> C(f, fitted_.projection.n_rows);  // A_g'X~, group by group
  arma::Mat<T> G(n, f);                          // A_g'A_g
  for (uword first = 0; first < train.samples(); first += kSamples) {
    const arma::Mat<T> X = block(train, first, std::min(kSamples, train.samples() - first));
    arma::Mat<T> A(X.n_rows, f);
    gemm(Op::none, Op::none, T(1), X, fitted_.projection, T(0), View<T>(A));
    const T beta = first == 0 ? T(0) : T(1);
    for (uword j = 0; j < f; j += n) {
      const View<T> group = View<T>(A).block(0, j, A.n_rows, n);
      scale_rows(group);
      gemm(Op::transpose, Op::none, T(1), group, group, beta, View<T>(G).block(0, j, n, n));
    }
    gemm(Op::transpose, Op::none, T(1), A, X, beta, View<T>(C));
  }
  const arma::mat wide_G = arma::conv_to<arma::mat>::from(G), wide_C = arma::conv_to<arma::mat>::from(C);
  for (uword j = 0; j < f; j += n) {
    const arma::mat B = sparse_code(wide_G.cols(j, j + n - 1), wide_C.rows(j, j + n - 1), map.penalty, map.steps);
    fitted_.projection.cols(j, j + n - 1) = arma::conv_to<arma::Mat<T>>::from(arma::mat(B.t()));
  }
}

/// Scales each column of Z to [0, 1] by its range on the training samples, which is kept; a constant column
/// becomes 0. A column counts as constant relative to the terms of z = x'b, which are as large as ||x||
/// ||b||: ||x||^2 is d - 1 for a standardised sample, plus 0.1^2 for the bias.
template <class T>
void BroadFeatures<T>::scale_features(arma::Mat<T>& Z) {
  const T length = fitted_.standardise ? std::sqrt(static_cast<T>(fitted_.projection.n_rows)) : T(0);
#pragma omp parallel for schedule(static)
  for (uword j = 0; j < Z.n_cols; ++j) {
    const auto [least, most] = std::minmax_element(Z.begin_col(j), Z.end_col(j));
    fitted_.offset(j) = *least;
    const T terms = length * static_cast<T>(arma::norm(fitted_.projection.unsafe_col(j)));
    const bool constant = is_constant(*most - *least, std::max({std::abs(*least), std::abs(*most), terms}));
    fitted_.factor(j) = constant ? T(0) : T(1) / (*most - *least);
    for (uword i = 0; i < Z.n_rows; ++i) Z(i, j) = (Z(i, j) - fitted_.offset(j)) * fitted_.factor(j);
  }
}

template <class T>
arma::Mat<T> BroadFeatures<T>::feature_nodes(const Inputs& inputs) const {
  arma::Mat<T> Z(inputs.samples(), fitted_.projection.n_cols);
  for (uword first = 0; first < inputs.samples(); first += kSamples) {
    const arma::Mat<T> X = block(inputs, first, std::min(kSamples, inputs.samples() - first));
    gemm(Op::none, Op::none, T(1), X, fitted_.projection, T(0), View<T>(Z).block(first, 0, X.n_rows, Z.n_cols));
  }
  for (uword j = 0; j < Z.n_cols; ++j) Z.col(j) = (Z.col(j) - fitted_.offset(j)) * fitted_.factor(j);
  return Z;
}

template <class T>
void BroadFeatures<T>::expand(View<const T> Z, View<T> A) const {
  expects(Z.cols == fitted_.projection.n_cols && A.rows == Z.rows && A.cols <= fitted_.sizes.back(),
          "BroadFeatures: A is n x k for Z n x f");
  const auto blocks = static_cast<long>((Z.rows + kSamplesAtOnce - 1) / kSamplesAtOnce);
#pragma omp parallel for schedule(dynamic, 1)
  for (long b = 0; b < blocks; ++b) {
    const uword row = static_cast<uword>(b) * kSamplesAtOnce, rows = std::min(kSamplesAtOnce, Z.rows - row);
    for (const Part& part : fitted_.parts) {
      if (part.column >= A.cols) break;
      const uword count = std::min(part.count, A.cols - part.column);
      const View<T> out = A.block(row, part.column, rows, count);
      if (part.weights.is_empty()) {
        for (uword j = 0; j < count; ++j) std::copy_n(&Z(row, part.first + j), rows, &out(0, j));
        continue;
      }
      gemm(Op::none, Op::none, T(1), Z.block(row, part.first, rows, part.inputs),
           View<const T>(part.weights).head_cols(count), T(0), out);
      for (uword j = 0; j < count; ++j) activate(Activation::tanh, &out(0, j), rows, part.biases(j));
    }
  }
}

template <class T>
void BroadFeatures<T>::outputs(const Inputs& inputs, uword first, View<T> A) const {
  const auto blocks = static_cast<long>((A.rows + kSamplesAtOnce - 1) / kSamplesAtOnce);
#pragma omp parallel for schedule(dynamic, 1)
  for (long b = 0; b < blocks; ++b) {
    const uword row = static_cast<uword>(b) * kSamplesAtOnce, rows = std::min(kSamplesAtOnce, A.rows - row);
    const arma::Mat<T> Z =
        feature_nodes({inputs.X, inputs.rows.subvec(first + row, first + row + rows - 1), inputs.scaler});
    expand(Z, A.block(row, 0, rows, A.cols));
  }
}

arma::mat sparse_code(const arma::mat& G, const arma::mat& C, double penalty, uword steps) {
  expects(G.n_rows == G.n_cols && C.n_rows == G.n_rows, "sparse_code: G is n x n, C is n x d");
  arma::mat R = G;
  R.diag() += 1;
  expects(cholesky(View<double>(R)) == Status::ok, "sparse_code: G is positive semidefinite");
  arma::mat o(C.n_rows, C.n_cols), u(C.n_rows, C.n_cols);
  for (uword k = 0; k < steps; ++k) {
    arma::mat c = C + o - u;  // c = (A'A + I)^-1 (A'X + o - u)
    cholesky_solve(View<const double>(R), View<double>(c));
    u += c;  // o = soft(c + u, penalty),   u += c - o
    for (uword i = 0; i < o.n_elem; ++i) o(i) = std::max(u(i) - penalty, 0.0) - std::max(-u(i) - penalty, 0.0);
    u -= o;
  }
  return o;
}

template class BroadFeatures<double>;
template class BroadFeatures<float>;

}  // namespace elmx
