#include <gtest/gtest.h>

#include "models/s3elm/s3elm_by_definition.hpp"

namespace elmx::s3elm_by_definition {
namespace {

class S3elmDefinition : public testing::TestWithParam<Setting> {};

INSTANTIATE_TEST_SUITE_P(
    Each, S3elmDefinition,
    testing::Values(
        Setting{"elm", R"({"elm": {"gamma": [0.25, 16, 1000]}})"},                                            //
        Setting{"elm", R"({"activation": "rbf", "weights": [-1, 1]})"},                                       //
        Setting{"elm", R"({"nodes": 5, "elm": {"gamma": [100, 1]}})"},                                        // n > L
        Setting{"op-elm", "{}"},                                                                              //
        Setting{"op-elm", R"({"op_elm": {"bias": true}})"},                                                   //
        Setting{"op-elm", R"({"activation": "rbf", "weights": [-1, 1], "nodes": 30})"},                       //
        Setting{"selm", R"({"selm": {"lambda": [0.1, 0.9]}, "graph": {"sigma": [8, 1]}})"},                   //
        Setting{"selm", R"({"selm": {"form": "exact", "lambda": [0.1, 0.9]}, "graph": {"sigma": [8, 1]}})"},  //
        Setting{"selm", R"({"graph": {"kind": "knn", "neighbours": 4}})"},                                    //
        Setting{"selm", R"({"graph": {"kind": "sparse_coding"}, "selm": {"lambda": [0.2, 0.5]}})"},           //
        Setting{"selm", R"({"graph": {"normalised": true}, "selm": {"form": "exact"}})"},                     //
        Setting{"s3elm", "{}"},                                                                               //
        Setting{"s3elm", R"({"s3elm": {"mu": [0.9, 0.3]}, "graph": {"sigma": [8, 1]}})"},                     // factor
        Setting{"s3elm", R"({"s3elm": {"mu": [0.9, 0.3, 0.6]}, "graph": {"sigma": [8, 1]}})"},     // spectrum
        Setting{"s3elm", R"({"activation": "rbf", "weights": [-1, 1]})"},                          //
        Setting{"s3elm", R"({"graph": {"kind": "knn", "neighbours": 4, "sigma": [2, 8]}})"},       //
        Setting{"s3elm", R"({"graph": {"kind": "knn", "neighbours": 4, "normalised": true}})"},    //
        Setting{"s3elm", R"({"graph": {"kind": "knn", "neighbours": 1000}})"},                     // of 39 others
        Setting{"s3elm", R"({"graph": {"kind": "sparse_coding"}, "s3elm": {"mu": [0.2, 0.5]}})"},  //
        Setting{"s3elm", R"({"graph": {"normalised": true}})"},                                    //
        Setting{"s3elm", R"({"s3elm": {"tau": 3, "lambda": 0.1, "epsilon": 1e-3}})"},              //
        Setting{"s3elm", R"({"s3elm": {"iterations": 7, "epsilon": 0}})"},                         //
        Setting{"s3elm", R"({"s3elm": {"prune": "none"}})"},                                       //
        Setting{"s3elm", R"({"s3elm": {"prune": "topk", "keep": 5}})"},                            //
        Setting{"s3elm", R"({"s3elm": {"prune": "topk", "keep": 100, "iterations": 5}})"},         //
        Setting{"s3elm", R"({"s3elm": {"start": "padded"}})"},                                     //
        Setting{"s3elm", R"({"s3elm": {"start": "ridge", "start_gamma": 2, "iterations": 6}})"},   //
        Setting{"s3elm", R"({"s3elm": {"weight_solver": "gram"}})"},                               //
        Setting{"s3elm", R"({"s3elm": {"weight_solver": "dual"}})"},                               //
        Setting{"s3elm", R"({"s3elm": {"variant": "hw_equals_y", "mu": [0.2, 0.8]}, "graph": {"sigma": [8, 1]}})"},
        Setting{"s3elm", R"({"s3elm": {"variant": "hw_equals_y"}, "graph": {"kind": "knn", "neighbours": 4}})"},
        Setting{"s3elm", R"({"graph": {"kind": "sparse_coding", "unit_norm": false}})"},
        // neighbours on the unit circle may be a thousandth apart
        Setting{"selm", R"({"graph": {"kind": "sparse_coding", "unit_norm": true}})", 1e-8},
        Setting{"s3elm", R"({"graph": {"kind": "sparse_coding", "unit_norm": true}})", 1e-8}));

TEST_P(S3elmDefinition, EveryPointOfTheGridInItsOrder) {
  const S3elmModelOptions options = model(GetParam().changes);
  Moons moons;
  // Samples with a component -1 or 1 lie on a line with an axis, so that sparsest combinations are not
  // unique.
  if (options.graph.kind == "sparse_coding") moons.scaling = "standard";
  Moons all_labelled = moons, as_many = moons;
  as_many.unlabelled = as_many.unlabelled.head(12);  // as many as test, but others
  all_labelled.label(arma::regspace<arma::uvec>(0, 3, 39));
  all_labelled.unlabelled.reset();
  for (const FoldView& fold :
       {moons.fold(), moons.transductive(), moons.in_one_column(-1, 1), all_labelled.fold(), as_many.fold()}) {
    const Judge judge(options, fold, kRng);
    const auto grid = grid_of(options, GetParam().algorithm);

    const auto points = run(options, fold, GetParam().algorithm);

    ASSERT_EQ(points.size(), grid.size());
    for (std::size_t i = 0; i < grid.size(); ++i) {
      EXPECT_EQ(points[i].parameters, grid[i]) << i;
      EXPECT_EQ(points[i].chosen, "");
      expect_trained(points[i], judge, judge.train(GetParam().algorithm, grid[i], judge.everyone()), fold,
                     GetParam().within);
    }
  }
}

// The judge is tried: neighbours of a point are not taken for it.
TEST(S3elmDefinition, TellsNeighbouringPointsApart) {
  const Moons moons;
  const FoldView fold = moons.fold();
  const S3elmModelOptions options = model();
  const Judge judge(options, fold, kRng);
  for (const auto& [algorithm, parameter] : std::vector<std::pair<std::string, std::string>>{
           {"elm", "gamma"}, {"selm", "lambda"}, {"selm", "sigma"}, {"s3elm", "mu"}, {"s3elm", "sigma"}}) {
    const Checkpoint point = run(options, fold, algorithm).front();
    auto near = point.parameters;
    near.at(parameter) *= 1 + 1e-6;

    const double apart = relative_difference(
        point.test_output, judge.output(judge.train(algorithm, near, judge.everyone()), fold.test.rows));

    EXPECT_GT(apart, 2e-10) << algorithm << " " << parameter;
  }
}

// A sequence of objectives for each of a hundred points is no use; that of the one that counts is.
TEST(S3elmCheckpoint, TraceIsOfASinglePointOrTheChosenOne) {
  const Moons moons;
  const auto points = run(model(R"({"s3elm": {"mu": [0.1, 0.2]}, "cross_validation": 2})"), moons.fold(), "s3elm");
  const auto single = run(model(), moons.fold(), "s3elm");

  ASSERT_EQ(points.size(), 3u);
  EXPECT_TRUE(points[0].trace.empty());
  EXPECT_TRUE(points[1].trace.empty());
  for (const Checkpoint& point : {points[2], single[0]}) {
    const auto& objective = point.trace.at("objective");
    EXPECT_EQ(static_cast<double>(objective.size()), point.diagnostics.at("iterations"));
    EXPECT_EQ(objective.back(), point.diagnostics.at("objective"));
    EXPECT_LE(objective.back(), objective.front());
    EXPECT_LE(point.diagnostics.at("objective_rise"), 1e-6);
  }
  EXPECT_TRUE(run(model(), moons.fold(), "selm")[0].trace.empty());
}

TEST(S3elmCheckpoint, DiagnosticsOfTheOthers) {
  const Moons moons;
  const auto elm = run(model(), moons.fold(), "elm")[0];

  EXPECT_LE(elm.diagnostics.at("backward_error"), tolerance(8, 12));
  EXPECT_EQ(elm.diagnostics.at("nodes_kept"), 12);
  EXPECT_EQ(elm.diagnostics.size(), 2u);
  EXPECT_EQ(run(model(), moons.fold(), "selm")[0].diagnostics, (std::map<std::string, double>{{"nodes_kept", 12}}));
}

TEST(S3elmCheckpoint, TimesAreMeasured) {
  const Moons moons;
  for (const char* algorithm : {"elm", "op-elm", "selm", "s3elm"}) {
    for (const Checkpoint& point : run(model(R"({"elm": {"gamma": [1, 2]}})"), moons.fold(), algorithm)) {
      EXPECT_EQ(point.test_seconds, FakeClock::kTick) << "the fake clock ticks once in it";
      EXPECT_GT(point.total_seconds, 0);
      EXPECT_EQ(point.step.mean, point.total_seconds);
    }
  }
}

// One spectrum for many mu, one factorisation for each of few, conjugate gradients of a sparse graph.
TEST(S3elm, TheThreeWaysToTheResolventAgree) {
  const Moons moons;
  const auto outputs = [&](const char* changes) { return run(model(changes), moons.fold(), "s3elm")[0].test_output; };
  for (const std::string normalised : {"false", "true"}) {
    const std::string graph = R"("sigma": [4], "normalised": )" + normalised;
    const auto with = [&](const std::string& more, const std::string& mu) {
      return outputs((R"({"graph": {)" + graph + more + R"(}, "s3elm": {"mu": )" + mu + "}}").c_str());
    };
    const arma::mat factor = with("", "[0.4]");

    EXPECT_LE(relative_difference(with("", "[0.4, 0.8]"), factor), 1e-10);
    EXPECT_LE(relative_difference(with("", "[0.4, 0.8, 0.1]"), factor), 1e-10);
    EXPECT_LE(relative_difference(with(R"(, "kind": "knn", "neighbours": 39)", "[0.4]"), factor), 1e-10);
    EXPECT_LE(relative_difference(with(R"(, "kind": "knn", "neighbours": 39)", "[0.4, 0.8, 0.1]"), factor), 1e-10);
    EXPECT_GT(relative_difference(with(R"(, "kind": "knn", "neighbours": 38)", "[0.4]"), factor), 1e-10);
  }
}

// The order of the labelled samples is that of the targets, whatever their rows are.
TEST(S3elm, LabelledSamplesMayComeInAnyOrder) {
  Moons moons;
  const auto sorted = moons.fold();
  moons.label({26, 8, 37, 3, 30, 14, 21, 11});
  for (const char* algorithm : {"elm", "op-elm", "selm", "s3elm"}) {
    const Checkpoint one = run(model(), sorted, algorithm)[0], other = run(model(), moons.fold(), algorithm)[0];

    EXPECT_LE(relative_difference(one.test_output, other.test_output), 1e-10) << algorithm;
    EXPECT_GT(relative_difference(one.train_output, other.train_output), 0.01) << algorithm;
  }
}

TEST(S3elm, OfLabelsThatAreAllEqualLearnsThatLabel) {
  Moons moons;
  moons.label({3, 11, 21});  // one class
  for (const char* algorithm : {"elm", "op-elm", "selm", "s3elm"}) {
    const Checkpoint point =
        run(model(R"({"elm": {"gamma": [1000]}, "s3elm": {"lambda": 1e-4}})"), moons.fold(), algorithm)[0];

    ASSERT_EQ(point.status, Status::ok);
    EXPECT_EQ(arma::abs(point.test_output.col(0)).max(), 0) << algorithm << ": the other class";
    EXPECT_NEAR(point.train_output.col(1).min(), 1, 0.1) << algorithm;
  }
}

// A sample that is the only one: no graph, no neighbour.
TEST(S3elm, OneSampleAloneIsLearned) {
  Moons moons;
  moons.label({5});
  moons.unlabelled.reset();
  for (const char* kind : {"heat", "knn", "sparse_coding"}) {
    for (const char* algorithm : {"elm", "selm", "s3elm"}) {
      S3elmModelOptions options = model(R"({"elm": {"gamma": [1e6]}, "s3elm": {"lambda": 1e-6, "prune": "none"}})");
      options.graph.kind = kind;

      const Checkpoint point = run(options, moons.fold(), algorithm)[0];

      ASSERT_EQ(point.status, Status::ok) << algorithm << " " << kind;
      EXPECT_NEAR(point.train_output(0, 1), 1, 1e-2) << algorithm << " " << kind;
      EXPECT_EQ(point.train_output(0, 0), 0) << algorithm << " " << kind;
    }
  }
  EXPECT_EQ(run(model(), moons.fold(), "op-elm")[0].status, Status::too_few_samples);
}

}  // namespace
}  // namespace elmx::s3elm_by_definition
