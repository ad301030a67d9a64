#include "data/formats/libsvm.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "data/test_files.hpp"

namespace elmx {
namespace {

using Numbers = std::vector<double>;

RawTable read_libsvm(const std::string& text, Task task = Task::classification) {
  TableOptions options;
  options.task = task;
  return read_libsvm({"f", text, ""}, options);
}

std::string refusal_of_libsvm(const std::string& text) {
  return message_of<DataError>([&] { read_libsvm(text, Task::regression); });
}

TEST(Libsvm, FillsTheGapsWithZeros) {
  const RawTable table = read_libsvm("+1 2:0.5\n-1\n+1 1:3 3:-4e0  # a comment\r\n# a line of it\n");

  EXPECT_EQ(table.rows, 3U);
  ASSERT_EQ(table.columns.size(), 4U);
  EXPECT_EQ(table.columns[0].role, Role::target);
  EXPECT_EQ(table.columns[0].categories, (std::vector<std::string>{"+1", "-1"}));
  EXPECT_EQ(table.columns[1].values, (Numbers{0, 0, 3}));
  EXPECT_EQ(table.columns[2].values, (Numbers{0.5, 0, 0}));
  EXPECT_EQ(table.columns[3].values, (Numbers{0, 0, -4}));
  EXPECT_EQ(table.columns[3].name, "x3");
}

TEST(Libsvm, ReadsNumbersAsRegressionTargets) {
  EXPECT_EQ(read_libsvm("1.5 1:1\n-2 1:2\n", Task::regression).columns[0].values, (Numbers{1.5, -2}));
}

TEST(Libsvm, SecondFileMayHaveAnotherHighestIndex) {
  for (const bool swapped : {false, true}) {
    RawTable first = read_libsvm(swapped ? "1 1:1 3:2\n" : "1 1:1\n");

    first.append(read_libsvm(swapped ? "-1 1:1\n" : "-1 1:1 3:2\n"), "second");

    ASSERT_EQ(first.columns.size(), 4U);
    EXPECT_EQ(first.columns[2].values, (Numbers{0, 0}));
    EXPECT_EQ(first.columns[3].values, (swapped ? Numbers{2, 0} : Numbers{0, 2}));
  }
}

TEST(LibsvmRefuses, WhatIsNoEntry) {
  const std::string expected = "; index:value is expected, with a finite value and indices that ascend from ";
  EXPECT_EQ(refusal_of_libsvm("1 1:1\n1 0:2\n"), "f: line 2, column 2: \"0:2\"" + expected + "1 to at most 1000000");
  EXPECT_EQ(refusal_of_libsvm("1 2:1 2:2\n"), "f: line 1, column 3: \"2:2\"" + expected + "3 to at most 1000000");
  EXPECT_EQ(refusal_of_libsvm("1 3:1 2:2\n"), "f: line 1, column 3: \"2:2\"" + expected + "4 to at most 1000000");
  EXPECT_EQ(refusal_of_libsvm("1 7\n"), "f: line 1, column 2: \"7\"" + expected + "1 to at most 1000000");
  EXPECT_EQ(refusal_of_libsvm("1 1:inf\n"), "f: line 1, column 2: \"1:inf\"" + expected + "1 to at most 1000000");
  EXPECT_EQ(refusal_of_libsvm("1 1:\n"), "f: line 1, column 2: \"1:\"" + expected + "1 to at most 1000000");
  EXPECT_EQ(refusal_of_libsvm("1 1000001:1\n"),
            "f: line 1, column 2: \"1000001:1\"" + expected + "1 to at most 1000000");
}

TEST(LibsvmRefuses, LabelsThatAreNoNumbersInARegression) {
  EXPECT_EQ(refusal_of_libsvm("a 1:1\n"), "f: line 1, column 1: \"a\"; a finite number is expected");
  EXPECT_EQ(refusal_of_libsvm("\n"), "f: no data; at least one row is expected");
}

TEST(LibsvmRefuses, RowsWithoutALabelOrWithSeveral) {
  for (const char* label : {"1:0", "1,2"}) {
    EXPECT_EQ(message_of<DataError>([&] { read_libsvm(std::string(label) + " 2:0.5\n"); }),
              std::string("f: line 1: \"") + label + "\"; one label is expected before index:value");
  }
}

TEST(LibsvmRefuses, OptionsThatDoNotFitIt) {
  TableOptions options;
  options.nominal = {"x1"};
  EXPECT_EQ(message_of<ConfigError>([&] {
              read_libsvm({"f", "1 1:1\n", ""}, options);
            }),
            "/data/nominal: not with LIBSVM files; they hold numbers only");
  options.nominal = {};
  options.target = {"x1"};
  EXPECT_EQ(message_of<ConfigError>([&] {
              read_libsvm({"f", "1 1:1\n", ""}, options);
            }),
            "/data/target: \"x1\"; allowed for LIBSVM files: label");
  options.target = {};
  options.split = {"x1", "/split/group"};
  EXPECT_EQ(message_of<ConfigError>([&] {
              read_libsvm({"f", "1 1:1\n", ""}, options);
            }),
            "/split/group: not with LIBSVM files; it belongs to delimited, arff, keel");
}

}  // namespace
}  // namespace elmx
