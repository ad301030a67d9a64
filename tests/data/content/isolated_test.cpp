#include "data/content/isolated.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "base/error.hpp"
#include "data/test_files.hpp"

namespace elmx {
namespace {

std::string refusal_of(const std::function<arma::mat()>& make) {
  return message_of<DataError>([&] { isolated(make, "f.mat", 1); });
}

TEST(Isolated, PassesAMatrixOfAnySize) {
  const arma::mat small{{1, 2, 3}, {4, 5, 6}};
  EXPECT_TRUE(arma::approx_equal(isolated([&] { return small; }, "f.mat", 1), small, "absdiff", 0));
  const arma::mat large(1000, 777, arma::fill::randu);  // many times what a pipe holds
  EXPECT_TRUE(arma::approx_equal(isolated([&] { return large; }, "f.mat", 1), large, "absdiff", 0));
}

TEST(Isolated, PassesARefusal) {
  EXPECT_EQ(refusal_of([]() -> arma::mat { throw DataError("f.mat: is no file; one is allowed"); }),
            "f.mat: is no file; one is allowed");
}

TEST(Isolated, RefusesWhatEndsTheChild) {
  const std::string fails = "f.mat: the library that reads it fails on it; a complete MAT-file is allowed";
  EXPECT_EQ(refusal_of([]() -> arma::mat {
              std::raise(SIGKILL);
              return {};
            }),
            fails);
  EXPECT_EQ(refusal_of([]() -> arma::mat { std::abort(); }), fails);
  EXPECT_EQ(refusal_of([]() -> arma::mat { std::_Exit(0); }), fails);
}

TEST(Isolated, RefusesWhatDoesNotComeToAnEnd) {
  volatile bool forever = true;
  EXPECT_EQ(refusal_of([&]() -> arma::mat {
              while (forever) {
              }
              return {};
            }),
            "f.mat: the library that reads it fails on it; a complete MAT-file is allowed");
}

}  // namespace
}  // namespace elmx
