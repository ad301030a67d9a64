#include "features/landmark_nodes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "features/layers.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"

namespace elmx {
namespace {

using arma::mat;
using arma::uvec;

constexpr uword kLandmarkRows = 60, kLandmarkInputs = 3;

class LandmarkNodesTest : public testing::Test {
 protected:
  const mat X = normal_matrix(kLandmarkRows, kLandmarkInputs, 6, 1);
  const uvec all = arma::regspace<uvec>(0, 1, kLandmarkRows - 1);
  const Inputs train{X, all, Scaler::fit("standard", X, all)};
  const mat scaled = train.scaler.apply(X, all);

  LandmarkNodes nodes(Kernel kernel, uword count) const { return LandmarkNodes::draw(kernel, 0.7, kRng, train, count); }

  mat outputs(const LandmarkNodes& landmarks, uword columns) const {
    Framed<double> A(mat(kLandmarkRows, columns));
    landmarks.outputs(train, 0, A.view());
    EXPECT_FALSE(A.touched());
    return A.content();
  }
};

/// By its definition, of a distance.
mat kernel_matrix(Kernel kernel, double s, const mat& X, const mat& Z) {
  mat K(X.n_rows, Z.n_rows);
  for (uword i = 0; i < K.n_rows; ++i) {
    for (uword j = 0; j < K.n_cols; ++j) {
      const arma::rowvec line = X.row(i) - Z.row(j);
      K(i, j) = kernel == Kernel::laplace_l1 ? std::exp(-arma::norm(line, 1) / s)
                : kernel == Kernel::laplace  ? std::exp(-arma::norm(line) / s)
                                             : std::exp(-arma::dot(line, line) / (s * s));
    }
  }
  return K;
}

TEST_F(LandmarkNodesTest, ProductsAreTheNystroemKernel) {
  for (const Kernel kernel : {Kernel::laplace_l1, Kernel::laplace, Kernel::gaussian}) {
    const LandmarkNodes landmarks = nodes(kernel, 20);
    const double s = landmarks.function().length;
    mat of_landmarks = kernel_matrix(kernel, s, landmarks.landmarks(), landmarks.landmarks());
    of_landmarks.diag() += 1e-10;
    const mat K = kernel_matrix(kernel, s, scaled, landmarks.landmarks()), A = outputs(landmarks, 20);
    EXPECT_LE(relative_difference<double>(A * A.t(), K * arma::solve(of_landmarks, K.t())), 1e-7);
    EXPECT_TRUE(identical(outputs(landmarks, 7), mat(A.head_cols(7))) ||
                relative_difference<double>(outputs(landmarks, 7), A.head_cols(7)) < 1e-12);
  }
}

TEST_F(LandmarkNodesTest, AreDifferentTrainingSamples) {
  const mat Z = nodes(Kernel::laplace, 40).landmarks();
  uvec found(kLandmarkRows, arma::fill::zeros);
  for (uword j = 0; j < 40; ++j) {
    for (uword i = 0; i < kLandmarkRows; ++i) found(i) += arma::approx_equal(Z.row(j), scaled.row(i), "absdiff", 0);
  }
  EXPECT_EQ(arma::accu(found), 40u);
  EXPECT_EQ(found.max(), 1u);
}

TEST_F(LandmarkNodesTest, AColumnDoesNotDependOnLaterLandmarks) {
  const mat few = outputs(nodes(Kernel::laplace, 12), 12), many = outputs(nodes(Kernel::laplace, 40), 40);
  EXPECT_LE(relative_difference<double>(few, many.head_cols(12)), 1e-10);
}

/// The mean distance of all training samples is the unit of length.
TEST_F(LandmarkNodesTest, LengthIsRelativeToTheDistancesOfTheSamples) {
  double sum = 0;
  for (uword i = 0; i < kLandmarkRows; ++i) {
    for (uword j = 0; j < i; ++j) sum += arma::norm(scaled.row(i) - scaled.row(j));
  }
  const double mean = sum / (kLandmarkRows * (kLandmarkRows - 1) / 2.0);
  EXPECT_NEAR(nodes(Kernel::gaussian, 5).function().length, 0.7 * mean, 1e-12);
}

TEST_F(LandmarkNodesTest, MayBeMoreThanTheSamples) {
  const LandmarkNodes landmarks = nodes(Kernel::gaussian, kLandmarkRows + 30);
  const mat A = outputs(landmarks, kLandmarkRows + 30);
  EXPECT_LE(relative_difference<double>(A * A.t(),
                                        kernel_matrix(Kernel::gaussian, landmarks.function().length, scaled, scaled)),
            1e-6);
}

}  // namespace
}  // namespace elmx
