#include "models/ridge/node_draw_options.hpp"

#include <gtest/gtest.h>

#include "models/elm/elm.hpp"
#include "models/rvfl/rvfl.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/memory.hpp"
#include "support/models.hpp"
#include "support/problem.hpp"
#include "support/refusal.hpp"
#include "support/ridge_solution.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

constexpr uword kTrainSamples = 50, kTestSamples = 30, kDrawInputs = 4, kDrawNodes = 12;

/// The place that a refused "model" of this family is refused at; "" where it is allowed.
template <class Options>
std::string refused_place(const std::string& config) {
  return place_thrown<ConfigError>([&] { read_model<Options>(config); });
}

TEST(NodeDrawOptions, RefuseWhatDoesNotFit) {
  const auto elm = refused_place<ElmOptions>;
  const auto rvfl = refused_place<RvflOptions>;
  EXPECT_EQ(elm(R"({"draw": "pair"})"), "/model/draw");
  for (const std::string draw : {"pairs", "sparse"}) {
    const std::string with = "{\"draw\": \"" + draw + "\", ";
    EXPECT_EQ(elm(with + R"("activation": "rbf"})"), "/model/draw");
    EXPECT_EQ(elm(with + R"("activation": "fourier"})"), "/model/draw");
    EXPECT_EQ(elm(with + R"("weights": [-2, 2]})"), "/model/weights");
    EXPECT_EQ(rvfl(with + R"("biases": [-2, 2]})"), "/model/biases");
    EXPECT_EQ(elm(with + R"("length": 2})"), "/model/length");
    EXPECT_EQ(elm(with + R"("weight_scale": 0})"), "/model/weight_scale");
    EXPECT_EQ(elm(with + R"("weight_scale": 2, "activation": "relu", "learn_metric": 2})"), "");
  }
  EXPECT_EQ(elm(R"({"draw": "landmarks", "kernel": "gauss"})"), "/model/kernel");
  for (const std::string key : {"activation", "weights", "learn_metric", "weight_scale", "gamma"}) {
    const std::string value = key == "activation" ? "\"tanh\"" : key == "weights" ? "[-2, 2]" : "2";
    EXPECT_EQ(elm("{\"draw\": \"landmarks\", \"" + key + "\": " + value + "}"), "/model/" + key);
  }
  EXPECT_EQ(elm(R"({"draw": "landmarks", "precision": "mixed"})"), "/model/precision");
  EXPECT_EQ(elm(R"({"draw": "landmarks", "precision": "auto", "kernel": "gaussian", "length": 2})"), "");
  EXPECT_EQ(rvfl(R"({"layers": 2, "draw": "landmarks"})"), "/model/layers");
  EXPECT_EQ(elm(R"({"kernel": "gaussian"})"), "/model/kernel");
  EXPECT_EQ(elm(R"({"weight_scale": 2})"), "/model/weight_scale");
  EXPECT_EQ(elm(R"({"learn_metric": 1, "activation": "rbf"})"), "/model/learn_metric");
  EXPECT_EQ(rvfl(R"({"learn_metric": 1, "activation": "hardlim"})"), "/model/learn_metric");
  EXPECT_EQ(elm(R"({"learn_metric": 1, "activation": "fourier", "gamma": 2})"), "");
  EXPECT_EQ(rvfl(R"({"layers": 2, "draw": "pairs"})"), "/model/layers");
  EXPECT_EQ(rvfl(R"({"layers": 2, "learn_metric": 1})"), "/model/layers");
  EXPECT_EQ(rvfl(R"({"layers": 2, "draw": "sparse"})"), "");
}

TEST(NodeDrawOptions, AreNoPartOfConfigsWithoutThem) {
  for (const std::string key : {"draw", "weight_scale", "learn_metric", "kernel", "length"}) {
    EXPECT_FALSE(write_options(ElmOptions()).contains(key));
    EXPECT_FALSE(write_options(RvflOptions()).contains(key));
  }
}

TEST(NodeDrawOptions, AMetricIsLearntByOneRank) {
  EXPECT_EQ(parsed({{"learn_metric", 2}})->needs_one_rank()->place(), "/model/learn_metric");
  EXPECT_FALSE(parsed({{"learn_metric", 0}, {"draw", "pairs"}})->needs_one_rank());
}

struct DrawnData {
  arma::mat X = normal_matrix(kTrainSamples + kTestSamples, kDrawInputs, 3, 1),
            Y = arma::sin(X.cols(0, 1)) + X.cols(1, 2);
  arma::uvec train = arma::regspace<arma::uvec>(0, 1, kTrainSamples - 1),
             test = arma::regspace<arma::uvec>(kTrainSamples, 1, kTrainSamples + kTestSamples - 1);
  Scaler scaler = Scaler::fit("standard", X, train);

  FoldView fold() const { return {{X, train, scaler}, {X, test, scaler}, Y.rows(train), {X, {}, scaler}}; }
};

const Rng kRandom(5, Purpose::layer);

arma::mat test_output(const DrawnData& data, const Json& model) {
  FakeClock clock;
  arma::mat output;
  family_of(model, "/model")
      .prepare({parsed(model)}, data.fold(), kRandom)
      ->train("standard", clock, [&](const Checkpoint& point) {
        EXPECT_EQ(point.status, Status::ok);
        output = point.test_output;
      });
  return output;
}

Json elm_model(const Json& changes) {
  Json model = {{"family", "elm"},
                {"algorithms", {"standard"}},
                {"ridge", 0.1},
                {"activation", "tanh"},
                {"nodes", {{"start", 2}, {"stop", kDrawNodes}, {"report", {kDrawNodes}}}}};
  model.merge_patch(changes);
  return model;
}

TEST(NodeDrawOptions, UniformIsWhatIsDrawnWithoutThem) {
  const DrawnData data;
  EXPECT_TRUE(identical(test_output(data, elm_model({{"draw", "uniform"}, {"learn_metric", 0}})),
                        test_output(data, elm_model(Json::object()))));
}

/// The nodes that draw_nodes gives for the training part, and the ridge solution by singular values.
TEST(NodeDrawOptions, NodesAreDrawnFromTheTrainingPart) {
  const DrawnData data;
  const FoldView fold = data.fold();
  const TrainingSamples samples{fold.train, fold.targets};
  for (const NodeDraw& draw : {NodeDraw{"pairs", "tanh", {}, 0.5}, NodeDraw{"sparse", "tanh", {}, 2, 1},
                               NodeDraw{"uniform", "tanh", {}, 1, 2}}) {
    const HiddenNodes nodes = draw_nodes(draw, kRandom, kDrawInputs, kDrawNodes, &samples);
    arma::mat H(kTrainSamples, kDrawNodes), tested(kTestSamples, kDrawNodes);
    nodes.outputs(fold.train, 0, View<double>(H));
    nodes.outputs(fold.test, 0, View<double>(tested));
    Json options = {{"draw", draw.kind}, {"learn_metric", draw.metric_rounds}};
    if (draw.kind != "uniform") options["weight_scale"] = draw.scale;
    EXPECT_LE(relative_difference<double>(test_output(data, elm_model(options)),
                                          tested * solve_by_svd(H, fold.targets, 0.1).weights),
              1e-10)
        << draw.kind;

    options.merge_patch({{"family", "rvfl"},
                         {"activation", "tanh"},
                         {"nodes", kDrawNodes},
                         {"ridge", 0.1},
                         {"algorithms", {"standard"}}});
    const arma::mat train = data.scaler.apply(data.X, data.train), test = data.scaler.apply(data.X, data.test);
    const arma::mat weights = solve_by_svd(arma::mat(arma::join_rows(train, H)), fold.targets, 0.1).weights;
    EXPECT_LE(relative_difference<double>(test_output(data, options), arma::join_rows(test, tested) * weights), 1e-10)
        << draw.kind;
  }
}

/// With all training samples as landmarks: K(x, X) (K + lambda I)^-1 Y.
TEST(NodeDrawOptions, LandmarksAtAllSamplesAreTheKernelMachine) {
  const DrawnData data;
  const arma::mat train = data.scaler.apply(data.X, data.train), test = data.scaler.apply(data.X, data.test);
  const double s = 0.5 * typical_scale(Kernel::laplace, train);
  const auto kernel = [&](const arma::mat& X) {
    arma::mat K(X.n_rows, kTrainSamples);
    for (uword i = 0; i < X.n_rows; ++i) {
      for (uword j = 0; j < kTrainSamples; ++j) K(i, j) = std::exp(-arma::norm(X.row(i) - train.row(j)) / s);
    }
    return K;
  };
  const arma::mat expected = kernel(test) * arma::solve(kernel(train) + 0.1 * arma::eye(kTrainSamples, kTrainSamples),
                                                        arma::mat(data.Y.rows(data.train)));
  Json model = elm_model({{"draw", "landmarks"}, {"kernel", "laplace"}, {"length", 0.5}, {"nodes", kTrainSamples}});
  model.erase("activation");
  EXPECT_LE(relative_difference(test_output(data, model), expected), 1e-7);
}

TEST(NodeDrawOptions, SwappedTestTargetsAndRowsChangeNoNode) {
  DrawnData data;
  const Json model = elm_model({{"draw", "pairs"}, {"learn_metric", 1}});
  const arma::mat before = test_output(data, model);
  data.Y.rows(data.test) *= -7;
  EXPECT_TRUE(identical(test_output(data, model), before));
}

TEST(NodeDrawOptions, AreInTheMemoryThatIsPlanned) {
  if (!can_measure_memory()) GTEST_SKIP() << "sanitizers take memory of their own, or the kernel does not count ours";
  constexpr arma::uword train = 5000, test = 1000, inputs = 10, nodes = 400;
  constexpr double n = train, L = nodes, d = inputs;
  DrawnData data;
  data.X = normal_matrix(train + test, inputs, 4, 1);
  data.Y = data.X.cols(0, 1);
  data.train = arma::regspace<arma::uvec>(0, 1, train - 1);
  data.test = arma::regspace<arma::uvec>(train, 1, train + test - 1);
  data.scaler = Scaler::fit("standard", data.X, data.train);
  const Sizes sizes{train, test, inputs, 2};
  const std::pair<Json, double> draws[] = {
      // The Gram matrices of outputs and slopes, and the products of the outputs with the eigenvectors.
      {{{"learn_metric", 1}}, 4 * n * L * L},
      // The kernel at all landmarks, times a triangular factor, which takes 2 L^3 / 3.
      {{{"draw", "landmarks"}, {"activation", nullptr}}, n * L * (2 * d + L) + 2 * L * L * L / 3}};
  for (const auto& [draw, flops] : draws) {
    Json model = elm_model(draw), plain = elm_model(Json::object());
    model["nodes"] = plain["nodes"] = nodes;
    const double taken = most_bytes_taken([&] { test_output(data, model); });
    const Cost cost = parsed(model)->cost(1, sizes);
    EXPECT_GT(cost.bytes, taken / std::sqrt(2)) << draw;
    EXPECT_LT(cost.bytes, 2 * taken) << draw;
    const double more = cost.flops - parsed(plain)->cost(1, sizes).flops;
    EXPECT_GT(more, flops) << draw;
    EXPECT_LT(more, 2 * flops) << draw;
  }
}

}  // namespace
}  // namespace elmx
