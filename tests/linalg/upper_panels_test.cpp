#include "linalg/upper_panels.hpp"

#include <gtest/gtest.h>

#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/threads.hpp"

namespace elmx {
namespace {

arma::fmat tall_singles(uword N, uword n) { return arma::conv_to<arma::fmat>::from(normal_matrix(N, n, 3)); }

/// The triangle as a matrix.
arma::mat whole(const UpperPanels& U) {
  arma::mat M(U.columns(), U.columns());
  for (std::size_t p = 0; p < U.count(); ++p) {
    for (uword j = U.begin(p); j < U.end(p); ++j) {
      for (uword i = 0; i <= j; ++i) M(i, j) = static_cast<double>(U.panel(p)(i, j - U.begin(p)));
    }
  }
  return M;
}

/// G = B'B + 4 I of the first columns, and then of more.
UpperPanels panels_of_gram(const arma::fmat& B, uword width, const std::vector<uword>& steps,
                           Status (UpperPanels::*factorise)(std::size_t)) {
  UpperPanels G(width);
  for (const uword q : steps) {
    const std::size_t first = G.count();
    G.append(q);
    const View<const float> columns = View<const float>(B).head_cols(G.columns());
    const uword half = B.n_rows / 2;
    G.add_gram(first, columns.block(0, 0, half, columns.cols), 0);
    G.add_gram(first, columns.block(half, 0, B.n_rows - half, columns.cols), 1);
    for (std::size_t p = first; p < G.count(); ++p) {
      for (uword j = 0; j < G.panel(p).cols; ++j) G.panel(p)(G.begin(p) + j, j) += 4;
    }
    if (factorise == nullptr) continue;
    EXPECT_EQ((G.*factorise)(first), Status::ok);
  }
  return G;
}

const std::vector<std::vector<uword>> kSteps{{1}, {37}, {5, 32}, {16, 16, 5}, {8, 1, 1, 27}};

TEST(UpperPanels, GramMatrixAndFactorsOfIt) {
  const arma::fmat B = tall_singles(90, 37);
  for (const uword width : {1u, 8u, 16u, 64u}) {
    for (const std::vector<uword>& steps : kSteps) {
      const UpperPanels G = panels_of_gram(B, width, steps, nullptr),
                        R = panels_of_gram(B, width, steps, &UpperPanels::cholesky),
                        F = panels_of_gram(B, width, steps, &UpperPanels::inverse_cholesky);
      const uword n = G.columns();
      const arma::mat b = arma::conv_to<arma::mat>::from(B.head_cols(n)), exact = b.t() * b + 4 * arma::eye(n, n);
      const double most = tolerance<float>(90, n);
      EXPECT_LE(relative_difference(whole(G), arma::mat(arma::trimatu(exact))), most);
      EXPECT_LE(relative_difference(arma::mat(whole(R).t() * whole(R)), exact), most);
      EXPECT_LE(relative_difference(arma::mat(whole(F).t() * exact * whole(F)), arma::mat(arma::eye(n, n))), 10 * most);

      const arma::mat X = normal_matrix(n, 3, 8);
      arma::mat by_R = X, by_F = X;
      R.solve(View<double>(by_R));
      F.multiply(View<double>(by_F));
      EXPECT_LE(relative_difference(arma::mat(whole(R).t() * whole(R) * by_R), X), tolerance(n, n)) << "in double";
      EXPECT_LE(relative_difference(by_F, arma::mat(whole(F) * whole(F).t() * X)), tolerance(n, n)) << "in double";
    }
  }
}

TEST(UpperPanels, PanelsWiderThanAStrip) {
  const arma::fmat B = tall_singles(400, 300);
  const UpperPanels R = panels_of_gram(B, 150, {170, 130}, &UpperPanels::cholesky);
  const arma::mat b = arma::conv_to<arma::mat>::from(B), exact = b.t() * b + 4 * arma::eye(300, 300);
  EXPECT_LE(relative_difference(arma::mat(whole(R).t() * whole(R)), exact), tolerance<float>(400, 300));
}

TEST(UpperPanels, NoFactorOfWhatIsNotDefinite) {
  UpperPanels G(4);
  G.append(6);
  const arma::fmat B = tall_singles(3, 6);
  G.add_gram(0, B, 0);
  for (uword j = 0; j < 2; ++j) G.panel(1)(4 + j, j) -= 1;
  UpperPanels other = G;
  EXPECT_EQ(G.cholesky(0), Status::not_positive_definite);
  EXPECT_EQ(other.inverse_cholesky(0), Status::not_positive_definite);
}

}  // namespace
}  // namespace elmx
