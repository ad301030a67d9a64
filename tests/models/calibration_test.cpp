#include "models/calibration.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/golden.hpp"

// Judged by the likelihood as it is defined, sample by sample, and by probabilities that are known.

namespace elmx {
namespace {

struct Sample {
  arma::mat scores;
  arma::uvec classes;
};

/// Classes drawn with the probabilities that the calibration says of normal scores.
Sample drawn(arma::uword n, const Calibration& truth, int seed) {
  arma::arma_rng::set_seed(seed);
  Sample sample{arma::mat(n, truth.offsets.n_elem, arma::fill::randn), arma::uvec(n)};
  for (arma::uword i = 0; i < n; ++i) {
    double left = arma::randu();
    arma::rowvec p = arma::exp(truth.slope * sample.scores.row(i) + truth.offsets);
    p /= arma::accu(p);
    arma::uword k = 0;
    while (k + 1 < p.n_elem && left > p(k)) left -= p(k++);
    sample.classes(i) = k;
  }
  return sample;
}

/// The logarithm of the likelihood by its definition, with counts of Platt, or of a rule of succession over
/// all samples.
double log_likelihood(const Sample& sample, double slope, const arma::rowvec& offsets) {
  const arma::uword m = offsets.n_elem;
  double sum = 0;
  for (arma::uword i = 0; i < sample.classes.n_elem; ++i) {
    const arma::rowvec e = arma::exp(slope * sample.scores.row(i) + offsets);
    const arma::uword alike = m == 2 ? arma::accu(sample.classes == sample.classes(i)) : sample.classes.n_elem;
    const double wrong = 1 / (static_cast<double>(alike) + 2);
    for (arma::uword k = 0; k < m; ++k) {
      const double counted = k == sample.classes(i) ? 1 - wrong : wrong / static_cast<double>(m - 1);
      sum += counted * std::log(e(k) / arma::accu(e));
    }
  }
  return sum / static_cast<double>(sample.classes.n_elem);
}

TEST(Calibration, IsAPeakOfTheLikelihood) {
  for (const arma::rowvec& offsets : {arma::rowvec{0.5, 0}, arma::rowvec{0, -1, 2}, arma::rowvec{0, 1, 0, -3, 1}}) {
    const Sample sample = drawn(300, {2.5, offsets}, 3);
    const Calibration found = calibrate(sample.scores, sample.classes);
    const double best = log_likelihood(sample, found.slope, found.offsets);
    const double h = 1e-4;
    const auto judge = [&](double up, double down) {
      EXPECT_LT(up, best + 1e-15);
      EXPECT_LT(down, best + 1e-15);
      EXPECT_NEAR((up - down) / (2 * h), 0, 1e-7);  // the difference's own error is h^2
    };
    judge(log_likelihood(sample, found.slope + h, found.offsets),
          log_likelihood(sample, found.slope - h, found.offsets));
    for (arma::uword k = 0; k < offsets.n_elem; ++k) {
      arma::rowvec up = found.offsets, down = found.offsets;
      up(k) += h;
      down(k) -= h;
      judge(log_likelihood(sample, found.slope, up), log_likelihood(sample, found.slope, down));
    }
  }
}

TEST(Calibration, FindsWhatTheClassesWereDrawnWith) {
  const Calibration truth{1.5, {0, 1, -1}};
  const Sample sample = drawn(40000, truth, 5);

  const Calibration found = calibrate(sample.scores, sample.classes);

  // The standard error of a logistic coefficient is some 2 / sqrt(n) = 0.01.
  EXPECT_NEAR(found.slope, truth.slope, 0.05);
  EXPECT_NEAR(found.offsets(1) - found.offsets(0), 1, 0.05);
  EXPECT_NEAR(found.offsets(2) - found.offsets(0), -1, 0.05);
  const arma::mat P = found.probabilities(sample.scores);
  EXPECT_LT(arma::abs(arma::sum(P, 1) - 1).max(), 1e-14);
  for (arma::uword k = 0; k < 3; ++k)  // an offset for each class: the mean probability is the share of the class
    EXPECT_NEAR(arma::mean(P.col(k)), static_cast<double>(arma::accu(sample.classes == k)) / 40000, 1e-3);
}

TEST(Calibration, SeparatedClassesHaveTheProbabilitiesOfPlatt) {
  // Scores of two values only: the peak is where p is exactly what the samples count.
  const arma::mat scores{{1, 0}, {1, 0}, {1, 0}, {0, 1}, {0, 1}};
  const arma::mat P = calibrate(scores, {0, 0, 0, 1, 1}).probabilities(scores);

  EXPECT_NEAR(P(0, 0), 4.0 / 5, 1e-7);  // (3 + 1) / (3 + 2)
  EXPECT_NEAR(P(4, 1), 3.0 / 4, 1e-7);  // (2 + 1) / (2 + 2)
}

/// -log p of the class of each sample, in the mean.
double log_loss(const arma::mat& P, const arma::uvec& classes) {
  double sum = 0;
  for (arma::uword i = 0; i < classes.n_elem; ++i) sum -= std::log(P(i, classes(i)));
  return sum / static_cast<double>(classes.n_elem);
}

// A slope at which the truth is sharp: most samples have a probability above 0.9.
TEST(Calibration, OfManyClassesIsNearlyAsSharpAsTheTruth) {
  for (const arma::uword m : {3u, 10u, 26u}) {
    const Calibration truth{15, arma::rowvec(m, arma::fill::zeros)};
    const Sample fitted = drawn(100 * m, truth, 11), other = drawn(5000, truth, 12);
    const double found = log_loss(calibrate(fitted.scores, fitted.classes).probabilities(other.scores), other.classes),
                 best = log_loss(truth.probabilities(other.scores), other.classes);
    EXPECT_LT(found, 1.2 * best) << m << " classes";
  }
}

TEST(Calibration, IsThatOfOtherPrograms) {
  const StoredValues golden("models", "calibration");
  for (const std::string name : {"two_classes", "four_classes"}) {
    const arma::mat scores = matrix_from(golden.input.at(name).at("scores"));
    arma::mat P = calibrate(scores, indices_from(golden.input.at(name).at("truth"))).probabilities(scores);
    EXPECT_TRUE(golden.agrees(P, matrix_from(golden.expected.at(name)))) << name;
  }
}

TEST(Calibration, DoesNotSeeTheUnitsOfTheScores) {
  const Sample sample = drawn(200, {2, {0, 1, 0}}, 7);
  const arma::mat P = calibrate(sample.scores, sample.classes).probabilities(sample.scores);
  for (const double unit : {1e-9, 1e6}) {
    arma::mat other = unit * sample.scores;
    other.each_col() += unit * arma::vec(200, arma::fill::randn);  // the same for all classes of a sample
    const arma::mat Q = calibrate(other, sample.classes).probabilities(other);
    EXPECT_LT(arma::abs(P - Q).max(), 1e-6) << unit;
  }
}

TEST(Calibration, OfScoresThatSayNothingIsTheShareOfTheClasses) {
  const arma::mat constant(10, 2, arma::fill::ones);
  const arma::mat P = calibrate(constant, {0, 0, 0, 0, 0, 0, 0, 0, 1, 1}).probabilities(constant);

  EXPECT_NEAR(P(0, 1), (8 * 1.0 / 10 + 2 * 3.0 / 4) / 10, 1e-7);
}

}  // namespace
}  // namespace elmx
