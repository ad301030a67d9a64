#include <gtest/gtest.h>

#include "linalg/kernel_function.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/memory.hpp"
#include "support/models.hpp"
#include "support/problem.hpp"
#include "support/threads.hpp"
#include "support/thrown.hpp"

// Kernel machines by their definition: systems solved by QR, samples truly left out.

namespace elmx {
namespace {

constexpr uword kAll = 130, kLearnt = 90;

struct KernelData {
  arma::mat X = normal_matrix(kAll, 3, 3, 1), Y = arma::join_rows(arma::sin(2 * X.col(0)), X.col(1) % X.col(2)) + 4;
  arma::uvec train = arma::regspace<arma::uvec>(0, kLearnt - 1), test = arma::regspace<arma::uvec>(kLearnt, kAll - 1);
  arma::vec weights;

  FoldView fold() const {
    const Scaler as_it_is = Scaler::fit("none", X, train);
    FoldView view{{X, train, as_it_is}, {X, test, as_it_is}, Y.rows(train), {X, {}, as_it_is}};
    view.sample_weights = weights;
    return view;
  }
  KernelData without(uword sample) const {
    KernelData others = *this;
    others.train.shed_row(sample);
    if (!weights.is_empty()) others.weights.shed_row(sample);
    others.test = {train(sample)};
    return others;
  }
};

std::vector<Checkpoint> kernel_points_of(const KernelData& data, const std::vector<Json>& models, uint64_t seed = 5) {
  std::vector<ModelPtr> all;
  for (Json model : models) {
    model["family"] = "kernel";
    all.push_back(parsed(model));
  }
  FakeClock clock;
  std::vector<Checkpoint> points;
  family_of({{"family", "kernel"}}, "/model")
      .prepare(all, data.fold(), Rng(seed, Purpose::layer))
      ->train("exact", clock, [&](const Checkpoint& point) { points.push_back(point); });
  return points;
}

Checkpoint kernel_point(const KernelData& data, const Json& model, uint64_t seed = 5) {
  return kernel_points_of(data, {model}, seed).front();
}

/// Outputs on the test part of one machine of the training part, with weights w and a free intercept.
arma::mat by_qr(const KernelData& data, const KernelFunction& function, double lambda) {
  const arma::mat X = data.X.rows(data.train), Z = data.X.rows(data.test);
  const uword n = X.n_rows;
  arma::mat M(n + 1, n + 1, arma::fill::zeros), K(Z.n_rows, n), own(n, n);
  kernel_entries(function.kernel, kernel_points(function, X), 0, kernel_points(function, X), 0, View<double>(own));
  kernel_entries(function.kernel, kernel_points(function, Z), 0, kernel_points(function, X), 0, View<double>(K));
  M.submat(0, 0, n - 1, n - 1) = own;
  for (uword i = 0; i < n; ++i) {
    M(i, i) += lambda / (data.weights.is_empty() ? 1 : data.weights(i));
    M(i, n) = M(n, i) = 1;
  }
  arma::mat Q, R;
  arma::qr(Q, R, M);
  const arma::mat B = arma::join_cols(data.Y.rows(data.train), arma::zeros(1, data.Y.n_cols));
  const arma::mat solution = arma::solve(arma::trimatu(R), Q.t() * B);
  return K * solution.head_rows(n) + arma::ones(Z.n_rows) * solution.tail_rows(1);
}

TEST(KernelFamily, SolvesTheSystemOfEachRidge) {
  const KernelData data;
  const auto points = kernel_points_of(data, {{{"length", 0.7}, {"ridge", 0.01}, {"kernel", "gaussian"}},
                                              {{"length", 0.7}, {"ridge", 1}, {"kernel", "gaussian"}}});
  const double unit = typical_scale(Kernel::gaussian, data.X.rows(data.train));

  ASSERT_EQ(points.size(), 2u);
  for (const Checkpoint& point : points) {
    const arma::mat exact = by_qr(data, {Kernel::gaussian, 0.7 * unit}, point.point == 0 ? 0.01 : 1);
    EXPECT_LE(relative_difference(point.test_output, exact), 1e-12);
    EXPECT_LE(point.diagnostics.at("backward_error"), 1e-15);
  }
}

TEST(KernelFamily, PartsAreAveraged) {
  const KernelData data;
  const arma::mat one = kernel_point(data, {{"length", 1}, {"ridge", 0.1}}).test_output,
                  mean = kernel_point(data, {{"length", 1}, {"ridge", 0.1}, {"parts", 3}}).test_output;
  EXPECT_GT(relative_difference(mean, one), 1e-3);
  EXPECT_LT(relative_difference(mean, one), 0.2);
}

/// In the trainer's units: the mean distance hangs on the sample that is left out, so that it is asked for in
/// others.
TEST(KernelFamily, LeftOutOutputsAreThoseOfTheMachineWithoutTheSample) {
  KernelData data;
  for (const bool weighted : {false, true}) {
    if (weighted) data.weights = arma::linspace(0.5, 2, kLearnt);
    const double unit = typical_scale(Kernel::laplace_l1, data.X.rows(data.train));
    const Checkpoint point =
        kernel_point(data, {{"length", 1}, {"ridge", 0.1}, {"leave_one_out", true}, {"kernel", "laplace_l1"}});
    ASSERT_TRUE(point.leave_one_out.outputs.is_finite());
    for (uword i = 0; i < kLearnt; i += 13) {
      const arma::mat exact = by_qr(data.without(i), {Kernel::laplace_l1, unit}, 0.1);
      EXPECT_LE(relative_difference(arma::mat(point.leave_one_out.outputs.row(i)), exact), 1e-10) << i;
    }
  }
}

TEST(KernelFamily, SomeLeftOutOutputsAreThoseOfAll) {
  const KernelData data;
  const Json model{{"length", 1}, {"ridge", 0.1}, {"leave_one_out", true}};
  Json some = model;
  some["leave_one_out_rows"] = 20;
  const arma::mat all = kernel_point(data, model).leave_one_out.outputs,
                  few = kernel_point(data, some).leave_one_out.outputs;
  const arma::uvec known = arma::find_finite(few.col(0));
  EXPECT_EQ(known.n_elem, 20u);
  EXPECT_LE(relative_difference(arma::mat(few.rows(known)), arma::mat(all.rows(known))), 1e-12);
}

/// The sum of d f(x_i) / d y_i, by differences: the outputs are linear in the targets.
TEST(KernelFamily, DegreesOfFreedomAreTheTraceOfTheSmoother) {
  KernelData data;
  data.Y = data.Y.col(0);
  const Json model{{"length", 1}, {"ridge", 0.3}, {"leave_one_out", true}, {"parts", 2}};
  const Checkpoint point = kernel_point(data, model);
  double trace = 0;
  for (uword i = 0; i < kLearnt; ++i) {
    KernelData changed = data;
    changed.Y(i, 0) += 1;
    trace += kernel_point(changed, model).train_output(i, 0) - point.train_output(i, 0);
  }
  EXPECT_NEAR(point.leave_one_out.freedom, trace, 1e-8);
}

TEST(KernelFamily, ChoiceIsNoWorseThanAnyOnAGrid) {
  KernelData data;
  data.Y = data.Y.col(0) + 0.2 * normal_matrix(kAll, 1, 3, 9);
  const auto loo = [&](Json model) {
    model["leave_one_out"] = true;
    const Checkpoint point = kernel_point(data, model);
    return arma::mean(arma::square(arma::vectorise(point.leave_one_out.outputs - data.Y.rows(data.train))));
  };
  const double chosen = loo({{"length", "auto"}, {"ridge", "auto"}});
  for (const double length : {0.25, 0.5, 1.0, 2.0, 4.0})
    for (const double ridge : {1e-4, 1e-2, 0.1, 1.0})
      EXPECT_LE(chosen, 1.01 * loo({{"length", length}, {"ridge", ridge}}));
}

TEST(KernelFamily, RestoredMachinesPredictTheSameBits) {
  const KernelData data;
  for (const char* precision : {"double", "single", "mixed"}) {
    const Json model{
        {"family", "kernel"}, {"length", 1}, {"ridge", 0.1}, {"precision", precision}, {"kernel", "arcsine"}};
    FakeClock clock;
    family_of(model, "/model")
        .prepare({parsed(model)}, data.fold(), Rng(1, Purpose::layer))
        ->train("exact", clock, [&](const Checkpoint& point) {
          const TrainedNetwork network = point.network();
          const auto predictor = parsed(model)->restore(network, {3, 2});
          EXPECT_TRUE(identical(predictor->outputs(data.fold().test), point.test_output)) << precision;
          EXPECT_EQ(place_thrown<DataError>([&] { parsed(model)->restore(network, {4, 2}); }), "network/centres");
          TrainedNetwork broken = network;
          broken.layout["length"] = -1;
          EXPECT_EQ(place_thrown<DataError>([&] { parsed(model)->restore(broken, {3, 2}); }), "network/layout");
        });
  }
}

/// Of machines of one part against those truly trained without the sample; the mean of parts changes by one
/// part.
TEST(KernelFamily, KeptMachinesWithoutASampleAreTruly) {
  const KernelData data;
  const double unit = typical_scale(Kernel::laplace_l1, data.X.rows(data.train));
  const Json model{{"family", "kernel"}, {"length", 1}, {"ridge", 0.1}};
  FoldView fold = data.fold();
  fold.left_out = {3, 40, 77};
  FakeClock clock;
  family_of(model, "/model")
      .prepare({parsed(model)}, fold, Rng(5, Purpose::layer))
      ->train("exact", clock, [&](const Checkpoint& point) {
        const auto predictor = parsed(model)->restore(point.network(), {3, 2});
        const LeftOutOutputs of = predictor->left_out(data.fold().test);
        ASSERT_EQ(of.residuals.n_rows, 3u);
        for (uword j = 0; j < 3; ++j) {
          KernelData others = data.without(fold.left_out(j));
          const arma::mat at_sample = data.Y.rows(others.test) - by_qr(others, {Kernel::laplace_l1, unit}, 0.1);
          EXPECT_LE(relative_difference(arma::mat(of.residuals.row(j)), at_sample), 1e-10);
          others.test = data.test;
          const arma::mat exact = by_qr(others, {Kernel::laplace_l1, unit}, 0.1);
          for (uword t = 0; t < 2; ++t) {
            const arma::vec changed = point.test_output.col(t) - of.changes.slice(t).col(j);
            EXPECT_LE(relative_difference(arma::mat(changed), arma::mat(exact.col(t))), 1e-11);
          }
        }
      });
}

/// The parts are consecutive rows of the centres. Without sample i, the part that has i is trained without it.
TEST(KernelFamily, KeptMachinesOfPartsWithoutASampleAreTruly) {
  constexpr uword kParts = 3;
  const Json model{{"family", "kernel"}, {"length", 1}, {"ridge", 0.1}, {"parts", kParts}};
  for (const bool weighted : {false, true}) {
    KernelData data;
    data.Y = data.Y.col(0);
    if (weighted) data.weights = arma::linspace(0.5, 2, kLearnt);
    const KernelFunction function{Kernel::laplace_l1, typical_scale(Kernel::laplace_l1, data.X.rows(data.train))};
    FoldView fold = data.fold();
    fold.left_out = {3, 40, 77};
    FakeClock clock;
    family_of(model, "/model")
        .prepare({parsed(model)}, fold, Rng(5, Purpose::layer))
        ->train("exact", clock, [&](const Checkpoint& point) {
          const TrainedNetwork network = point.network();
          const arma::mat centres = network.matrix<double>("centres");
          std::vector<KernelData> parts(kParts, data);
          for (uword q = 0; q < kParts; ++q) {
            parts[q].train.set_size(kLearnt / kParts);
            for (uword i = 0; i < kLearnt / kParts; ++i) {
              const arma::mat off = data.X.each_row() - centres.row(q * kLearnt / kParts + i);
              parts[q].train(i) = arma::uvec(arma::find(arma::sum(arma::abs(off), 1) == 0)).at(0);
            }
            if (weighted) parts[q].weights = data.weights.elem(parts[q].train);
          }
          const auto mean = [&](std::vector<KernelData> machines, const arma::uvec& test) {
            arma::mat sum(test.n_elem, 1, arma::fill::zeros);
            for (KernelData& one : machines) {
              one.test = test;
              sum += by_qr(one, function, 0.1);
            }
            return arma::mat(sum / static_cast<double>(kParts));
          };
          EXPECT_LE(relative_difference(point.test_output, mean(parts, data.test)), 1e-12) << "the parts";

          const LeftOutOutputs of = parsed(model)->restore(network, {3, 1})->left_out(data.fold().test);
          ASSERT_EQ(of.residuals.n_rows, 3u);
          for (uword j = 0; j < 3; ++j) {
            std::vector<KernelData> others = parts;
            uword of_sample = 0;
            for (KernelData& one : others) {
              const arma::uvec place = arma::find(one.train == fold.left_out(j));
              of_sample += place.n_elem;
              if (!place.is_empty()) one = one.without(place(0));
            }
            ASSERT_EQ(of_sample, 1u);
            // The kept machines are in the order of the parts.
            const double at_sample = data.Y(fold.left_out(j)) - mean(others, arma::uvec{fold.left_out(j)})(0);
            const uword kept = arma::abs(of.residuals - at_sample).index_min();
            EXPECT_NEAR(of.residuals(kept), at_sample, 1e-11);
            const arma::vec changed = point.test_output - of.changes.slice(0).col(kept);
            EXPECT_LE(relative_difference(arma::mat(changed), mean(others, data.test)), 1e-11) << j;
          }
        });
  }
}

TEST(KernelFamily, ResultsDoNotDependOnTheThreads) {
  const KernelData data;
  const Json model{{"parts", 2}, {"leave_one_out", true}, {"precision", "mixed"}};
  const auto outputs = [&](int count) {
    const Threads threads(count);
    const Checkpoint point = kernel_point(data, model);
    return arma::mat(arma::join_cols(point.test_output, point.leave_one_out.outputs));
  };
  EXPECT_TRUE(identical(outputs(1), outputs(2)));
}

TEST(KernelFamily, PlannedBytesAreThoseThatATrialTakes) {
  if (!can_measure_memory()) GTEST_SKIP() << "sanitizers take memory of their own, or the kernel does not count ours";
  const Threads one(1);
  KernelData data;
  data.X = normal_matrix(3000, 5, 3, 1);
  data.Y = arma::sin(data.X.col(0));
  data.train = arma::regspace<arma::uvec>(0, 2499);
  data.test = arma::regspace<arma::uvec>(2500, 2999);
  for (const char* precision : {"double", "single", "mixed"}) {
    const Json model{{"family", "kernel"}, {"length", 1}, {"ridge", 0.1}, {"precision", precision}};
    const double taken = most_bytes_taken([&] { kernel_point(data, model); });
    const double planned = parsed(model)->cost(1, {2500, 500, 5, 1}).bytes;
    EXPECT_LT(planned, std::sqrt(2) * taken) << precision;
    EXPECT_GT(planned, taken / std::sqrt(2)) << precision;
  }
}

TEST(KernelFamily, UnknownKernelsAndNumbersAreRefusedAtTheirPlace) {
  const Json wrong = {{"kernel", "laplac"}, {"length", 0}, {"ridge", "Auto"}};
  for (const auto& [key, value] : wrong.items()) {
    const Json model{{"family", "kernel"}, {key, value}};
    EXPECT_EQ(place_thrown<ConfigError>([&] { parsed(model); }), "/model/" + key);
  }
}

}  // namespace
}  // namespace elmx
