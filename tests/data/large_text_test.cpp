#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>

#include "base/files/sha256.hpp"
#include "data/formats.hpp"
#include "data/inferred.hpp"
#include "data/table/source.hpp"
#include "data/test_files.hpp"
#include "data/test_tables.hpp"

// A text larger than a block: read from memory or from a file in blocks, by one thread or two.

namespace elmx {
namespace {

constexpr std::size_t kLeastBytes = (std::size_t(32) << 20) + 100'000;  // smaller files are read into memory

/// OpenMP regions in a scope run on so many threads.
class OmpThreads {
 public:
  explicit OmpThreads(int count) : before_(omp_get_max_threads()) { omp_set_num_threads(count); }
  ~OmpThreads() { omp_set_num_threads(before_); }
  OmpThreads(const OmpThreads&) = delete;
  OmpThreads& operator=(const OmpThreads&) = delete;

 private:
  int before_;
};

enum class Quotes { none, line_ends };

/// Row i has a number with many values, one with few and some missing, a text, and the target i mod 1000. The
/// last row has a text among the numbers.
std::string large_text(Quotes quotes, std::size_t& rows) {
  std::string text = "many,few,drink,remark,t\n";
  text.reserve(kLeastBytes + 1000);
  for (rows = 0; text.size() < kLeastBytes; ++rows) {
    const std::size_t i = rows;
    text += std::to_string(i * 7919 % 1'000'003) + "." + std::to_string(i % 10);
    text += i % 101 == 3 ? "," : "," + std::to_string(i % 17);
    std::string drink = i % 3 == 0 ? "tea" : i % 3 == 1 ? "rye" : "red wine";
    if (quotes != Quotes::none) drink = '"' + drink + '"';
    text += "," + drink;
    text += quotes == Quotes::line_ends && i % 5 == 0 ? ",\"said \"\"no\"\",\nthen, yes\nand left\"" : ",said nothing";
    text += "," + std::to_string(i % 1000) + ".5\n";
  }
  text += "n.d.,3,tea,said nothing,7.5\n";
  ++rows;
  return text;
}

TableOptions options_of_large() {
  TableOptions options = all_inferred();
  options.guess_target = options.guess_task = false;
  options.target = {"t"};
  return options;
}

Dataset from_memory(const std::string& text) {
  const OmpThreads one(1);
  const TableOptions options = options_of_large();
  Dataset data = assemble(read_csv(text, options), options, 0, "made");
  data.sha256 = {sha256(text)};
  return data;
}

Dataset from_file(const std::filesystem::path& path, int threads) {
  const OmpThreads some(threads);
  Source source;
  source.name = "made";
  source.table = options_of_large();
  source.train.path = path;
  return load_table(source, [](Content content, const TableOptions& table) {
    EXPECT_TRUE(content.file) << "read in blocks";
    return read_delimited(std::move(content), CsvOptions(), table);
  });
}

void expect_same_dataset(const Dataset& data, const Dataset& expected) {
  ASSERT_EQ(data.X.n_rows, expected.X.n_rows);
  ASSERT_EQ(data.X.n_cols, expected.X.n_cols);
  arma::uword differ = 0;
  for (arma::uword i = 0; i < data.X.n_elem; ++i)
    differ += data.X(i) != expected.X(i) && !(std::isnan(data.X(i)) && std::isnan(expected.X(i)));
  EXPECT_EQ(differ, 0U);
  EXPECT_TRUE(arma::approx_equal(data.Y, expected.Y, "absdiff", 0));
  EXPECT_EQ(data.inputs, expected.inputs);
  EXPECT_EQ(data.sha256, expected.sha256);
}

class LargeText : public testing::TestWithParam<Quotes> {};

TEST_P(LargeText, IsTheSameInBlocksAndThreads) {
  std::size_t rows = 0;
  const std::string text = large_text(GetParam(), rows);
  const Dataset expected = from_memory(text);
  ASSERT_EQ(expected.samples(), rows);
  for (arma::uword i = 0; i < rows; i += 9973) {
    EXPECT_EQ(expected.X(i, 0), static_cast<double>(i * 7919 % 1'000'003) + static_cast<double>(i % 10) / 10) << i;
    EXPECT_EQ(expected.Y(i, 0), static_cast<double>(i % 1000) + 0.5) << i;
    EXPECT_TRUE(i % 101 == 3 ? std::isnan(expected.X(i, 1)) : expected.X(i, 1) == static_cast<double>(i % 17)) << i;
  }
  EXPECT_TRUE(std::isnan(expected.X(rows - 1, 0)));
  const ColumnReport& report = report_on(expected.report, "many");
  ASSERT_EQ(report.read_as_missing.size(), 1U);
  EXPECT_EQ(report.read_as_missing[0].text, "n.d.");

  const TestFolder folder;
  const std::filesystem::path path = folder.write("t.csv", text);
  for (const int threads : GetParam() == Quotes::none ? std::vector{2} : std::vector{1, 2}) {
    SCOPED_TRACE(threads);
    const Dataset data = from_file(path, threads);
    expect_same_dataset(data, expected);
    EXPECT_EQ(report_on(data.report, "many").missing, report.missing);
    EXPECT_EQ(report_on(data.report, "few").missing, report_on(expected.report, "few").missing);
  }
}

std::string name_of_quotes(const testing::TestParamInfo<Quotes>& test) {
  return test.param == Quotes::none ? "none" : "line_ends";
}

INSTANTIATE_TEST_SUITE_P(Quoted, LargeText, testing::Values(Quotes::none, Quotes::line_ends), name_of_quotes);

TEST(LargeTextRefuses, ARaggedRowWithItsLine) {
  std::size_t rows = 0;
  std::string text = large_text(Quotes::line_ends, rows);
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  text += "1,2,tea,x\n";
  const TestFolder folder;
  const std::filesystem::path path = folder.write("t.csv", text);
  EXPECT_EQ(place_thrown<DataError>([&] { from_file(path, 2); }), path.string() + ":" + std::to_string(lines + 1));
}

// Every border of two blocks, with rows that span lines.
TEST(TextInParts, IsTheSameAtEveryBorder) {
  std::string rows;
  for (int i = 0; i < 40; ++i)
    rows += std::to_string(i) + (i % 3 == 0 ? ",\"a\nb, \"\"c\"\"\"," : ",\"x\",") + std::to_string(2 * i) + ".5\n";
  TableOptions options = last_is_target();
  options.nominal = {"2"};
  const OmpThreads two(2);
  for (std::size_t padding = 0; padding < 60; ++padding) {
    std::string head = "n,s,t\n";
    for (std::size_t i = 0; i < 20'000; ++i) head += "1,y,2\n";
    head += "1,y" + std::string(padding, 'y') + ",2\n";
    const RawTable table = read_csv(head + rows, options);
    ASSERT_EQ(table.rows, 20'041U) << padding;
    for (std::size_t i = 0; i < 40; ++i) {
      ASSERT_EQ(table.columns[0].values[20'001 + i], static_cast<double>(i)) << padding;
      ASSERT_EQ(table.columns[2].values[20'001 + i], 2.0 * static_cast<double>(i) + 0.5) << padding;
    }
  }
}

TEST(TextInParts, WithoutALastLineEndKeepsItsLastRow) {
  const OmpThreads two(2);
  std::string text = "a,t\n";
  for (int i = 0; i < 500'000; ++i) text += std::to_string(i % 1000) + ",0.5\n";
  text.pop_back();
  EXPECT_EQ(read_csv(text).rows, 500'000U);
}

TEST(TextInParts, CountsEmptyRowsAmongOthers) {
  const OmpThreads two(2);
  std::string text = "a,t\n";
  std::size_t rows = 0, empty = 0, first = 0;
  for (std::size_t i = 0; i < 500'000; ++i) {
    const bool none = i % 50'000 == 777;
    text += none ? ",\n" : std::to_string(i % 1000) + ",0.5\n";
    if (none && empty++ == 0) first = i + 2;
    rows += !none;
  }
  const RawTable table = read_csv(text);
  EXPECT_EQ(table.rows, rows);
  ASSERT_EQ(table.report.rows_left_out.size(), 1U);
  EXPECT_EQ(table.report.rows_left_out[0].count, empty);
  EXPECT_EQ(table.report.rows_left_out[0].first_line, first);
}

}  // namespace
}  // namespace elmx
