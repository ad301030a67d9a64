#include "support/hostile.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string_view>

#include "base/config/json.hpp"
#include "report/formats/named_values.hpp"
#include "report/formats/table_formats.hpp"
#include "report/formats/tex.hpp"
#include "support/scratch.hpp"
#include "support/xml.hpp"

namespace elmx {
namespace {

/// The name at every place of a table that a text can have.
Table table_of(const std::string& name) {
  Table table{"t", name, {{name, name}, {"x", "x"}}, {}, {}, {}};
  table.rows.push_back({text_cell(name), number_cell(-1)});
  table.rows.push_back({text_cell(name), text_cell(name)});
  table.rows[0][0].note = footnote(table, name);
  table.rows[1][1].best = true;
  table.remarks.push_back(name);
  return table;
}

/// The fields of CSV by RFC 4180, record by record.
std::vector<std::vector<std::string>> fields_of(std::string_view csv) {
  std::vector<std::vector<std::string>> records(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const char c = csv[i];
    if (c == '"' && quoted && csv.substr(i + 1).starts_with('"'))
      records.back().back() += csv[i++];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      records.back().emplace_back();
    else if (c == '\n' && !quoted)
      records.push_back({""});
    else
      records.back().back() += c;
  }
  records.pop_back();
  return records;
}

std::size_t count(std::string_view text, std::string_view word) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; at += word.size()) ++found;
  return found;
}

/// The text without what a backslash escapes.
std::string unescaped_part(std::string_view text) {
  std::string part;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else
      part += text[i];
  }
  return part;
}

TEST(HostileNames, SteerNoTerminalInAnyFormat) {
  for (const std::string& name : hostile_names()) {
    for (const TableFormat& format : table_formats())
      EXPECT_TRUE(steers_nothing(format.write(table_of(name)))) << format.name << ": " << printable(name, 40);
    EXPECT_TRUE(steers_nothing(to_terminal(table_of(name), {80, false}))) << printable(name, 40);
    EXPECT_TRUE(steers_nothing(values_as_json({{name, std::vector{name}}}))) << printable(name, 40);
  }
}

TEST(HostileNames, AreNoFormulasInCsv) {
  for (const std::string& name : hostile_names()) {
    const auto records = fields_of(to_csv(table_of(name)));
    ASSERT_EQ(records.size(), 3u) << printable(name, 40);
    for (const auto& record : records) ASSERT_EQ(record.size(), 3u) << printable(name, 40);
    EXPECT_EQ(records[1][1], "-1") << "a number stays one";
    for (const std::string& field : {records[0][0], records[1][0], records[1][2], records[2][1]}) {
      const bool is_formula = field.size() > 1 && std::string_view("=+-@\t\r").find(field[0]) != std::string_view::npos;
      EXPECT_FALSE(is_formula) << field.substr(0, 40);
    }
  }
}

TEST(TableCsv, ASignOrANumberIsNoFormula) {
  Table table{"t", "", {{"x", "x"}}, {}, {}, {}};
  for (const char* text : {"-", "-1", "+2.5e-3", "-.5", "=1", "--1", "-1-2", "@a"})
    table.rows.push_back({text_cell(text)});

  EXPECT_EQ(to_csv(table), "x\n-\n-1\n+2.5e-3\n-.5\n'=1\n'--1\n'-1-2\n'@a\n");
}

TEST(HostileNames, AreLabelsAsWrittenInCsvForPrograms) {
  for (const std::string& name : hostile_names())
    EXPECT_EQ(fields_of(values_as_csv({{"class", std::vector{name}}})).at(1), std::vector{name}) << printable(name, 40);
}

TEST(HostileNames, AreTextOfXmlInHtml) {
  const XmlReader harmless(to_html(table_of("a")));
  for (const std::string& name : hostile_names()) {
    const std::string html = to_html(table_of(name));
    const XmlReader xml(html);
    EXPECT_EQ(xml.error(), "") << printable(name, 40);
    for (const char* element : {"script", "img", "b", "td", "th", "p"})
      EXPECT_EQ(xml.count(element), harmless.count(element)) << element << ": " << printable(name, 40);
  }
}

TEST(HostileNames, AreTheSameTextsInJson) {
  for (const std::string& name : hostile_names()) {
    const Json json = Json::parse(to_json_text(table_of(name)));
    const Json rows = Json::parse(values_as_json({{"class", std::vector{name}}}));
    if (is_utf8(name)) {
      EXPECT_EQ(json["title"], name);
      EXPECT_EQ(json["rows"][0][name], name);
      EXPECT_EQ(rows[0]["class"], name);
    } else {
      EXPECT_NE(json["title"].get<std::string>().find("\uFFFD"), std::string::npos);
    }
  }
}

TEST(HostileNames, AreTextInLatex) {
  const std::string harmless = to_tex(table_of("a"));
  for (const std::string& name : hostile_names()) {
    const std::string tex = to_tex(table_of(name));
    EXPECT_EQ(count(tex, "\n"), count(harmless, "\n")) << printable(name, 40);
    EXPECT_EQ(count(tex, "\\input"), 0u) << printable(name, 40);
    for (const char* rule : {"\\midrule\n", "\\\\\n"}) {
      for (std::size_t at = 0; (at = tex.find(rule, at)) != std::string::npos;) {
        at = tex.find_first_not_of(" \n", at + std::string_view(rule).size());
        EXPECT_TRUE(tex[at] != '[' && tex[at] != '*') << printable(name, 40);
      }
    }
    const std::string special = unescaped_part(tex);
    EXPECT_EQ(count(special, "{"), count(special, "}")) << printable(name, 40);
    EXPECT_EQ(count(special, "$") % 2, 0u) << printable(name, 40);
    EXPECT_EQ(count(special, "&"), 3u) << "one a row: " << printable(name, 40);
    EXPECT_EQ(count(special, "%"), 1u) << "the first line: " << printable(name, 40);
    for (const char* character : {"#", "_", "~", "^", "`"})
      EXPECT_EQ(count(special, character), 0u) << character << ": " << printable(name, 40);
  }
}

TEST(HostileNames, AreLabelsOfOneLineInLatex) {
  for (const std::string& name : hostile_names()) {
    Table table = table_of("a");
    table.label = name;
    const std::string tex = to_tex(table);
    EXPECT_TRUE(steers_nothing(tex)) << printable(name, 40);
    const std::size_t begin = tex.find("\\label{tab:"), end = tex.find("}\n", begin);
    ASSERT_NE(end, std::string::npos) << printable(name, 40);
    EXPECT_EQ(tex.substr(begin + 7, end - begin - 7).find_first_of("\n\t\\{}%#&~^$\""), std::string::npos)
        << printable(name, 40);
  }
}

TEST(HostileNames, AreCellsOfTheirOwnInMarkdown) {
  const std::string harmless = to_markdown(table_of("a"));
  for (const std::string& name : hostile_names()) {
    const std::string markdown = to_markdown(table_of(name));
    EXPECT_EQ(count(markdown, "\n"), count(harmless, "\n")) << printable(name, 40);
    const std::string markup = unescaped_part(markdown);
    EXPECT_EQ(count(markup, "|"), 4 * 3u) << "three bars a line: " << printable(name, 40);
    EXPECT_EQ(count(markup, "*"), 4u) << "the best is bold: " << printable(name, 40);
    for (const char* word : {"`", "$", "~", "](", "<s", "</", "<i", "<!", "&lt;", "\n[a]"})
      EXPECT_EQ(count(markup, word), 0u) << word << ": " << printable(name, 40);
  }
}

TEST(TableMarkdown, TextsThatAreNoMarkupStayReadable) {
  Table table{"t", "", {{"x", "test_rmse"}}, {{text_cell("p < 0.05 & C:\\data [0.1, 0.2] N_{l-1}")}}, {}, {}};

  const std::string markdown = to_markdown(table);

  EXPECT_NE(markdown.find("test_rmse"), std::string::npos);
  EXPECT_NE(markdown.find("p < 0.05 & C:\\data [0.1, 0.2] N_{l-1}"), std::string::npos) << markdown;
}

class HostileLatex : public ScratchTest {};

TEST_F(HostileLatex, IsTypesetWithoutAnError) {
  if (std::system("pdflatex --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "pdflatex is not installed";
  std::filesystem::create_directories(folder_);
  std::ofstream file(folder_ / "t.tex");
  file << "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n";
  for (const std::string& name : hostile_names()) {
    if (name.size() < 100 && std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
      file << to_tex(table_of(name)) << "\\clearpage\n";
  }
  file << "\\end{document}\n";
  file.close();
  const std::string command = "cd '" + folder_.string() + "' && pdflatex -halt-on-error t.tex > /dev/null 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(HostileNames, AreFieldsOfArraysForNumPy) {
  for (const std::string& name : hostile_names())
    EXPECT_TRUE(values_as_npy({{name, std::vector{name}}}).starts_with("\x93NUMPY")) << printable(name, 40);
}

}  // namespace
}  // namespace elmx
