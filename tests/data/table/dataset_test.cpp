#include "data/table/dataset.hpp"

#include <gtest/gtest.h>

namespace elmx {
namespace {

using Names = std::vector<std::string>;

TEST(Classes, AreInNumericOrder) {
  Dataset data;
  set_classes(data, {"10", "6.5", "9", "6", "-1"}, {0, 1, 2, 3, 4, 0});
  EXPECT_EQ(data.classes, (Names{"-1", "6", "6.5", "9", "10"}));
  EXPECT_TRUE(arma::all(data.labels == arma::uvec{4, 2, 3, 1, 0, 4}));
}

TEST(Classes, ThatAreEqualNumbersStayApart) {
  Dataset data;
  set_classes(data, {"1.10", "1.1", "02"}, {0, 1, 2});
  EXPECT_EQ(data.classes, (Names{"1.1", "1.10", "02"}));
}

TEST(Classes, AreInAlphabeticalOrderWhereOneIsNoNumber) {
  Dataset data;
  set_classes(data, {"b", "10", "9"}, {0, 1, 2});
  EXPECT_EQ(data.classes, (Names{"10", "9", "b"}));
  EXPECT_TRUE(arma::all(data.labels == arma::uvec{2, 0, 1}));
}

TEST(Classes, WithoutASampleAreLeftOut) {
  Dataset data;
  set_classes(data, {"a", "never", "b"}, {2, 0});
  EXPECT_EQ(data.classes, (Names{"a", "b"}));
  EXPECT_TRUE(arma::all(data.labels == arma::uvec{1, 0}));
}

TEST(Classes, OfAMissingLabelAreBehindTheOthers) {
  Dataset data;
  set_classes(data, {"b", "a"}, {0, arma::datum::nan, 1});
  EXPECT_EQ(data.classes, (Names{"a", "b"}));
  EXPECT_TRUE(arma::all(data.labels == arma::uvec{1, 2, 0}));
}

TEST(Essence, HasLongNamesAndNotesWhole) {
  const std::string note =
      "weight: 12 numbers without the unit \"kg\" of the file on which the model was trained earlier";
  Dataset data;
  data.name = "measurements_of_the_second_half_of_the_year_at_the_northern_station.csv";
  data.X.ones(2, 1);
  data.inputs = {"weight"};
  data.Y = arma::vec{1, 2};
  data.report.notes = {note, "short: whole"};

  const Names lines = essence_of(data);

  ASSERT_EQ(lines.size(), 3U);
  EXPECT_TRUE(lines[0].starts_with(data.name + ": ")) << lines[0];
  EXPECT_EQ(lines[1], "  " + note);
  EXPECT_EQ(lines[2], "  short: whole");
}

}  // namespace
}  // namespace elmx
