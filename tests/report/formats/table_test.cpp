#include "report/formats/table.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "base/config/json.hpp"
#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/numbers.hpp"
#include "report/formats/table_formats.hpp"
#include "report/formats/tex.hpp"

namespace elmx {
namespace {

Table example() {
  Table table{"demo", "A demo of 50 %", {{"name", "name"}, {"error", "error_F"}, {"acc", "ACC"}}, {}, {}, {}};
  table.rows.push_back(
      {text_cell("a|b"), number_cell(1.0 / 3 * 1e-10, scientific(1)), spread_cell(0.8645, 0.0021, fixed_point(4))});
  table.rows.push_back({text_cell("c, \"d\""), number_cell(nan), spread_cell(0.1, nan, fixed_point(4))});
  table.rows[1][0].note = footnote(table, "1 of 5 trials failed");
  table.remarks.push_back("from two rows");
  return table;
}

TEST(Table, NumbersAreShownWithTheDigitsAskedFor) {
  EXPECT_EQ(show(2.4), "2.4");
  EXPECT_EQ(show(1e-8), "1e-08");
  EXPECT_EQ(show(2.4, significant(3)), "2.40");
  EXPECT_EQ(show(243.2, significant(3)), "243");
  EXPECT_EQ(show(0.86449, fixed_point(4)), "0.8645");
  EXPECT_EQ(show(4.8e-2, scientific(1)), "4.8e-02");
  EXPECT_EQ(show(nan, scientific(1)), "NA");
  EXPECT_EQ(show(std::numeric_limits<double>::infinity(), scientific(1)), "inf");
}

TEST(Table, ACellIsAValueWithItsSpreadOrNA) {
  EXPECT_EQ(plain_text(spread_cell(0.8645, 0.0021, fixed_point(4))), "0.8645 ± 0.0021");
  EXPECT_EQ(plain_text(spread_cell(4.8e-2, 1.23e-4, significant(3))), "0.0480 ± 0.00012");
  EXPECT_EQ(plain_text(spread_cell(2, nan, fixed_point(1))), "2.0");
  EXPECT_EQ(plain_text(spread_cell(nan, 1, fixed_point(1))), "NA");
}

TEST(Table, AFootnoteIsAddedOnce) {
  Table table;

  EXPECT_EQ(footnote(table, "a"), 1u);
  EXPECT_EQ(footnote(table, "b"), 2u);
  EXPECT_EQ(footnote(table, "a"), 1u);
  EXPECT_EQ(table.footnotes.size(), 2u);
}

TEST(Table, MarkdownIsAligned) {
  EXPECT_EQ(to_markdown(example()),
            "### A demo of 50 %\n"
            "\n"
            "| name       | error_F |             ACC |\n"
            "|:-----------|--------:|----------------:|\n"
            "| a\\|b       | 3.3e-11 | 0.8645 ± 0.0021 |\n"
            "| c, \"d\" [1] |      NA |          0.1000 |\n"
            "\n"
            "from two rows  \n"
            "[1] 1 of 5 trials failed  \n");
}

TEST(Table, CsvIsExactAndQuoted) {
  EXPECT_EQ(to_csv(example()),
            "name,error,acc,acc_sd,note\n"
            "a|b,3.3333333333333335e-11,0.8645,0.0021,\n"
            "\"c, \"\"d\"\"\",NA,0.1,NA,1 of 5 trials failed\n");
}

TEST(Table, TexIsBooktabsAndEscaped) {
  EXPECT_EQ(to_tex(example()),
            "% needs \\usepackage{booktabs}\n"
            "\\begin{table}\n"
            "  \\centering\n"
            "  \\caption{A demo of 50 \\%}\n"
            "  \\label{tab:demo}\n"
            "  \\footnotesize\\setlength{\\tabcolsep}{4pt}\n"
            "  \\begin{tabular}{@{}lrr@{}}\n"
            "    \\toprule\n"
            "    name & error\\_F & ACC \\\\\n"
            "    \\midrule\n"
            "    a$|$b & $3.3 \\times 10^{-11}$ & $0.8645 \\pm 0.0021$ \\\\\n"
            "    c, \"d\"\\textsuperscript{1} & NA & $0.1000$ \\\\\n"
            "    \\bottomrule\n"
            "  \\end{tabular}\n"
            "\n"
            "  from two rows\n"
            "\n"
            "  \\textsuperscript{1}1 of 5 trials failed\n"
            "\\end{table}\n");
}

TEST(Table, JsonParsesBackToTheSameNumbers) {
  const Json json = Json::parse(to_json_text(example()));

  EXPECT_EQ(json["rows"][0]["error"].get<double>(), 1.0 / 3 * 1e-10);
  EXPECT_EQ(json["rows"][0]["acc"]["sd"].get<double>(), 0.0021);
  EXPECT_TRUE(json["rows"][1]["error"].is_null());
  EXPECT_TRUE(json["rows"][1]["acc"]["sd"].is_null());
  EXPECT_EQ(json["rows"][1]["notes"]["name"], 1);
  EXPECT_EQ(json["footnotes"][0], "1 of 5 trials failed");
  EXPECT_EQ(json["columns"][1]["heading"], "error_F");
}

TEST(Table, FormatsAreFoundByName) {
  EXPECT_EQ(find_table_format("tex").write(example()), to_tex(example()));
  EXPECT_THROW(find_table_format("text"), ConfigError);
}

TEST(Table, EveryTableIsWrittenInEveryFormat) {
  const auto folder = std::filesystem::temp_directory_path() / ("elmx_tables_" + std::to_string(::getpid()));

  write_tables(folder, {example()});

  for (const TableFormat& format : table_formats()) {
    EXPECT_EQ(read_file(folder / "tables" / (std::string("demo.") + format.name)), format.write(example()));
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace elmx
