#include "statistics/time_ratio.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.hpp"

namespace elmx {
namespace {

/// A machine whose speed drifts, as a random walk of its logarithm, on which each thing has its luck with
/// each run and each trial (where its memory lies) and one measurement in `disturbed` is longer without a
/// bound: the time that a disturbance adds has no mean.
class Machine {
 public:
  explicit Machine(std::uint64_t stream, double disturbed) : rng_(stream, Purpose::validation), disturbed_(disturbed) {}

  double normal(double sd) { return sd * rng_.with(Purpose::layer).normal(drawn_++); }

  double measure(double seconds, double luck) {
    log_speed_ += normal(0.01);
    const double disturbance = uniform() < disturbed_ ? std::log1p(0.3 / (1 - uniform())) : 0;
    return seconds * std::exp(log_speed_ + luck + normal(0.02) + disturbance);
  }

 private:
  double uniform() { return rng_.uniform(drawn_++); }

  Rng rng_;
  double disturbed_, log_speed_ = 0;
  std::uint64_t drawn_ = 0;
};

struct Design {
  std::size_t trials, rounds;
  double luck;  ///< standard deviation of the logarithm
};

/// Share of the intervals that have the true ratio, 3.
double coverage(const Design& design, double disturbed) {
  const int experiments = 1500;
  Machine machine(17, disturbed);
  int covered = 0;
  for (int e = 0; e < experiments; ++e) {
    std::vector<TimesOfTrial> trials(design.trials);
    // as measured (kOfRuns); 0.05 with the luck of a trial of 0.03 (kOfSingleTrial)
    const double luck_of_run = machine.normal(0.025);
    for (TimesOfTrial& times : trials) {
      const double luck_a = luck_of_run + machine.normal(design.luck), luck_b = machine.normal(design.luck);
      for (std::size_t r = 0; r < design.rounds; ++r) {
        times.a.push_back(machine.measure(3e-3, luck_a));
        times.b.push_back(machine.measure(1e-3, luck_b));
      }
    }
    const Ratio ratio = time_ratio(trials);
    covered += ratio.interval && ratio.interval->low <= 3 && 3 <= ratio.interval->high;
  }
  return static_cast<double>(covered) / experiments;
}

// The definition of a 95 % interval. Three standard deviations of the count are 1.7 %.
TEST(TimeRatio, TheIntervalCoversTheTruthIn93To97PercentUnderDriftAndOutliers) {
  for (const Design& design : {Design{5, 20, 0.02}, Design{5, 20, 0}, Design{10, 7, 0.05}, Design{3, 20, 0.1},
                               Design{3, 20, 0.02}, Design{1, 20, 0.03}, Design{1, 40, 0.03}}) {
    for (const double disturbed : {0.0, 0.03}) {
      const double covered = coverage(design, disturbed);
      EXPECT_GE(covered, 0.93) << design.trials << " trials of " << design.rounds << " rounds, disturbed " << disturbed;
      EXPECT_LE(covered, 0.97) << design.trials << " trials of " << design.rounds << " rounds, disturbed " << disturbed;
    }
  }
}

TEST(TimeRatio, OfTwoTrialsItIsSoonerTooWideThanTooNarrow) {
  for (const double luck : {0.0, 0.02, 0.05, 0.1, 0.2}) {
    for (const double disturbed : {0.0, 0.03}) {
      const double covered = coverage({2, 20, luck}, disturbed);
      EXPECT_GE(covered, 0.92) << luck << " " << disturbed;
      EXPECT_LE(covered, 0.99) << luck << " " << disturbed;
    }
  }
}

TEST(TimeRatio, MeasuredOnceATrialTheIntervalIsRightOnAQuietMachineAndTooWideOnAnother) {
  const double quiet = coverage({5, 1, 0.02}, 0), disturbed = coverage({5, 1, 0.02}, 0.03);

  EXPECT_GE(quiet, 0.93);
  EXPECT_LE(quiet, 0.97);
  EXPECT_GE(disturbed, 0.93);
}

TEST(TimeRatio, ByHand) {
  const Ratio r = time_ratio({{{2}, {1}}, {{8}, {1}}});  // logs 2: 1 and 3; mean 2, sd sqrt 2, t(1) = 12.7062

  EXPECT_NEAR(r.value, 4, 1e-14);
  ASSERT_TRUE(r.interval);
  // v = (ln 2)^2: 1.00065 degrees of freedom, t = 12.68671 (SciPy), times 0.693598
  EXPECT_NEAR(std::log(r.interval->high / 4), 8.799476, 1e-5);
  EXPECT_NEAR(r.interval->low * r.interval->high, 16, 1e-11) << "symmetric on the log scale";
}

TEST(TimeRatio, TheInverseRatioHasTheReciprocalInterval) {
  const Ratio r = time_ratio({{{6, 7, 5}, {2, 2, 2}}, {{6}, {2, 3}}}),
              inverse = time_ratio({{{2, 2, 2}, {6, 7, 5}}, {{2, 3}, {6}}});

  ASSERT_TRUE(r.interval && inverse.interval);
  EXPECT_NEAR(r.value * inverse.value, 1, 1e-14);
  EXPECT_NEAR(r.interval->low * inverse.interval->high, 1, 1e-13);
}

TEST(TimeRatio, ATrialCountsOnceByTheMedianOfItsRounds) {
  EXPECT_DOUBLE_EQ(time_ratio({{{3, 300, 3}, {1, 1, 1}}, {{3}, {1}}}).value, 3);
  EXPECT_DOUBLE_EQ(time_ratio({{{4, 8, 12}, {1, 2, 3}}}).value, 4)
      << "round by round: what slows both down is not seen";
}

TEST(TimeRatio, WhatWasMeasuredOnceHasNoInterval) {
  EXPECT_DOUBLE_EQ(time_ratio({{{6}, {2}}}).value, 3);
  EXPECT_FALSE(time_ratio({{{6}, {2}}}).interval);
  EXPECT_FALSE(time_ratio({{{6, 7, 8}, {2}}}).interval) << "the rounds of one thing alone";
  EXPECT_TRUE(time_ratio({{{6, 7, 8}, {2, 2, 2}}}).interval);
  EXPECT_TRUE(std::isnan(time_ratio({}).value));
  EXPECT_TRUE(std::isnan(time_ratio({{{6}, {0}}, {{}, {2}}}).value));
}

TEST(TimeRatio, ATrialWhoseRatioOverflowsIsIgnored) {
  const TimesOfTrial overflows{{1e300}, {1e-300}}, vanishes{{1e-300}, {1e300}}, two{{2}, {1}}, three{{3}, {1}};

  EXPECT_TRUE(std::isnan(time_ratio({overflows, vanishes}).value));
  const Ratio ratio = time_ratio({overflows, two, vanishes, three});
  EXPECT_EQ(ratio.trials, 2u);
  EXPECT_NEAR(ratio.value, std::sqrt(6.0), 1e-14);
}

TEST(TimeRatio, EqualRatiosAreExact) {
  const Ratio r = time_ratio({{{0.1}, {0.3}}, {{0.1}, {0.3}}});

  EXPECT_EQ(r.value, 0.1 / 0.3);
  ASSERT_TRUE(r.interval);
  EXPECT_EQ(r.interval->low, r.interval->high);
}

TEST(Outliers, AreTenRobustStandardDeviationsAway) {
  // median 15, m = 3
  const auto with = [](double x) { return count_outliers({10, 11, 12, 13, 14, 15, 16, 17, 18, 19, x}); };

  EXPECT_EQ(with(20), 0u);
  EXPECT_EQ(with(59.4), 0u);
  EXPECT_EQ(with(59.5), 1u);  // beyond 15 + 44.478
}

TEST(Outliers, EqualTimesMayDifferByAFewPercent) {
  std::vector<double> times(20, 1.0);
  times[7] = 1.14;
  EXPECT_EQ(count_outliers(times), 0u);
  times[7] = 1.16;
  EXPECT_EQ(count_outliers(times), 1u);
  EXPECT_EQ(count_outliers({1, 1, 1, 1, 1, 1, 1, 1, 99}), 0u) << "nine are too few";
}

TEST(Outliers, AFirstTimeThatIsMoreThanTwiceTheOthersIsSlow) {
  EXPECT_TRUE(slow_at_first({2.1, 1, 0.9}));
  EXPECT_FALSE(slow_at_first({2.1, 1, 1.1}));
  EXPECT_FALSE(slow_at_first({9, 1}));
  EXPECT_FALSE(slow_at_first({1, 9, 1}));
}

}  // namespace
}  // namespace elmx
