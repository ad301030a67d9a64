#include "data/content/child_process.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "base/error.hpp"
#include "data/test_files.hpp"

namespace elmx {
namespace {

std::string place_of_isolated(const std::function<arma::mat()>& make) {
  return place_thrown<DataError>([&] { isolated(make, "f.mat", 1); });
}

TEST(Isolated, PassesAMatrixOfAnySize) {
  const arma::mat small{{1, 2, 3}, {4, 5, 6}};
  EXPECT_TRUE(arma::approx_equal(isolated<arma::mat>([&] { return small; }, "f.mat", 1), small, "absdiff", 0));
  const arma::mat large(1000, 777, arma::fill::randu);  // many times what a pipe holds
  EXPECT_TRUE(arma::approx_equal(isolated<arma::mat>([&] { return large; }, "f.mat", 1), large, "absdiff", 0));
}

TEST(Isolated, PassesARefusal) {
  try {
    isolated<arma::mat>([]() -> arma::mat { throw DataError("f.mat: x", "y: z"); }, "f.mat", 1);
    FAIL() << "no error";
  } catch (const DataError& error) {
    EXPECT_EQ(error.place(), "f.mat: x");
    EXPECT_EQ(error.problem(), "y: z");
  }
}

TEST(Isolated, PassesBytesOfAnySize) {
  for (const std::size_t size : {0, 1, 1 << 20}) {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i % 251);
    EXPECT_EQ(isolated<std::string>([&] { return bytes; }, "f.xz", 1), bytes);
  }
}

TEST(Isolated, KeepsTheKindOfARefusal) {
  const auto refuse = []() -> std::string { throw ConfigError("/data", "too large"); };
  EXPECT_EQ(place_thrown<ConfigError>([&] { isolated<std::string>(refuse, "f.xz", 1); }), "/data");
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
