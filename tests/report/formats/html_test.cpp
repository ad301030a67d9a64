#include <gtest/gtest.h>

#include <limits>

#include "base/numbers.hpp"
#include "report/formats/table_formats.hpp"
#include "report/page/report_page.hpp"
#include "support/hostile.hpp"
#include "support/xml.hpp"

namespace elmx {
namespace {

TEST(HtmlText, IsValidWhateverTheBytes) {
  EXPECT_EQ(html_text("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(html_text("é € 😀 ±\n\t"), "é € 😀 ±\n\t");
  const std::string replacement = "\xEF\xBF\xBD";
  // Overlong "/", a surrogate, above U+10FFFF, a lone continuation byte, cut off, a control character,
  // U+FFFF.
  EXPECT_EQ(valid_text("\xC0\xAF"), replacement + replacement);
  EXPECT_EQ(valid_text("\xE0\x80\xAF"), replacement + replacement + replacement);
  EXPECT_EQ(valid_text("\xED\xA0\x80"), replacement + replacement + replacement);
  EXPECT_EQ(valid_text("\xF4\x90\x80\x80"), replacement + replacement + replacement + replacement);
  EXPECT_EQ(valid_text("a\x80z"), "a" + replacement + "z");
  EXPECT_EQ(valid_text("a\xE2\x82"), "a" + replacement + replacement);
  EXPECT_EQ(valid_text(std::string("\x01\x7f\0", 3)), replacement + replacement + replacement);
  EXPECT_EQ(valid_text("\xEF\xBF\xBF"), replacement);
}

/// A text, a number and a mean with its deviation, a note and a remark; every text would be markup.
Table hostile() {
  Table table{"demo", "<b>A & B</b>", {{"name", "<i>name"}, {"acc", "\"ACC\""}}, {}, {}, {}};
  table.rows.push_back({text_cell("<script>alert(1)</script>"), spread_cell(0.8645, 0.0021, fixed_point(4))});
  table.rows.push_back({text_cell("b"), spread_cell(0.86451, 0.0021, fixed_point(4))});
  table.rows.push_back({text_cell("'c'"), number_cell(nan)});
  table.rows[2][0].note = footnote(table, "1 < 2 & 3");
  table.remarks.push_back("x > y");
  return table;
}

TEST(TableHtml, IsEscapedAndAligned) {
  const std::string html = to_html(hostile());
  const XmlReader xml(html);

  EXPECT_EQ(xml.error(), "");
  EXPECT_EQ(xml.count("script"), 0u);
  EXPECT_EQ(xml.count("b"), 0u);
  EXPECT_EQ(xml.values("scope", "th"), (std::vector<std::string>{"col", "col"}));
  EXPECT_EQ(xml.count("caption"), 1u);
  EXPECT_EQ(xml.count("tr"), 4u);
  EXPECT_EQ(xml.values("class", "td"), (std::vector<std::string>{"number", "number", "number"}));
  EXPECT_NE(html.find("&lt;script&gt;alert(1)&lt;/script&gt;</td><td class=\"number\">0.8645 ± 0.0021</td>"),
            std::string::npos)
      << html;
  EXPECT_NE(html.find("<td>&#39;c&#39;<sup>1</sup></td><td class=\"number\">NA</td>"), std::string::npos) << html;
  EXPECT_NE(html.find("<sup>1</sup> 1 &lt; 2 &amp; 3"), std::string::npos);
  EXPECT_NE(html.find("x &gt; y"), std::string::npos);
}

TEST(TableJson, IsReadBack) {
  const Table table = hostile();

  const auto again = table_from_json_text(to_json_text(table));

  ASSERT_TRUE(again);
  EXPECT_EQ(to_json_text(*again), to_json_text(table));
  for (const char* text : {"", "{", "[]", "{\"name\": 1}",
                           "{\"name\": \"a\", \"title\": \"b\", \"columns\": [{\"name\": \"x\", \"heading\": \"x\"}], "
                           "\"rows\": [{}], \"footnotes\": [], \"remarks\": []}"})
    EXPECT_FALSE(table_from_json_text(text)) << text;
}

TEST(TableJson, NumbersReadBackAreShort) {
  Table table{"t", "", {{"x", "x"}}, {}, {}, {}};
  for (const double x : {0.5, 128.0, 1.0 / 3, 1.0 / 3e6, 0.0, 114.12}) table.rows.push_back({number_cell(x)});

  const auto again = table_from_json_text(to_json_text(table));

  std::vector<std::string> shown;
  for (const auto& row : again->rows) shown.push_back(plain_text(row[0]));
  EXPECT_EQ(shown, (std::vector<std::string>{"0.5", "128", "0.3333", "3.3e-07", "0", "114.12"}));
}

TEST(SvgImage, HoldsTheFileAndNoMarkupOfIt) {
  const std::string svg = "<svg viewBox='0 0 1 1'><title>\"100 %\" & #1</title></svg>\n";

  EXPECT_EQ(
      svg_image(svg, "a & b"),
      "<img src=\"data:image/svg+xml,%3Csvg%20viewBox=%270%200%201%201%27%3E%3Ctitle%3E%22100%20%25%22%20%26%20%231"
      "%3C/title%3E%3C/svg%3E%0A\" alt=\"a &amp; b\" />");
  for (const std::string& name : hostile_names()) {
    const XmlReader xml(svg_image("<svg onload='alert(1)'><script>" + name + "</script></svg>", name));
    EXPECT_EQ(xml.error(), "") << printable(name, 40);
    EXPECT_EQ(xml.count("script") + xml.count("svg") + xml.count("b"), 0u) << printable(name, 40);
    EXPECT_EQ(xml.count("img"), 1u) << printable(name, 40);
  }
}

TEST(HtmlPage, IsWellFormedAndNeedsNothingElse) {
  const std::string page =
      html_page("<t>", "<p>y</p>", {{"one", "A & B", "<p>x</p>"}, {"two", "C", details("d", preformatted("<&>"))}});
  const XmlReader xml(page);

  EXPECT_EQ(xml.error(), "");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
  EXPECT_EQ(xml.count("title"), 1u);
  EXPECT_EQ(xml.count("p"), 2u);
  EXPECT_EQ(xml.values("href"), (std::vector<std::string>{"#one", "#two"}));
  EXPECT_EQ(xml.values("id"), (std::vector<std::string>{"one", "two"}));
  for (const char* word : {"http", "@import", "url(", "<script", "<link"})
    EXPECT_EQ(page.find(word), std::string::npos) << word;
}

}  // namespace
}  // namespace elmx
