#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "data/arrays/array_file.hpp"
#include "data/content/content.hpp"
#include "data/load.hpp"
#include "data/test_files.hpp"
#include "support/threads.hpp"

// Texts that become arrays, against the values that stand in the text.

namespace elmx {
namespace {

class Convert : public testing::Test {
 protected:
  Conversion converted(const std::string& text, Json data = Json::object()) {
    data["path"] = folder_.write("rows.csv", text).string();
    return convert_to_npy(data, array_);
  }
  arma::mat array() const { return read_npy(std::make_shared<const Content>(open_content(array_))); }

  /// Returns the names of the classes by their numbers, as the report lists them.
  static std::vector<std::string> classes_of(const Conversion& done) {
    for (const std::string& note : done.report.notes) {
      if (const auto list = note.find('['); list != std::string::npos && note.starts_with("classes"))
        return Json::parse(note.substr(list)).get<std::vector<std::string>>();
    }
    return {};
  }

  TestFolder folder_;
  std::filesystem::path array_ = folder_.path() / "rows.npy";
};

TEST_F(Convert, ARowHasItsInputsThenTheNumberOfItsClass) {
  const std::vector<std::string> kinds{"b", "a", "c", "a", "b", "c"};
  std::string text = "colour,size,kind\n";
  for (std::size_t i = 0; i < kinds.size(); ++i)
    text += std::string(i % 2 == 0 ? "red" : "blue") + "," + std::to_string(i) + ".5," + kinds[i] + "\n";

  const Conversion done = converted(text);

  const arma::mat A = array();
  const std::vector<std::string> classes = classes_of(done);
  ASSERT_EQ(A.n_rows, kinds.size());
  ASSERT_EQ(A.n_cols, 4u);
  EXPECT_EQ(done.rows, A.n_rows);
  EXPECT_EQ(done.columns, A.n_cols);
  EXPECT_EQ(done.data["task"], "classification");
  ASSERT_EQ(std::set<std::string>(classes.begin(), classes.end()), (std::set<std::string>{"a", "b", "c"}));
  for (arma::uword i = 0; i < A.n_rows; ++i) {
    EXPECT_EQ(classes[static_cast<std::size_t>(A(i, 3))], kinds[i]) << i;
    EXPECT_EQ(A(i, 2), static_cast<double>(i) + 0.5);
    EXPECT_EQ(A(i, 0) + A(i, 1), 1) << "one of two colours";
    EXPECT_EQ(A(i, 0), A(i % 2, 0));
  }
}

// A window of the text has 4 MiB; the second has fewer classes, in another order.
TEST_F(Convert, ClassesHaveOneNumberInAllWindows) {
  constexpr std::size_t kRows = 6000, kFirst = 5000;
  const Threads one(1);
  const auto kind = [](std::size_t i) {
    return std::string(i < kFirst ? (i % 2 == 0 ? "x" : "a") : i % 2 == 0 ? "z" : "x");
  };
  std::string text = "size,kind\n";
  for (std::size_t i = 0; i < kRows; ++i)
    text += std::to_string(i) + "." + std::string(1000, '0') + "," + kind(i) + "\n";

  const Conversion done = converted(text);

  const arma::mat A = array();
  const std::vector<std::string> classes = classes_of(done);
  ASSERT_EQ(A.n_rows, kRows);
  ASSERT_EQ(classes.size(), 3u);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < kRows; ++i)
    wrong += A(i, 0) != static_cast<double>(i) || classes[static_cast<std::size_t>(A(i, 1))] != kind(i);
  EXPECT_EQ(wrong, 0u);
}

constexpr const char* kGaps = "a,c,y\n1,u,10\n,u,20\n3,,30\n4,v,\n5,v,50\n";

TEST_F(Convert, MissingInputsStayAndRowsWithoutATargetDoNot) {
  const Conversion done = converted(kGaps, {{"target", {"y"}}});

  const arma::mat A = array();
  EXPECT_TRUE(arma::approx_equal(A.tail_cols(1), arma::vec{10, 20, 30, 50}, "absdiff", 0));
  EXPECT_TRUE(std::isnan(A(1, 0)));
  EXPECT_EQ(A(2, 0), 3);
  EXPECT_TRUE(arma::all(arma::sum(A.cols(1, A.n_cols - 2), 1) == 1)) << "a category of its own for the missing one";
  EXPECT_EQ(done.data["missing"], "mean");
  ASSERT_EQ(done.report.rows_left_out.size(), 1u);
  EXPECT_EQ(done.report.rows_left_out[0].count, 1u);
}

TEST_F(Convert, RowsWithMissingInputsAreLeftOutOnDemand) {
  const Conversion done = converted(kGaps, {{"target", {"y"}}, {"missing", "drop_rows"}});

  const arma::mat A = array();
  EXPECT_TRUE(arma::approx_equal(A.tail_cols(1), arma::vec{10, 50}, "absdiff", 0));
  EXPECT_TRUE(A.is_finite());
  EXPECT_FALSE(done.data.contains("missing"));
  ASSERT_EQ(done.report.rows_left_out.size(), 1u);
  EXPECT_EQ(done.report.rows_left_out[0].count, 3u);
}

TEST_F(Convert, WhatHasNoRowsOrInputsLeavesNoFile) {
  EXPECT_EQ(place_thrown<ConfigError>([&] { converted("1 1:2\n", {{"format", "libsvm"}}); }), "data convert");
  EXPECT_NE(place_thrown<DataError>([&] { converted("y\n1\n2\n3\n", {{"target", {"y"}}}); }), "");
  EXPECT_NE(place_thrown<DataError>([&] {
              converted("a,y\n1,\n2,\n", {{"target", {"y"}}, {"task", "regression"}});
            }),
            "");
  EXPECT_EQ(folder_.listing(), "rows.csv\n");
}

}  // namespace
}  // namespace elmx
