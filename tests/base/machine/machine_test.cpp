#include "base/machine/machine.hpp"

#include <gtest/gtest.h>

namespace elmx {
namespace {

TEST(Machine, NamesTheCpuAndTheBlasLibrary) {
  EXPECT_FALSE(cpu_name().empty());
  EXPECT_TRUE(blas_version().starts_with("OpenBLAS "));
  EXPECT_NE(blas_version().back(), ' ');
  EXPECT_FALSE(blas_kernel().empty());
}

TEST(Machine, BetterKernelOnlyWhereTheCpuHasAvx512AndTheChoiceIsLess) {
  EXPECT_EQ(better_blas_kernel("Haswell", true), "SKYLAKEX");
  EXPECT_EQ(better_blas_kernel("Zen", true), "SKYLAKEX");
  EXPECT_EQ(better_blas_kernel("Haswell", false), "");
  EXPECT_EQ(better_blas_kernel("SkylakeX", true), "");
  EXPECT_EQ(better_blas_kernel("Cooperlake", true), "");
  EXPECT_EQ(better_blas_kernel("Sapphirerapids", true), "");
}

}  // namespace
}  // namespace elmx
