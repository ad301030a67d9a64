#include <gtest/gtest.h>

#include <cmath>

#include "linalg/blas.hpp"

namespace elmx {
namespace {

TEST(Speed, RatesArePositiveAndFinite) {
  for (const double rate : {gemm_rate<double>(64), gemm_rate<float>(64), read_bandwidth(1e6)}) {
    EXPECT_GT(rate, 0);
    EXPECT_TRUE(std::isfinite(rate));
  }
}

}  // namespace
}  // namespace elmx
