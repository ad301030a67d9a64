#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "base/error.hpp"
#include "data/arrays/hdf5_library.hpp"
#include "data/test_files.hpp"

namespace elmx {
namespace {

std::string place_of_isolated(const std::function<arma::mat()>& make) {
  return place_thrown<DataError>([&] { isolated(make, "f.mat", 1); });
}

TEST(Isolated, PassesAMatrixOfAnySize) {
  const arma::mat small{{1, 2, 3}, {4, 5, 6}};
  EXPECT_TRUE(arma::approx_equal(isolated([&] { return small; }, "f.mat", 1), small, "absdiff", 0));
  const arma::mat large(1000, 777, arma::fill::randu);  // many times what a pipe holds
  EXPECT_TRUE(arma::approx_equal(isolated([&] { return large; }, "f.mat", 1), large, "absdiff", 0));
}

TEST(Isolated, PassesARefusal) {
  try {
    isolated([]() -> arma::mat { throw DataError("f.mat: x", "y: z"); }, "f.mat", 1);
    FAIL() << "no error";
  } catch (const DataError& error) {
    EXPECT_EQ(error.place(), "f.mat: x");
    EXPECT_EQ(error.problem(), "y: z");
  }
}

TEST(Isolated, RefusesWhatEndsTheChild) {
  EXPECT_EQ(place_of_isolated([]() -> arma::mat {
              std::raise(SIGKILL);
              return {};
            }),
            "f.mat");
  EXPECT_EQ(place_of_isolated([]() -> arma::mat { std::abort(); }), "f.mat");
  EXPECT_EQ(place_of_isolated([]() -> arma::mat { std::_Exit(0); }), "f.mat");
}

TEST(Isolated, RefusesWhatDoesNotComeToAnEnd) {
  volatile bool forever = true;
  EXPECT_EQ(place_of_isolated([&]() -> arma::mat {
              while (forever) {
              }
              return {};
            }),
            "f.mat");
}

}  // namespace
}  // namespace elmx
