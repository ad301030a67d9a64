#include "linalg/checks/kernel_check.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/gram.hpp"
#include "linalg/inverse_cholesky.hpp"

namespace elmx {
namespace checks {
namespace {

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
}  // namespace checks

CheckGroup check_threads() {
  CheckGroup group{.name = "tiles and threads"};
  checks::check_products<double>(group, " in double");
  checks::check_products<float>(group, " in single");
  checks::check_gram<double>(group, " in double");
  checks::check_gram<float>(group, " in single");
  return group;
}

}  // namespace elmx
