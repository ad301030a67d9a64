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

TEST(Machine, PeakMemoryIsInBytesAndNeverFalls) {
  const double before = peak_memory();

  const std::string block(64 << 20, 'x');
  const double after = peak_memory();

  EXPECT_GT(before, 1e5);
  EXPECT_LT(before, 1e12);
  EXPECT_GE(after, 64 << 20);
  EXPECT_GE(after, before);
  EXPECT_EQ(block.back(), 'x');
}

TEST(ShowBytes, HasTwoDigitsAndBinaryPrefixes) {
  EXPECT_EQ(show_bytes(0), "0 B");
  EXPECT_EQ(show_bytes(1023), "1023 B");
  EXPECT_EQ(show_bytes(1536), "1.5 KiB");
  EXPECT_EQ(show_bytes(20.0 * 1024 * 1024), "20 MiB");
  EXPECT_EQ(show_bytes(5e18), "4441 PiB");
}

}  // namespace
}  // namespace elmx
