#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/registry/registry.hpp"
#include "models/ridge/ridge_options.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/models.hpp"
#include "support/status.hpp"

// What every registered algorithm owes, whichever family it is of. A new algorithm is covered by its row in
// the registry, a new family by a row of kFamilyCases.

namespace elmx {

inline void PrintTo(const AlgorithmInfo& row, std::ostream* out) { *out << row.family << " " << row.name; }

namespace contract {

/// How the suite asks a family for a small network.
struct FamilyCase {
  std::string_view family;
  const char* model;                        ///< a network that grows to 30 nodes
  std::vector<uword> sizes;                 ///< that it reports
  bool trained_anew;                        ///< each size by itself, not grown from the one before
  std::vector<std::string_view> iterative;  ///< algorithms that report each size after two numbers of iterations
  Json (*ridge)(double lambda);             ///< changes that set the ridge parameter
  /// changes that leave nothing to factorise: nodes all alike or all zero, lambda = 0
  const char* singular;
  Json (*wider)(std::size_t nodes);  ///< changes that make it a network of about so many nodes, held in memory
  const char* unknown_key;           ///< a misspelt key, and the key that is meant
  const char* meant;
  /// The algorithms that solve another linear problem or none, so that their diagnostics have no backward error.
  std::vector<std::string_view> without_backward_error;
  /// Changes under which the algorithms that solve the ridge problem solve it for the same nodes; or others
  /// do, which they name.
  const char* same_nodes = "{}";
  double condition = 1;                                ///< of what they solve then, where the diagnostics does not say
  std::map<std::string_view, uword> fewest_samples{};  ///< of an algorithm that refuses fewer with too_few_samples
  /// Training samples and nodes of trials whose memory is measured: more samples than nodes, and fewer.
  std::vector<std::array<uword, 2>> sizes_measured{{1200, 150}, {400, 400}};
};

inline const std::vector<FamilyCase> kFamilyCases{
    {"elm",
     R"({"panel": 4, "reference": "qr", "nodes": {"start": 3, "stop": 30, "report": [30, 10, 3, 11]}})",
     {3, 10, 11, 30},
     false,
     {},
     [](double lambda) -> Json {
       return {{"ridge", lambda}};
     },
     R"({"ridge": 0, "activation": "hardlim", "weights": [0, 0], "biases": [1, 1]})",
     [](std::size_t nodes) -> Json {
       return {{"nodes", {{"start", nodes * 3 / 4}, {"stop", nodes}, {"report", {nodes}}}}};
     },
     "node",
     "nodes",
     {},
     "{}"},
    {"rvfl",
     R"({"nodes": 10, "layers": 3, "reference": "qr"})",
     {10, 20, 30},
     false,
     {},
     [](double lambda) -> Json {
       return {{"ridge", lambda}};
     },
     R"({"ridge": 0, "activation": "linear", "weights": [0, 0], "biases": [0, 0]})",
     [](std::size_t nodes) -> Json {
       return {{"nodes", nodes / 3}, {"layers", 3}};
     },
     "node",
     "nodes",
     {},
     "{}"},
    {"bls",
     R"({"standardise": false, "features": {"groups": 1, "nodes": 3}, "enhancement": {"nodes": 6}, "reference": "qr",
         "growth": {"updates": 3, "feature_groups": 1, "enhancement_of_added": 1, "enhancement": 3}})",
     {9, 16, 23, 30},
     false,
     {},
     [](double lambda) -> Json {
       return {{"ridge", lambda}};
     },
     R"({"ridge": 0, "standardise": true})",  // of one input: every sample is standardised to 0
     [](std::size_t nodes) -> Json {
       return {{"enhancement", {{"nodes", nodes / 3}}},
               {"growth", {{"updates", 2}, {"enhancement", nodes / 3}}},
               {"expanded_input", "stored"}};
     },
     "feature",
     "features",
     {},
     "{}"},
    {"dec",
     R"({"nodes": [30, 5], "weights": [-2, 2], "dec": {"report": [2, 4]}, "lbfgs": {"report": [150, 20]}})",
     {5, 30},
     true,
     {"dec", "lbfgs"},
     [](double lambda) -> Json {
       return {{"tau_lambda", lambda}};
     },
     R"({"weights": [-1e308, 1e308]})",  // the width of the range overflows: infinite weights
     [](std::size_t nodes) -> Json {
       return {{"nodes", {nodes}}, {"lbfgs", {{"report", {10}}}}};
     },
     "node",
     "nodes",
     {"lbfgs"},
     R"({"dec": {"report": [1]}})"},  // DEC(1)
    {"s3elm",
     R"({"nodes": 30, "weights": [-2, 2], "cross_validation": 0, "graph": {"sigma": [100]}, "elm": {"gamma": [1000]}, "selm": {"lambda": [0.1]},
         "s3elm": {"mu": [0.5]}})",
     {30},
     false,
     {},
     [](double lambda) -> Json {
       return {{"elm", {{"gamma", {1 / lambda}}}}};
     },
     R"({"activation": "linear", "weights": [-1e308, 1e308]})",  // infinite weights
     [](std::size_t nodes) -> Json {
       return {{"nodes", nodes}, {"s3elm", {{"mu", {0.3, 0.5, 0.7}}}}};
     },
     "node",
     "nodes",
     {"op-elm", "selm", "s3elm"},
     // Least squares where the graph and the penalty have gone: both to H^+ T.
     R"({"algorithms": ["elm", "selm"], "elm": {"gamma": [1e13]}, "selm": {"lambda": [1e-13]}})",
     1e4,
     {{"op-elm", 3}},
     {{400, 150}, {200, 500}}},
    {"rls",
     R"({"layers": [{"kind": "dense", "nodes": 30, "activation": "tanh"}], "epochs": 40, "report": [40, 5], "batch": 10, "precision": "double",
         "adam": {"rate": 0.01}, "sgd": {"rate": 0.02}})",
     {30},
     true,
     {"rls", "rls+m", "rls+r", "rls+m+r", "hrls", "hrls+m", "hrls+r", "hrls+m+r", "adam", "sgd"},
     [](double) { return Json::object(); },
     R"({"eta": 1e300, "eta_layers": "all", "adam": {"rate": 1e300}, "sgd": {"rate": 1e300}, "clip": {"norm": 0}})",
     [](std::size_t nodes) -> Json {
       return {{"layers", {{{"kind", "dense"}, {"nodes", nodes}}}}, {"batch", 1000}, {"epochs", 2}, {"report", {1}}};
     },
     "layer",
     "layers",
     {"rls", "rls+m", "rls+r", "rls+m+r", "hrls", "hrls+m", "hrls+r", "hrls+m+r", "adam", "sgd"},
     // Steps of length zero: the networks that they begin with.
     R"({"algorithms": ["rls", "hrls", "adam", "sgd"], "epochs": 1, "report": [1], "eta": 0, "eta_layers": "all", "adam": {"rate": 1e-300},
         "sgd": {"rate": 1e-300}})"},
};

inline const FamilyCase& case_of(std::string_view family) {
  const auto row = std::find_if(kFamilyCases.begin(), kFamilyCases.end(),
                                [&](const FamilyCase& one) { return one.family == family; });
  if (row == kFamilyCases.end()) throw std::logic_error("kFamilyCases: no row for family " + std::string(family));
  return *row;
}

inline bool contains(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The size of each checkpoint, in the order in which they come.
inline std::vector<uword> reported_sizes(std::string_view family, std::string_view algorithm) {
  const FamilyCase& of_family = case_of(family);
  std::vector<uword> sizes;
  for (const uword size : of_family.sizes)
    sizes.insert(sizes.end(), contains(of_family.iterative, algorithm) ? 2 : 1, size);
  return sizes;
}

/// A smooth function of the inputs, half of the rows for training, and what the fold was made of.
struct Regression {
  arma::mat X, targets;
  arma::uvec train, test;

  Regression(uword samples, uword inputs, uword outputs) : X(samples, inputs), targets(samples, outputs) {
    const Rng rng(5, Purpose::synthetic);
    for (uword i = 0; i < X.n_elem; ++i) X(i) = 10 * rng.uniform(i);
    for (uword n = 0; n < samples; ++n) {
      for (uword j = 0; j < outputs; ++j)
        targets(n, j) = std::sin(0.3 * X(n, 0) + static_cast<double>(j)) + 0.05 * X(n, inputs - 1);
    }
    train = arma::regspace<arma::uvec>(0, 2, samples - 1);
    test = samples > 1 ? arma::uvec(arma::regspace<arma::uvec>(1, 2, samples - 1)) : train;
  }

  FoldView fold() const {
    const Scaler scaler = Scaler::fit("minus_one_one", X, train);
    return {{X, train, scaler}, {X, test, scaler}, targets.rows(train), {X, {}, scaler}, nullptr, targets.rows(test)};
  }
};

/// Checkpoints without what a clock says.
inline bool same_results(const std::vector<Checkpoint>& one, const std::vector<Checkpoint>& other) {
  if (one.size() != other.size()) return false;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (one[i].point != other[i].point || one[i].method != other[i].method || one[i].nodes != other[i].nodes ||
        one[i].iterations != other[i].iterations || one[i].trace != other[i].trace ||
        one[i].status != other[i].status || one[i].diagnostics != other[i].diagnostics ||
        one[i].parameters != other[i].parameters || one[i].chosen != other[i].chosen ||
        !identical(one[i].train_output, other[i].train_output) ||
        !identical(one[i].test_output, other[i].test_output) ||
        !identical(one[i].unlabelled_output, other[i].unlabelled_output)) {
      return false;
    }
  }
  return true;
}

class AlgorithmTest : public testing::TestWithParam<AlgorithmInfo> {
 protected:
  const std::string algorithm{GetParam().name};
  const FamilyCase& of_family = case_of(GetParam().family);
  const Rng rng{5, Purpose::layer};

  Json model(const Json& changes = Json::object()) const {
    Json all = Json::parse(of_family.model);
    all.merge_patch({{"family", GetParam().family}, {"algorithms", {algorithm}}});
    all.merge_patch(of_family.ridge(1e-3));
    all.merge_patch(changes);
    return parsed(all)->json();
  }

  const Family& family() const { return family_of({{"family", GetParam().family}}, "/model"); }

  std::unique_ptr<Trainer> prepared(const Regression& regression, const Json& changes = Json::object()) const {
    return family().prepare({parsed(model(changes))}, regression.fold(), rng);
  }

  std::vector<Checkpoint> run(Trainer& trainer) const {
    FakeClock clock;
    std::vector<Checkpoint> points;
    trainer.train(algorithm, clock, [&](const Checkpoint& point) { points.push_back(point); });
    return points;
  }

  std::vector<Checkpoint> run(const Regression& regression, const Json& changes = Json::object()) const {
    return run(*prepared(regression, changes));
  }
};

/// Linear models, the mean, kernel machines and stacks draw no nodes and do not grow: linear_test.cpp,
/// kernel_test.cpp and stack_test.cpp have what they owe.
inline bool is_network(std::string_view family) {
  return family != "linear" && family != "mean" && family != "kernel" && family != "stack";
}

/// sample_growth_test.cpp has what the algorithms for samples that arrive step by step owe.
inline std::vector<AlgorithmInfo> network_algorithms() {
  std::vector<AlgorithmInfo> all = algorithms();
  const std::vector<std::string> by_samples = sample_algorithms();
  std::erase_if(all, [&](const AlgorithmInfo& row) {
    return !is_network(row.family) || std::ranges::count(by_samples, row.name) > 0;
  });
  return all;
}

inline std::vector<std::string_view> network_families() {
  std::vector<std::string_view> names;
  for (const Family& family : families()) {
    if (is_network(family.name)) names.push_back(family.name);
  }
  return names;
}

/// For INSTANTIATE_TEST_SUITE_P.
inline std::string name_of(const testing::TestParamInfo<AlgorithmInfo>& test) {
  std::string name = std::string(test.param.family) + "_" + std::string(test.param.name);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '+'; }, '_');
  return name;
}

}  // namespace contract
}  // namespace elmx
