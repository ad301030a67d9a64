#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "data/table/dataset.hpp"
#include "data/test_files.hpp"
#include "data/test_tables.hpp"

namespace elmx {
namespace {

using Names = std::vector<std::string>;

Dataset read_as(const std::string& text, const TableOptions& options, arma::uword train_rows = 0) {
  return assemble(read_csv(text, options), options, train_rows, "made");
}

bool equal(const arma::mat& A, const arma::mat& B) { return arma::approx_equal(A, B, "absdiff", 0); }

TEST(Assemble, PutsInputsAndTargetsApart) {
  TableOptions options = last_is_target("refuse");
  options.target = {"1", "4"};
  options.drop = {"2"};

  const Dataset data = read_as("y1,no,x1,y2,x2\n1,2,3,4,5\n6,7,8,9,10\n", options);

  EXPECT_TRUE(equal(data.X, {{3, 5}, {8, 10}}));
  EXPECT_TRUE(equal(data.Y, {{1, 4}, {6, 9}}));
  EXPECT_EQ(data.inputs, (Names{"x1", "x2"}));
  EXPECT_EQ(data.task, Task::regression);
  EXPECT_TRUE(data.labels.empty());
}

TEST(Assemble, EncodesCategoriesInAlphabeticalOrder) {
  TableOptions options = last_is_target("refuse");
  options.nominal = {"colour"};

  const Dataset data = read_as("a,colour,y\n1,red,0\n2,blue,0\n3,green,0\n", options);

  EXPECT_EQ(data.inputs, (Names{"a", "colour=blue", "colour=green", "colour=red"}));
  EXPECT_TRUE(equal(data.X, {{1, 0, 0, 1}, {2, 1, 0, 0}, {3, 0, 1, 0}}));
}

TEST(Assemble, NumbersCategoriesWhereCodesAreAskedFor) {
  TableOptions options = last_is_target("mean");
  options.nominal = {"colour"};
  options.codes = true;

  const Dataset data = read_as("a,colour,y\n1,red,0\n2,blue,0\n3,green,0\n4,?,0\n", options);

  EXPECT_EQ(data.inputs, (Names{"a", "colour"}));
  EXPECT_TRUE(equal(data.X, {{1, 3}, {2, 1}, {3, 2}, {4, 0}}));  // "?" comes first
}

TEST(Assemble, CodesFollowTheDeclaredOrder) {
  TableOptions options = last_is_target("refuse");
  options.codes = true;
  const std::string text = "@relation r\n@attribute c {z, a, never}\n@attribute y real\n@data\na,1\nz,2\n";

  const Dataset data = assemble(read_arff(text, options), options, 0, "made");

  EXPECT_TRUE(equal(data.X, arma::mat{1, 0}.t()));
}

TEST(Assemble, EncodesDeclaredCategoriesInTheirOrder) {
  const TableOptions options = last_is_target("refuse");
  const std::string text = "@relation r\n@attribute c {z, a, never}\n@attribute y real\n@data\na,1\nz,2\n";

  const Dataset data = assemble(read_arff(text, options), options, 0, "made");

  EXPECT_EQ(data.inputs, (Names{"c=z", "c=a", "c=never"}));
  EXPECT_TRUE(equal(data.X, {{0, 1, 0}, {1, 0, 0}}));
}

TEST(Assemble, JoinsTheCategoriesOfTwoFiles) {
  TableOptions options = last_is_target("refuse", Task::classification);
  options.nominal = {"1"};
  RawTable table = read_csv("b,yes\na,no\n", options, {.header = "no"}, "train");
  table.append(read_csv("c,maybe\nb,no\n", options, {.header = "no"}, "test"), "test");

  const Dataset data = assemble(std::move(table), options, 2, "made");

  EXPECT_TRUE(equal(data.X, {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}, {0, 1, 0}}));
  EXPECT_EQ(data.classes, (Names{"maybe", "no", "yes"}));
  EXPECT_TRUE(arma::all(data.labels == arma::uvec{2, 1, 0, 1}));
  EXPECT_EQ(data.published_train, 2U);
}

TEST(Append, RefusesAnotherLayout) {
  const TableOptions options = last_is_target("refuse");
  const auto refused = [&](const std::string& second) {
    RawTable table = read_csv("a,b\n1,2\n", options, {}, "train");
    return thrown<DataError>([&] { table.append(read_csv(second, options, {}, "t"), "t.csv"); });
  };
  EXPECT_TRUE(names_all(refused("1,2,3\n"), {"t.csv: ", "2", "3"}));
  EXPECT_TRUE(names_all(refused("a,c\n1,2\n"), {"t.csv: ", "\"c\"", "\"b\""}));
}

// Whoever writes two files may take a column for numbers in the one and for categories in the other.
TEST(Append, RefusesAnotherKindOfColumn) {
  const std::string head = "@relation r\n@attribute x ",
                    numbers = head + "numeric\n@attribute y real\n@data\n10,1\n20,2\n",
                    categories = head + "{10,30,20}\n@attribute y real\n@data\n30,1\n20,2\n";
  const auto both = [](const std::string& first, const std::string& second) {
    RawTable table = read_arff(first);
    return thrown<DataError>([&] { table.append(read_arff(second), "t.arff"); });
  };
  EXPECT_TRUE(names_all(both(numbers, categories), {"t.arff: ", "\"x\""}));
  EXPECT_TRUE(names_all(both(categories, numbers), {"t.arff: ", "\"x\""}));
}

const char* const kHoles = "1,10,a,1\n?,20,b,2\n3,?,a,3\n5,40,?,4\n7,50,b,5\n";

TEST(MissingValues, DropTheirRows) {
  TableOptions options = last_is_target("drop_rows");
  options.nominal = {"3"};

  const Dataset data = read_as(kHoles, options, 4);

  EXPECT_TRUE(equal(data.X, {{1, 10, 1, 0}, {7, 50, 0, 1}}));
  EXPECT_TRUE(equal(data.Y, arma::vec{1, 5}));
  EXPECT_EQ(data.published_train, 1U) << "three of the four training rows went";
  ASSERT_EQ(data.report.rows_left_out.size(), 1U);
  EXPECT_EQ(data.report.rows_left_out[0].count, 3U);
  EXPECT_TRUE(arma::all(data.kept_rows == arma::uvec{0, 4}));
}

TEST(MissingValues, InDroppedColumnsDoNotCount) {
  TableOptions options = last_is_target("drop_rows");
  options.drop = {"1", "2", "3"};
  EXPECT_EQ(place_thrown<DataError>([&] { read_as(kHoles, options); }), "made");
  options.drop = {"2", "3"};
  EXPECT_EQ(read_as(kHoles, options).X.n_rows, 4U);
}

TEST(MissingValues, StayInNumbersAndBecomeACategoryOfTheirOwn) {
  TableOptions options = last_is_target("mean");
  options.nominal = {"3"};

  const Dataset data = read_as(kHoles, options);

  EXPECT_EQ(data.inputs, (Names{"column1", "column2", "column3=?", "column3=a", "column3=b"}));
  arma::mat X = data.X;
  EXPECT_TRUE(data.missing);
  EXPECT_TRUE(std::isnan(X(1, 0)) && std::isnan(X(2, 1)));
  EXPECT_TRUE(equal(X.replace(arma::datum::nan, -1),
                    {{1, 10, 0, 1, 0}, {-1, 20, 0, 0, 1}, {3, -1, 0, 1, 0}, {5, 40, 1, 0, 0}, {7, 50, 0, 0, 1}}));
  EXPECT_TRUE(arma::all(data.one_hot == arma::uvec{2, 3, 4}));
  for (const char* name : {"column1", "column2", "column3"})
    EXPECT_EQ(report_on(data.report, name).missing, 1U) << name;
}

TEST(MissingValues, OfTheTargetDropTheirRowsAlone) {
  const Dataset data = read_as("1,10,1\n?,20,?\n3,?,3\n", last_is_target("mean"));
  EXPECT_EQ(data.samples(), 2U);
  EXPECT_TRUE(arma::all(data.kept_rows == arma::uvec{0, 2}));
  ASSERT_EQ(data.report.rows_left_out.size(), 1U);
  EXPECT_EQ(data.report.rows_left_out[0].count, 1U);
  EXPECT_EQ(data.report.rows, 2U);
}

// Training would tell a missing value apart from this text, but a saved model, which knows names only, would
// not.
TEST(MissingValues, DoNotJoinACategoryOfTheFile) {
  TableOptions options = last_is_target("mean");
  options.nominal = {"1"};
  options.missing_values = {{"NA"}, {}};
  EXPECT_TRUE(names_all(thrown<DataError>([&] { read_as("?,1\nNA,2\na,3\n", options); }),
                        {"made: ", "\"column1\"", "\"?\"", "missing_values"}));
  EXPECT_EQ(read_as("?,1\nb,2\na,3\n", options).X.n_cols, 3U);
}

TEST(MissingValues, AreRefusedIfNothingIsLeft) {
  const auto place = [](const std::string& text, const std::string& missing) {
    return place_thrown<DataError>([&] { read_as(text, last_is_target(missing)); });
  };
  EXPECT_EQ(place("1,?,1\n?,2,2\n", "drop_rows"), "made");
  EXPECT_EQ(place("?,1\n?,2\n", "mean"), "made") << "its only input has no value";
  EXPECT_EQ(place("1,?\n2,?\n", "mean"), "f.csv");
}

// The rows of a column that no file fills but the first.
TEST(MissingValues, OfAllRowsAreRefused) {
  RawTable table;
  table.rows = 2;
  table.columns.resize(2);
  table.columns[0].name = "x";
  table.columns[0].values = {NAN, NAN};
  table.columns[1].name = "y";
  table.columns[1].role = Role::target;
  table.columns[1].values = {1, 2};
  EXPECT_TRUE(
      names_all(thrown<DataError>([&] { assemble(table, last_is_target("mean"), 0, "made"); }), {"made: ", "\"x\""}));
}

}  // namespace
}  // namespace elmx
