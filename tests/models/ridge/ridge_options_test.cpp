#include "models/ridge/ridge_options.hpp"

#include <gtest/gtest.h>

namespace elmx {
namespace {

Precision of(const char* text) { return Precision::from_json(Json(text), "/model/precision"); }

struct Choice {
  const char* why;
  uword samples;
  RidgeSetup setup;
  const char* taken;
};

RidgeSetup setup_of(const char* algorithm, uword nodes, double lambda) {
  RidgeSetup setup;
  setup.algorithms = {algorithm};
  setup.capacity = nodes;
  setup.lambdas = {lambda};
  return setup;
}

TEST(Precision, AutoTakesMixedWhereItPays) {
  RidgeSetup with_leave_one_out = setup_of("panel", 2200, 0.1), with_reference = setup_of("panel", 2200, 0.1),
             radial = setup_of("panel", 2200, 0.1), with_small = setup_of("panel", 2200, 0.1),
             by_cholesky = setup_of("chol-1", 2200, 0.1);
  with_leave_one_out.leave_one_out = true;
  with_reference.reference = "qr";
  radial.single_features = false;
  with_small.lambdas.push_back(1e-8);
  by_cholesky.options.chol1.factor = "cholesky";
  for (const Choice& choice : std::vector<Choice>{
           {"large", 60000, setup_of("panel", 2200, 0.1), "mixed"},
           {"another algorithm", 60000, setup_of("chol-2", 2200, 0.1), "double"},
           {"few samples", 500, setup_of("panel", 2200, 0.1), "double"},
           {"few nodes", 60000, setup_of("panel", 50, 0.1), "double"},
           {"leave one out", 60000, with_leave_one_out, "double"},
           {"a reference", 60000, with_reference, "double"},
           {"nodes that are in double", 60000, radial, "double"},
           {"a tiny ridge parameter among others", 60000, with_small, "double"},
           {"chol-1 as it is", 60000, setup_of("chol-1", 2200, 0.1), "mixed"},
           {"chol-1 by a factor that mixed precision lacks", 60000, by_cholesky, "double"},
       }) {
    Sizes sizes;
    sizes.train = choice.samples;
    sizes.outputs = 10;
    EXPECT_EQ(of("auto").settled(choice.setup, sizes), of(choice.taken)) << choice.why;
    EXPECT_EQ(of("single").settled(choice.setup, sizes), of("single")) << choice.why;
  }
}

TEST(Precision, KeptNetworksOfAutoSayInTheirMatricesWhatTheyAreIn) {
  TrainedNetwork network;
  network.matrices["output_weights"] = arma::mat(2, 1);
  network.matrices["nodes1_weights"] = arma::mat(2, 2);
  EXPECT_EQ(precision_of(of("auto"), network), of("double"));
  network.matrices["nodes1_weights"] = arma::fmat(2, 2);
  EXPECT_EQ(precision_of(of("auto"), network), of("mixed"));
  EXPECT_EQ(precision_of(of("single"), network), of("single"));
}

}  // namespace
}  // namespace elmx
