#include <gtest/gtest.h>

#include <cmath>

#include "data/inferred.hpp"
#include "data/load.hpp"
#include "data/table/table.hpp"
#include "data/test_files.hpp"
#include "data/test_tables.hpp"
#include "data/values/text.hpp"

// The habits of people's files, read without a config. The files lie in tests/data/cases.

namespace elmx {
namespace {

using Names = std::vector<std::string>;

std::string case_path(const std::string& name) { return (source_dir() / "tests/data/cases" / name).string(); }

Dataset infer_case(const std::string& name, Json given = Json::object()) {
  given["path"] = case_path(name);
  return infer_data(given).dataset;
}

bool same_values(const arma::mat& A, const arma::mat& B) {
  if (A.n_rows != B.n_rows || A.n_cols != B.n_cols) return false;
  for (arma::uword i = 0; i < A.n_elem; ++i) {
    if (A(i) != B(i) && !(std::isnan(A(i)) && std::isnan(B(i)))) return false;
  }
  return true;
}

std::size_t rows_left_out(const Dataset& data) {
  std::size_t count = 0;
  for (const RowsLeftOut& rows : data.report.rows_left_out) count += rows.count;
  return count;
}

class FaultCase : public testing::Test {
 protected:
  Dataset infer_text(const std::string& text, Json given = Json::object()) {
    given["path"] = folder_.write("t.csv", text).string();
    return infer_data(given).dataset;
  }

  TestFolder folder_;
};

// A: the first row

TEST_F(FaultCase, NamesAboveTextsAreAHeader) {
  const Dataset data = infer_case("m1.csv");
  EXPECT_EQ(data.samples(), 24U);
  EXPECT_EQ(data.columns[0].name, "tint");
  const Dataset texts = infer_case("m4.csv");
  EXPECT_EQ(texts.samples(), 24U);
  EXPECT_EQ(texts.columns[2].name, "kind");
  EXPECT_EQ(texts.classes, (Names{"e", "p"}));
}

TEST_F(FaultCase, YearsAreNamesOfColumns) {
  const Dataset data = infer_case("m3_years.csv");
  EXPECT_EQ(data.samples(), 24U);
  EXPECT_EQ(data.inputs, (Names{"2019", "2020"}));
}

TEST_F(FaultCase, LinesAboveTheNamesAreLeftOut) {
  const Dataset data = infer_case("m5_meta.csv");
  EXPECT_EQ(data.samples(), 3U);
  EXPECT_EQ(data.columns[2].name, "t");
  EXPECT_EQ(rows_left_out(data), 2U);
}

TEST_F(FaultCase, NamesOfRowsAreNoInput) {
  const Dataset data = infer_case("m5_rownames.tsv");
  EXPECT_EQ(data.samples(), 3U);
  EXPECT_EQ(data.inputs, (Names{"a", "b"}));
  EXPECT_TRUE(same_values(data.Y, arma::vec{3, 4.5, 6}));
}

TEST_F(FaultCase, NamesMayStandInAComment) {
  const Dataset data = infer_case("m5_savetxt.txt");
  EXPECT_EQ(data.samples(), 3U);
  EXPECT_EQ(data.inputs, (Names{"a", "b"}));
}

TEST_F(FaultCase, ARowOfNumbersIsNoHeader) {
  EXPECT_EQ(infer_text("1.5,2\n3,4.5\n5,7\n").samples(), 3U);
  EXPECT_EQ(infer_text("x1,5,9\nx2,6,8\nx1,5,7\n").samples(), 3U);
}

// B: texts among numbers, spellings

TEST_F(FaultCase, MinusSignsAndBlanksAreRead) {
  const Dataset minus = infer_case("m10_minus.csv");
  EXPECT_TRUE(minus.X.is_finite());
  EXPECT_EQ(minus.X(5, 1), -15.1);
  const Dataset blanks = infer_case("m10_space.csv");
  EXPECT_TRUE(blanks.X.is_finite());
  EXPECT_EQ(blanks.X(0, 1), 2470.5);
  EXPECT_EQ(blanks.Y(0, 0), 8.25);
}

TEST_F(FaultCase, TextsAmongNumbersAreReported) {
  const Dataset data = infer_case("m15.csv");
  EXPECT_TRUE(std::isnan(data.X(data.samples() - 1, 0)));
  const ColumnReport& report = report_on(data.report, "a");
  ASSERT_EQ(report.read_as_missing.size(), 1U);
  EXPECT_EQ(report.read_as_missing[0].text, "Total");
}

// C: labels

TEST_F(FaultCase, WordsForMissingValuesMayBeClasses) {
  EXPECT_EQ(infer_case("m2.csv").classes, (Names{"Apnea", "Insomnia", "None"}));
  EXPECT_EQ(infer_case("m2.csv").samples(), 30U);
  EXPECT_EQ(infer_case("country_na.csv").classes, (Names{"KE", "NA", "ZA"}));
  EXPECT_EQ(infer_case("country_na.csv").samples(), 60U);
}

TEST_F(FaultCase, CodesKeepTheirSpelling) {
  EXPECT_EQ(infer_case("m7_zip.csv").classes, (Names{"02138", "02139", "10001"}));
  EXPECT_EQ(infer_case("m7_version.csv").classes, (Names{"1.1", "1.10", "1.2"}));
}

TEST_F(FaultCase, FewWholeNumbersStayNumbersAsInputs) {
  const Dataset data = infer_case("m8.csv");
  EXPECT_EQ(data.inputs, (Names{"kind", "a"}));
  EXPECT_EQ(data.task, Task::regression);
}

// D: rows that vanish or merge

TEST_F(FaultCase, EmptyRowsAreReportedAndOthersKept) {
  const Dataset data = infer_case("m11.csv");
  EXPECT_EQ(data.samples() + rows_left_out(data), 26U);
  EXPECT_EQ(data.samples(), 24U);
  EXPECT_TRUE(std::isnan(data.X(2, 0)));
}

TEST_F(FaultCase, BlankLinesOfOneColumnAreRowsForAModel) {
  auto known = std::make_shared<KnownFile>();
  known->columns = infer_case("m12.csv").columns;
  TableOptions options;
  options.known = known;
  const RawTable table = read_csv(case_file("m12_new.csv"), options);
  ASSERT_EQ(table.rows, 3U);
  EXPECT_TRUE(std::isnan(table.columns[0].values[1]));
}

TEST_F(FaultCase, StrayQuotesSwallowNoRows) {
  const Dataset data = infer_case("m13.csv");
  EXPECT_EQ(data.samples(), 24U);
  EXPECT_EQ(data.Y(4, 0), 11);
}

TEST_F(FaultCase, RowsWithoutATargetAreCounted) {
  const Dataset data = infer_text("a,y\n1,2\n2,\n3,4.5\n4,?\n5,1\n");
  EXPECT_EQ(data.samples(), 3U);
  EXPECT_EQ(rows_left_out(data), 2U);
  EXPECT_TRUE(arma::all(data.kept_rows == arma::uvec{0, 2, 4}));
}

// E: separators and kinds of files

TEST_F(FaultCase, SeparatorsAreFound) {
  for (const char* name : {"m14_cr.csv", "m14_pipe.txt", "m14_sep.csv"}) {
    const Dataset data = infer_case(name);
    EXPECT_GE(data.samples(), 3U) << name;
    EXPECT_EQ(data.inputs, (Names{"a", "b"})) << name;
    EXPECT_EQ(data.Y(1, 0), 4.5) << name;
  }
  const Dataset cars = infer_case("m14_cars.data", {{"target", {"1"}}});
  EXPECT_EQ(cars.samples(), 24U);
  EXPECT_EQ(cars.dimension(), 2U) << "the names of the cars are left out";
}

TEST_F(FaultCase, SeparatorsInsideAColumnDivideNothing) {
  const Dataset data = infer_case("m14_tags.csv");
  EXPECT_EQ(data.samples(), 24U);
  EXPECT_EQ(data.columns.size(), 3U);
}

TEST_F(FaultCase, PackedFilesAreUnpacked) {
  const Dataset bz2 = infer_case("t.csv.bz2"), zip = infer_case("t.csv.zip");
  EXPECT_TRUE(same_values(bz2.X, zip.X));
  EXPECT_EQ(bz2.classes, zip.classes);
  EXPECT_GT(bz2.samples(), 10U);
}

TEST_F(FaultCase, LibsvmIsRecognisedWithoutAnEnding) {
  const Dataset data = infer_case("m5_libsvm.txt");
  EXPECT_EQ(data.inputs, (Names{"x1", "x2"}));
  EXPECT_EQ(data.samples(), 3U);
}

// F: formats

TEST_F(FaultCase, ArffEscapesAndBracesAreRead) {
  EXPECT_EQ(infer_case("q.arff").classes, (Names{"a,b", "c}d", "don't"}));
  EXPECT_EQ(infer_case("q.arff").inputs.front(), "it's");
  EXPECT_EQ(infer_case("brace.arff").classes, (Names{"c}d", "e"}));
}

TEST_F(FaultCase, ArffDatesAndSparseRowsAreRead) {
  const Dataset dates = infer_case("m6_date.arff");
  EXPECT_EQ(dates.samples(), 2U);
  EXPECT_EQ(dates.classes, (Names{"hi", "lo"}));
  const Dataset sparse = infer_case("m6_sparse.arff");
  EXPECT_EQ(sparse.classes, (Names{"hi", "lo"}));
  EXPECT_TRUE(same_values(sparse.X, arma::vec{1.5, 2.5}));
}

TEST_F(FaultCase, LibsvmIndexZeroAndQueriesAreRead) {
  const Dataset zero = infer_case("zero.libsvm");
  EXPECT_EQ(zero.inputs.front(), "x0");
  EXPECT_EQ(zero.X(0, 0), 8.05);
  EXPECT_EQ(zero.classes, (Names{"-1", "1"}));
  const Dataset rank = infer_case("rank.libsvm");
  EXPECT_EQ(rank.samples(), 60U);
  EXPECT_EQ(rank.inputs, (Names{"x1", "x2", "x3", "x4"}));
  EXPECT_EQ(rank.X(0, 0), 8.05);
}

// Every row of a file is used or reported.

class RowsOfCase : public testing::TestWithParam<const char*> {};

TEST_P(RowsOfCase, AreUsedOrReported) {
  const Dataset data = infer_case(GetParam());
  std::string text = case_file(GetParam());
  std::ranges::replace(text, '\r', '\n');
  std::size_t lines = 0;
  for (Lines rest(text); rest.next_content("#");) ++lines;

  const std::size_t names = data.report.dialect.at("header") == "yes" ? 1 : 0;

  EXPECT_EQ(data.samples() + rows_left_out(data) + names, lines);
  EXPECT_EQ(data.report.rows, data.samples());
}

INSTANTIATE_TEST_SUITE_P(Cases, RowsOfCase,
                         testing::Values("m1.csv", "m2.csv", "m3_years.csv", "m4.csv", "m5_meta.csv", "m5_rownames.tsv",
                                         "m5_savetxt.txt", "m7_version.csv", "m7_zip.csv", "m8.csv", "m10_minus.csv",
                                         "m10_space.csv", "m11.csv", "m12.csv", "m13.csv", "m14_cars.data",
                                         "m14_cr.csv", "m14_pipe.txt", "m14_sep.csv", "m14_tags.csv", "m15.csv",
                                         "country_na.csv"));

// What was inferred reads the file again.

class InferredConfig : public testing::TestWithParam<const char*> {};

TEST_P(InferredConfig, ReadsTheSameDataset) {
  const InferredData inferred = infer_data({{"path", case_path(GetParam())}});
  Json again = inferred.data;
  unfold_format(again, "/data");
  DataOptions options;
  read_options(again, "/data", options);

  const Dataset data = load_dataset(options, {}, "", 1);

  EXPECT_TRUE(same_values(data.X, inferred.dataset.X)) << inferred.data.dump();
  EXPECT_TRUE(same_values(data.Y, inferred.dataset.Y));
  EXPECT_EQ(data.classes, inferred.dataset.classes);
  EXPECT_EQ(data.inputs, inferred.dataset.inputs);
  EXPECT_EQ(data.sha256, inferred.dataset.sha256);
}

INSTANTIATE_TEST_SUITE_P(Cases, InferredConfig,
                         testing::Values("m1.csv", "m2.csv", "m3_years.csv", "m4.csv", "m5_libsvm.txt", "m5_meta.csv",
                                         "m5_rownames.tsv", "m5_savetxt.txt", "m6_date.arff", "m6_sparse.arff",
                                         "m7_version.csv", "m7_zip.csv", "m8.csv", "m10_minus.csv", "m10_space.csv",
                                         "m11.csv", "m12.csv", "m13.csv", "m14_cars.data", "m14_cr.csv", "m14_pipe.txt",
                                         "m14_sep.csv", "m14_tags.csv", "m15.csv", "country_na.csv", "q.arff",
                                         "brace.arff", "rank.libsvm", "zero.libsvm", "t.csv.bz2", "t.csv.zip"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

}  // namespace
}  // namespace elmx
