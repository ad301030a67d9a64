#include "models/ridge/updatable_network.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/registry/registry.hpp"
#include "support/judge.hpp"
#include "support/models.hpp"
#include "support/problem.hpp"
#include "support/thrown.hpp"

// Networks whose samples come and go, against a QR solution on the resulting samples with the same map.

namespace elmx {
namespace {

struct UpdatableCase {
  const char* name;
  const char* algorithm;
  const char* model;
};

void PrintTo(const UpdatableCase& one, std::ostream* out) { *out << one.name; }

constexpr double kRidge = 0.1;

class UpdatableNetworkTest : public testing::TestWithParam<UpdatableCase> {
 protected:
  static constexpr uword kSamples = 160, kOld = 110;  // the samples from kOld on have a third class

  Inputs part(const arma::uvec& rows) const { return {X_, rows, scaler_}; }

  /// Targets 1 of the class of a sample, and -1 of the others.
  arma::mat targets(const arma::uvec& rows, uword classes) const {
    arma::mat Y(rows.n_elem, classes, arma::fill::value(-1));
    for (uword i = 0; i < rows.n_elem; ++i) Y(i, rows(i) < kOld ? rows(i) % 2 : rows(i) % 3) = 1;
    return Y;
  }
  arma::vec weights(const arma::uvec& rows) const { return weights_.elem(rows); }

  TrainedNetwork trained(const arma::uvec& rows) const {
    FoldView fold{part(rows), part({0}), targets(rows, 2), part({})};
    fold.sample_weights = weights(rows);
    fold.updatable = true;
    return last_network(given_, std::move(fold), GetParam().algorithm);
  }

  /// The weights of the map of a network on some samples, by the QR decomposition of [S A; sqrt(lambda) I].
  arma::mat by_qr(const TrainedNetwork& network, const arma::uvec& rows, const arma::mat& Y) const {
    const uword k = network.matrix<double>("output_weights").n_rows;
    arma::mat A(rows.n_elem, k), scaled = Y, Q, R;
    restore_map<double>(network, 3).outputs(part(rows), 0, View<double>(A));
    A.each_col() %= arma::sqrt(weights(rows));
    scaled.each_col() %= arma::sqrt(weights(rows));
    arma::qr_econ(Q, R, arma::mat(arma::join_cols(A, std::sqrt(kRidge) * arma::mat(k, k, arma::fill::eye))));
    return arma::solve(arma::trimatu(R), Q.head_rows(rows.n_elem).t() * scaled);
  }

  arma::mat X_ = normal_matrix(kSamples, 3, 3);
  arma::vec weights_ = 0.5 + arma::square(normal_matrix(kSamples, 1, 5));
  Scaler scaler_ = Scaler::fit("none", X_, arma::regspace<arma::uvec>(0, kSamples - 1));
  Json given_ = Json::parse(GetParam().model);
  ModelPtr model_ = parsed(given_);
};

INSTANTIATE_TEST_SUITE_P(
    Each, UpdatableNetworkTest,
    testing::Values(
        UpdatableCase{"elm", "panel", R"({"family": "elm", "ridge": 0.1, "nodes": {"start": 2, "stop": 30}})"},
        UpdatableCase{"elm_by_nodes", "existing",
                      R"({"family": "elm", "ridge": 0.1, "nodes": {"start": 2, "stop": 12}})"},
        UpdatableCase{"streamed", "standard",
                      R"({"family": "elm", "ridge": 0.1, "nodes": 30, "expanded_input": "streamed"})"},
        UpdatableCase{"fourier", "standard",
                      R"({"family": "elm", "ridge": 0.1, "nodes": 30, "activation": "fourier"})"},
        UpdatableCase{"landmarks", "standard", R"({"family": "elm", "ridge": 0.1, "nodes": 20, "draw": "landmarks"})"},
        UpdatableCase{"rvfl", "chol-1", R"({"family": "rvfl", "ridge": 0.1, "nodes": 9, "layers": 2})"},
        UpdatableCase{"bls", "chol-2",
                      R"({"family": "bls", "ridge": 0.1, "features": {"groups": 2, "nodes": 3},
                          "enhancement": {"nodes": 5}, "growth": {"updates": 1, "enhancement": 4}})"},
        UpdatableCase{"linear", "standard", R"({"family": "linear", "ridge": 0.1})"}),
    [](const auto& test) { return test.param.name; });

TEST_P(UpdatableNetworkTest, EqualsTheSolutionOnTheResultingSamples) {
  const arma::uvec order = arma::conv_to<arma::uvec>::from(Rng(6, Purpose::synthetic).permutation(kOld));
  arma::uvec rows = order.head(60), others = order.tail(kOld - 60);
  uword classes = 2;
  TrainedNetwork network = trained(rows);
  double rounding = 1;
  const auto judge = [&] {
    EXPECT_LT(
        relative_difference(network.matrix<double>("output_weights"), by_qr(network, rows, targets(rows, classes))),
        1e-8)
        << rows.n_elem;
  };
  /// Moves the first `count` samples of one list to the end of the other.
  const auto change = [&](uword count, Change how) {
    arma::uvec& from = how == Change::add ? others : rows;
    arma::uvec& to = how == Change::add ? rows : others;
    const arma::uvec moved = from.head(count);
    from = from.tail(from.n_elem - count);
    to = arma::join_cols(to, moved);
    UpdatableNetwork updatable(network, {3, classes});
    updatable.change(part(moved), targets(moved, classes), weights(moved), how);
    ASSERT_EQ(updatable.solve(network, rounding), Status::ok);
    EXPECT_LT(rounding, 1e-8);
    judge();
  };
  judge();
  const Rng draw(7, Purpose::synthetic);
  for (std::uint64_t step = 0; step < 12; ++step) {
    const Change how = draw.uniform(2 * step) < 0.5 && rows.n_elem > 40 ? Change::remove : Change::add;
    const uword most = std::min<uword>(how == Change::add ? others.n_elem : rows.n_elem - 30, 25);
    if (most > 0) change(1 + static_cast<uword>(draw.uniform(2 * step + 1) * static_cast<double>(most - 1)), how);
  }
  UpdatableNetwork updatable(network, {3, classes});
  updatable.add_outputs(1, -1);
  ASSERT_EQ(updatable.solve(network, rounding), Status::ok);
  classes = 3;
  judge();
  others = arma::join_cols(arma::regspace<arma::uvec>(kOld, kSamples - 1), others);
  change(kSamples - kOld, Change::add);
  change(rows.n_elem / 2, Change::remove);
  change(others.n_elem, Change::add);
}

TEST_P(UpdatableNetworkTest, RoundingBoundsTheErrorOfLargeRowsThatLeft) {
  const arma::uvec rows = arma::regspace<arma::uvec>(0, 59);
  const TrainedNetwork before = trained(rows);
  for (const double factor : {1e2, 1e5, 1e8}) {
    TrainedNetwork network = before;
    for (const Change how : {Change::add, Change::remove}) {
      UpdatableNetwork updatable(network, {3, 2});
      updatable.change(part({70}), factor * targets({70}, 2), weights({70}), how);
      double rounding = 0;
      ASSERT_EQ(updatable.solve(network, rounding), Status::ok);
      if (how == Change::add) continue;
      const double error =
          relative_difference(network.matrix<double>("output_weights"), by_qr(network, rows, targets(rows, 2)));
      EXPECT_LE(error, std::max(rounding, 1e-8)) << factor;
      EXPECT_GE(updatable.shrinkage(), factor / 1e3);
    }
  }
}

TEST_P(UpdatableNetworkTest, RefusesSumsThatDoNotFit) {
  const TrainedNetwork whole = trained(arma::regspace<arma::uvec>(0, 59));
  for (const std::string name : {"update_gram", "update_cross", "update_ridge", "update_peaks", "output_weights"}) {
    TrainedNetwork lacking = whole, other = whole;
    lacking.matrices.erase(name);
    EXPECT_NE(thrown<DataError>([&] { UpdatableNetwork(lacking, {3, 2}); }), "") << name;
    other.matrices[name] = arma::mat(2, 7, arma::fill::ones);
    EXPECT_NE(thrown<DataError>([&] { UpdatableNetwork(other, {3, 2}); }), "") << name;
  }
  TrainedNetwork negative = whole;
  negative.matrices["update_ridge"] = arma::mat{-1.0};
  EXPECT_NE(thrown<DataError>([&] { UpdatableNetwork(negative, {3, 2}); }), "");
}

}  // namespace
}  // namespace elmx
