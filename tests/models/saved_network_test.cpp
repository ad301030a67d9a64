#include <gtest/gtest.h>

#include <cmath>

#include "models/registry/registry.hpp"
#include "support/framed.hpp"
#include "support/models.hpp"
#include "support/problem.hpp"
#include "support/thrown.hpp"

// What every family owes of a network that is kept: predictions to the last bit, and a refusal of what does
// not fit.

namespace elmx {
namespace {

using arma::mat;
using arma::uvec;

struct Setting {
  const char* name;
  const char* algorithm;
  const char* model;
};

void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.name; }

/// 90 samples of 12 inputs for training, 613 for testing (a full block and a part of one), two classes.
struct SavedData {
  mat X = normal_matrix(703, 12, 1, 11);
  mat targets = mat(703, 2);
  uvec train = arma::regspace<uvec>(0, 89), test = arma::regspace<uvec>(90, 702);
  Scaler scaler = Scaler::fit("standard", X, train);
  Rng rng{5, Purpose::layer};

  explicit SavedData(bool tokens) {
    for (uword i = 0; i < X.n_rows; ++i)
      targets.row(i) = X(i, 0) + X(i, 1) * X(i, 2) > 0 ? arma::rowvec{1, 0} : arma::rowvec{0, 1};
    if (!tokens) return;
    X.transform([](double x) { return std::floor(std::min(4.0, std::abs(3 * x))); });
    scaler = Scaler::fit("none", X, train);
  }
  Inputs part(const uvec& rows) const { return {X, rows, scaler}; }
  FoldView fold() const {
    return {part(train), part(test), targets.rows(train), part(test), nullptr, targets.rows(test)};
  }
};

class SavedNetwork : public testing::TestWithParam<Setting> {
 protected:
  SavedNetwork()
      : data_(std::string_view(GetParam().model).find("embedding") != std::string_view::npos),
        given_(Json::parse(GetParam().model)),
        family_(family_of(given_, "/model")),
        model_(parsed(given_)) {}

  /// visit(checkpoint) for each.
  void train(const Observer& visit) const {
    FakeClock clock;
    family_.prepare({model_}, data_.fold(), data_.rng)->train(GetParam().algorithm, clock, visit);
  }
  bool single_nodes() const {
    return model_->single_precision() || given_.value("precision", std::string()) == "mixed";
  }
  std::unique_ptr<Predictor> restored(const TrainedNetwork& network) const { return model_->restore(network, {12, 2}); }

  SavedData data_;
  Json given_;
  const Family& family_;
  ModelPtr model_;
};

INSTANTIATE_TEST_SUITE_P(
    Each, SavedNetwork,
    testing::Values(
        Setting{"elm", "alg2", R"({"family": "elm", "nodes": {"start": 2, "stop": 37, "report": [5, 37]}})"},
        Setting{
            "elm_single", "panel",
            R"({"family": "elm", "precision": "single", "activation": "tanh", "nodes": {"start": 2, "stop": 37, "report": [5, 37]}})"},
        Setting{
            "elm_mixed", "panel",
            R"({"family": "elm", "precision": "mixed", "activation": "tanh", "nodes": {"start": 2, "stop": 37, "report": [5, 37]}})"},
        Setting{"ensemble_mixed", "chol-1",
                R"({"family": "rvfl", "nodes": 11, "layers": 3, "ensemble": true, "precision": "mixed"})"},
        Setting{
            "bls_mixed", "auto",
            R"({"family": "bls", "precision": "mixed", "features": {"groups": 3, "nodes": 5}, "enhancement": {"nodes": 21},
                "growth": {"updates": 2, "feature_groups": 1, "enhancement_of_added": 3, "enhancement": 4}})"},
        Setting{"elm_of_blocks", "auto",
                R"({"family": "elm", "activation": "rbf", "nodes": {"start": 2, "stop": 37, "report": [5, 37]}})"},
        Setting{
            "fourier", "standard",
            R"({"family": "elm", "activation": "fourier", "gamma": 0.1, "nodes": {"start": 2, "stop": 37, "report": [5, 37]}})"},
        Setting{"elm_pairs", "panel",
                R"({"family": "elm", "draw": "pairs", "learn_metric": 1, "activation": "tanh", "nodes": [5, 37]})"},
        Setting{"elm_sparse_mixed", "panel",
                R"({"family": "elm", "draw": "sparse", "precision": "mixed", "activation": "tanh", "nodes": [5, 37]})"},
        Setting{"rvfl_pairs", "chol-1", R"({"family": "rvfl", "draw": "pairs", "weight_scale": 2, "nodes": 21})"},
        Setting{"deep_rvfl_sparse", "chol-1", R"({"family": "rvfl", "draw": "sparse", "nodes": 11, "layers": 3})"},
        Setting{"rvfl", "panel", R"({"family": "rvfl", "nodes": 21})"},
        Setting{"deep_rvfl", "chol-1", R"({"family": "rvfl", "nodes": 11, "layers": 3, "precision": "single"})"},
        Setting{"ensemble_rvfl", "standard", R"({"family": "rvfl", "nodes": 11, "layers": 3, "ensemble": true})"},
        Setting{"bls", "chol-2",
                R"({"family": "bls", "features": {"groups": 3, "nodes": 5}, "enhancement": {"nodes": 21},
                "growth": {"updates": 2, "feature_groups": 1, "enhancement_of_added": 3, "enhancement": 4}})"},
        Setting{
            "bls_single", "d-rdg",
            R"({"family": "bls", "precision": "single", "standardise": false, "features": {"groups": 3, "nodes": 5, "sparse_coding": false},
                "enhancement": {"nodes": 21, "weights": "orthonormal"}, "growth": {"updates": 1, "enhancement": 4}})"},
        Setting{"bls_no_enhancement", "d-rdg",
                R"({"family": "bls", "features": {"groups": 3, "nodes": 5}, "enhancement": {"nodes": 0}})"},
        Setting{"dec", "dec", R"({"family": "dec", "nodes": [7], "dec": {"report": [1, 2]}})"},
        Setting{"lbfgs", "lbfgs", R"({"family": "dec", "nodes": [3, 7], "lbfgs": {"report": [5, 10]}})"},
        Setting{"minimum_norm", "elm", R"({"family": "dec", "nodes": [7]})"},
        Setting{"s3elm", "s3elm",
                R"({"family": "s3elm", "nodes": 30, "graph": {"sigma": [0.1]}, "s3elm": {"mu": [0.3, 0.6]}})"},
        Setting{"op_elm", "op-elm", R"({"family": "s3elm", "nodes": 30, "op_elm": {"bias": true}})"},
        Setting{"rbf", "elm", R"({"family": "s3elm", "activation": "rbf", "nodes": 30, "elm": {"gamma": [1]}})"},
        Setting{
            "dense", "rls",
            R"({"family": "rls", "layers": [{"kind": "dense", "nodes": 9}], "epochs": 2, "report": [1, 2], "batch": 31})"},
        Setting{
            "softmax", "adam",
            R"({"family": "rls", "algorithms": ["adam"], "loss": "cross_entropy", "precision": "double", "layers": [{"kind": "dense", "nodes": 9}], "epochs": 1, "batch": 31})"},
        Setting{"images", "rls",
                R"({"family": "rls", "input": {"channels": 1, "rows": 3, "cols": 4}, "epochs": 1, "batch": 31,
                "layers": [{"kind": "convolution", "nodes": 3, "kernel": [2, 2], "padding": 1}, {"kind": "max_pool"}]})"},
        Setting{
            "recurrent", "sgd",
            R"({"family": "rls", "input": {"steps": 4}, "layers": [{"kind": "recurrent", "nodes": 5}], "epochs": 1, "batch": 31})"},
        Setting{
            "lstm_of_words", "adam",
            R"({"family": "rls", "input": {"steps": 12}, "layers": [{"kind": "embedding", "nodes": 3, "vocabulary": 5},
                {"kind": "lstm", "nodes": 4}], "epochs": 1, "batch": 31})"},
        Setting{
            "all_steps", "rls",
            R"({"family": "rls", "input": {"steps": 2}, "outputs": "all", "layers": [{"kind": "lstm", "nodes": 4}], "epochs": 1, "batch": 31})"}),
    [](const auto& test) { return test.param.name; });

TEST_P(SavedNetwork, PredictsWhatTheTrainingDidToTheLastBit) {
  std::size_t points = 0;
  train([&](const Checkpoint& point) {
    ++points;
    ASSERT_EQ(point.status, Status::ok);
    EXPECT_TRUE(identical(restored(point.network())->outputs(data_.part(data_.test)), point.test_output)) << points;
  });
  EXPECT_GT(points, 0u);
}

TEST_P(SavedNetwork, ARowDoesNotDependOnTheOthers) {
  train([&](const Checkpoint& point) {
    const auto predictor = restored(point.network());
    uvec others = data_.test;
    others.fill(90);
    for (const uword place : {3, 300, 511, 600}) others(place) = data_.test(place);

    const mat Z = predictor->outputs(data_.part(others)), head = predictor->outputs(data_.part(data_.test.head(301)));

    for (const uword place : {3, 300, 511, 600})
      EXPECT_TRUE(identical(mat(Z.row(place)), mat(point.test_output.row(place)))) << place;
    EXPECT_TRUE(identical(head, mat(point.test_output.head_rows(301))));
  });
}

/// Some kernels of OpenBLAS for single precision (Haswell, Zen) round the rows of a tile differently.
TEST_P(SavedNetwork, InDoublePrecisionARowDoesNotDependOnItsPlace) {
  if (single_nodes()) return;
  train([&](const Checkpoint& point) {
    const auto predictor = restored(point.network());
    const uvec some{702, 90, 300, 601, 603};

    EXPECT_TRUE(
        identical(predictor->outputs(data_.part(arma::reverse(data_.test))), mat(arma::reverse(point.test_output))))
        << "reversed";
    EXPECT_TRUE(identical(predictor->outputs(data_.part(some)), mat(point.test_output.rows(some - 90)))) << "some";
    EXPECT_TRUE(identical(predictor->outputs(data_.part(uvec{417})), mat(point.test_output.row(417 - 90)))) << "one";
  });
}

TEST_P(SavedNetwork, RefusesMatricesThatAreLackingOrDoNotFit) {
  TrainedNetwork network;
  train([&](const Checkpoint& point) { network = point.network(); });

  EXPECT_NE(thrown<UserError>([&] { model_->restore(network, {13, 2}); }), "");
  EXPECT_NE(thrown<UserError>([&] { model_->restore(network, {12, 3}); }), "");
  for (const auto& [name, matrix] : network.matrices) {
    if (name == "active_nodes" || name == "output_biases") continue;  // not needed; not always there
    TrainedNetwork lacking = network;
    lacking.matrices.erase(name);
    EXPECT_EQ(place_thrown<DataError>([&] { restored(lacking); }), "network/" + name);
    TrainedNetwork of_another_type = network;
    of_another_type.matrices[name] = arma::umat(2, 2);
    EXPECT_EQ(place_thrown<DataError>([&] { restored(of_another_type); }), "network/" + name);
  }
}

// The outputs by their definitions, entry by entry, from the matrices alone.

template <class T>
mat wide(const TrainedNetwork& network, const std::string& name) {
  return arma::conv_to<mat>::from(network.matrix<T>(name));
}

/// Output weights, which may be wider than the nodes.
mat either(const TrainedNetwork& network, const std::string& name) {
  return std::holds_alternative<arma::fmat>(network.matrices.at(name)) ? wide<float>(network, name)
                                                                       : wide<double>(network, name);
}

double sigmoid(double v) { return 1 / (1 + std::exp(-v)); }

template <class T>
mat broad_by_loops(const TrainedNetwork& network, const mat& X) {
  const mat P = wide<T>(network, "nodes1_projection"), offset = wide<T>(network, "nodes1_offset"),
            factor = wide<T>(network, "nodes1_factor"), beta = either(network, "output_weights");
  const Json& map = network.layout.at("map");
  mat Z(X.n_rows, beta.n_cols, arma::fill::zeros);
  for (uword i = 0; i < X.n_rows; ++i) {
    arma::rowvec x = X.row(i);
    if (map.at("standardise").get<bool>()) x = (x - arma::mean(x)) / arma::stddev(x);
    std::vector<double> features, nodes;
    for (uword f = 0; f < P.n_cols; ++f) {
      double v = 0.1 * P(x.n_elem, f);
      for (uword k = 0; k < x.n_elem; ++k) v += x(k) * P(k, f);
      features.push_back((v - offset(f)) * factor(f));
    }
    int number = 1;
    for (const Json& part : map.at("broad")) {
      const uword first = part.at("first"), inputs = part.at("inputs"), count = part.at("count");
      EXPECT_EQ(nodes.size(), part.at("column").get<std::size_t>());
      if (!part.at("enhancement").get<bool>()) {
        nodes.insert(nodes.end(), features.begin() + static_cast<long>(first),
                     features.begin() + static_cast<long>(first + count));
        continue;
      }
      const std::string name = "nodes" + std::to_string(++number);
      const mat W = wide<T>(network, name + "_weights"), b = wide<T>(network, name + "_biases");
      for (uword j = 0; j < count; ++j) {
        double v = b(j);
        for (uword k = 0; k < inputs; ++k) v += features[first + k] * W(k, j);
        nodes.push_back(std::tanh(v));
      }
    }
    EXPECT_EQ(nodes.size(), beta.n_rows);
    for (uword j = 0; j < beta.n_rows; ++j) {
      for (uword o = 0; o < beta.n_cols; ++o) Z(i, o) += nodes[j] * beta(j, o);
    }
  }
  return Z;
}

/// [direct] of all samples, then the nodes of each layer by what it is fed.
template <class T>
mat mapped_by_loops(const TrainedNetwork& network, const std::string& member, const Json& map, const mat& X) {
  mat A;
  std::vector<std::string> kinds;
  double factor = 1;
  bool last_only = false, direct = false;
  const Json parts = map.contains("side_by_side") ? map["side_by_side"] : Json::array({map});
  for (const Json& part : parts) {
    direct = direct || part.contains("direct");
    if (part.contains("nodes")) {
      kinds = {part["nodes"].get<std::string>()};
      factor = part["factor"];
    }
    if (part.contains("layers")) {
      kinds = part["layers"].get<std::vector<std::string>>();
      last_only = part["last_only"];
    }
  }
  if (direct) A = X;
  mat H;
  for (std::size_t s = 0; s < kinds.size(); ++s) {
    const std::string name = member + "nodes" + std::to_string(s + 1);
    const mat W = wide<T>(network, name + "_weights"), b = wide<T>(network, name + "_biases");
    const mat below = s == 0 ? X : mat(arma::join_rows(H, X));
    H.set_size(X.n_rows, W.n_cols);
    for (uword i = 0; i < X.n_rows; ++i) {
      for (uword j = 0; j < W.n_cols; ++j) {
        double v = 0, distance = 0;
        for (uword k = 0; k < below.n_cols; ++k) v += below(i, k) * W(k, j);
        for (uword k = 0; k < below.n_cols; ++k) distance += std::pow(below(i, k) - W(k, j), 2);
        const double u = v + b(j);
        H(i, j) = factor * (kinds[s] == "rbf"       ? std::exp(-b(j) * distance)
                            : kinds[s] == "fourier" ? std::sin(u)
                            : kinds[s] == "tanh"    ? std::tanh(u)
                                                    : sigmoid(u));
      }
    }
    if (!last_only || s + 1 == kinds.size()) A = arma::join_rows(A, H);
  }
  return A * either(network, member + "output_weights");
}

template <class T>
mat mapped_by_loops(const TrainedNetwork& network, const mat& X) {
  if (network.layout.contains("map") && network.layout["map"].contains("broad")) return broad_by_loops<T>(network, X);
  if (!network.layout.contains("average")) return mapped_by_loops<T>(network, "", network.layout.at("map"), X);
  const Json& members = network.layout["average"];
  mat sum;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const mat Z = mapped_by_loops<T>(network, "member" + std::to_string(i + 1) + "_", members[i].at("map"), X);
    sum = i == 0 ? Z : mat(sum + Z);
  }
  return sum / static_cast<double>(members.size());
}

template <class T>
mat single_layer_by_loops(const TrainedNetwork& network, const mat& X) {
  const mat W = wide<T>(network, "weights"), b = wide<T>(network, "biases"), beta = wide<T>(network, "output_weights");
  mat Z(X.n_rows, beta.n_cols, arma::fill::zeros);
  for (uword i = 0; i < X.n_rows; ++i) {
    for (uword j = 0; j < W.n_cols; ++j) {
      double v = b(j);
      for (uword k = 0; k < X.n_cols; ++k) v += X(i, k) * W(k, j);
      const double h = network.layout.at("activation") == "tanh" ? std::tanh(v) : sigmoid(v);
      for (uword o = 0; o < beta.n_cols; ++o) Z(i, o) += h * beta(j, o);
    }
  }
  return Z;
}

TEST_P(SavedNetwork, ItsMatricesGiveTheOutputsByDefinition) {
  const std::string name = GetParam().name;
  const mat X = data_.scaler.apply(data_.X, data_.test);
  train([&](const Checkpoint& point) {
    const TrainedNetwork network = point.network();
    mat Z;
    if (name == "dec" || name == "lbfgs" || name == "minimum_norm") Z = single_layer_by_loops<double>(network, X);
    const bool mapped = network.layout.contains("map") || network.layout.contains("average");
    const bool single = mapped && single_nodes();
    if (mapped) Z = single ? mapped_by_loops<float>(network, X) : mapped_by_loops<double>(network, X);
    if (Z.is_empty()) return;
    // What cancels in a sum of nodes times weights is of the size of the weights.
    const double size = single ? 1e-4 : 1e-12;
    const std::string beta_name = network.layout.contains("average") ? "member1_output_weights" : "output_weights";
    const arma::mat beta = either(network, beta_name);
    EXPECT_LE(arma::abs(Z - point.test_output).max(), size * std::max(1.0, arma::accu(arma::abs(beta)))) << name;
    EXPECT_GT(arma::abs(Z).max(), 1e-3);
  });
}

}  // namespace
}  // namespace elmx
