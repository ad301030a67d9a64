#include "report/formats/tex.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/numbers.hpp"
#include "report/formats/table_formats.hpp"
#include "support/scratch.hpp"

namespace elmx {
namespace {

Table column_of(const std::vector<Cell>& cells) {
  Table table{"t", "", {{"x", "x", Worth::result}}, {}, {}, {}};
  for (const Cell& cell : cells) table.rows.push_back({cell});
  return table;
}

/// Data sets and activations in rows; for each number of nodes a group of one column for each algorithm.
Table grouped(std::size_t sizes, std::size_t algorithms) {
  Table table{"wide", "Errors", {{"dataset", "dataset"}, {"activation", "activation"}}, {}, {}, {}};
  for (std::size_t n = 1; n <= sizes; ++n) {
    for (std::size_t a = 1; a <= algorithms; ++a) {
      const std::string nodes = std::to_string(100 * n), algorithm = "alg" + std::to_string(a);
      table.columns.push_back(
          labelled_column({{"nodes", nodes, "nodes " + nodes}, {"algorithm", algorithm, algorithm}}));
    }
  }
  for (const char* set : {"airfoil", "housing"}) {
    for (const char* activation : {"sigmoid", "gaussian"}) {
      std::vector<Cell>& row = table.rows.emplace_back();
      row = {text_cell(set), text_cell(activation)};
      for (std::size_t j = 2; j < table.columns.size(); ++j)
        row.push_back(spread_cell(1.0 / static_cast<double>(j * table.rows.size()), 0.001, significant(4)));
    }
  }
  return table;
}

std::size_t times(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size()) ++found;
  return found;
}

TEST(PaperNumbers, AColumnHasOneNotation) {
  for (const auto& values : {std::vector{0.5, 1e-5, 123.0}, std::vector{2e7, 1.0}}) {
    std::vector<Cell> cells;
    for (const double value : values) cells.push_back(number_cell(value, significant(3)));
    for (const auto& number : paper_numbers(column_of(cells), 0)) EXPECT_TRUE(number->exponent.has_value());
  }
  for (const auto& number :
       paper_numbers(column_of({number_cell(0.012, significant(3)), number_cell(1234, significant(3))}), 0))
    EXPECT_FALSE(number->exponent.has_value());
}

TEST(PaperNumbers, ReadBackAsTheNumberShown) {
  const std::vector<double> values = {4.84e-2, -9.96e-7, 3, 9.999e5};
  std::vector<Cell> cells;
  for (const double value : values) cells.push_back(number_cell(value, scientific(1)));
  const auto numbers = paper_numbers(column_of(cells), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double read = std::stod(numbers[i]->mean) * std::pow(10.0, *numbers[i]->exponent);
    EXPECT_NEAR(read, std::stod(show(values[i], scientific(1))), 1e-12 * std::abs(read)) << values[i];
  }
}

TEST(PaperNumbers, MeanAndSpreadHaveEqualDecimals) {
  for (const Display display : {significant(3), fixed_point(2), scientific(1)}) {
    for (const double sd : {0.00012, 0.034, 7.0}) {
      const auto number = paper_numbers(column_of({spread_cell(4.8e-2, sd, display)}), 0)[0];
      const auto decimals = [](const std::string& text) { return text.size() - std::min(text.find('.'), text.size()); };
      EXPECT_EQ(decimals(number->mean), decimals(number->spread)) << number->mean << " " << number->spread;
    }
  }
  EXPECT_EQ(paper_numbers(column_of({spread_cell(4.8e-2, 1.2e-5, significant(3))}), 0)[0]->spread, "0.00001");
}

TEST(PaperNumbers, PowersOfTenStandAlone) {
  const auto powers = paper_numbers(column_of({number_cell(1e-8), number_cell(0.1), number_cell(1)}), 0);
  for (const auto& power : powers) EXPECT_EQ(power->mean, "");
  EXPECT_EQ(powers[1]->exponent, -1);
  const auto counts = paper_numbers(column_of({number_cell(20), number_cell(100)}), 0);
  EXPECT_EQ(counts[1]->mean, "100");
  EXPECT_FALSE(counts[1]->exponent);
}

TEST(TableTex, ColumnsOfAGroupShareAHeading) {
  const std::string tex = to_tex(grouped(2, 2));

  EXPECT_NE(tex.find(" & & \\multicolumn{2}{c}{nodes 100} & \\multicolumn{2}{c}{nodes 200} \\\\\n"
                     "    \\cmidrule(lr){3-4}\\cmidrule(lr){5-6}\n"),
            std::string::npos)
      << tex;
}

TEST(TableTex, RepeatedRowHeadsArePrintedOnce) {
  const std::string tex = to_tex(grouped(1, 2));

  EXPECT_EQ(times(tex, "airfoil"), 1u);
  EXPECT_EQ(times(tex, "housing"), 1u);
  EXPECT_EQ(times(tex, "sigmoid"), 2u) << "the second belongs to another data set";
}

TEST(TableTex, AWideTableIsSplitBetweenGroups) {
  const std::string tex = to_tex(grouped(6, 4));

  EXPECT_GT(times(tex, "\\begin{tabular}"), 1u);
  EXPECT_EQ(times(tex, "\\caption"), 1u);
  EXPECT_EQ(times(tex, "airfoil"), times(tex, "\\begin{tabular}")) << "each part has the row heads";
  for (int n = 1; n <= 6; ++n) EXPECT_EQ(times(tex, "{nodes " + std::to_string(100 * n) + "}"), 1u);
}

TEST(TableTex, TheWidthOfThePageDecides) {
  Table table = grouped(2, 4);
  EXPECT_EQ(times(to_tex(grouped(1, 1)), "\\begin{table}"), 1u);
  EXPECT_EQ(times(to_tex(table), "\\begin{table*}"), 1u);
  table.page_width = PageWidth::one_column;
  EXPECT_EQ(times(to_tex(table), "\\begin{table}"), 1u);
  EXPECT_GT(times(to_tex(table), "\\begin{tabular}"), 1u);
}

TEST(TableFormats, GroupsAreHeadingsOfSeveralColumnsInHtmlAndLabelsInJson) {
  const Table table = grouped(2, 3);

  EXPECT_EQ(times(to_html(table), "colspan=\"3\""), 2u);
  const std::optional<Table> read = table_from_json_text(to_json_text(table));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->columns[2].labels.at(0).text, "nodes 100");
  EXPECT_EQ(to_html(*read).substr(0, 400), to_html(table).substr(0, 400));
}

TEST(Rename, IsSeenInEveryFormat) {
  std::vector<Table> tables = {grouped(1, 2)};
  rename_in(tables, {"algorithm.alg1=Proposed 1", "dataset=Data", "dataset.airfoil=Wing", "activation.sigmoid=gaussian",
                     "activation.gaussian=sigmoid"});

  for (const std::string& text :
       {to_tex(tables[0]), to_markdown(tables[0]), to_csv(tables[0]), to_json_text(tables[0]), to_html(tables[0])}) {
    for (const char* name : {"Proposed 1", "Data", "Wing"})
      EXPECT_NE(text.find(name), std::string::npos) << name << text;
    for (const char* name : {"alg1", "airfoil"}) EXPECT_EQ(text.find(name), std::string::npos) << name << text;
  }
  EXPECT_EQ(tables[0].rows[0][1].text, "gaussian") << "two names can be exchanged";
}

TEST(Rename, RefusesWhatIsNotThere) {
  for (const char* change : {"algorithm.alg3=x", "datasett=x", "x", "=x", "algorithm.alg1=alg2"}) {
    std::vector<Table> tables = {grouped(1, 2)};
    EXPECT_THROW(rename_in(tables, {change}), ConfigError) << change;
  }
}

class TypesetTables : public ScratchTest {};

TEST_F(TypesetTables, FitTheirPage) {
  if (std::system("pdflatex --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "pdflatex is not installed";
  std::filesystem::create_directories(folder_);
  std::ofstream file(folder_ / "t.tex");
  file << "\\documentclass[twocolumn]{article}\n\\usepackage{booktabs}\n\\setlength{\\textwidth}{7.16in}\n"
          "\\setlength{\\columnsep}{0.16in}\n\\begin{document}\n";
  for (const PageWidth width : {PageWidth::fitting, PageWidth::one_column, PageWidth::two_column}) {
    for (std::size_t sizes = 1; sizes <= 6; ++sizes) {
      for (std::size_t algorithms = 1; algorithms <= 4; ++algorithms) {
        Table table = grouped(sizes, algorithms);
        table.label = std::to_string(static_cast<int>(width)) + std::to_string(10 * sizes + algorithms);
        table.page_width = width;
        table.title = "/a/very/long/place/of/some/file/that/has/no/blanks/at/all/but/many/names.csv of test_acc";
        table.remarks.push_back(table.title);
        for (std::vector<Cell>& row : table.rows) {
          row[2].best = row[2].value < 0.3;
          if (sizes % 2 == 0) row.back() = spread_cell(1e-9 * *row.back().value, 1e-10, scientific(1));
          if (sizes % 3 == 0) row.back() = text_cell("A longer text, WITH SOME CAPITALS, that no column has room for");
          row[3 - (sizes + algorithms == 2 ? 1 : 0)].note = footnote(table, "1 of 5 trials failed");
        }
        file << to_tex(table) << "\\clearpage\n";
      }
    }
  }
  file << "\\end{document}\n";
  file.close();
  const std::string command = "cd '" + folder_.string() + "' && pdflatex -halt-on-error t.tex > /dev/null 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  const std::string log = read_file(folder_ / "t.log");
  EXPECT_EQ(times(log, "Overfull \\hbox"), 0u) << log.substr(log.find("Overfull"), 400);
  EXPECT_EQ(times(log, "multiply defined"), 0u);
}

}  // namespace
}  // namespace elmx
