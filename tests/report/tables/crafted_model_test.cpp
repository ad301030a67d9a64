#include <gtest/gtest.h>

#include "experiment/plan/plan.hpp"
#include "experiment/run/fold_trainer.hpp"
#include "experiment/saved/new_samples.hpp"
#include "report/tables/predictions.hpp"
#include "support/scratch.hpp"

// Models with right checksums and any description: each is refused in a line that names it, or predicts.

namespace elmx {
namespace {

struct Setting {
  const char* name;
  const char* config;
};

void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.name; }

class CraftedModel : public ScratchTest, public testing::WithParamInterface<Setting> {
 protected:
  CraftedModel() {
    const Plan plan = make_plan(Json::parse(GetParam().config), "no data directory");
    const PlannedCase& c = plan.cases[0];
    FakeClock clock;
    run_task(
        {&c.specs, c.data.get(), c.folds[0][0], 0, 0, c.spec().model->algorithms, nullptr, folder_}, clock,
        [] { return false; }, [](const Record&) {});
    const auto file = std::filesystem::directory_iterator(folder_ / "models")->path();
    contents_ = decode_model(content_of(file), "");
  }
  static std::string content_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// The refusal; "" for finite predictions of the model's own test part. All else that is thrown fails the
  /// test.
  std::string outcome(const ModelContents& contents) const {
    try {
      const SavedModel model = read_model(contents, "m.h5");
      const auto predictor = restore(model, "m.h5");
      if (model.options.data.generated.samples > 1000) return "a larger set";
      const NewSamples samples = read_own_part(model, "test", {catalogue_, "no data directory"});
      const arma::mat Z = predict(*predictor, model.preprocessing, samples.data.X, samples.rows);
      EXPECT_TRUE(Z.is_finite() && Z.n_cols == model.data.outputs);
      prediction_columns(model, samples, Z, {.probabilities = model.calibration.has_value()});
      prediction_metrics(model, samples, Z, "");
      return "";
    } catch (const UserError& error) {
      EXPECT_NE(error.place(), "") << error.what();
      return error.what();
    }
  }

  ModelContents contents_;
  const Catalogue catalogue_ = shipped_catalogue();
};

INSTANTIATE_TEST_SUITE_P(
    Each, CraftedModel,
    testing::Values(
        Setting{"Elm",
                R"({"data": {"set": "two_moons", "samples": 20}, "split": {"kind": "holdout"}, "save_model": true,
                "model": {"algorithms": ["standard"], "nodes": {"start": 2, "stop": 3}}})"},
        Setting{"Components",
                R"({"data": {"set": "friedman1", "samples": 20}, "split": {"kind": "holdout"}, "save_model": true,
                "preprocess": {"inputs": "centred", "pca": {"energy": 0.5}}, "model": {"algorithms": ["panel"], "precision": "single", "nodes": {"start": 2, "stop": 3}}})"},
        Setting{"Broad",
                R"({"data": {"set": "two_moons", "samples": 20}, "split": {"kind": "holdout"}, "save_model": true,
                "model": {"family": "bls", "algorithms": ["d-rdg"], "features": {"groups": 2, "nodes": 2}, "enhancement": {"nodes": 3}}})"},
        Setting{
            "Images",
            R"({"data": {"set": "friedman1", "samples": 20}, "split": {"kind": "holdout"}, "save_model": true, "model": {"family": "rls",
                "algorithms": ["sgd"], "input": {"rows": 2, "cols": 5}, "layers": [{"kind": "convolution", "nodes": 1, "kernel": [2, 2], "padding": 1}, {"kind": "max_pool"}], "epochs": 1}})"}),
    [](const auto& test) { return test.param.name; });

void collect_places(const Json& value, const Json::json_pointer& place, std::vector<Json::json_pointer>& places) {
  places.push_back(place);
  if (!value.is_structured()) return;
  for (const auto& [key, inner] : value.items())
    collect_places(inner, value.is_array() ? place / static_cast<std::size_t>(std::stoul(key)) : place / key, places);
}

TEST_P(CraftedModel, IsRefusedOrPredictsWhateverStandsAtAnyPlaceOfItsDescriptions) {
  ASSERT_EQ(outcome(contents_), "");
  const Json values = {nullptr,
                       true,
                       "",
                       "x",
                       0,
                       -1,
                       2,
                       0.5,
                       1e300,
                       18446744073709551615U,
                       Json::array(),
                       Json::object(),
                       Json::array({1, "a"}),
                       {{"a", 1}}};
  std::size_t tried = 0, refused = 0;
  for (const auto& [name, text] : contents_.texts) {
    const Json whole = Json::parse(text);
    std::vector<Json::json_pointer> places;
    collect_places(whole, Json::json_pointer(), places);
    for (const Json::json_pointer& place : places) {
      ModelContents crafted = contents_;
      for (const Json& value : values) {
        Json changed = whole;
        changed[place] = value;
        crafted.texts[name] = changed.dump();
        SCOPED_TRACE(name + place.to_string() + " = " + value.dump());
        EXPECT_NO_THROW(refused += !outcome(crafted).empty());
        ++tried;
      }
      if (place.empty()) continue;
      Json without = whole;
      Json& parent = without[place.parent_pointer()];
      if (parent.is_object()) parent.erase(place.back());
      crafted.texts[name] = without.dump();
      SCOPED_TRACE(name + " without " + place.to_string());
      EXPECT_NO_THROW(refused += !outcome(crafted).empty());
    }
  }
  EXPECT_GT(tried, 1000u);
  EXPECT_GT(refused, tried / 3);
}

TEST_P(CraftedModel, IsRefusedOrPredictsWhateverItsMatricesAre) {
  for (const auto& [name, matrix] : contents_.matrices) {
    SCOPED_TRACE(name);
    ModelContents crafted = contents_;
    for (const arma::mat& other :
         {arma::mat(1, 1), arma::mat(1, 2), arma::mat(2, 1), arma::mat(7, 3), arma::mat(1, 10)}) {
      crafted.matrices[name] = other;
      EXPECT_NO_THROW(outcome(crafted));
      crafted.matrices[name] = arma::conv_to<arma::fmat>::from(other);
      EXPECT_NO_THROW(outcome(crafted));
      crafted.matrices[name] = arma::umat(other.n_rows, other.n_cols, arma::fill::value(~arma::uword{0}));
      EXPECT_NO_THROW(outcome(crafted));
    }
    crafted.matrices.erase(name);
    EXPECT_NO_THROW(outcome(crafted));
    for (const double value : {arma::datum::nan, arma::datum::inf, -1e308, 1e38}) {
      auto changed = matrix;
      std::visit(
          [&]<class T>(arma::Mat<T>& M) {
            M(M.n_elem / 2) = static_cast<T>(std::is_same_v<T, arma::uword> ? 9.0 : value);
          },
          changed);
      crafted.matrices[name] = changed;
      std::string text;
      EXPECT_NO_THROW(text = outcome(crafted));
      const bool damaged = !std::isfinite(value) && !std::holds_alternative<arma::umat>(matrix);
      EXPECT_TRUE(!damaged || text.starts_with("m.h5: " + name + ": ")) << text;
    }
  }
}

}  // namespace
}  // namespace elmx
