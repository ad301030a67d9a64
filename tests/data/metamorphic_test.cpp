#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "data/inferred.hpp"
#include "data/test_archive.hpp"
#include "data/test_files.hpp"
#include "data/test_tables.hpp"

// One table, written in many ways, is one data set.

namespace elmx {
namespace {

using Row = std::vector<std::string>;

/// How a table is written.
struct Writing {
  std::string name;
  char separator = ',';
  char decimal = '.';
  std::string line_end = "\n";
  bool quotes = false;
  bool header = true;
  bool last_line_end = true;
  std::string above = "";
  bool closed = false;         ///< a separator behind every row
  std::string blanks = "";     ///< about every field
  std::string thousands = "";  ///< mark in whole numbers
  std::string minus = "-";
  bool blank_lines = false;
};

void PrintTo(const Writing& writing, std::ostream* out) { *out << writing.name; }

/// Two numbers, a category, a number with missing values, and a target of numbers or classes.
std::vector<Row> made_rows(bool classes) {
  std::mt19937 random(11);
  std::vector<Row> rows;
  for (int i = 0; i < 60; ++i) {
    const auto number = [&](int most) {
      return std::to_string(static_cast<int>(random() % static_cast<unsigned>(most)));
    };
    Row row{(i % 3 == 0 ? "-" : "") + number(90) + ".5", std::to_string(1'000'000 + 137 * i),
            i % 4 == 0   ? "red wine"
            : i % 4 == 1 ? "rye"
                         : "tea",
            i % 7 == 3 ? "" : number(50) + ".25"};
    row.push_back(classes ? (i % 2 == 0 ? "yes" : "no") : number(70) + ".125");
    rows.push_back(row);
  }
  return rows;
}

std::string written_number(std::string text, const Writing& writing) {
  const std::size_t point = text.find('.');
  if (!writing.thousands.empty() && point == std::string::npos) {
    for (std::size_t behind = 3; behind < text.size(); behind += 3 + writing.thousands.size())
      text.insert(text.size() - behind, writing.thousands);
  }
  if (point != std::string::npos) text[point] = writing.decimal;
  if (text.starts_with('-')) text.replace(0, 1, writing.minus);
  return text;
}

std::string written(const std::vector<Row>& rows, const Writing& writing) {
  std::string text = writing.above;
  const auto add = [&](const Row& row, bool names) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      const bool number = !names && !row[j].empty() && row[j].find_first_not_of("0123456789.-") == std::string::npos;
      std::string field = number ? written_number(row[j], writing) : row[j];
      const bool needs = field.find_first_of(std::string(1, writing.separator)) != std::string::npos;
      if (needs || (writing.quotes && !field.empty())) field = '"' + field + '"';
      text += (j > 0 ? std::string(1, writing.separator) : "") + writing.blanks + field + writing.blanks;
    }
    if (writing.closed) text += writing.separator;
    text += writing.line_end;
    if (writing.blank_lines && text.size() % 3 == 0) text += writing.line_end;
  };
  if (writing.header) add({"a", "b", "drink", "d", "t"}, true);
  for (const Row& row : rows) add(row, false);
  if (!writing.last_line_end) text.resize(text.size() - writing.line_end.size());
  return text;
}

void expect_equal(const Dataset& data, const Dataset& expected) {
  ASSERT_EQ(data.X.n_rows, expected.X.n_rows);
  ASSERT_EQ(data.X.n_cols, expected.X.n_cols);
  for (arma::uword i = 0; i < data.X.n_elem; ++i)
    ASSERT_TRUE(data.X(i) == expected.X(i) || (std::isnan(data.X(i)) && std::isnan(expected.X(i)))) << i;
  EXPECT_TRUE(arma::approx_equal(data.Y, expected.Y, "absdiff", 0));
  EXPECT_EQ(data.classes, expected.classes);
  EXPECT_TRUE(data.labels.n_elem == expected.labels.n_elem && arma::all(data.labels == expected.labels));
  EXPECT_EQ(data.task, expected.task);
}

class WrittenTable : public testing::TestWithParam<Writing> {};

TEST_P(WrittenTable, IsTheSameDataset) {
  for (const bool classes : {false, true}) {
    const std::vector<Row> rows = made_rows(classes);
    const Dataset expected = csv_dataset(written(rows, {}), all_inferred());
    ASSERT_EQ(expected.samples(), 60U);
    ASSERT_EQ(expected.dimension(), 6U);
    EXPECT_EQ(expected.X(1, 1), 1'000'137);
    EXPECT_EQ(expected.X(0, 2), 1) << "red wine";

    const Dataset data = csv_dataset(written(rows, GetParam()), all_inferred());

    expect_equal(data, expected);
    if (GetParam().header) {
      EXPECT_EQ(data.inputs, expected.inputs);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Writings, WrittenTable,
    testing::Values(
        Writing{.name = "semicolon", .separator = ';'}, Writing{.name = "tab", .separator = '\t'},
        Writing{.name = "pipe", .separator = '|'}, Writing{.name = "decimal_comma", .separator = ';', .decimal = ','},
        Writing{.name = "decimal_comma_in_quotes", .decimal = ',', .quotes = true},
        Writing{.name = "crlf", .line_end = "\r\n"}, Writing{.name = "cr", .line_end = "\r"},
        Writing{.name = "quoted", .quotes = true}, Writing{.name = "quoted_tab", .separator = '\t', .quotes = true},
        Writing{.name = "without_header", .header = false},
        Writing{.name = "without_header_semicolon", .separator = ';', .decimal = ',', .header = false},
        Writing{.name = "without_last_line_end", .last_line_end = false},
        Writing{.name = "title", .above = "Measured at the pier\n"},
        Writing{.name = "titles", .above = "Station: pier\n\nLogger: 7\n"},
        Writing{.name = "excel", .separator = ';', .above = "sep=;\n"},
        Writing{.name = "byte_order_mark", .above = "\xEF\xBB\xBF"},
        Writing{.name = "comment", .above = "# written by hand\n"}, Writing{.name = "closed", .closed = true},
        Writing{.name = "blanks", .blanks = "  "},
        Writing{.name = "thousands_blank", .separator = ';', .thousands = " "},
        Writing{.name = "thousands_apostrophe", .thousands = "'"},
        Writing{.name = "thousands_comma", .thousands = ",", .minus = "-"},
        Writing{.name = "thousands_point", .separator = ';', .decimal = ',', .thousands = "."},
        Writing{.name = "unicode_minus", .minus = "\xE2\x88\x92"}, Writing{.name = "blank_lines", .blank_lines = true},
        Writing{.name = "all_at_once",
                .separator = ';',
                .decimal = ',',
                .line_end = "\r\n",
                .quotes = true,
                .above = "\xEF\xBB\xBFStation: pier\r\n",
                .closed = true,
                .thousands = "."}),
    [](const auto& test) { return test.param.name; });

std::string packed_by(const std::string& text, int filter) {
  archive* writer = archive_write_new();
  archive_write_set_format_raw(writer);
  archive_write_add_filter(writer, filter);
  std::string bytes(1 << 20, '\0');
  std::size_t used = 0;
  archive_write_open_memory(writer, bytes.data(), bytes.size(), &used);
  archive_entry* entry = archive_entry_new();
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_write_header(writer, entry);
  archive_write_data(writer, text.data(), text.size());
  archive_entry_free(entry);
  archive_write_free(writer);
  bytes.resize(used);
  return bytes;
}

TEST(PackedTable, IsTheSameDataset) {
  const TestFolder folder;
  const std::string text = written(made_rows(true), {});
  const auto infer_bytes = [&](const std::string& name, const std::string& bytes) {
    return infer_data({{"path", folder.write(name, bytes).string()}}).dataset;
  };
  const Dataset expected = infer_bytes("t.csv", text);
  for (const auto& [name, bytes] : std::vector<std::pair<std::string, std::string>>{
           {"t.csv.gz", gzip(text)},
           {"t.csv.Z", test_compress(text)},
           {"t.csv.bz2", packed_by(text, ARCHIVE_FILTER_BZIP2)},
           {"t.csv.xz", packed_by(text, ARCHIVE_FILTER_XZ)},
           {"t.csv.zip", test_archive(TestArchive::zip, {{"t.csv", text}})},
           {"no_ending", gzip(text)}}) {
    SCOPED_TRACE(name);
    const Dataset data = infer_bytes(name, bytes);
    expect_equal(data, expected);
    EXPECT_EQ(data.sha256, expected.sha256);
    EXPECT_EQ(data.inputs, expected.inputs);
  }
}

/// A row number and a column with one value say nothing, whoever names the target and the task.
TEST(InferredColumns, AreTheSameIfTheTaskIsGiven) {
  std::vector<Row> rows = made_rows(true);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].insert(rows[i].begin(), std::to_string(i + 1));
    rows[i].insert(rows[i].begin() + 1, "7");
  }
  const TestFolder folder;
  const std::string path = folder.write("t.csv", written(rows, {.name = "", .header = false})).string();

  const Dataset guessed = infer_data({{"path", path}}).dataset;
  const Dataset given = infer_data({{"path", path}, {"target", {"-1"}}, {"task", "classification"}}).dataset;

  EXPECT_EQ(given.inputs, guessed.inputs);
  EXPECT_EQ(
      infer_data({{"path", folder.write("u.csv", written(made_rows(true), {.name = "", .header = false})).string()}})
          .dataset.X.n_cols,
      guessed.X.n_cols);
}

/// The order of the rows changes the order of the samples alone.
TEST(ShuffledTable, HasTheSameRows) {
  std::vector<Row> rows = made_rows(true);
  const Dataset expected = csv_dataset(written(rows, {}), all_inferred());
  std::vector<std::size_t> order(rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::shuffle(order, std::mt19937(2));
  std::vector<Row> shuffled;
  for (const std::size_t i : order) shuffled.push_back(rows[i]);

  const Dataset data = csv_dataset(written(shuffled, {}), all_inferred());

  EXPECT_EQ(data.inputs, expected.inputs);
  EXPECT_EQ(data.classes, expected.classes);
  for (arma::uword i = 0; i < order.size(); ++i) {
    EXPECT_EQ(data.labels(i), expected.labels(order[i]));
    for (arma::uword j = 0; j < data.X.n_cols; ++j)
      EXPECT_TRUE(data.X(i, j) == expected.X(order[i], j) ||
                  (std::isnan(data.X(i, j)) && std::isnan(expected.X(order[i], j))));
  }
}

}  // namespace
}  // namespace elmx
