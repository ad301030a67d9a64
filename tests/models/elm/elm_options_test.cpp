#include <gtest/gtest.h>

#include "models/elm/elm.hpp"
#include "solvers/ridge_algorithms.hpp"
#include "support/growing.hpp"
#include "support/refusal.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

class ElmOptionsRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(ElmOptionsRefusal, NamesThePlace) {
  const auto act = [] { read_model<ElmOptions>(GetParam().config); };
  EXPECT_EQ(place_thrown<ConfigError>(act), GetParam().place);
  EXPECT_NE(thrown<ConfigError>(act).find(GetParam().word), std::string::npos) << thrown<ConfigError>(act);
}

INSTANTIATE_TEST_SUITE_P(
    Each, ElmOptionsRefusal,
    testing::Values(
        Refusal{R"({"algorithms": []})", "/model/algorithms"},
        Refusal{R"({"algorithms": ["alg9"]})", "/model/algorithms", "\"alg1\""},
        Refusal{R"({"algorithms": ["zzzzzzzz"]})", "/model/algorithms", "chol-2"},
        Refusal{R"({"algorithms": ["alg1", "alg2", "alg1"]})", "/model/algorithms", "\"alg1\""},
        Refusal{R"({"algorithms": ["standard", "alg2"], "precision": "mixed"})", "/model/precision", "\"alg2\""},
        Refusal{R"({"algorithms": ["panel"], "precision": {"features": "single"}})", "/model/precision", "\"panel\""},
        Refusal{R"({"precision": {"gram": "single", "solve": "single"}})", "/model/precision", "\"solve\""},
        Refusal{R"({"products": "full"})", "/model/products", "alg3"},
        Refusal{R"({"algorithms": ["alg2"], "expanded_input": "streamed"})", "/model/algorithms", "\"alg2\""},
        Refusal{R"({"algorithms": ["alg2"], "products": "fulll"})", "/model/products", "\"full\""},
        Refusal{R"({"nodes": "many"})", "/model/nodes", "\"many\""}, Refusal{R"({"nodes": -5})", "/model/nodes", "-5"},
        Refusal{R"({"nodes": [20, 0]})", "/model/nodes/1"},
        Refusal{R"({"precision": "half"})", "/model/precision", "mixed"},
        Refusal{R"({"activation": "gausian"})", "/model/activation", "\"gaussian\""},
        Refusal{R"({"activation": "rbf", "precision": "single"})", "/model/precision", "rbf"},
        Refusal{R"({"activation": "rbf", "biases": [-1, 1]})", "/model/biases", "[-1.0,1.0]"},
        Refusal{R"({"activation": "fourier", "weights": [-9, 9]})", "/model/weights", "gamma"},
        Refusal{R"({"gamma": 2})", "/model/gamma", "fourier"}, Refusal{R"({"weights": [1, -1]})", "/model/weights"},
        Refusal{R"({"weights": [1]})", "/model/weights"}, Refusal{R"({"biases": [0, 1, 2]})", "/model/biases"},
        Refusal{R"({"nodes": {"start": 20, "stop": 10}})", "/model/nodes/start", "20"},
        Refusal{R"({"nodes": {"start": 5, "stop": 10, "report": [4]}})", "/model/nodes/report", "4"},
        Refusal{R"({"nodes": {"start": 5, "stop": 10, "report": [7, 11]}})", "/model/nodes/report", "11"},
        Refusal{R"({"nodes": {"start": 5, "stop": 10}, "timing": {"at": [5]}})", "/model/timing/at", "5"},
        Refusal{R"({"nodes": {"start": 5, "stop": 10}, "timing": {"at": [11]}})", "/model/timing/at", "11"},
        Refusal{R"({"nodes": {"start": 5, "stop": 10, "report": [8]}, "timing": {"at": [7]}})", "/model/timing/at",
                "7"}));

TEST(ElmOptions, DefaultsAreAllowed) { EXPECT_NO_THROW(ElmOptions().check("/model")); }

TEST(ElmOptions, EdgesAreAllowed) {
  ElmOptions options;
  read_options(Json::parse(R"({"algorithms": ["standard"], "precision": {"features": "single"}, "weights": [0, 0],
                               "nodes": {"start": 5, "stop": 5, "report": [5, 5]}})"),
               "/model", options);

  EXPECT_NO_THROW(options.check("/model"));
}

TEST(ElmOptions, NodesMayBeARange) {
  ElmOptions options;
  read_options(Json::parse(R"({"nodes": {"range": [20, 60, 20]}})"), "/model", options);
  EXPECT_EQ(options.sizes(), (std::vector<std::size_t>{20, 40, 60}));
}

TEST(ElmOptions, PrecisionIsWrittenInItsShortForm) {
  for (const auto& [given, written] : std::vector<std::pair<std::string, std::string>>{
           {R"({})", R"("double")"},
           {R"({"precision": "mixed"})", R"("mixed")"},
           {R"({"precision": {"features": "single", "gram": "single"}})", R"("mixed")"},
           {R"({"precision": {"gram": "single"}})", R"({"features":"double","gram":"single","solve":"double"})"}}) {
    ElmOptions options;
    read_options(Json::parse(given), "/model", options);
    EXPECT_EQ(write_options(options)["precision"].dump(), written) << given;
  }
}

TEST(ElmOptions, ReportSizesAreSortedAndUniqueAndDefaultToStartAndStop) {
  ElmOptions options;
  options.nodes.start = 3;
  options.nodes.stop = 9;

  const auto neither = options.sizes();
  options.nodes.report = {9, 4, 9, 7};
  const auto given = options.sizes();
  options.nodes = {6, 6, {}};
  const auto same = options.sizes();

  EXPECT_EQ(neither, (std::vector<std::size_t>{3, 9}));
  EXPECT_EQ(given, (std::vector<std::size_t>{4, 7, 9}));
  EXPECT_EQ(same, (std::vector<std::size_t>{6}));
}

// The key of a trial must not change with an option that the config does not give.
TEST(ElmOptions, ProductsAreNoPartOfTheKeyUnlessGiven) {
  EXPECT_FALSE(write_options(read_model<ElmOptions>(R"({"algorithms": ["alg2"]})")).contains("products"));
  EXPECT_EQ(write_options(read_model<ElmOptions>(R"({"algorithms": ["alg2"], "products": "full"})"))["products"],
            "full");
}

TEST(ElmOptions, ProductsReachTheSetup) {
  for (const auto& [given, full] :
       std::vector<std::pair<std::string, bool>>{{R"({"algorithms": ["alg2"]})", false},
                                                 {R"({"algorithms": ["alg2"], "products": "symmetric"})", false},
                                                 {R"({"algorithms": ["panel", "alg2"], "products": "full"})", true}})
    EXPECT_EQ(read_model<ElmOptions>(given).partial_setup().options.products.full(), full) << given;
}

TEST(RidgeAlgorithms, FullProductsAreAFormOfThoseWithThisVariant) {
  for (const RidgeAlgorithm& row : ridge_algorithms()) {
    const RidgeAlgorithm full = ridge_algorithm(row.name, {.products = {"full"}});
    EXPECT_EQ(full.name, row.name);
    EXPECT_EQ(full.kind, row.kind);
    EXPECT_EQ(full.aside_NL + full.aside_LL > row.aside_NL + row.aside_LL, has_full_products(row)) << row.name;
    EXPECT_EQ(full.intermediate_flops() + full.weight_flops(), row.intermediate_flops() + row.weight_flops());
  }
}

TEST(RidgeAlgorithms, FlopsReadAsInTheTableOfThePaper) {
  EXPECT_EQ(ridge_algorithm("existing").intermediate_flops() + " " + ridge_algorithm("existing").weight_flops(),
            "16lK 2MlK");
  EXPECT_EQ(ridge_algorithm("alg1").intermediate_flops() + " " + ridge_algorithm("alg1").weight_flops(), "6lK 2MK");
  EXPECT_EQ(ridge_algorithm("alg2").intermediate_flops() + " " + ridge_algorithm("alg2").weight_flops(), "2lK 2MK");
  EXPECT_EQ(ridge_algorithm("alg3").intermediate_flops() + " " + ridge_algorithm("alg3").weight_flops(), "2lK 2MK");
  EXPECT_EQ(ridge_algorithm("standard").intermediate_flops(), "");
}

TEST(RidgeAlgorithms, UnknownNameIsTheProgrammersError) { EXPECT_THROW(ridge_algorithm("alg9"), std::logic_error); }

}  // namespace
}  // namespace elmx
