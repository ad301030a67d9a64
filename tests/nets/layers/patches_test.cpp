#include <gtest/gtest.h>

#include "nets/convolution_cases.hpp"
#include "nets/layers/convolution.hpp"
#include "support/framed.hpp"

namespace elmx {
namespace {

class PatchesTest : public testing::TestWithParam<ConvolutionCase> {
 protected:
  const ConvolutionCase c = GetParam();
  const arma::mat images = normal_matrix(c.M, c.C* c.U* c.V, 3);
  const arma::mat rows = rows_by_definition(c, images).head_cols(c.C * c.H * c.W);
};

INSTANTIATE_TEST_SUITE_P(Each, PatchesTest, testing::ValuesIn(convolution_cases()));

template <class T>
void expect_gathered(const ConvolutionCase& c, const arma::mat& images, const arma::mat& rows) {
  const PatchGeometry geometry = c.geometry();
  ASSERT_EQ(geometry.patch(), rows.n_cols);
  const arma::Mat<T> X = as<T>(images), expected = as<T>(rows);
  const uword positions = geometry.positions();
  for (const uword count : {uword(1), std::min<uword>(positions, 4), positions}) {
    for (uword first = 0; first < positions; first += count) {
      const uword n = std::min(count, positions - first);
      arma::Mat<T> found(n * c.M, rows.n_cols);
      found.fill(arma::Datum<T>::nan);
      gather_patches(geometry, X.memptr(), c.M, first, n, found.memptr());
      EXPECT_TRUE(identical(found, arma::Mat<T>(expected.rows(first * c.M, (first + n) * c.M - 1))))
          << first << " and " << n;
    }
  }
}

TEST_P(PatchesTest, GatheredRowsAreThoseOfTheDefinition) {
  expect_gathered<double>(c, images, rows);
  expect_gathered<float>(c, images, rows);
}

TEST_P(PatchesTest, AverageIsTheMeanOfTheRows) {
  arma::vec x(rows.n_cols);
  x.fill(arma::datum::nan);

  average_patch(c.geometry(), images.memptr(), c.M, x.memptr());

  EXPECT_LE(relative_difference(arma::mat(x), arma::mat(arma::mean(rows, 0).t())), 1e-14);
}

// The sum over the samples is formed in float, all else in double.
TEST_P(PatchesTest, AverageOfFloatImages) {
  const arma::fmat X = as<float>(images);
  arma::fvec x(rows.n_cols);

  average_patch(c.geometry(), X.memptr(), c.M, x.memptr());

  const arma::mat expected = arma::mean(rows, 0).t();
  EXPECT_LE(relative_difference(arma::mat(arma::conv_to<arma::vec>::from(x)), expected), tolerance<float>(1, 1));
}

// Pixels of 0 .. 255 that are whole numbers: every sum is exact, so one rounding is left.
TEST_P(PatchesTest, AverageOfWholeNumbersIsExact) {
  const arma::mat pixels = arma::floor(arma::clamp(128 + 60 * images, 0, 255));
  const arma::fmat X = as<float>(pixels);
  arma::fvec x(rows.n_cols);

  average_patch(c.geometry(), X.memptr(), c.M, x.memptr());

  const arma::mat sums = arma::sum(rows_by_definition(c, pixels).head_cols(rows.n_cols), 0).t();
  const arma::mat expected = sums / static_cast<double>(rows.n_rows);
  const double eps = std::numeric_limits<float>::epsilon();
  EXPECT_LE((arma::abs(as<double>(x) - expected) - eps * expected).max(), 0);
}

}  // namespace
}  // namespace elmx
