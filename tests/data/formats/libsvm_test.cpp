#include <gtest/gtest.h>

#include "base/error.hpp"
#include "data/formats/text_formats.hpp"
#include "data/test_files.hpp"
#include "data/test_tables.hpp"

namespace elmx {
namespace {

using Numbers = std::vector<double>;

RawTable libsvm(const std::string& text, Task task = Task::classification) {
  TableOptions options;
  options.task = task;
  return read_libsvm({"f", text, ""}, options);
}

std::string libsvm_place(const std::string& text, Task task = Task::regression) {
  return place_thrown<DataError>([&] { libsvm(text, task); });
}

TEST(Libsvm, FillsTheGapsWithZeros) {
  const RawTable table = libsvm("+1 2:0.5\n-1\n+1 1:3 3:-4e0  # a comment\r\n# a line of it\n");

  EXPECT_EQ(table.rows, 3U);
  ASSERT_EQ(table.columns.size(), 4U);
  EXPECT_EQ(table.columns[0].role, Role::target);
  EXPECT_EQ(table.columns[0].categories, (std::vector<std::string>{"1", "-1"}));
  EXPECT_EQ(table.columns[0].values, (Numbers{0, 1, 0}));
  EXPECT_EQ(table.columns[1].values, (Numbers{0, 0, 3}));
  EXPECT_EQ(table.columns[2].values, (Numbers{0.5, 0, 0}));
  EXPECT_EQ(table.columns[3].values, (Numbers{0, 0, -4}));
  EXPECT_EQ(table.columns[3].name, "x3");
}

TEST(Libsvm, ReadsNumbersAsRegressionTargets) {
  EXPECT_EQ(libsvm("1.5 1:1\n-2 1:2\n", Task::regression).columns[0].values, (Numbers{1.5, -2}));
}

TEST(Libsvm, CountsIndicesFromZeroIfOneIs) {
  const RawTable table = libsvm("1 1:2\n-1 0:5 2:3\n");
  ASSERT_EQ(table.columns.size(), 4U);
  EXPECT_EQ(table.columns[1].name, "x0");
  EXPECT_EQ(table.columns[1].values, (Numbers{0, 5}));
  EXPECT_EQ(table.columns[2].name, "x1");
  EXPECT_EQ(table.columns[2].values, (Numbers{2, 0}));
}

TEST(Libsvm, LeavesQueryNumbersOut) {
  const RawTable table = libsvm("2 qid:1 1:5 # doc\n1 qid:1 2:7\n", Task::regression);
  ASSERT_EQ(table.columns.size(), 3U);
  EXPECT_EQ(table.columns[0].values, (Numbers{2, 1}));
  EXPECT_EQ(table.columns[1].values, (Numbers{5, 0}));
  ASSERT_EQ(table.report.warnings.size(), 1U);
  EXPECT_TRUE(names_all(table.report.warnings.front(), {"qid"}));
  EXPECT_TRUE(libsvm("2 1:5\n1 2:7\n", Task::regression).report.warnings.empty());
}

TEST(Libsvm, SecondFileMayHaveAnotherHighestIndex) {
  for (const bool swapped : {false, true}) {
    RawTable first = libsvm(swapped ? "1 1:1 3:2\n" : "1 1:1\n");

    first.append(libsvm(swapped ? "-1 1:1\n" : "-1 1:1 3:2\n"), "second");

    ASSERT_EQ(first.columns.size(), 4U);
    EXPECT_EQ(first.columns[2].values, (Numbers{0, 0}));
    EXPECT_EQ(first.columns[3].values, (swapped ? Numbers{2, 0} : Numbers{0, 2}));
  }
}

TEST(Libsvm, NeverMixesIndicesFromZeroAndOne) {
  for (const bool swapped : {false, true}) {
    const std::string from_one = "1 1:4\n", from_zero = "-1 0:5 1:6\n";
    RawTable first = libsvm(swapped ? from_zero : from_one);
    EXPECT_EQ(place_thrown<DataError>([&] { first.append(libsvm(swapped ? from_one : from_zero), "second"); }),
              "second");
  }
}

TEST(LibsvmRefuses, InvalidEntries) {
  for (const char* entry : {"1:1 1:2", "2:1 1:2", "1:", ":1", "1", "x:1", "1:x", "1:inf", "1:nan", "1:1e999", "-1:2",
                            "1.5:2", "1000001:1", "1:1 qid:2"})
    EXPECT_EQ(libsvm_place("1 1:1\n1 " + std::string(entry) + "\n"), "f:2") << entry;
}

TEST(LibsvmRefuses, LabelsThatAreNoNumbersInARegression) {
  EXPECT_EQ(libsvm_place("a 1:1\n"), "f");
  EXPECT_EQ(libsvm_place("\n"), "f");
}

TEST(LibsvmRefuses, RowsWithoutALabelOrWithSeveral) {
  for (const std::string label : {"1:0", "1,2"})
    EXPECT_EQ(libsvm_place(label + " 2:0.5\n", Task::classification), "f:1") << label;
}

TEST(LibsvmRefuses, OptionsThatDoNotFitIt) {
  const auto place = [](const TableOptions& options) {
    return place_thrown<ConfigError>([&] { read_libsvm({"f", "1 1:1\n", ""}, options); });
  };
  TableOptions options;
  options.nominal = {"x1"};
  EXPECT_EQ(place(options), "/data/nominal");
  options.nominal = {};
  options.target = {"x1"};
  EXPECT_EQ(place(options), "/data/target");
  options.target = {};
  options.split = {"x1", "/split/group"};
  EXPECT_EQ(place(options), "/split/group");
}

TEST(Libsvm, IsRecognisedByItsRows) {
  EXPECT_TRUE(looks_like_libsvm("1 1:0.5\n-1 2:3\n"));
  EXPECT_TRUE(looks_like_libsvm("# by hand\n1 1:0.5 2:1.5\n"));
  EXPECT_TRUE(looks_like_libsvm("0 qid:1 1:2\n"));
  EXPECT_FALSE(looks_like_libsvm("1 12:30\n2 x\n"));
  EXPECT_FALSE(looks_like_libsvm("1 2 3\n"));
  EXPECT_FALSE(looks_like_libsvm("1\n2\n"));
  EXPECT_FALSE(looks_like_libsvm(""));
}

}  // namespace
}  // namespace elmx
