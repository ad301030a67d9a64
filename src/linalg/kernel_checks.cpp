#include "linalg/kernel_checks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "linalg/blas_kernels.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/gram.hpp"
#include "linalg/inverse_cholesky.hpp"
#include "linalg/ridge_qr.hpp"

namespace elmx {
namespace {

constexpr std::array<uword, 24> kEdges{1,   7,   8,   15,  16,  17,  31,  32,  33,  63,  64,  65,
                                       127, 128, 129, 255, 256, 257, 383, 384, 385, 511, 512, 513};
constexpr uword kQuickEdge = 129, kQuickLargest = 257;
constexpr uword kLong = 4097;  // a vector that several threads or unrolled loops of a library share

constexpr std::array<Op, 2> kEitherOp{Op::none, Op::transpose};

struct Shape {
  uword m, n, k;
};

/// Returns cubes of every edge up to `largest`, and for each edge a product of three different edges.
std::vector<Shape> product_shapes(Extent extent, uword largest = kEdges.back()) {
  const uword most = extent == Extent::full ? kEdges.back() : kQuickEdge;
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < kEdges.size(); ++i) {
    const Shape mixed{kEdges[i], kEdges[(5 * i + 3) % kEdges.size()], kEdges[(7 * i + 1) % kEdges.size()]};
    if (kEdges[i] <= std::min(most, largest)) shapes.push_back({kEdges[i], kEdges[i], kEdges[i]});
    if (std::max({mixed.m, mixed.n, mixed.k}) <= most) shapes.push_back(mixed);
  }
  return shapes;
}

/// Returns fewer shapes for the functions that have eight variants.
std::vector<Shape> triangle_shapes(Extent extent) { return product_shapes(extent, kQuickLargest); }

/// Receives the ratio of a result and where it was found.
using Note = std::function<void(double ratio, const std::string& where)>;

/// A function of the library, without the letter of its precision, and its check.
struct KernelCheck {
  std::string_view name;
  void (*check)(Extent extent, const Note& note);
};

std::string text_of(const Shape& s) { return fmt::format("{} x {} x {}", s.m, s.n, s.k); }
std::string text_of(Op op) { return op == Op::none ? "" : ", transposed"; }

template <class T>
constexpr double kEps = static_cast<double>(std::numeric_limits<T>::epsilon());

template <class T>
arma::Mat<T> entries(uword rows, uword cols, std::uint32_t stream) {
  return arma::conv_to<arma::Mat<T>>::from(random_entries(rows, cols, stream));
}

template <class T>
arma::mat in_double(const arma::Mat<T>& M) {
  return arma::conv_to<arma::mat>::from(M);
}

/// A matrix within a larger one of NaN. Its leading dimension is odd.
template <class T>
class Surrounded {
 public:
  explicit Surrounded(const arma::Mat<T>& M)
      : all_((M.n_rows + 4) | 1, M.n_cols + 2, arma::fill::value(std::numeric_limits<T>::quiet_NaN())),
        inner_(View<T>(all_).block(1, 1, M.n_rows, M.n_cols)) {
    for (uword j = 0; j < M.n_cols; ++j) std::copy_n(M.colptr(j), M.n_rows, &inner_(0, j));
  }
  Surrounded(const Surrounded&) = delete;
  Surrounded& operator=(const Surrounded&) = delete;

  T* data() { return inner_.data; }
  uword ld() const { return inner_.ld; }
  arma::mat content() const { return in_double(inner_.copy()); }
  /// Returns true if nothing was written outside of the matrix.
  bool intact() const {
    uword written = 0;
    for (const T x : all_) written += std::isnan(x) ? 0 : 1;
    return written <= inner_.rows * inner_.cols;
  }

 private:
  arma::Mat<T> all_;
  View<T> inner_;
};

arma::vec row_norms(const arma::mat& M) { return arma::sqrt(arma::sum(arma::square(M), 1)); }
arma::vec column_norms(const arma::mat& M) { return arma::sqrt(arma::sum(arma::square(M), 0)).t(); }

/// Returns the largest |C - exact|_ij / (eps (|A_i| |B_j| + 1)) of C = A B + beta C_0, |beta C_0| <= 1. upper: above
/// and on the diagonal.
template <class T>
double product_ratio(const arma::mat& C, const arma::mat& exact, const arma::mat& A, const arma::mat& B,
                     bool upper = false) {
  const arma::vec rows = row_norms(A), cols = column_norms(B);
  double largest = 0;
  for (uword j = 0; j < C.n_cols; ++j) {
    for (uword i = 0; i < (upper ? j + 1 : C.n_rows); ++i) {
      const double ratio = std::abs(C(i, j) - exact(i, j)) / (kEps<T> * (rows(i) * cols(j) + 1));
      largest = ratio <= largest ? largest : std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
    }
  }
  return largest;
}

/// The same for a result that may have written outside of its matrix.
template <class T>
double product_ratio(const Surrounded<T>& C, const arma::mat& exact, const arma::mat& A, const arma::mat& B,
                     bool upper = false) {
  return C.intact() ? product_ratio<T>(C.content(), exact, A, B, upper) : std::numeric_limits<double>::infinity();
}

arma::mat op_of(Op op, const arma::mat& M) { return op == Op::none ? M : arma::mat(M.t()); }

constexpr double kAlpha = -1.25, kBeta = 0.75;  // exact in single precision

template <class T>
void check_gemm(Extent extent, const Note& note) {
  std::vector<Shape> shapes = product_shapes(extent);
  if (extent == Extent::quick) shapes.push_back({kQuickLargest, kQuickLargest, kQuickLargest});
  for (const Shape& s : shapes) {
    const arma::Mat<T> A = entries<T>(s.m, s.k, 1), B = entries<T>(s.k, s.n, 2), C0 = entries<T>(s.m, s.n, 3);
    const arma::mat wide_A = in_double(A), wide_B = in_double(B);
    const arma::mat exact = kAlpha * plain_product(wide_A, wide_B) + kBeta * in_double(C0);
    for (const Op a : kEitherOp) {
      for (const Op b : kEitherOp) {
        Surrounded<T> left(a == Op::none ? A : arma::Mat<T>(A.t())), right(b == Op::none ? B : arma::Mat<T>(B.t())),
            C(C0);
        kernel_gemm(a, b, s.m, s.n, s.k, T(kAlpha), left.data(), left.ld(), right.data(), right.ld(), T(kBeta),
                    C.data(), C.ld());
        note(product_ratio<T>(C, exact, wide_A, wide_B), text_of(s) + text_of(a) + text_of(b));
      }
    }
  }
}

template <class T>
void check_syrk(Extent extent, const Note& note) {
  for (const Shape& s : product_shapes(extent)) {
    const arma::Mat<T> A = entries<T>(s.k, s.n, 1), G0 = entries<T>(s.n, s.n, 3);
    const arma::mat wide = in_double(A), transposed = wide.t();
    const arma::mat exact = kAlpha * plain_product(transposed, wide) + kBeta * in_double(G0);
    Surrounded<T> factor(A), G(G0);
    kernel_syrk(s.n, s.k, T(kAlpha), factor.data(), factor.ld(), T(kBeta), G.data(), G.ld());
    note(product_ratio<T>(G, exact, transposed, wide, true), fmt::format("{} x {}", s.k, s.n));
  }
}

/// An upper triangle of condition about 2 above NaN; unit: with a diagonal of NaN that stands for ones.
template <class T>
arma::Mat<T> triangle(uword n, bool unit = false) {
  arma::mat R = random_entries(n, n, 4) / (4 * std::sqrt(static_cast<double>(n)));
  for (uword j = 0; j < n; ++j) {
    R(j, j) = unit ? arma::datum::nan : 1 + R(j, j);
    for (uword i = j + 1; i < n; ++i) R(i, j) = arma::datum::nan;
  }
  return arma::conv_to<arma::Mat<T>>::from(R);
}

/// The triangle without NaN.
template <class T>
arma::mat whole_triangle(const arma::Mat<T>& R) {
  arma::mat whole(R.n_rows, R.n_cols, arma::fill::zeros);
  for (uword j = 0; j < R.n_cols; ++j) {
    for (uword i = 0; i <= j; ++i) whole(i, j) = std::isnan(R(i, j)) ? 1 : static_cast<double>(R(i, j));
  }
  return whole;
}

template <class T>
void check_trsm(Extent extent, const Note& note) {
  for (const Shape& s : triangle_shapes(extent)) {
    const arma::Mat<T> R = triangle<T>(s.m), B = entries<T>(s.m, s.n, 2);
    for (const Op op : kEitherOp) {
      Surrounded<T> factor(R), X(B);
      kernel_trsm(op, s.m, s.n, factor.data(), factor.ld(), X.data(), X.ld());
      const arma::mat whole = op_of(op, whole_triangle(R)), found = X.content();
      note(X.intact() ? product_ratio<T>(plain_product(whole, found), in_double(B), whole, found) : arma::datum::inf,
           fmt::format("{} x {}{}", s.m, s.n, text_of(op)));
    }
  }
}

template <class T>
void check_trmm(Extent extent, const Note& note) {
  for (const Shape& s : triangle_shapes(extent)) {
    for (const bool unit : {false, true}) {
      const arma::Mat<T> R = triangle<T>(s.m, unit);
      for (const Op op : kEitherOp) {
        const arma::mat whole = op_of(op, whole_triangle(R));
        for (const CBLAS_SIDE side : {CblasLeft, CblasRight}) {
          const bool left = side == CblasLeft;
          const arma::Mat<T> B = left ? entries<T>(s.m, s.n, 2) : entries<T>(s.n, s.m, 2);
          const arma::mat first = left ? whole : in_double(B), second = left ? in_double(B) : whole;
          Surrounded<T> factor(R), X(B);
          kernel_trmm(side, op, unit, B.n_rows, B.n_cols, T(kAlpha), factor.data(), factor.ld(), X.data(), X.ld());
          note(product_ratio<T>(X, kAlpha * plain_product(first, second), first, second),
               fmt::format("{} x {}{}{}{}", B.n_rows, B.n_cols, text_of(op), left ? "" : ", from the right",
                           unit ? ", unit diagonal" : ""));
        }
      }
    }
  }
}

/// Returns the shapes of matrices for products with vectors.
std::vector<Shape> matrix_shapes(Extent extent) {
  std::vector<Shape> shapes = product_shapes(extent);
  shapes.push_back({kLong, 3, 1});
  shapes.push_back({3, kLong, 1});
  return shapes;
}

template <class T>
void check_gemv(Extent extent, const Note& note) {
  for (const Shape& s : matrix_shapes(extent)) {
    const arma::Mat<T> A = entries<T>(s.m, s.n, 1);
    for (const Op op : kEitherOp) {
      const arma::mat whole = op_of(op, in_double(A));
      const arma::Mat<T> x = entries<T>(whole.n_cols, 1, 2), y0 = entries<T>(whole.n_rows, 1, 3);
      const arma::mat exact = kAlpha * plain_product(whole, in_double(x)) + kBeta * in_double(y0);
      Surrounded<T> matrix(A), in(x), y(y0);
      kernel_gemv(op, s.m, s.n, T(kAlpha), matrix.data(), matrix.ld(), in.data(), T(kBeta), y.data());
      note(product_ratio<T>(y, exact, whole, in_double(x)), fmt::format("{} x {}{}", s.m, s.n, text_of(op)));
    }
  }
}

template <class T>
void check_symv(Extent extent, const Note& note) {
  for (const Shape& s : product_shapes(extent)) {
    const arma::Mat<T> Q = triangle<T>(s.m), x = entries<T>(s.m, 1, 2);
    arma::mat whole = whole_triangle(Q);
    for (uword j = 0; j < s.m; ++j) {
      for (uword i = j + 1; i < s.m; ++i) whole(i, j) = whole(j, i);
    }
    Surrounded<T> matrix(Q), in(x), y(arma::Mat<T>(s.m, 1, arma::fill::value(std::numeric_limits<T>::quiet_NaN())));
    kernel_symv(s.m, matrix.data(), matrix.ld(), in.data(), y.data());
    note(product_ratio<T>(y, plain_product(whole, in_double(x)), whole, in_double(x)), std::to_string(s.m));
  }
}

template <class T>
void check_trmv(Extent extent, const Note& note) {
  for (const Shape& s : product_shapes(extent)) {
    for (const bool unit : {false, true}) {
      for (const Op op : kEitherOp) {
        const arma::Mat<T> R = triangle<T>(s.m, unit), x0 = entries<T>(s.m, 1, 2);
        const arma::mat whole = op_of(op, whole_triangle(R));
        Surrounded<T> matrix(R), x(x0);
        kernel_trmv(op, unit, s.m, matrix.data(), matrix.ld(), x.data());
        note(product_ratio<T>(x, plain_product(whole, in_double(x0)), whole, in_double(x0)),
             fmt::format("{}{}{}", s.m, text_of(op), unit ? ", unit diagonal" : ""));
      }
    }
  }
}

/// Returns lengths of vectors.
std::vector<uword> lengths() {
  std::vector<uword> all(kEdges.begin(), kEdges.end());
  all.push_back(kLong);
  return all;
}

template <class T>
void check_dot(Extent, const Note& note) {
  for (const uword n : lengths()) {
    const arma::Mat<T> x = entries<T>(1, n, 1), y = entries<T>(n, 1, 2);
    const arma::mat exact = plain_product(in_double(x), in_double(y));
    const arma::mat found(1, 1, arma::fill::value(static_cast<double>(dot(n, x.memptr(), y.memptr()))));
    note(product_ratio<T>(found, exact, in_double(x), in_double(y)), std::to_string(n));
  }
}

template <class T>
void check_axpy(Extent, const Note& note) {
  for (const uword n : lengths()) {
    const arma::Mat<T> x = entries<T>(n, 1, 1), y0 = entries<T>(n, 1, 2);
    Surrounded<T> y(y0);
    axpy(n, T(kAlpha), x.memptr(), y.data());
    note(product_ratio<T>(y, kAlpha * in_double(x) + in_double(y0), in_double(x), arma::ones(1, 1)), std::to_string(n));
  }
}

template <class T>
constexpr std::array kBlasChecks{
    KernelCheck{"gemm", check_gemm<T>}, KernelCheck{"syrk", check_syrk<T>}, KernelCheck{"trsm", check_trsm<T>},
    KernelCheck{"trmm", check_trmm<T>}, KernelCheck{"gemv", check_gemv<T>}, KernelCheck{"symv", check_symv<T>},
    KernelCheck{"trmv", check_trmv<T>}, KernelCheck{"dot", check_dot<T>},   KernelCheck{"axpy", check_axpy<T>}};

// LAPACK. A residual or a distance from orthogonality may be n eps times the sizes of its terms.

struct Conditioned {
  uword n;
  double condition;

  std::string text() const { return fmt::format("{} x {}, condition {:.0e}", n, n, condition); }
};

/// Returns sizes and condition numbers that the precision of T can tell from singular ones.
template <class T>
std::vector<Conditioned> conditioned(Extent extent) {
  std::vector<Conditioned> all;
  for (const uword n : {1, 7, 33, 64, 65, 129, 257}) {
    if (extent == Extent::quick && n > 65) continue;
    for (const double condition : {1.0, 1e6, 1e12}) {
      if (condition * static_cast<double>(n) * kEps<T> < 0.1 && (n > 1 || condition == 1))
        all.push_back({n, condition});
    }
  }
  return all;
}

double in_eps(double error, uword n, double scale, double eps = kEps<double>) {
  return error / (eps * static_cast<double>(n) * scale);
}

/// Returns the distance of Q'Q from I in n eps.
double orthogonality(const arma::mat& Q) {
  return in_eps(plain_norm(plain_product(Q.t(), Q) - arma::eye(Q.n_cols, Q.n_cols)), Q.n_rows, 1);
}

/// Returns a positive definite matrix. Its lower triangle is valid, too.
template <class T>
arma::Mat<T> definite_matrix(const Conditioned& c) {
  const arma::mat root = of_condition(c.n, c.n, std::sqrt(c.condition), 10);
  return arma::conv_to<arma::Mat<T>>::from(plain_product(root.t(), root));
}

double residual_of_solution(const arma::mat& A, const arma::mat& X, const arma::mat& B, double eps) {
  return in_eps(plain_norm(B - plain_product(A, X)), A.n_rows, plain_norm(A) * plain_norm(X), eps);
}

template <class T>
void check_potrf(Extent extent, const Note& note) {
  for (const Conditioned& c : conditioned<T>(extent)) {
    const arma::Mat<T> G = definite_matrix<T>(c), B = entries<T>(c.n, 3, 5);
    arma::Mat<T> R = G, X = B;
    if (cholesky(View<T>(R)) != Status::ok) {
      note(arma::datum::inf, c.text());
      continue;
    }
    cholesky_solve(View<const T>(R), View<T>(X));
    const arma::mat whole = arma::trimatu(in_double(R)), wide = in_double(G);
    note(in_eps(plain_norm(wide - plain_product(whole.t(), whole)), c.n, plain_norm(wide), kEps<T>), c.text());
    note(residual_of_solution(wide, in_double(X), in_double(B), kEps<T>), c.text() + ", its solution");
  }
}

/// F'G F = I, to rounding times the condition of G.
template <class T>
void check_inverse_factor(Status (*factorise)(View<T>), Extent extent, const Note& note) {
  for (const Conditioned& c : conditioned<T>(extent)) {
    const arma::Mat<T> G = definite_matrix<T>(c);
    arma::Mat<T> F = G;
    const bool found = factorise(View<T>(F)) == Status::ok;
    const arma::mat whole = arma::trimatu(in_double(F));
    const arma::mat identity = plain_product(whole.t(), plain_product(in_double(G), whole));
    const double error = plain_norm(identity - arma::eye(c.n, c.n));
    note(found ? in_eps(error, c.n, c.condition, kEps<T>) : arma::datum::inf, c.text());
  }
}

template <class T>
void check_trtri(Extent extent, const Note& note) {
  check_inverse_factor<T>(inverse_of_cholesky<T>, extent, note);
}

/// The estimate of a condition number is at most n times the true one, and rarely below a tenth of it.
template <class T>
void check_pocon(Extent extent, const Note& note) {
  for (const Conditioned& c : conditioned<T>(extent)) {
    const arma::Mat<T> G = definite_matrix<T>(c);
    arma::Mat<T> R = G;
    if (cholesky(View<T>(R)) != Status::ok) continue;  // check_potrf says so
    const double estimate = condition_estimate(View<const T>(R), symmetric_norm1(View<const T>(G))),
                 n = static_cast<double>(c.n);
    note(std::max(estimate / (2 * n * c.condition), c.condition / (10 * n * estimate)), c.text());
  }
}

void check_trcon(Extent extent, const Note& note) {
  for (const Conditioned& c : conditioned<double>(extent)) {
    arma::mat R = definite_matrix<double>(c);
    if (cholesky(View<double>(R)) != Status::ok) continue;
    const double estimate = 1 / reciprocal_condition(View<const double>(R)), n = static_cast<double>(c.n),
                 root = std::sqrt(c.condition);
    note(std::max(estimate / (2 * n * root), root / (10 * n * estimate)), c.text());
  }
}

void check_posv(Extent extent, const Note& note) {
  for (const Conditioned& c : conditioned<double>(extent)) {
    const arma::mat G = definite_matrix<double>(c), B = random_entries(c.n, 3, 5);
    arma::mat A = G, X = B;
    const bool solved = solve_definite(View<double>(A), View<double>(X)) == Status::ok;
    note(solved ? residual_of_solution(G, X, B, kEps<double>) : arma::datum::inf, c.text());
  }
}

void check_syevd(Extent extent, const Note& note) {
  for (const Conditioned& c : conditioned<double>(extent)) {
    const arma::mat G = definite_matrix<double>(c);
    arma::mat V = G;
    arma::vec theta;
    const bool found = symmetric_eigen(V, theta) == Status::ok;
    arma::mat scaled = V;
    for (uword j = 0; found && j < c.n; ++j) scaled.col(j) *= theta(j);
    note(found ? in_eps(plain_norm(plain_product(G, V) - scaled), c.n, plain_norm(G)) : arma::datum::inf, c.text());
    note(orthogonality(V), c.text() + ", its vectors");
  }
}

/// Returns H and Y of a least-squares problem of twice as many samples as nodes.
std::pair<arma::mat, arma::mat> samples_of(const Conditioned& c) {
  return {of_condition(2 * c.n, c.n, c.condition, 20), random_entries(2 * c.n, 2, 6)};
}

void check_gelsd(Extent extent, const Note& note) {
  for (const Conditioned& c : conditioned<double>(extent)) {
    const auto [H, Y] = samples_of(c);
    arma::mat W;
    const bool solved = minimum_norm(H, Y, W) == Status::ok;
    note(solved ? in_eps(plain_backward_error(H, Y, 0, W), c.n, 1) : arma::datum::inf, c.text());
  }
}

void check_tpqrt(Extent extent, const Note& note) {
  for (const Conditioned& c : conditioned<double>(extent)) {
    const auto [H, Y] = samples_of(c);
    RidgeQr qr(c.n, Y.n_cols, 0);
    qr.add_samples(View<const double>(H), View<const double>(Y));
    arma::mat W;
    const bool solved = qr.solve(W) == Status::ok;
    note(solved ? in_eps(plain_backward_error(H, Y, 0, W), c.n, 1) : arma::datum::inf, c.text());
  }
}

void check_geqp3(Extent extent, const Note& note) {
  for (const Conditioned& c : conditioned<double>(extent)) {
    const auto [H, Y] = samples_of(c);
    RangeBasis basis;
    const bool found = range_basis(H, 0, basis) == Status::ok && basis.rank() == c.n;
    note(found ? in_eps(plain_norm(H - plain_product(basis.Q, basis.Bt.t())), c.n, plain_norm(H)) : arma::datum::inf,
         c.text());
    note(orthogonality(basis.Q), c.text() + ", its basis");
  }
}

void check_geqrf(Extent extent, const Note& note) {
  for (const Conditioned& c : conditioned<double>(extent)) {
    const arma::mat H = samples_of(c).first;
    arma::mat Q, R;
    const bool found = arma::qr_econ(Q, R, H);
    note(found ? in_eps(plain_norm(H - plain_product(Q, R)), c.n, plain_norm(H)) : arma::datum::inf, c.text());
    note(orthogonality(Q), c.text() + ", its basis");
  }
}

void check_gesdd(Extent extent, const Note& note) {
  for (const Conditioned& c : conditioned<double>(extent)) {
    const arma::mat H = samples_of(c).first;
    arma::mat U, V;
    arma::vec s;
    const bool found = arma::svd_econ(U, s, V, H);
    arma::mat scaled = U;
    for (uword j = 0; found && j < c.n; ++j) scaled.col(j) *= s(j);
    note(found ? in_eps(plain_norm(H - plain_product(scaled, V.t())), c.n, plain_norm(H)) : arma::datum::inf, c.text());
    note(std::max(orthogonality(U), orthogonality(V)), c.text() + ", its vectors");
  }
}

template <class T>
constexpr std::array kLapackInEither{KernelCheck{"potrf", check_potrf<T>}, KernelCheck{"trtri", check_trtri<T>},
                                     KernelCheck{"pocon", check_pocon<T>}};
constexpr std::array kLapackInDouble{KernelCheck{"trcon", check_trcon}, KernelCheck{"posv", check_posv},
                                     KernelCheck{"syevd", check_syevd}, KernelCheck{"gelsd", check_gelsd},
                                     KernelCheck{"tpqrt", check_tpqrt}, KernelCheck{"geqp3", check_geqp3},
                                     KernelCheck{"geqrf", check_geqrf}, KernelCheck{"gesdd", check_gesdd}};

/// Calls visit(group, letter of the precision, check) for every check, one group after another.
template <class Visit>
void for_each_kernel(const Visit& visit) {
  for (const KernelCheck& one : kBlasChecks<double>) visit("BLAS in double", 'd', one, "cblas_{}");
  for (const KernelCheck& one : kBlasChecks<float>) visit("BLAS in single", 's', one, "cblas_{}");
  for (const KernelCheck& one : kLapackInEither<double>) visit("LAPACK in double", 'd', one, "{}_");
  for (const KernelCheck& one : kLapackInDouble) visit("LAPACK in double", 'd', one, "{}_");
  for (const KernelCheck& one : kLapackInEither<float>) visit("LAPACK in single", 's', one, "{}_");
}

// Tiles and threads

/// Adds the checks of an operation: its bits for any number of threads, and the ratio of its result.
template <class F, class Ratio>
void check_operation(CheckGroup& group, const std::string& name, const std::string& where, const F& f,
                     const Ratio& ratio) {
  group.add(name, where + ", with 1, 2 and all threads", same_for_any_threads(f));
  group.add(name, where, ratio(in_double(f())));
}

/// Checks products beyond the edges of the tiles: 128, 512 and 4096.
template <class T>
void check_products(CheckGroup& group, const std::string& precision) {
  for (const Shape& s : {Shape{513, 515, 70}, Shape{300, 1030, 300}, Shape{4097, 3, 65}, Shape{130, 7, 4100}}) {
    const arma::Mat<T> A = entries<T>(s.m, s.k, 1), B = entries<T>(s.k, s.n, 2), At = A.t();
    const arma::mat a = in_double(A), b = in_double(B), product = plain_product(a, b);
    for (const Op op : kEitherOp) {
      const auto multiply = [&] {
        arma::Mat<T> C(s.m, s.n);
        gemm(op, Op::none, T(1), op == Op::none ? A : At, B, T(0), View<T>(C));
        return C;
      };
      check_operation(group, "product of matrices" + precision, text_of(s) + text_of(op), multiply,
                      [&](const arma::mat& C) { return product_ratio<T>(C, product, a, b); });
      const auto times_vector = [&] {
        arma::Mat<T> y(s.m, 1);
        gemv(op, T(1), op == Op::none ? A : At, B.memptr(), T(0), y.memptr());
        return y;
      };
      check_operation(group, "product with a vector" + precision, fmt::format("{} x {}{}", s.m, s.k, text_of(op)),
                      times_vector,
                      [&](const arma::mat& y) { return product_ratio<T>(y, product.col(0), a, b.col(0)); });
    }
  }
}

/// Checks the Gram matrix of 700 samples and 600 nodes, its factors and products with them.
template <class T>
void check_gram(CheckGroup& group, const std::string& precision) {
  constexpr uword N = 700, L = 600, c = 300;
  const std::string where = fmt::format("{} nodes", L);
  const arma::Mat<T> H = entries<T>(N, L, 1), B = entries<T>(L, c, 2);
  const arma::mat h = in_double(H), ht = h.t(), b = in_double(B);
  const auto form = [&] {
    arma::Mat<T> G(L, L, arma::fill::zeros);
    ridge_gram(View<const T>(H), double(N), View<T>(G));
    return G;
  };
  const arma::Mat<T> G = form();
  const arma::mat exact = arma::symmatu(plain_product(ht, h) + N * arma::eye(L, L));
  check_operation(group, "Gram matrix" + precision, where, form,
                  [&](const arma::mat& found) { return product_ratio<T>(found, exact, ht, h, true); });
  const auto check_factor = [&](const std::string& name, Status (*factorise)(View<T>), bool inverse) {
    const auto factor = [&] {
      arma::Mat<T> R = G;
      return factorise(View<T>(R)) == Status::ok ? arma::Mat<T>(arma::trimatu(R)) : arma::Mat<T>(L, L);
    };
    check_operation(group, name + precision, where, factor, [&](const arma::mat& R) {
      if (!inverse) return in_eps(plain_norm(exact - plain_product(R.t(), R)), L, plain_norm(exact), kEps<T>);
      const arma::mat identity = plain_product(R.t(), plain_product(exact, R));
      return in_eps(plain_norm(identity - arma::eye(L, L)), L, std::sqrt(double(L)), kEps<T>);
    });
  };
  check_factor("Cholesky factor", cholesky<T>, false);
  check_factor("inverse Cholesky factor", inverse_cholesky<T>, true);
  const arma::Mat<T> R = triangle<T>(L);
  const arma::mat r = whole_triangle(R);
  const arma::mat rb = plain_product(r, b);
  check_operation(
      group, "product with a triangle" + precision, where,
      [&] {
        arma::Mat<T> X = B;
        trmm(Op::none, R, View<T>(X));
        return X;
      },
      [&](const arma::mat& X) { return product_ratio<T>(X, rb, r, b); });
  check_operation(
      group, "solution with a triangle" + precision, where,
      [&] {
        arma::Mat<T> X = B;
        trsm(Op::none, R, View<T>(X));
        return X;
      },
      [&](const arma::mat& X) { return product_ratio<T>(plain_product(r, X), b, r, X); });
}

}  // namespace

std::vector<CheckGroup> check_kernels(Extent extent) {
  std::vector<CheckGroup> groups;
  for_each_kernel([&](const char* name, char letter, const KernelCheck& kernel, const char*) {
    if (groups.empty() || groups.back().name != name) groups.push_back({.name = name});
    CheckGroup& group = groups.back();
    const std::string function = letter + std::string(kernel.name);
    kernel.check(extent, [&](double ratio, const std::string& where) { group.add(function, where, ratio); });
  });
  return groups;
}

std::vector<std::filesystem::path> kernel_libraries() {
  std::set<std::filesystem::path> files;
  for_each_kernel([&](const char*, char letter, const KernelCheck& kernel, const char* symbol) {
    Dl_info found{};
    const std::string name = fmt::format(fmt::runtime(symbol), letter + std::string(kernel.name));
    void* const address = ::dlsym(RTLD_DEFAULT, name.c_str());
    if (address != nullptr && ::dladdr(address, &found) != 0 && found.dli_fname != nullptr)
      files.insert(found.dli_fname);
  });
  return {files.begin(), files.end()};
}

CheckGroup check_threads() {
  CheckGroup group{.name = "tiles and threads"};
  check_products<double>(group, " in double");
  check_products<float>(group, " in single");
  check_gram<double>(group, " in double");
  check_gram<float>(group, " in single");
  return group;
}

}  // namespace elmx
