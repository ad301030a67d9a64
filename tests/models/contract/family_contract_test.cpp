#include "models/contract/contract.hpp"
#include "support/thrown.hpp"

namespace elmx::contract {
namespace {

TEST(Registry, UnknownFamilyIsRefused) {
  const auto act = [] { family_of({{"family", "elmm"}}, "/model"); };
  EXPECT_EQ(place_thrown<ConfigError>(act), "/model/family");
  EXPECT_NE(thrown<ConfigError>(act).find("\"elm\""), std::string::npos);
}

TEST(Registry, TheDefaultFamilyIsElm) { EXPECT_EQ(family_of(Json::object(), "/model").name, "elm"); }

TEST(Registry, EveryFamilyHasItsCase) {
  for (const std::string_view family : network_families()) EXPECT_NO_THROW(case_of(family)) << family;
}

class FamilyContract : public testing::TestWithParam<std::string_view> {
 protected:
  const Family& family = family_of({{"family", GetParam()}}, "/model");

  /// The small network with every algorithm that solves the ridge problem.
  Json model(const Json& changes) const {
    Json all = Json::parse(case_of(GetParam()).model);
    all["family"] = GetParam();
    for (const AlgorithmInfo& row : network_algorithms()) {
      if (row.family == GetParam() && row.ridge_solution) all["algorithms"].push_back(row.name);
    }
    all.merge_patch(changes);
    return parsed(all)->json();
  }
};

INSTANTIATE_TEST_SUITE_P(Registry, FamilyContract, testing::ValuesIn(network_families()),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(FamilyContract, AlgorithmsSeeTheSameNodes) {
  const Regression regression(300, 3, 2);
  Json changes = case_of(GetParam()).ridge(0.1);
  changes.merge_patch(Json::parse(case_of(GetParam()).same_nodes));
  const Json resolved = model(changes);
  const auto trainer = family.prepare({parsed(resolved)}, regression.fold(), Rng(5, Purpose::layer));
  std::vector<arma::mat> outputs;
  double condition = 0;

  FakeClock clock;
  for (const std::string name : resolved["algorithms"]) {
    trainer->train(name, clock, [&](const Checkpoint& point) {
      if (point.nodes != 30) return;
      outputs.push_back(point.test_output);
      condition = resolved.contains("reference") ? point.diagnostics.at("condition") : case_of(GetParam()).condition;
    });
  }

  ASSERT_EQ(outputs.size(), resolved["algorithms"].size());
  ASSERT_GE(outputs.size(), 2u);
  ASSERT_LT(condition, 1e5);
  for (const arma::mat& one : outputs)
    EXPECT_LE(relative_difference(one, outputs[0]), 2 * tolerance(150, 30) * condition);
}

TEST_P(FamilyContract, ModelsThatShareTheirNodesHaveTheResultsThatTheyHaveAlone) {
  if (family.shared.empty()) GTEST_SKIP() << "the family computes one model at a time";
  const Regression regression(200, 3, 2);
  const Rng rng(5, Purpose::layer);
  const Json::json_pointer member(std::string(family.shared).substr(std::string("/model").size()));
  std::vector<ModelPtr> together;
  for (const double value : {1e-3, 0.1, 10.0}) {
    Json changes = Json::object();
    changes[member] = value;
    together.push_back(parsed(model(changes)));
  }
  for (const std::string& name : together[0]->algorithms) {
    const auto results = [&](const std::vector<ModelPtr>& models) {
      FakeClock clock;
      std::vector<std::vector<Checkpoint>> points(models.size());
      family.prepare(models, regression.fold(), rng)->train(name, clock, [&](const Checkpoint& point) {
        points.at(point.point).push_back(point);
        points.at(point.point).back().point = 0;
      });
      return points;
    };

    const auto all = results(together);

    for (std::size_t i = 0; i < together.size(); ++i) {
      ASSERT_EQ(all[i].size(), case_of(GetParam()).sizes.size()) << name;
      EXPECT_TRUE(same_results(all[i], results({together[i]})[0])) << name << ", model " << i;
    }
    EXPECT_FALSE(same_results(all[0], all[1])) << name;
  }
}

}  // namespace
}  // namespace elmx::contract
