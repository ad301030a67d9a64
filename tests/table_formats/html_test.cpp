#include <gtest/gtest.h>

#include <limits>

#include "base/nan.hpp"
#include "page/html_page.hpp"
#include "page/inline_svg.hpp"
#include "plots/plots.hpp"
#include "support/hostile.hpp"
#include "support/xml.hpp"
#include "table_formats/html_text.hpp"
#include "table_formats/table_formats.hpp"

namespace elmx {
namespace {

TEST(HtmlText, IsValidWhateverTheBytes) {
  EXPECT_EQ(html_text("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(html_text("é € 😀 ±\n\t"), "é € 😀 ±\n\t");
  const std::string replacement = "\xEF\xBF\xBD";
  // Overlong "/", a surrogate, above U+10FFFF, a lone continuation byte, cut off, a control character, U+FFFF.
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

TEST(InlineSvg, HasIdsOfItsOwnAndWhatRefersToThem) {
  const std::string svg =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n<svg\n viewBox=\"0 0 1 1\" "
      "xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n<title>Gnuplot</title><desc>Produced by GNUPLOT</desc>"
      "<defs><path id='p0'/><use xlink:href='#p0' id=\"p1\"/></defs><g id=\"g1\"><title>id='p0' url(#p0)</title>"
      "<path style='fill: url(#p1)'/></g></svg>\n";

  EXPECT_EQ(inline_svg(svg, "f2-", "a & b"),
            "<svg role=\"img\" aria-label=\"a &amp; b\" viewBox=\"0 0 1 1\" "
            "xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n"
            "<defs><path id='f2-p0'/><use xlink:href='#f2-p0' id=\"f2-p1\"/></defs><g id=\"f2-g1\"><title>id='p0' "
            "url(#p0)</title>"
            "<path style='fill: url(#f2-p1)'/></g></svg>");
  EXPECT_EQ(inline_svg("no picture", "f", "l"), "");
}

TEST(InlineSvg, HasOnlyWhatGnuplotWrites) {
  const std::string plain = inline_svg("<svg viewBox='0 0 1 1'><g id='a'></g></svg>", "f-", "l");
  ASSERT_NE(plain, "");
  const auto inlined = [](const std::string& root, const std::string& group, const std::string& content) {
    return inline_svg("<svg viewBox='0 0 1 1'" + root + "><g id='a'" + group + ">" + content + "</g></svg>", "f-", "l");
  };
  for (const char* root : {" onload='alert(1)'", " style='position:fixed'", " transform='translate(0,-500)'", " id='x'",
                           " xmlns:x='http://a.b/'", " xmlns='http://www.w3.org/1999/xhtml'"})
    EXPECT_EQ(inlined(root, "", ""), plain) << root;
  for (const char* attribute :
       {" onclick='alert(1)'", " ONCLICK='alert(1)'", " href='#a'", " fill='url(http://a.b/c)'", " fill='URL(#a)'",
        " fill='url( #a)'", " style='fill:url(//a.b/c)'", " style='background:url(#a)'", " style='position:fixed'",
        " style='fill:red;background:image-set(\"a\")'", " style='f\\69ll:red'", " fill='&#117;rl(a)'",
        " xlink:href='http://a.b/c'", " xlink:href='javascript:alert(1)'", " src='a'", " tabindex='0'"})
    EXPECT_EQ(inlined("", attribute, ""), plain) << attribute;
  for (const char* element :
       {"<script>alert(1)</script>", "<SCRIPT>alert(1)</SCRIPT>", "<style>@import 'http://a.b/c';</style>",
        "<foreignObject><g><text>a</text></g></foreignObject>", "<image xlink:href='http://a.b/c'/>",
        "<a xlink:href='#b'><text>a</text></a>", "<set attributeName='onload' to='alert(1)'/>",
        "<animate attributeName='href' values='javascript:alert(1)'/>", "<svg onload='alert(1)'/>",
        "<iframe src='a'/>"})
    EXPECT_EQ(inlined("", "", element), plain) << element;
}

TEST(InlineSvg, IsNoneWhereItIsNotWellFormed) {
  for (const char* content : {"<g", "<g>", "</g></g>", "<text></g>", "<g x>", "<g x=1/>", "<g x='<'/>", "<!-- <g> -->",
                              "<![CDATA[<script>]]>", "<?a?>", "<g/x='1'>", "< g/>"})
    EXPECT_EQ(inline_svg("<svg>" + std::string(content) + "</svg>", "f-", "l"), "") << content;
}

TEST(InlineSvg, HostileNamesAreTextOfThePage) {
  for (const std::string& name : hostile_names()) {
    const std::string svg = inline_svg("<svg><g id='a'><title>" + html_text(name) + "</title></g></svg>", "f-", name);
    const XmlReader xml(svg);
    EXPECT_EQ(xml.error(), "") << printable(name, 40);
    EXPECT_EQ(xml.count("script") + xml.count("img") + xml.count("b"), 0u) << printable(name, 40);
  }
}

using GnuplotSvg = PlotFolder;

TEST_F(GnuplotSvg, TwoInOnePageKeepTheirReferences) {
  if (!gnuplot_installed()) GTEST_SKIP() << "gnuplot is not installed";
  const Plot curves{
      "curves", "t", {"x", false, false}, {"y", false, false}, {{"<a> id='gpPt0'", {{1, 1, 0.1, 2}, {2, 3, 0.1, 2}}}}};
  const BarChart bars{"bars", "t", "x", "y", {"1"}, {{"a", {{2, 1, 3}}}, {"b", {{2, 1, 3}}}}};
  write_plots(folder_, {curves, bars});

  const std::string page = "<div>" + inline_svg(text_in("curves.svg"), "f1-", "one") +
                           inline_svg(text_in("bars.svg"), "f2-", "two") + "</div>";
  const XmlReader xml(page);

  EXPECT_EQ(xml.error(), "");
  const std::vector<std::string> ids = xml.values("id");
  const std::set<std::string> known(ids.begin(), ids.end());
  EXPECT_EQ(known.size(), ids.size());
  std::size_t references = 0;
  for (const std::string& target : xml.values("xlink:href")) {
    ++references;
    EXPECT_EQ(known.count(target.substr(1)), 1u) << target;
  }
  for (const char* name : {"style", "fill", "filter"}) {
    for (const std::string& value : xml.values(name)) {
      const std::size_t at = value.find("url(#");
      if (at == std::string::npos) continue;
      ++references;
      EXPECT_EQ(known.count(value.substr(at + 5, value.find(')', at) - at - 5)), 1u) << value;
    }
  }
  EXPECT_GT(references, 10u);
  EXPECT_EQ(page.find("Gnuplot</title>"), std::string::npos);
}

TEST(HtmlPage, IsWellFormedAndNeedsNothingElse) {
  const std::string page =
      html_page({"",
                 "<t>",
                 description_list({{"a", "<1>"}, {"b", ""}}),
                 {{"one", "A & B", "<p>x</p>", {}}, {"two", "C", details("d", preformatted("<&>")), {}}}});
  const XmlReader xml(page);

  EXPECT_EQ(xml.error(), "");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
  EXPECT_EQ(xml.count("title"), 1u);
  EXPECT_EQ(xml.count("dt"), 1u) << "what has no value is left out";
  EXPECT_EQ(xml.values("href"), (std::vector<std::string>{"#one", "#two"}));
  EXPECT_EQ(xml.values("id"), (std::vector<std::string>{"one", "two"}));
  for (const char* word : {"http", "@import", "url(", "<script", "<link"})
    EXPECT_EQ(page.find(word), std::string::npos) << word;
}

}  // namespace
}  // namespace elmx
