#include <gtest/gtest.h>

#include <map>

#include "models/registry/registry.hpp"
#include "models/ridge/ridge_options.hpp"
#include "models/trained_network.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/models.hpp"
#include "support/problem.hpp"
#include "support/thrown.hpp"

// "ridge": "auto", and leave-one-out numbers of sweeps, by what they are for each ridge parameter alone.

namespace elmx {
namespace {

struct AutoSamples {
  arma::mat X, Y;
  arma::vec weights;

  FoldView fold() const {
    const uword n = X.n_rows;
    const arma::uvec train = arma::regspace<arma::uvec>(0, n * 3 / 4 - 1),
                     test = arma::regspace<arma::uvec>(n * 3 / 4, n - 1);
    const Scaler none = Scaler::fit("none", X, train);
    FoldView view{{X, train, none}, {X, test, none}, Y.rows(train), {X, {}, none}};
    if (!weights.is_empty()) view.sample_weights = weights.elem(train);
    return view;
  }
};

/// A smooth function with noise.
AutoSamples noisy(uword n, uword outputs) {
  AutoSamples samples{normal_matrix(n, 3, 3), {}, {}};
  samples.Y = arma::sin(samples.X * normal_matrix(3, outputs, 4)) + 0.3 * normal_matrix(n, outputs, 5);
  return samples;
}

/// The checkpoints of models that are trained together, in their order.
std::vector<Checkpoint> trained(const std::vector<Json>& models, const AutoSamples& samples) {
  std::vector<ModelPtr> all;
  for (const Json& model : models) all.push_back(parsed(model));
  const auto trainer = family_of(models.front(), "/model").prepare(all, samples.fold(), Rng(1, Purpose::layer));
  FakeClock clock;
  std::vector<Checkpoint> points;
  for (const std::string& name : all.front()->algorithms) {
    trainer->train(name, clock, [&](const Checkpoint& point) { points.push_back(point); });
  }
  return points;
}

Json with(Json model, const Json& changes) {
  model.merge_patch(changes);
  return model;
}

/// sum_i w_i ||e_i||^2 / (1 - h_i)^2, from what a checkpoint says.
double loo_of(const Checkpoint& point, const FoldView& fold) {
  arma::mat errors = fold.targets - point.train_output;
  errors.each_col() /= 1 - point.leverages.h;
  const arma::vec squares = arma::sum(arma::square(errors), 1);
  return fold.sample_weights.is_empty() ? arma::accu(squares) : arma::dot(fold.sample_weights, squares);
}

double gcv_of(const Checkpoint& point, const FoldView& fold) {
  const arma::vec squares = arma::sum(arma::square(fold.targets - point.train_output), 1);
  const double left = 1 - arma::accu(point.leverages.h) / static_cast<double>(squares.n_elem);
  return (fold.sample_weights.is_empty() ? arma::accu(squares) : arma::dot(fold.sample_weights, squares)) /
         (left * left);
}

const std::map<std::string, Json>& families_with_auto() {
  static const std::map<std::string, Json> models{
      {"elm", {{"family", "elm"}, {"nodes", {{"start", 20}, {"stop", 40}, {"report", {40}}}}}},
      {"wide", {{"family", "elm"}, {"nodes", {{"start", 20}, {"stop", 130}, {"report", {130}}}}}},
      {"streamed", {{"family", "elm"}, {"nodes", 40}, {"expanded_input", "streamed"}}},
      {"rvfl", {{"family", "rvfl"}, {"nodes", 40}}},
      {"bls",
       {{"family", "bls"},
        {"standardise", false},
        {"features", {{"groups", 1}, {"nodes", 4}, {"sparse_coding", false}}},
        {"enhancement", {{"nodes", 30}}}}},
      {"linear", {{"family", "linear"}}}};
  return models;
}

class RidgeAuto : public testing::TestWithParam<std::string> {
 protected:
  Json model() const { return with(families_with_auto().at(GetParam()), {{"leave_one_out", true}}); }
};

INSTANTIATE_TEST_SUITE_P(Each, RidgeAuto, testing::Values("elm", "wide", "streamed", "rvfl", "bls", "linear"));

// Its criterion is no larger than that of any ridge parameter of a dense grid, each trained as a model of its
// own by another algorithm; with and without sample weights.
TEST_P(RidgeAuto, IsTheBestOfADenseGrid) {
  for (const bool weighted : {false, true}) {
    AutoSamples samples = noisy(120, 1);
    if (weighted) samples.weights = arma::square(normal_matrix(120, 1, 9)) + 0.1;
    const FoldView fold = samples.fold();
    for (const std::string criterion : {"loo_mse", "gcv"}) {
      const auto value = [&](const Checkpoint& point) {
        return criterion == "gcv" ? gcv_of(point, fold) : loo_of(point, fold);
      };
      const std::vector<Checkpoint> points =
          trained({with(model(), {{"ridge", {{"auto", criterion}, {"from", 1e-7}}}})}, samples);
      ASSERT_EQ(points.size(), 1u);
      ASSERT_EQ(points[0].status, Status::ok);
      EXPECT_EQ(points[0].chosen, criterion);
      const double lambda = points[0].parameters.at(kRidge);
      const bool at_bound = points[0].notes.contains(kRidge);

      double least = arma::datum::inf;
      for (const double factor : arma::logspace(at_bound ? 0 : -3, 3, 25)) {
        const std::vector<Checkpoint> one =
            trained({with(model(), {{"ridge", lambda * factor}, {"algorithms", {"standard"}}})}, samples);
        if (one[0].status == Status::ok) least = std::min(least, value(one[0]));
      }
      EXPECT_LE(value(points[0]), least * (1 + 1e-5)) << criterion << " weighted " << weighted;
    }
  }
}

TEST_P(RidgeAuto, ItsNetworkIsThatOfTheNumber) {
  const AutoSamples samples = noisy(120, 2);
  const Checkpoint found = trained({with(model(), {{"ridge", "auto"}})}, samples)[0];
  const double lambda = found.parameters.at(kRidge);
  for (const char* algorithm : {"path", "standard"}) {
    const Checkpoint given = trained({with(model(), {{"ridge", lambda}, {"algorithms", {algorithm}}})}, samples)[0];
    EXPECT_LE(relative_difference(found.test_output, given.test_output), algorithm[0] == 'p' ? 0 : 1e-7) << algorithm;
    EXPECT_TRUE(given.parameters.empty() && given.chosen.empty());
  }
}

TEST_P(RidgeAuto, SaysThatItLiesAtABound) {
  AutoSamples signal = noisy(120, 1), noise = noisy(120, 1);
  signal.Y += 5;  // which a large penalty loses
  noise.Y = normal_matrix(120, noise.Y.n_cols, 7);
  const auto note = [&](const AutoSamples& samples, double from, double to) {
    const Checkpoint point =
        trained({with(model(), {{"ridge", {{"auto", "gcv"}, {"from", from}, {"to", to}}}})}, samples)[0];
    return point.notes.contains(kRidge) ? point.notes.at(kRidge) : "";
  };
  EXPECT_NE(note(signal, 1e4, 1e6).find("lower"), std::string::npos);
  EXPECT_NE(note(noise, 1e1, 1e3).find("upper"), std::string::npos);
}

TEST_P(RidgeAuto, RefusesAlgorithmsThatCannotChoose) {
  EXPECT_EQ(place_thrown<ConfigError>([&] {
              parsed(with(model(), {{"ridge", "auto"}, {"algorithms", {"standard"}}}));
            }),
            "/model/ridge");
  EXPECT_EQ(parsed(with(model(), {{"ridge", "auto"}}))->algorithms, std::vector<std::string>{"path"});
  EXPECT_NE(parsed(model())->algorithms, std::vector<std::string>{"path"});
}

TEST(RidgeAutoSizes, EachSizeChoosesItsOwn) {
  const std::vector<Checkpoint> points =
      trained({{{"family", "elm"}, {"nodes", {10, 60}}, {"ridge", "auto"}}}, noisy(120, 1));
  ASSERT_EQ(points.size(), 2u);
  EXPECT_NE(points[0].parameters.at(kRidge), points[1].parameters.at(kRidge));
  EXPECT_TRUE(points[0].leverages.h.is_empty()) << "they were not asked for";
}

// A sweep takes its leverages from one spectrum; a single ridge parameter from the factor of the algorithm.
TEST(SweptLeverages, AreThoseOfEachModelAlone) {
  AutoSamples samples = noisy(1360, 2);
  samples.weights = arma::square(normal_matrix(1360, 1, 9)) + 0.1;
  for (const std::string algorithm : {"panel", "d-rdg"}) {
    std::vector<Json> models;
    for (const double lambda : arma::logspace(1, 5, 13)) {
      models.push_back({{"family", "elm"},
                        {"algorithms", {algorithm}},
                        {"nodes", {{"start", 300}, {"stop", 300}, {"report", {300}}}},
                        {"weights", {-4, 4}},
                        {"ridge", lambda},
                        {"leave_one_out", true}});
    }
    if (algorithm == "d-rdg") {
      for (Json& model : models)
        model = {{"family", "rvfl"},   {"algorithms", {algorithm}}, {"nodes", 297},
                 {"weights", {-4, 4}}, {"ridge", model["ridge"]},   {"leave_one_out", true}};
    }
    const std::vector<Checkpoint> together = trained(models, samples);
    ASSERT_EQ(together.size(), models.size());
    double largest = 0;
    for (std::size_t i = 0; i < models.size(); ++i) {
      const Checkpoint alone = trained({models[i]}, samples)[0];
      EXPECT_TRUE(identical(together[i].train_output, alone.train_output)) << "weights keep their bits";
      const Leverages &one = together[i].leverages, &other = alone.leverages;
      const double apart = arma::abs(one.h / other.h - 1).max();
      EXPECT_LE(apart, 1e-10) << algorithm << models[i]["ridge"];
      EXPECT_NEAR(loo_of(together[i], samples.fold()) / loo_of(alone, samples.fold()), 1, 1e-10);
      EXPECT_NEAR(gcv_of(together[i], samples.fold()) / gcv_of(alone, samples.fold()), 1, 1e-10);
      EXPECT_LE(one.drift, 30);
      EXPECT_EQ(one.columns, other.columns);
      EXPECT_LE(arma::abs(one.refined - other.refined).max(), 1e-9);
      largest = std::max(largest, apart);
    }
    EXPECT_GT(largest, 0) << "they come from the spectrum";
  }
}

TEST(RidgeParameter, ReadsNumbersAndSearchesAndWritesThemAsTheyWere) {
  for (const Json& value : {Json(0.1), Json(0), Json("auto"), Json({{"auto", "gcv"}, {"from", 1e-9}, {"to", 1e3}})}) {
    EXPECT_EQ(RidgeParameter::from_json(value, "/ridge").to_json(), value);
  }
  EXPECT_EQ(RidgeParameter::from_json({{"auto", "loo_mse"}}, "/ridge").to_json(), "auto");
  for (const Json& wrong : {Json(-1), Json("best"), Json(true), Json({{"auto", "aic"}}), Json({{"from", 0}}),
                            Json({{"from", 2}, {"to", 1}}), Json({{"least", 1}})}) {
    EXPECT_TRUE(place_thrown<ConfigError>([&] { RidgeParameter::from_json(wrong, "/ridge"); }).starts_with("/ridge"))
        << wrong;
  }
}

}  // namespace
}  // namespace elmx
