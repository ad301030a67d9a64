#include <gtest/gtest.h>

#include <atomic>

#include "nets/perceptron/perceptron.hpp"
#include "support/framed.hpp"
#include "support/problem.hpp"
#include "support/threads.hpp"

namespace elmx {
namespace {

TEST(SumOverSamples, EverySampleIsCountedOnce) {
  for (const uword samples : {1u, 9u, 10u, 11u, 159u, 160u, 161u, 1003u}) {
    const arma::vec sums = sum_over_samples(samples, 10, 2, [&](uword first, uword count, double* sum) {
      EXPECT_GE(count, 1u);
      EXPECT_LE(count, 10u);
      for (uword i = first; i < first + count; ++i) {
        sum[0] += 1;
        sum[1] += static_cast<double>(i);
      }
    });

    EXPECT_EQ(sums(0), static_cast<double>(samples));
    EXPECT_EQ(sums(1), static_cast<double>(samples * (samples - 1) / 2));
  }
}

TEST(SumOverSamples, WithoutSamplesTheSumIsZero) {
  const arma::vec sums = sum_over_samples(0, 10, 3, [](uword, uword, double*) { FAIL(); });

  EXPECT_EQ(sums.n_elem, 3u);
  EXPECT_EQ(arma::accu(arma::abs(sums)), 0);
}

TEST(SumOverSamples, IsTheSameToTheLastBitForAnyNumberOfThreads) {
  const arma::vec x = normal_matrix(10000, 1, 7);
  const auto on = [&](int count) {
    const Threads scope(count);
    return sum_over_samples(x.n_elem, 64, 1, [&](uword first, uword n, double* sum) {
      for (uword i = first; i < first + n; ++i) sum[0] += x(i);
    });
  };

  for (const int count : {2, 3}) EXPECT_TRUE(identical(on(1), on(count)));
}

}  // namespace
}  // namespace elmx
