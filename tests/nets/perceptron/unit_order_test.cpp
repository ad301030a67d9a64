#include <gtest/gtest.h>

#include "nets/perceptron/decomposition.hpp"
#include "nets/perceptron/schemes.hpp"
#include "nets/trainings.hpp"
#include "support/status.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

constexpr uword kUnits = 5;

class OrderOfUnits : public testing::TestWithParam<std::string> {
 protected:
  const Net net = random_net(80, 4, kUnits, 2, 7);

  Decomposition training(std::uint64_t seed = 1) const {
    DecompositionOptions options;
    options.order = unit_order_from(GetParam());
    options.rng = Rng(seed, Purpose::order);
    Decomposition begun = training_of(net, "dec", options);
    EXPECT_EQ(begun.major_step(), Status::ok);  // the full minimisation before the first sweep
    return begun;
  }

  /// The units whose weights each step of one sweep changes, and the full minimisation behind it.
  static std::vector<uword> swept(Decomposition& training) {
    std::vector<uword> units;
    for (uword i = 0; i < kUnits; ++i) {
      const arma::mat before = training.W();
      EXPECT_EQ(training.block_step(), Status::ok);
      for (uword j = 0; j < kUnits; ++j)
        if (!identical(arma::mat(before.col(j)), arma::mat(training.W().col(j)))) units.push_back(j);
    }
    EXPECT_EQ(training.block_step(), Status::ok);
    return units;
  }

  /// ||dE / dw_j|| of each unit, by differences of the error as it is defined.
  std::vector<double> gradients(const Decomposition& training) const {
    const auto error = [&](const arma::vec& w) {
      return error_by_definition(net, arma::reshape(w, net.X.n_cols, kUnits), training.Lambda());
    };
    const arma::mat gradient =
        arma::reshape(central_differences(error, arma::vectorise(training.W())), net.X.n_cols, kUnits);
    std::vector<double> norms;
    for (uword j = 0; j < kUnits; ++j) norms.push_back(arma::norm(gradient.col(j)));
    return norms;
  }
};

INSTANTIATE_TEST_SUITE_P(Each, OrderOfUnits, testing::ValuesIn(unit_order_names()));

TEST_P(OrderOfUnits, EverySweepTakesEveryUnitOnceAndTheErrorFalls) {
  Decomposition begun = training();
  double before = error_of(net, begun);
  for (int sweep = 0; sweep < 3; ++sweep) {
    std::vector<uword> units = swept(begun);
    std::ranges::sort(units);
    EXPECT_EQ(units, (std::vector<uword>{0, 1, 2, 3, 4}));
    EXPECT_LT(error_of(net, begun), before);
    before = error_of(net, begun);
    expect_caches_are_fresh(net, begun);
  }
}

TEST_P(OrderOfUnits, IsTheOneItsNameSays) {
  Decomposition begun = training();
  const std::vector<uword> up{0, 1, 2, 3, 4}, down{4, 3, 2, 1, 0};
  std::vector<std::vector<uword>> sweeps;
  for (int sweep = 0; sweep < 3; ++sweep) {
    const std::vector<double> norms = gradients(begun);
    sweeps.push_back(swept(begun));
    if (GetParam() != "gradient") continue;
    EXPECT_NE(sweeps.back(), up) << "the case tells nothing";
    for (uword i = 1; i < kUnits; ++i) EXPECT_GE(norms[sweeps.back()[i - 1]], norms[sweeps.back()[i]]);
  }

  const std::map<std::string, std::vector<std::vector<uword>>> fixed{{"given", {up, up, up}},
                                                                     {"alternating", {up, down, up}}};
  if (const auto found = fixed.find(GetParam()); found != fixed.end()) {
    EXPECT_EQ(sweeps, found->second);
  }
  if (GetParam() == "random") {
    EXPECT_TRUE(sweeps[0] != sweeps[1] || sweeps[1] != sweeps[2]) << "drawn anew";
    Decomposition again = training(), other = training(2);
    std::vector<std::vector<uword>> of_another_seed;
    for (int sweep = 0; sweep < 3; ++sweep) {
      EXPECT_EQ(swept(again), sweeps[static_cast<std::size_t>(sweep)]);
      of_another_seed.push_back(swept(other));
    }
    EXPECT_NE(of_another_seed, sweeps);
  }
}

TEST(UnitOrder, UnknownNameIsRefused) {
  EXPECT_NE(thrown<std::logic_error>([] { unit_order_from("shuffled"); }), "");
}

}  // namespace
}  // namespace elmx
