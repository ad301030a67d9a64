#include <gtest/gtest.h>

#include <map>

#include "models/ridge/ridge_options.hpp"
#include "support/judge.hpp"
#include "support/models.hpp"
#include "support/problem.hpp"
#include "support/ridge_solution.hpp"
#include "support/thrown.hpp"

// Samples and classes that arrive step by step: outputs by singular values of the samples so far, with features
// formed with loops; accuracies counted from the outputs.

namespace elmx::growth_by_samples {
namespace {

constexpr uword kSamples = 150, kTrained = 120, kInputs = 3, kNodes = 12;
constexpr double kLambda = 0.05;
const std::vector<std::string> kAlgorithms = sample_algorithms();

struct Data {
  arma::mat X = normal_matrix(kSamples, kInputs, 3, 1);
  arma::uvec labels = arma::uvec(kSamples);
  arma::mat Y;
  arma::uvec train = arma::regspace<arma::uvec>(0, kTrained - 1),
             test = arma::regspace<arma::uvec>(kTrained, kSamples - 1);
  Scaler as_it_is = Scaler::fit("none", X, train);

  explicit Data(uword classes) : Y(kSamples, classes, arma::fill::value(-1)) {
    for (uword i = 0; i < kSamples; ++i) {
      labels(i) = i % classes;
      X(i, labels(i) % kInputs) += 1.5;
      Y(i, labels(i)) = 1;
    }
  }

  arma::vec sample_weights = {};  // of the training samples

  FoldView fold() const {
    FoldView view{{X, train, as_it_is}, {X, test, as_it_is}, Y.rows(train), {X, {}, as_it_is}};
    view.test_targets = Y.rows(test);
    view.sample_weights = sample_weights;
    return view;
  }
};

/// sigmoid(X W + b): node j with draws j (d + 1) ...
arma::mat features(const arma::mat& X, const Rng& rng) {
  arma::mat H(X.n_rows, kNodes);
  std::uint64_t draw = 0;
  for (uword j = 0; j < kNodes; ++j) {
    arma::vec a(X.n_cols);
    for (double& one : a) one = -1 + 2 * rng.uniform(draw++);
    const double b = rng.uniform(draw++);
    for (uword i = 0; i < X.n_rows; ++i) H(i, j) = 1 / (1 + std::exp(-(arma::dot(X.row(i), a) + b)));
  }
  return H;
}

std::vector<Checkpoint> trained(const Data& data, const Json& growth, const std::string& algorithm, const Rng& rng,
                                double lambda = kLambda, const std::string& reference = "qr") {
  const Json model = {{"family", "elm"},           {"nodes", kNodes},        {"ridge", lambda},
                      {"algorithms", kAlgorithms}, {"reference", reference}, {"growth", growth}};
  FakeClock clock;
  std::vector<Checkpoint> points;
  family_of(model, "/model")
      .prepare({parsed(model)}, data.fold(), rng)
      ->train(algorithm, clock, [&](const Checkpoint& point) { points.push_back(point); });
  return points;
}

TEST(SampleGrowth, EveryStepIsTheSolutionOfItsSamples) {
  const Data data(2);
  const Rng rng(4, Purpose::layer);
  const arma::mat H = features(data.X, rng);
  for (const std::string& algorithm : kAlgorithms) {
    for (const char* order : {"file", "random"}) {
      const std::vector<Checkpoint> points =
          trained(data, {{"samples", {5, 20, 100}}, {"order", order}}, algorithm, rng);
      ASSERT_EQ(points.size(), 3U);
      std::vector<uword> counts{5, 20, 100};
      for (std::size_t i = 0; i < 3; ++i) {
        ASSERT_EQ(points[i].status, Status::ok);
        ASSERT_EQ(points[i].trained.n_elem, counts[i]);
        EXPECT_EQ(points[i].parameters.at("samples"), counts[i]);
        EXPECT_EQ(arma::unique(points[i].trained).eval().n_elem, counts[i]);
        if (std::string(order) == "file") {
          EXPECT_EQ(points[i].trained.max(), counts[i] - 1);
        }
        const arma::mat A = H.rows(points[i].trained), T = data.Y.rows(points[i].trained);
        const RidgeSolution exact = solve_by_svd(A, T, kLambda);
        const double allowed = 100 * tolerance(kTrained, kNodes) * exact.condition;
        EXPECT_LE(relative_difference<double>(points[i].train_output, A * exact.weights), allowed) << algorithm;
        EXPECT_LE(relative_difference<double>(points[i].test_output, H.rows(data.test) * exact.weights), allowed);
        EXPECT_LE(points[i].diagnostics.at("weight_error"), allowed * frobenius(exact.weights));
        EXPECT_LE(points[i].diagnostics.at("backward_error"), tolerance(kTrained, kNodes));
      }
    }
  }
}

TEST(SampleGrowth, SampleWeightsHoldAtEveryStep) {
  Data data(2);
  data.sample_weights.set_size(kTrained);
  for (uword i = 0; i < kTrained; ++i) data.sample_weights(i) = i % 2 == 0 ? 0.25 : 3;
  const Rng rng(4, Purpose::layer);
  const arma::mat H = features(data.X, rng);
  for (const std::string& algorithm : kAlgorithms) {
    for (const Json& growth : {Json{{"samples", {7, 60, kTrained}}}, Json{{"classes", 1}}}) {
      for (const Checkpoint& point : trained(data, growth, algorithm, rng)) {
        ASSERT_EQ(point.status, Status::ok);
        const arma::vec s = arma::sqrt(arma::vec(data.sample_weights.elem(point.trained)));
        arma::mat A = H.rows(point.trained), T = data.Y.rows(point.trained);
        A.each_col() %= s;
        T.each_col() %= s;
        const RidgeSolution exact = solve_by_svd(A, T, kLambda);
        if (growth.contains("samples")) {
          EXPECT_LE(relative_difference<double>(point.test_output, H.rows(data.test) * exact.weights),
                    100 * tolerance(kTrained, kNodes) * exact.condition)
              << algorithm;
        }
        EXPECT_LE(point.diagnostics.at("weight_error"),
                  100 * tolerance(kTrained, kNodes) * exact.condition * frobenius(exact.weights));
      }
    }
  }
}

TEST(SampleGrowth, DoubtfulWeightsAreMarkedWithoutAReference) {
  const Data data(2);
  const Rng rng(4, Purpose::layer);
  const Json growth = {{"samples", {30, 31, 100}}, {"checked", false}};
  for (const std::string& algorithm : kAlgorithms) {
    for (const Checkpoint& point : trained(data, growth, algorithm, rng, kLambda, "none")) {
      EXPECT_EQ(point.notes.count(kWeights), 0U) << algorithm;
      EXPECT_EQ(point.diagnostics.count("condition"), 0U);
    }
  }
  // An update of the inverse at a condition beyond 1 / eps loses all digits.
  const std::vector<Checkpoint> points =
      trained(data, {{"samples", {5, 20, 100}}, {"checked", false}}, "inverse", rng, 1e-12, "none");
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points.back().notes.count(kWeights), 1U);
}

TEST(SampleGrowth, ClassesArriveInGroupsAndAreJudgedByThem) {
  const Data data(5);
  const Rng rng(4, Purpose::layer);
  const arma::mat H = features(data.X, rng);
  const std::vector<Checkpoint> points = trained(data, {{"classes", 2}}, "factor", rng);
  ASSERT_EQ(points.size(), 3U);
  std::map<uword, std::size_t> step_of;  // class -> the step that adds it
  for (std::size_t step = 0; step < 3; ++step) {
    for (const uword i : points[step].trained) step_of.try_emplace(data.labels(data.train(i)), step);
  }
  ASSERT_EQ(step_of.size(), 5U);
  std::vector<std::vector<double>> accuracy(3);
  for (std::size_t step = 0; step < 3; ++step) {
    // all samples of the classes so far, and no others
    uword expected = 0;
    for (const uword i : data.train) expected += step_of.at(data.labels(i)) <= step ? 1 : 0;
    EXPECT_EQ(points[step].trained.n_elem, expected);
    EXPECT_EQ(points[step].parameters.at("classes"), std::min<std::size_t>(2 * step + 2, 5));
    EXPECT_EQ(points[step].nodes, kNodes);
    const arma::mat A = H.rows(points[step].trained), T = data.Y.rows(data.train(points[step].trained));
    const arma::mat Z = H.rows(data.test) * solve_by_svd(A, T, kLambda).weights;
    std::map<std::size_t, std::pair<double, double>> counts;  // right, all
    for (uword i = 0; i < data.test.n_elem; ++i) {
      uword best = 5;
      for (uword j = 0; j < 5; ++j) {
        if (step_of.at(j) <= step && (best == 5 || Z(i, j) > Z(i, best))) best = j;
      }
      EXPECT_EQ(points[step].test_output.row(i).index_max(), best);
      const uword truth = data.labels(data.test(i));
      counts[step_of.at(truth)].second += 1;
      counts[step_of.at(truth)].first += best == truth ? 1 : 0;
    }
    double mean = 0, forgotten = 0;
    for (std::size_t task = 0; task <= step; ++task) {
      accuracy[step].push_back(counts[task].first / counts[task].second);
      mean += accuracy[step][task] / static_cast<double>(step + 1);
      if (task == step) break;
      double before = 0;
      for (std::size_t earlier = task; earlier < step; ++earlier) before = std::max(before, accuracy[earlier][task]);
      forgotten += (before - accuracy[step][task]) / static_cast<double>(step);
    }
    EXPECT_NEAR(points[step].diagnostics.at("average_accuracy"), mean, 1e-12);
    EXPECT_EQ(points[step].diagnostics.contains("forgetting"), step > 0);
    if (step > 0) {
      EXPECT_NEAR(points[step].diagnostics.at("forgetting"), forgotten, 1e-12);
    }
  }
}

TEST(SampleGrowth, MapsAreFittedToTheFirstSamplesOnly) {
  const Rng rng(4, Purpose::layer);
  for (const Json& model :
       {Json{{"family", "bls"}, {"features", {{"groups", 2}, {"nodes", 3}}}, {"enhancement", {{"nodes", 5}}}},
        Json{{"family", "rvfl"}, {"nodes", 6}, {"draw", "landmarks"}}}) {
    Data data(2);
    const auto outputs = [&] {
      Json one = model;
      one["algorithms"] = {"gram"};
      one["growth"] = {{"samples", {40, 100}}, {"order", "file"}};
      FakeClock clock;
      std::vector<arma::mat> all;
      family_of(one, "/model")
          .prepare({parsed(one)}, data.fold(), rng)
          ->train("gram", clock, [&](const Checkpoint& point) { all.push_back(point.test_output); });
      return all;
    };
    const std::vector<arma::mat> before = outputs();
    data.X.rows(40, 119) = arma::exp(data.X.rows(40, 119));  // later samples
    const std::vector<arma::mat> after = outputs();
    EXPECT_EQ(relative_difference(before[0], after[0]), 0);
    EXPECT_GT(relative_difference(before[1], after[1]), 1e-6);
  }
}

TEST(SampleGrowth, WrongSchedulesAreRefused) {
  const auto place_of = [](Json changes) {
    Json model = {{"family", "elm"}, {"nodes", 5}};
    model.merge_patch(changes);
    try {
      (void)parsed(model);
    } catch (const ConfigError& error) {
      return error.place();
    }
    return std::string("none");
  };
  EXPECT_EQ(place_of({{"growth", {{"samples", {10, 20}}}}}), "none");
  EXPECT_EQ(place_of({{"growth", {{"samples", {20, 10}}}}}), "/model/growth/samples");
  EXPECT_EQ(place_of({{"growth", {{"samples", {0, 10}}}}}), "/model/growth/samples/0");
  EXPECT_EQ(place_of({{"growth", {{"samples", {10}}, {"classes", 2}}}}), "/model/growth/classes");
  EXPECT_EQ(place_of({{"growth", {{"checked", false}}}}), "/model/growth/checked");
  EXPECT_EQ(place_of({{"growth", {{"classes", 2}}}, {"precision", "mixed"}}), "/model/precision");
  EXPECT_EQ(place_of({{"growth", {{"classes", 2}}}, {"ridge", "auto"}}), "/model/ridge");
  EXPECT_EQ(place_of({{"growth", {{"classes", 2}}}, {"algorithms", {"panel"}}}), "/model/algorithms");
  EXPECT_EQ(place_of({{"algorithms", {"os-elm"}}}), "/model/algorithms");
  EXPECT_EQ(
      place_of(
          {{"family", "bls"}, {"nodes", nullptr}, {"growth", {{"samples", {10}}, {"updates", 1}, {"enhancement", 5}}}}),
      "/model/growth/updates");
}

TEST(SampleGrowth, SchedulesThatTheDataCannotFillAreRefused) {
  const Data data(3);
  const Rng rng(4, Purpose::layer);
  EXPECT_THROW(trained(data, {{"samples", {10, 121}}}, "gram", rng), ConfigError);
  EXPECT_THROW(trained(data, {{"classes", 3}}, "gram", rng), ConfigError);
  Data regression(3);
  regression.Y = normal_matrix(kSamples, 3, 1);
  EXPECT_THROW(trained(regression, {{"classes", 1}}, "gram", rng), ConfigError);
  Data two(2);
  two.Y = normal_matrix(kSamples, 2, 1);
  EXPECT_THROW(trained(two, {{"classes", 1}}, "gram", rng), ConfigError);
}

}  // namespace
}  // namespace elmx::growth_by_samples
