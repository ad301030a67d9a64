#include "linalg/blas_kernels.hpp"
#include "linalg/checks/kernel_check.hpp"

namespace elmx::checks {
namespace {

constexpr std::array<uword, 24> kEdges{1,   7,   8,   15,  16,  17,  31,  32,  33,  63,  64,  65,
                                       127, 128, 129, 255, 256, 257, 383, 384, 385, 511, 512, 513};
constexpr uword kQuickEdge = 129, kQuickLargest = 257;
constexpr uword kLong = 4097;  // a vector that several threads or unrolled loops of a library share

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

}  // namespace

template <class T>
std::span<const KernelCheck> blas_checks() {
  return kBlasChecks<T>;
}

template std::span<const KernelCheck> blas_checks<double>();
template std::span<const KernelCheck> blas_checks<float>();

}  // namespace elmx::checks
