#include "data/table/assemble.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "data/table/classes.hpp"
#include "data/formats/arff.hpp"
#include "data/csv/csv_options.hpp"
#include "data/test_files.hpp"

namespace elmx {
namespace {

using Names = std::vector<std::string>;

TableOptions options_of(const std::string& missing, Task task = Task::regression) {
  TableOptions options;
  options.target = {"-1"};
  options.missing = missing;
  options.task = task;
  return options;
}

Dataset read(const std::string& text, const TableOptions& options, arma::uword train_rows = 0) {
  return assemble(read_delimited({"f.csv", text, ""}, options), options, train_rows, "made");
}

bool equal(const arma::mat& A, const arma::mat& B) { return arma::approx_equal(A, B, "absdiff", 0); }

TEST(Assemble, PutsInputsAndTargetsApart) {
  TableOptions options = options_of("refuse");
  options.target = {"1", "4"};
  options.drop = {"2"};

  const Dataset data = read("y1,no,x1,y2,x2\n1,2,3,4,5\n6,7,8,9,10\n", options);

  EXPECT_TRUE(equal(data.X, {{3, 5}, {8, 10}}));
  EXPECT_TRUE(equal(data.Y, {{1, 4}, {6, 9}}));
  EXPECT_EQ(data.inputs, (Names{"x1", "x2"}));
  EXPECT_EQ(data.task, Task::regression);
  EXPECT_TRUE(data.labels.empty());
}

TEST(Assemble, EncodesCategoriesInAlphabeticalOrder) {
  TableOptions options = options_of("refuse");
  options.nominal = {"colour"};

  const Dataset data = read("a,colour,y\n1,red,0\n2,blue,0\n3,green,0\n", options);

  EXPECT_EQ(data.inputs, (Names{"a", "colour=blue", "colour=green", "colour=red"}));
  EXPECT_TRUE(equal(data.X, {{1, 0, 0, 1}, {2, 1, 0, 0}, {3, 0, 1, 0}}));
}

TEST(Assemble, NumbersCategoriesWhereCodesAreAskedFor) {
  TableOptions options = options_of("mean");
  options.nominal = {"colour"};
  options.codes = true;

  const Dataset data = read("a,colour,y\n1,red,0\n2,blue,0\n3,green,0\n4,?,0\n", options);

  EXPECT_EQ(data.inputs, (Names{"a", "colour"}));
  EXPECT_TRUE(equal(data.X, {{1, 3}, {2, 1}, {3, 2}, {4, 0}}));  // "?" comes first
}

TEST(Assemble, CodesFollowTheDeclaredOrder) {
  TableOptions options = options_of("refuse");
  options.codes = true;
  const std::string text = "@relation r\n@attribute c {z, a, never}\n@attribute y real\n@data\na,1\nz,2\n";

  const Dataset data = assemble(read_arff({"f.arff", text, ""}, options), options, 0, "made");

  EXPECT_TRUE(equal(data.X, arma::mat{1, 0}.t()));
}

TEST(Assemble, EncodesDeclaredCategoriesInTheirOrder) {
  const TableOptions options = options_of("refuse");
  const std::string text = "@relation r\n@attribute c {z, a, never}\n@attribute y real\n@data\na,1\nz,2\n";

  const Dataset data = assemble(read_arff({"f.arff", text, ""}, options), options, 0, "made");

  EXPECT_EQ(data.inputs, (Names{"c=z", "c=a", "c=never"}));
  EXPECT_TRUE(equal(data.X, {{0, 1, 0}, {1, 0, 0}}));
}

TEST(Assemble, JoinsTheCategoriesOfTwoFiles) {
  TableOptions options = options_of("refuse", Task::classification);
  options.nominal = {"1"};
  RawTable table = read_delimited({"train", "b,yes\na,no\n", ""}, options);
  table.append(read_delimited({"test", "c,maybe\nb,no\n", ""}, options), "test");

  const Dataset data = assemble(std::move(table), options, 2, "made");

  EXPECT_TRUE(equal(data.X, {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}, {0, 1, 0}}));
  EXPECT_EQ(data.classes, (Names{"maybe", "no", "yes"}));
  EXPECT_TRUE(arma::all(data.labels == arma::uvec{2, 1, 0, 1}));
  EXPECT_EQ(data.published_train, 2U);
}

TEST(Append, RefusesAnotherLayout) {
  const TableOptions options = options_of("refuse");
  RawTable table = read_delimited({"train", "a,b\n1,2\n", ""}, options);
  EXPECT_EQ(message_of<DataError>([&] {
              table.append(read_delimited({"t", "1,2,3\n", ""}, options), "t.csv");
            }),
            "t.csv: 3 columns; the first file of the set has 2");
  EXPECT_EQ(message_of<DataError>([&] {
              table.append(read_delimited({"t", "a,c\n1,2\n", ""}, options), "t.csv");
            }),
            "t.csv: column 2 is named \"c\"; in the first file of the set it is \"b\"");
}

// Whoever writes two files may take a column for numbers in the one and for categories in the other.
TEST(Append, RefusesAnotherKindOfColumn) {
  const std::string head = "@relation r\n@attribute x ",
                    numbers = head + "numeric\n@attribute y real\n@data\n10,1\n20,2\n",
                    categories = head + "{10,30,20}\n@attribute y real\n@data\n30,1\n20,2\n";
  const auto both = [](const std::string& first, const std::string& second) {
    RawTable table = read_arff({"train", first, ""}, options_of("refuse"));
    return message_of<DataError>([&] { table.append(read_arff({"t", second, ""}, options_of("refuse")), "t.arff"); });
  };
  EXPECT_EQ(both(numbers, categories),
            "t.arff: column \"x\" has categories; in the first file of the set it has numbers");
  EXPECT_EQ(both(categories, numbers),
            "t.arff: column \"x\" has numbers; in the first file of the set it has categories");
}

const char* const kHoles = "1,10,a,1\n?,20,b,2\n3,?,a,3\n5,40,?,4\n7,50,b,5\n";

TEST(MissingValues, DropTheirRows) {
  TableOptions options = options_of("drop_rows");
  options.nominal = {"3"};

  const Dataset data = read(kHoles, options, 4);

  EXPECT_TRUE(equal(data.X, {{1, 10, 1, 0}, {7, 50, 0, 1}}));
  EXPECT_TRUE(equal(data.Y, arma::vec{1, 5}));
  EXPECT_EQ(data.published_train, 1U) << "three of the four training rows went";
  EXPECT_EQ(data.notes, Names{"3 rows with missing values dropped"});
}

TEST(MissingValues, InDroppedColumnsDoNotCount) {
  TableOptions options = options_of("drop_rows");
  options.drop = {"1", "2", "3"};
  EXPECT_EQ(message_of<DataError>([&] { read(kHoles, options); }), "made: no input column; at least one is expected");
  options.drop = {"2", "3"};
  EXPECT_EQ(read(kHoles, options).X.n_rows, 4U);
}

TEST(MissingValues, StayInNumbersAndBecomeACategoryOfTheirOwn) {
  TableOptions options = options_of("mean");
  options.nominal = {"3"};

  const Dataset data = read(kHoles, options);

  EXPECT_EQ(data.inputs, (Names{"column1", "column2", "column3=?", "column3=a", "column3=b"}));
  arma::mat X = data.X;
  EXPECT_TRUE(data.missing);
  EXPECT_TRUE(std::isnan(X(1, 0)) && std::isnan(X(2, 1)));
  EXPECT_TRUE(equal(X.replace(arma::datum::nan, -1),
                    {{1, 10, 0, 1, 0}, {-1, 20, 0, 0, 1}, {3, -1, 0, 1, 0}, {5, 40, 1, 0, 0}, {7, 50, 0, 0, 1}}));
  EXPECT_TRUE(arma::all(data.one_hot == arma::uvec{2, 3, 4}));
  EXPECT_EQ(data.notes, (Names{"1 missing value of column1 replaced by the mean of each training part",
                               "1 missing value of column2 replaced by the mean of each training part",
                               "1 missing value of column3 made a category of their own"}));
}

// What is missing would be told apart from the text in training, and not by a model that knows names alone.
TEST(MissingValues, AreNoCategoryThatIsThere) {
  TableOptions options = options_of("mean");
  options.nominal = {"1"};
  options.missing_values = MissingValues({"NA"});
  EXPECT_EQ(
      message_of<DataError>([&] { read("?,1\nNA,2\na,3\n", options); }),
      "made: column \"column1\": 1 missing value, which would become the category \"?\", but that is a category of "
      "its own; allowed: \"missing_values\" with \"?\" among them, or \"missing\": \"drop_rows\"");
  EXPECT_EQ(read("?,1\nb,2\na,3\n", options).X.n_cols, 3U);
}

TEST(MissingValues, AreRefusedWhereNothingIsLeft) {
  EXPECT_EQ(message_of<DataError>([] { read("?,1\n?,2\n", options_of("drop_rows")); }),
            "made: every row has a missing value; one complete row is expected");
  EXPECT_EQ(message_of<DataError>([] { read("?,1\n?,2\n", options_of("mean")); }),
            "made: column \"column1\": every value is missing; a mean needs at least one");
  EXPECT_EQ(
      message_of<DataError>([] { read("1,?\n2,2\n", options_of("mean")); }),
      "made: target \"column2\": 1 missing value; none is allowed (\"missing\": \"drop_rows\" leaves such rows out)");
}

TEST(Classes, AreInNumericOrderAndSpelledShortest) {
  Dataset data;
  set_classes(data, {"10", "6.0000", "9", "6", "-1."}, {0, 1, 2, 3, 4, 0});

  EXPECT_EQ(data.classes, (Names{"-1", "6", "9", "10"}));
  EXPECT_EQ(data.notes, Names{R"(the classes "6.0000" and "6" are one number, and one class: 6)"});
  EXPECT_TRUE(arma::all(data.labels == arma::uvec{3, 1, 2, 1, 0, 3}));
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

}  // namespace
}  // namespace elmx
