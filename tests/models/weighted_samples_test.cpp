#include <gtest/gtest.h>

#include <map>

#include "models/registry/registry.hpp"
#include "models/ridge/expansion.hpp"
#include "support/growing.hpp"
#include "support/judge.hpp"
#include "support/models.hpp"
#include "support/problem.hpp"

// Sample weights and leave-one-out errors of the families that solve the ridge problem: a weight of m is a
// sample that stands m times, and what is said of a sample that is left out is what a network trained without
// it does.

namespace elmx {
namespace {

struct Samples {
  arma::mat X, Y;
};

Samples make_data(uword n, uword inputs, uword outputs) {
  return {normal_matrix(n, inputs, 3), normal_matrix(n, outputs, 4)};
}

FoldView fold_of(const Samples& data, const arma::uvec& train, const arma::uvec& test, const arma::vec& weights = {}) {
  const Scaler none = Scaler::fit("none", data.X, train);
  FoldView fold{{data.X, train, none}, {data.X, test, none}, data.Y.rows(train), {data.X, {}, none}};
  fold.sample_weights = weights;
  return fold;
}

/// The last checkpoint of every algorithm.
std::map<std::string, Checkpoint> trained(const Json& model, FoldView fold) {
  const ModelPtr model_read = parsed(model);
  const auto trainer = family_of(model, "/model").prepare({model_read}, std::move(fold), Rng(1, Purpose::layer));
  std::map<std::string, Checkpoint> last;
  FakeClock clock;
  for (const std::string& name : model_read->algorithms) {
    trainer->train(name, clock, [&](const Checkpoint& point) {
      EXPECT_EQ(point.status, Status::ok) << name;
      last[name] = point;
    });
  }
  return last;
}

const char* const kElm =
    R"({"family": "elm", "algorithms": ["standard", "existing", "alg1", "alg2", "alg3", "panel"], "reference": "qr", "ridge": 0.05, "nodes": {"start": 3, "stop": 12}, "leave_one_out": true})";
const char* const kStored =
    R"({"family": "bls", "ridge": 0.05, "standardise": false, "reference": "qr", "leave_one_out": true,
  "algorithms": ["chol-1", "chol-2", "r-inv", "d-rdg", "auto"], "features": {"groups": 1, "nodes": 4, "sparse_coding": false},
  "enhancement": {"nodes": 6}, "growth": {"updates": 1, "enhancement": 3}, "expanded_input": "stored"})";

Json model_of(const std::string& text) {
  Json model = Json::parse(text == "streamed" ? kStored : text == "stored" ? kStored : kElm);
  if (text == "streamed") model["expanded_input"] = "streamed";
  return model;
}

class WeightedSamples : public testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  WeightedSamples() {
    model["precision"] = std::get<1>(GetParam());
    if (model["precision"] != "mixed") return;
    Json algorithms = Json::array();
    for (const Json& name : model["algorithms"]) {
      if (ridge_algorithm(name.get<std::string>()).factor) algorithms.push_back(name);
    }
    model["algorithms"] = algorithms;
  }
  /// Of the nodes: their outputs are rounded after they were scaled.
  bool single() const { return model["precision"] != "double"; }
  double tolerance_of(double condition) const { return 1000 * condition * (single() ? 1.2e-7 : 2.2e-16); }

  Json model = model_of(std::get<0>(GetParam()));
};

INSTANTIATE_TEST_SUITE_P(Each, WeightedSamples,
                         testing::Combine(testing::Values("elm", "stored", "streamed"),
                                          testing::Values("double", "single", "mixed")),
                         [](const auto& one) { return std::get<0>(one.param) + "_" + std::get<1>(one.param); });

TEST_P(WeightedSamples, OfWholeNumbersAreSamplesThatStandSoOften) {
  const uword n = 30;
  const Samples data = make_data(n + 5, 3, 2);
  arma::vec weights(n, arma::fill::ones);
  arma::uvec often = arma::regspace<arma::uvec>(0, n - 1), repeated = often;
  const arma::uvec test = arma::regspace<arma::uvec>(n, n + 4);
  for (const uword i : {2u, 7u, 8u, 19u}) {
    weights(i) = 3;
    repeated = arma::join_cols(repeated, arma::uvec{i, i});
  }
  const auto weighted = trained(model, fold_of(data, often, test, weights)),
             many = trained(model, fold_of(data, repeated, test)), plain = trained(model, fold_of(data, often, test));

  for (const auto& [name, point] : weighted) {
    const Checkpoint& same = many.at(name);
    const double tolerance = tolerance_of(same.diagnostics.at("condition"));
    EXPECT_LE(relative_difference(point.test_output, same.test_output), tolerance) << name;
    EXPECT_LE(relative_difference(point.train_output, arma::mat(same.train_output.head_rows(n))), tolerance)
        << name << ": of the samples themselves";
    EXPECT_GT(relative_difference(plain.at(name).test_output, same.test_output), 0.01)
        << name << ": weights make a difference";
    EXPECT_NEAR(arma::accu(point.leverages.h), arma::accu(same.leverages.h), 100 * tolerance) << name;
    EXPECT_LE(point.diagnostics.at("backward_error"),
              1e3 * (single() ? 1.2e-7 : 2.2e-16) * same.diagnostics.at("condition"))
        << name;
    EXPECT_LE(point.diagnostics.at("output_error_train"), 100 * tolerance)
        << name << ": the reference solves the weighted problem too";
    for (uword i = 0; i < n; ++i) {
      EXPECT_NEAR(point.leverages.h(i), weights(i) * same.leverages.h(i), 100 * tolerance)
          << name << ": that of all its copies";
    }
  }
}

TEST_P(WeightedSamples, OfOneAreNoWeights) {
  const Samples data = make_data(25, 3, 1);
  const arma::uvec train = arma::regspace<arma::uvec>(0, 19), test = arma::regspace<arma::uvec>(20, 24);
  const auto weighted = trained(model, fold_of(data, train, test, arma::ones(20))),
             plain = trained(model, fold_of(data, train, test));
  for (const auto& [name, point] : plain) {
    EXPECT_TRUE(arma::approx_equal(point.test_output, weighted.at(name).test_output, "absdiff", 0)) << name;
    EXPECT_TRUE(arma::approx_equal(point.leverages.h, weighted.at(name).leverages.h, "absdiff", 0)) << name;
  }
}

TEST(ScaledRows, AreThoseOfTheMatrixInEveryBlock) {
  const arma::mat A = normal_matrix(11, 3, 2);
  const arma::vec weights = 0.5 + arma::abs(normal_matrix(11, 1, 8).as_col());
  const RowScale<double> scale(weights);
  const ScaledRows<double> scaled(std::make_unique<InBlocks<double>>(A, 4), scale);
  arma::mat seen(11, 2);
  scaled.for_each_block(
      2, [&](uword first, View<const double> block) { seen.rows(first, first + block.rows - 1) = block.copy(); });

  EXPECT_LE(relative_difference(seen, arma::mat(arma::diagmat(arma::sqrt(weights)) * A.head_cols(2))), 1e-15);
  EXPECT_LE(relative_difference(scale.undo(seen), arma::mat(A.head_cols(2))), 1e-15);
  EXPECT_TRUE(RowScale<double>(arma::vec()).none());
}

// A random layer does not depend on the samples: the network without a sample has the same nodes.
TEST(LeaveOneOut, ErrorsAreThoseOfNetworksTrainedWithoutTheSample) {
  const uword n = 24;
  const Samples data = make_data(n, 3, 2);
  const arma::uvec all = arma::regspace<arma::uvec>(0, n - 1);
  const arma::vec some = 0.5 + arma::abs(normal_matrix(n, 1, 9).as_col());
  for (const double ridge : {1e-3, 0.1, 10.0}) {
    for (const arma::vec& weights : {arma::vec(), some}) {
      Json model = Json::parse(kElm);
      model["ridge"] = ridge;
      const auto full = trained(model, fold_of(data, all, all, weights));
      for (uword i = 0; i < n; ++i) {
        arma::uvec rest = all;
        rest.shed_row(i);
        arma::vec of_rest = weights;
        if (!of_rest.is_empty()) of_rest.shed_row(i);
        model["algorithms"] = {"standard"};
        model["leave_one_out"] = false;
        const Checkpoint without = trained(model, fold_of(data, rest, {i}, of_rest)).at("standard");
        const arma::rowvec exact = data.Y.row(i) - without.test_output;
        for (const auto& [name, point] : full) {
          const arma::rowvec error = (data.Y.row(i) - point.train_output.row(i)) / (1 - point.leverages.h(i));
          EXPECT_LE(arma::norm(error - exact), 1e-13 * point.diagnostics.at("condition") * arma::norm(exact) + 1e-12)
              << name << " " << ridge << " sample " << i;
        }
      }
    }
  }
}

TEST(LeaveOneOut, IsNotSaidOfTheGeneralisedInverseNorUnasked) {
  const Samples data = make_data(30, 3, 1);
  const arma::uvec train = arma::regspace<arma::uvec>(0, 19), test = arma::regspace<arma::uvec>(20, 29);
  Json model = Json::parse(kStored);
  model["algorithms"] = {"orig", "exg-e", "d-rdg"};
  const auto asked = trained(model, fold_of(data, train, test));
  model.erase("leave_one_out");
  const auto unasked = trained(model, fold_of(data, train, test));

  EXPECT_TRUE(asked.at("orig").leverages.h.is_empty());
  EXPECT_TRUE(asked.at("exg-e").leverages.h.is_empty());
  EXPECT_EQ(asked.at("d-rdg").leverages.h.n_elem, 20u);
  EXPECT_TRUE(unasked.at("d-rdg").leverages.h.is_empty());
}

// d-rdg keeps one factor for all ridge parameters of a sweep.
TEST(LeaveOneOut, OfASweepAreThoseOfSeparateRuns) {
  const Samples data = make_data(30, 3, 1);
  const arma::uvec train = arma::regspace<arma::uvec>(0, 19), test = arma::regspace<arma::uvec>(20, 29);
  std::vector<ModelPtr> models;
  for (const double ridge : {1e-3, 1.0}) {
    Json model = Json::parse(kStored);
    model["ridge"] = ridge;
    models.push_back(parsed(model));
  }
  const auto trainer =
      family_of(models[0]->json(), "/model").prepare(models, fold_of(data, train, test), Rng(1, Purpose::layer));
  FakeClock clock;
  for (const std::string& name : models[0]->algorithms) {
    std::vector<Checkpoint> last(2);
    trainer->train(name, clock, [&](const Checkpoint& point) { last[point.point] = point; });
    for (const std::size_t i : {0u, 1u}) {
      const Checkpoint alone = trained(models[i]->json(), fold_of(data, train, test)).at(name);
      EXPECT_TRUE(arma::approx_equal(last[i].leverages.h, alone.leverages.h, "absdiff", 0)) << name << " " << i;
    }
  }
}

}  // namespace
}  // namespace elmx
