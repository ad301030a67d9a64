// Made by scripts/golden_values.py --write (scripts/golden/exact.py).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace elmx {

// clang-format off
inline constexpr std::string_view kExactSamples =
    "part,a,b,c,y,z\n"
    "train,-1,-1,-1,-4,-3\n"
    "train,-1,-1,1,6,3\n"
    "train,-1,1,-1,-8,-5\n"
    "train,-1,1,1,3,1\n"
    "train,1,-1,-1,0,1\n"
    "train,1,-1,1,6,7\n"
    "train,1,1,-1,-4,-1\n"
    "train,1,1,1,2,5\n"
    "train,-1,-1,-1,-5,-3\n"
    "train,-1,-1,1,4,3\n"
    "train,-1,1,-1,-5,-5\n"
    "train,-1,1,1,2,1\n"
    "train,1,-1,-1,-1,1\n"
    "train,1,-1,1,9,7\n"
    "train,1,1,-1,1,-1\n"
    "train,1,1,1,2,5\n"
    "test,2,1,0,2,4\n"
    "test,0,-1,3,14,11\n"
    "test,1,1,1,5,5\n"
    "test,-2,2,1,-1,-2\n"
    "test,3,0,-1,1,4\n"
    "test,-1,-1,1,4,3\n";

/// The mean squared error and the mean absolute error of the test part, each as a fraction.
struct ExactResult {
  std::string_view of;  ///< name of the case
  std::int64_t squares, of_squares, absolute, of_absolute;
};

inline constexpr std::array<ExactResult, 14> kExactResults{{
    {"mean", 439, 12, 25, 6},
    {"linear", 431253515461777, 1064328270708978, 63613663, 138412098},
    {"elm", 23340249, 873842, 4895, 1322},
    {"elm, linear nodes", 95, 384, 19, 48},
    {"elm, in steps", 23340249, 873842, 4895, 1322},
    {"rvfl", 922427444849, 2333331390258, 2844847, 6480738},
    {"bls", 95, 384, 19, 48},
    {"kernel", 1979, 60, 17, 5},
    {"stack", 43419869, 56349728, 18925, 31848},
    {"dec", 45913, 1250, 209, 50},
    {"dec, minimum norm", 439, 12, 25, 6},
    {"s3elm", 23340249, 873842, 4895, 1322},
    {"s3elm, pruned", 242281, 9075, 611, 165},
    {"rls", 0, 1, 0, 1},
}};
// clang-format on

}  // namespace elmx
