#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/rng.hpp"
#include "data/splits/split.hpp"
#include "data/test_files.hpp"
#include "data/test_tables.hpp"

namespace elmx {
namespace {

/// A regression whose split column has these values.
Dataset divided_by(const std::vector<std::string>& values) {
  Dataset data;
  data.name = "made";
  data.X.zeros(values.size(), 1);
  data.Y.zeros(values.size(), 1);
  RawColumn& column = data.split.emplace();
  column.name = "c";
  column.kind = Kind::category;
  for (const std::string& value : values) {
    const auto found = std::ranges::find(column.categories, value);
    column.values.push_back(static_cast<double>(found - column.categories.begin()));
    if (found == column.categories.end()) column.categories.push_back(value);
  }
  return data;
}

/// `count` values of which there are at most `kinds`, drawn.
std::vector<std::string> drawn(std::size_t count, std::size_t kinds, std::uint64_t seed) {
  const Rng rng(seed, Purpose::synthetic);
  std::vector<std::string> values;
  for (std::size_t i = 0; i < count; ++i) {
    const double u = rng.uniform(i);
    values.push_back(std::to_string(static_cast<int>(u * u * static_cast<double>(kinds))));
  }
  return values;
}

SplitOptions split_by_column(const std::string& kind, arma::uword folds = 5) {
  SplitOptions options;
  options.kind = kind;
  options.folds = folds;
  return options;
}

std::set<std::string> values_of(const arma::uvec& rows, const std::vector<std::string>& values) {
  std::set<std::string> found;
  for (const arma::uword row : rows) found.insert(values[row]);
  return found;
}

std::vector<int> times_tested(const std::vector<Fold>& folds, std::size_t samples) {
  std::vector<int> times(samples);
  for (const Fold& fold : folds) {
    for (const arma::uword row : fold.test) ++times[row];
  }
  return times;
}

std::string refusal_of_column(const std::vector<std::string>& values, const SplitOptions& options) {
  return thrown<UserError>([&] { make_folds(divided_by(values), options, 1, 0); });
}

std::string place_in_split(const std::vector<std::string>& values, const SplitOptions& options) {
  return place_thrown<ConfigError>([&] { make_folds(divided_by(values), options, 1, 0); });
}

TEST(GroupKFold, NoGroupIsOnBothSidesAndEveryRowIsTestedOnce) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<std::string> values = drawn(100, 17, seed);
    for (const bool shuffle : {true, false}) {
      SplitOptions options = split_by_column("group_k_fold", 4);
      options.shuffle = shuffle;
      const std::vector<Fold> folds = make_folds(divided_by(values), options, seed, 0);
      ASSERT_EQ(folds.size(), 4U);
      for (const Fold& fold : folds) {
        EXPECT_EQ(fold.train.n_elem + fold.test.n_elem, values.size());
        EXPECT_FALSE(fold.train.is_empty() || fold.test.is_empty());
        const auto train = values_of(fold.train, values), test = values_of(fold.test, values);
        std::vector<std::string> both;
        std::ranges::set_intersection(train, test, std::back_inserter(both));
        EXPECT_TRUE(both.empty()) << both.front();
      }
      EXPECT_EQ(times_tested(folds, values.size()), std::vector<int>(values.size(), 1));
    }
  }
}

// The largest part that is dealt to is the smallest at that time: parts differ by no more than the largest
// group.
TEST(GroupKFold, PartsAreOfBalancedSize) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<std::string> values = drawn(200, 30, seed);
    std::map<std::string, arma::uword> sizes;
    for (const std::string& value : values) ++sizes[value];
    arma::uword largest = 0;
    for (const auto& [value, size] : sizes) largest = std::max(largest, size);
    arma::uword least = values.size(), most = 0;
    for (const Fold& fold : make_folds(divided_by(values), split_by_column("group_k_fold"), seed, 0)) {
      least = std::min(least, fold.test.n_elem);
      most = std::max(most, fold.test.n_elem);
    }
    EXPECT_LE(most - least, largest) << seed;
  }
}

// RowNumbers whose value is missing or another one may have been dropped; the word is what counts.
TEST(GivenFolds, OfTrainAndTestAreOneFold) {
  std::vector<std::string> values = {"train", "test", "train", "train", "test"};
  for (const char* spelling : {"train", "Train", "TRAIN"}) {
    for (std::string& value : values) {
      if (value != "test") value = spelling;
    }
    for (const char* dropped : {"", "x"}) {
      Dataset data = divided_by(values);
      if (dropped[0] != 0) data.split->categories.emplace_back(dropped);
      SplitOptions options = split_by_column("given");
      options.column = "c";
      const std::vector<Fold> folds = make_folds(data, options, 1, 0);
      ASSERT_EQ(folds.size(), 1U) << spelling << dropped;
      EXPECT_EQ(values_of(folds[0].test, values), std::set<std::string>{"test"});
      EXPECT_EQ(folds[0].train.n_elem, 3U);
    }
  }
}

TEST(GroupKFold, IsDrawnByTheSeed) {
  const std::vector<std::string> values = drawn(100, 50, 3);
  const auto tests = [&](std::uint64_t seed, std::uint32_t repeat) {
    std::vector<std::vector<arma::uword>> parts;
    for (const Fold& fold : make_folds(divided_by(values), split_by_column("group_k_fold"), seed, repeat))
      parts.emplace_back(fold.test.begin(), fold.test.end());
    return parts;
  };
  EXPECT_EQ(tests(1, 0), tests(1, 0));
  EXPECT_NE(tests(1, 0), tests(2, 0));
  EXPECT_NE(tests(1, 0), tests(1, 1));
}

TEST(GroupKFold, RefusesFewerGroupsThanFolds) {
  EXPECT_EQ(place_in_split({"a", "b", "a", "b"}, split_by_column("group_k_fold", 3)), "/split/folds");
}

TEST(TimeSeries, TrainingRowsAreAllEarlierThanTestRows) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<std::string> values = drawn(90, 60, seed);
    const auto time = [&](arma::uword row) { return std::stod(values[row]); };
    SplitOptions options = split_by_column("time_series", 3);
    options.order = "c";
    const std::vector<Fold> folds = make_folds(divided_by(values), options, seed, 0);
    ASSERT_EQ(folds.size(), 3U);
    double last = -1;
    for (const Fold& fold : folds) {
      double latest = -1, earliest = 1e9;
      for (const arma::uword row : fold.train) latest = std::max(latest, time(row));
      for (const arma::uword row : fold.test) earliest = std::min(earliest, time(row));
      EXPECT_LT(latest, earliest) << seed;
      EXPECT_LT(last, earliest) << "folds follow each other";
      last = latest;
      EXPECT_TRUE(fold.train.is_sorted() && fold.test.is_sorted());
    }
    const std::vector<int> times = times_tested(folds, values.size());
    for (arma::uword row = 0; row < values.size(); ++row)
      EXPECT_EQ(times[row] == 0, std::ranges::binary_search(folds.front().train, row)) << row;
    EXPECT_LE(*std::ranges::max_element(times), 1);
  }
}

TEST(TimeSeries, WithoutAColumnTheFileIsTheOrder) {
  Dataset data = divided_by(std::vector<std::string>(10, "x"));
  data.split.reset();
  const std::vector<Fold> folds = make_folds(data, split_by_column("time_series", 4), 1, 0);
  ASSERT_EQ(folds.size(), 4U);
  for (std::size_t f = 0; f < 4; ++f) {
    EXPECT_TRUE(arma::all(folds[f].train == arma::regspace<arma::uvec>(0, 2 * f + 1)));
    EXPECT_TRUE(arma::all(folds[f].test == arma::uvec{2 * f + 2, 2 * f + 3}));
  }
}

TEST(TimeSeries, DatesAreAnOrder) {
  SplitOptions options = split_by_column("time_series", 2);
  options.order = "c";
  const std::vector<Fold> folds =
      make_folds(divided_by({"10.2.2024", "9.3.2024", "1.1.2024", "5.2.2024", "1.4.2023", "8.3.2024"}), options, 1, 0);
  EXPECT_TRUE(arma::all(folds[0].train == arma::uvec{2, 4}));
  EXPECT_TRUE(arma::all(folds[0].test == arma::uvec{0, 3}));
  EXPECT_TRUE(arma::all(folds[1].test == arma::uvec{1, 5}));
}

TEST(TimeSeries, RefusesValuesWithoutAnOrder) {
  SplitOptions options = split_by_column("time_series", 2);
  options.order = "c";
  EXPECT_TRUE(names_all(refusal_of_column({"1", "x", "3", "4"}, options), {"made: ", "\"1\""}));
  EXPECT_TRUE(names_all(refusal_of_column({"3/4/2024", "3/5/2024", "3/6/2024"}, options), {"made: ", "\"3/4/2024\""}));
  EXPECT_TRUE(names_all(refusal_of_column({"08:00", "12:00", "08:00", "12:00"}, options), {"made: ", "\"08:00\""}))
      << "of which day";
  EXPECT_EQ(place_in_split({"1", "1", "1", "1"}, options), "/split/folds");
  EXPECT_EQ(place_in_split({"1", "2"}, options), "/split/folds");
}

TEST(TimeSeries, RefusesNumbersThatMayBeMonths) {
  SplitOptions options = split_by_column("time_series", 2);
  options.order = "c";
  EXPECT_TRUE(names_all(refusal_of_column({"12.2023", "03.2024", "11.2023"}, options), {"made: ", "\"03.2024\""}));
  EXPECT_EQ(refusal_of_column({"0.5", "10", "1.5"}, options), "");
  EXPECT_EQ(refusal_of_column({"08", "10", "09"}, options), "") << "one order, as numbers and as texts";
}

TEST(SplitColumns, OfNumbersAreDividedByTheNumber) {
  TableOptions options = last_is_target();
  options.split = {"g", "/split/group"};
  for (const char* kind : {"group_k_fold", "given"}) {
    const Dataset data = csv_dataset("g,x,y\n1,1,1\n2,2,3\n1.0,3,2\n2,4,5\n+1,5,4\n3,6,6\n", options);
    for (const Fold& fold : make_folds(data, split_by_column(kind, 3), 1, 0)) {
      const arma::uvec of_one = arma::intersect(fold.test, arma::uvec{0, 2, 4});
      EXPECT_TRUE(of_one.is_empty() || of_one.n_elem == 3) << kind;
    }
  }
}

TEST(GivenFolds, AreTestedOneAfterTheOther) {
  const std::vector<std::string> values{"10", "2", "1", "2", "10", "1", "1"};
  const std::vector<Fold> folds = make_folds(divided_by(values), split_by_column("given"), 1, 0);
  ASSERT_EQ(folds.size(), 3U);
  EXPECT_TRUE(arma::all(folds[0].test == arma::uvec{2, 5, 6})) << "1";
  EXPECT_TRUE(arma::all(folds[1].test == arma::uvec{1, 3})) << "2";
  EXPECT_TRUE(arma::all(folds[2].test == arma::uvec{0, 4})) << "10";
  EXPECT_EQ(times_tested(folds, values.size()), std::vector<int>(values.size(), 1));
  for (const Fold& fold : folds) EXPECT_EQ(fold.train.n_elem + fold.test.n_elem, values.size());
}

TEST(GivenFolds, OfTrainAndTestAreOne) {
  const std::vector<Fold> folds =
      make_folds(divided_by({"train", "test", "train", "test"}), split_by_column("given"), 1, 0);
  ASSERT_EQ(folds.size(), 1U);
  EXPECT_TRUE(arma::all(folds[0].test == arma::uvec{1, 3}));
  EXPECT_TRUE(arma::all(folds[0].train == arma::uvec{0, 2}));
}

TEST(GivenFolds, RefusesASingleFold) {
  EXPECT_EQ(place_in_split({"1", "1"}, split_by_column("given")), "/split/column");
}

TEST(SplitColumns, AreNamedWhereTheyBelong) {
  const auto place = [](const SplitOptions& options) {
    return place_thrown<ConfigError>([&] { static_cast<void>(options.needed_column()); });
  };
  EXPECT_EQ(place(split_by_column("group_k_fold")), "/split/group");
  EXPECT_EQ(place(split_by_column("given")), "/split/column");
  SplitOptions options = split_by_column("k_fold");
  options.group = "g";
  EXPECT_EQ(place(options), "/split/group");
  EXPECT_EQ(split_by_column("time_series").needed_column().name, "");
}

TEST(SplitColumns, ValidationIsNotDrawnFromThem) {
  for (const char* kind : {"group_k_fold", "time_series", "given"}) {
    SplitOptions options = split_by_column(kind, 2);
    options.validate = true;
    EXPECT_EQ(place_in_split({"1", "2", "3", "4"}, options), "/split/validate") << kind;
  }
}

TEST(TimeSeries, AGapIsInNeitherPartAndAWindowIsTheLastOfTheRest) {
  const std::vector<std::string> values(60, "x");
  SplitOptions options = split_by_column("time_series", 4);
  Dataset data = divided_by(values);
  data.split.reset();
  const std::vector<Fold> plain = make_folds(data, options, 1, 0);
  options.gap = 3;
  options.window = 5;
  const std::vector<Fold> folds = make_folds(data, options, 1, 0);

  ASSERT_EQ(folds.size(), plain.size());
  for (std::size_t f = 0; f < folds.size(); ++f) {
    EXPECT_TRUE(arma::all(folds[f].test == plain[f].test));
    ASSERT_EQ(folds[f].train.n_elem, 5u);
    EXPECT_EQ(folds[f].train.max() + 1 + 3, folds[f].test.min());
    EXPECT_EQ(folds[f].train.max() - folds[f].train.min(), 4u);
  }
  options.gap = 12;
  EXPECT_EQ(place_thrown<ConfigError>([&] { make_folds(data, options, 1, 0); }), "/split/gap")
      << "as long as the first run";
}

TEST(LeaveOneGroupOut, EachGroupIsTestedOnceByItself) {
  const std::vector<std::string> values = drawn(80, 9, 3);
  const std::vector<Fold> folds = make_folds(divided_by(values), split_by_column("leave_one_group_out"), 1, 0);

  EXPECT_EQ(folds.size(), std::set<std::string>(values.begin(), values.end()).size());
  for (const Fold& fold : folds) {
    const std::set<std::string> tested = values_of(fold.test, values), trained = values_of(fold.train, values);
    EXPECT_EQ(tested.size(), 1u);
    EXPECT_FALSE(trained.contains(*tested.begin()));
  }
  EXPECT_EQ(times_tested(folds, values.size()), std::vector<int>(values.size(), 1));
}

/// Forty groups of one to eight rows; of most of them all rows are of one class.
Dataset grouped_classes(std::vector<std::string>& groups) {
  Dataset data;
  data.task = Task::classification;
  data.classes = {"a", "b", "c"};
  std::vector<arma::uword> labels;
  for (std::size_t g = 0; g < 40; ++g) {
    for (std::size_t i = 0; i < 1 + g % 8; ++i) {
      groups.push_back("g" + std::to_string(g));
      labels.push_back(g % 10 == 0 ? i % 3 : g < 24 ? 0 : g < 34 ? 1 : 2);
    }
  }
  data.labels = arma::uvec(labels);
  data.split = divided_by(groups).split;
  data.X.zeros(labels.size(), 1);
  return data;
}

/// The largest share of a class in a test part less the smallest, over all classes.
double unevenness(const Dataset& data, const std::vector<Fold>& folds) {
  double largest = 0;
  for (arma::uword k = 0; k < data.classes.size(); ++k) {
    const arma::uvec is_k = data.labels == k;
    double low = 1, high = 0;
    for (const Fold& fold : folds) {
      const double share =
          static_cast<double>(arma::accu(is_k.elem(fold.test))) / static_cast<double>(arma::accu(is_k));
      low = std::min(low, share);
      high = std::max(high, share);
    }
    largest = std::max(largest, high - low);
  }
  return largest;
}

TEST(GroupKFold, StratifiedGroupsHaveTheirClassesMoreEvenly) {
  std::vector<std::string> groups;
  const Dataset data = grouped_classes(groups);
  SplitOptions options = split_by_column("group_k_fold", 4);
  for (std::uint32_t repeat = 0; repeat < 5; ++repeat) {
    options.given = Json::object();
    const double plain = unevenness(data, make_folds(data, options, 1, repeat));
    options.given["stratified"] = true;
    const std::vector<Fold> folds = make_folds(data, options, 1, repeat);

    EXPECT_LT(unevenness(data, folds), 0.12) << plain;
    EXPECT_LE(unevenness(data, folds), plain);
    EXPECT_EQ(times_tested(folds, groups.size()), std::vector<int>(groups.size(), 1));
    for (const Fold& fold : folds) {
      const std::set<std::string> tested = values_of(fold.test, groups);
      for (const std::string& group : values_of(fold.train, groups)) EXPECT_FALSE(tested.contains(group));
    }
  }
}

TEST(GroupKFold, StratifiedFoldsHaveAnIdentityOfTheirOwn) {
  SplitOptions options = split_by_column("group_k_fold", 4), asked = options;
  asked.given = {{"stratified", true}};

  EXPECT_NE(options.identity(), asked.identity());
  asked.kind = options.kind = "k_fold";
  EXPECT_EQ(options.identity(), asked.identity()) << "true is the default there";
}

}  // namespace
}  // namespace elmx
