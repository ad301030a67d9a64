#include "report/page/report_page.hpp"

#include "report/plots/plots.hpp"
#include "support/xml.hpp"

namespace elmx {
namespace {

Json experiment() {
  return Json::parse(R"({
    "elmx": {"version": "0.1.0", "commit": "abc", "compiler": "GNU <12>", "build": "Release"},
    "machine": {"cpu": "A & B", "blas": "OpenBLAS", "kernel": "Haswell", "threads": 2},
    "begun": "2026-01-02T03:04:05Z", "trials": 12, "config": {"name": "<i>air</i>", "note": "</pre><script>"},
    "resolved": [{"case": "Airfoil", "point": {"/model/ridge": 0.1}, "options": {"seed": 7, "repeats": 1}}],
    "data": {"a<b>.csv": {"samples": 1503, "inputs": 5, "sha256": ["0f0f", "1e1e"], "notes": ["3 rows & more dropped"]}}})");
}

Report report_of(const std::vector<Record>& records) {
  Report report;
  report.records = records;
  report.experiment = experiment();
  report.tables = {Table{"time", "Training time", {{"x", "x"}}, {{number_cell(1)}}, {}, {}}};
  return report;
}

TEST(ReportPage, IsWellFormedWhateverTheTexts) {
  std::vector<Record> records = small_run();
  for (Record& record : records) record.dataset = "<img src='x'> & \xff \"";
  Report report = report_of(records);
  report.figures = {{"<b>caption</b>", "<svg viewBox='0 0 1 1'><g id='a'/></svg>"},
                    {"two", "<svg viewBox='0 0 1 1'><g id='a'/></svg>"}};

  const std::string page = report_page(report);
  const XmlReader xml(page);

  EXPECT_EQ(xml.error(), "");
  EXPECT_EQ(xml.count("script") + xml.count("i") + xml.count("b"), 0u);
  EXPECT_EQ(xml.count("figure"), 2u);
  EXPECT_EQ(xml.count("figcaption"), 2u);
  EXPECT_EQ(xml.values("alt", "img"), (std::vector<std::string>{"&lt;b&gt;caption&lt;/b&gt;", "two"}));
  const std::vector<std::string> ids = xml.values("id");
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
  EXPECT_EQ(xml.count("caption"), xml.count("table"));
  for (const char* text : {"GNU &lt;12&gt;", "&lt;/pre&gt;&lt;script&gt;", "1e1e", "3 rows &amp; more dropped"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
}

TEST(ReportPage, PublishedTablesComeFirst) {
  Report report = report_of(small_run());
  report.published = {Table{"sizes", "Sizes", {{"n", "n"}}, {{number_cell(1)}}, {}, {}},
                      Table{"elm-table1", "Table I", {{"published", "published"}}, {{number_cell(1)}}, {}, {}}};

  const std::string page = report_page(report);

  const auto at = [&](const std::string& text) { return page.find("<caption>" + text + "</caption>"); };
  EXPECT_LT(at("Table I"), at("Sizes"));
  EXPECT_LT(at("Sizes"), at("Training time"));
  EXPECT_NE(at("Training time"), std::string::npos);
}

TEST(ReportPage, ALongTableIsFoldedAndMissingFiguresAreSaid) {
  Report report = report_of(small_run());
  report.tables[0].only_in_file = true;
  report.figures = {{"caption", ""}};
  report.without_figures = "There are no figures";

  const std::string page = report_page(report);

  EXPECT_NE(page.find("<details><summary>Training time</summary>"), std::string::npos);
  EXPECT_NE(page.find("There are no figures"), std::string::npos);
  EXPECT_EQ(XmlReader(page).count("figure"), 0u);
}

TEST(ReportPage, OfATableAloneHasNoMore) {
  Report report;
  report.folder = "folder";
  report.published = {Table{"t", "Table I", {{"published", "published"}}, {{number_cell(1)}}, {}, {}}};

  const XmlReader xml(report_page(report));

  EXPECT_EQ(xml.error(), "");
  EXPECT_EQ(xml.values("id"), std::vector<std::string>{"published"});
}

TEST(ReportPage, OpensWithTheDataAndTheAnswer) {
  Report report = report_of(small_run());
  report.experiment["data"]["yacht"] = {{"samples", 308}, {"inputs", 6}, {"read", "308 rows & more"}};
  report.summary = {{"<A> wins", "by 3"},
                    {Table{"answer", "Test error", {{"m", "m"}}, {{number_cell(2)}}, {}, {}}},
                    {Table{"all", "Against the best", {{"m", "m"}}, {{number_cell(2)}}, {}, {}}}};
  report.summary.tables[0].rows[0][0].best = true;

  const std::string page = report_page(report);

  EXPECT_EQ(XmlReader(page).error(), "");
  std::size_t at = 0;
  for (const char* text :
       {"<h1>", "a&lt;b&gt;.csv: 1503 rows, 5 inputs", "yacht: 308 rows &amp; more", "6 of 12 trials",
        "1 of 6 trials failed", "&lt;A&gt; wins", "<caption>Test error</caption>", "<strong>2</strong>",
        "<summary>Against the best</summary>", "<summary>Training time</summary>", "<summary>The config"}) {
    const std::size_t next = page.find(text, at);
    EXPECT_NE(next, std::string::npos) << text << " after " << page.substr(at, 60);
    at = std::min(next, page.size());
  }
}

/// The texts of the folds of a page, in their order.
std::vector<std::string> summaries_in(const std::string& page) {
  std::vector<std::string> found;
  const std::string open = "<summary>";
  for (std::size_t at = 0; (at = page.find(open, at)) != std::string::npos; ++at)
    found.push_back(page.substr(at + open.size(), page.find("</summary>", at) - at - open.size()));
  return found;
}

TEST(ReportPage, SaysWhichTablesAreBestOnTheTestPart) {
  Report report = report_of(small_run());
  report.tables[0].remarks = {"best on the test part: these parameters were chosen so"};
  report.tables.push_back(report.tables[0]);
  report.tables[1].columns[0] = {"chosen", "chosen"};
  report.tables.push_back(report.tables[0]);
  report.tables[2].remarks.clear();

  const std::vector<std::string> summaries = summaries_in(report_page(report));

  ASSERT_GE(summaries.size(), 3u);
  for (const std::size_t i : {0u, 1u}) {
    EXPECT_NE(summaries[i].find("best on the test part"), std::string::npos) << summaries[i];
    EXPECT_NE(summaries[i].find("optimistic"), std::string::npos) << summaries[i];
  }
  EXPECT_EQ(summaries[2], "Training time");
}

TEST(ReportPage, StaysSmallAndSaysWhatItLeavesOut) {
  Report report = report_of(small_run());
  report.tables[0].rows.assign(20000, {number_cell(1)});
  Json& resolved = report.experiment["resolved"];
  for (int i = 0; i < 5000; ++i) resolved.push_back(resolved[0]);

  const std::string page = report_page(report);

  EXPECT_EQ(XmlReader(page).error(), "");
  EXPECT_LT(page.size(), 200000u);
  EXPECT_NE(page.find("1000 of 20000 rows"), std::string::npos);
  EXPECT_NE(page.find("50 of 5001 cases and points"), std::string::npos);
}

TEST(ReportPage, FurtherFiguresAreFolded) {
  Report report = report_of(small_run());
  report.figures = {{"one", "<svg viewBox='0 0 1 1'><g id='a'/></svg>"}};
  report.further_figures = {{"two", "<svg viewBox='0 0 1 1'><g id='a'/></svg>"}};

  const std::string page = report_page(report);

  EXPECT_EQ(XmlReader(page).error(), "");
  const std::size_t fold = page.find("<details><summary>Further figures</summary>");
  EXPECT_LT(page.find("Figure 1. one."), fold);
  EXPECT_GT(page.find("Figure 2. two."), fold);
  EXPECT_NE(page.find("Figure 2. two."), std::string::npos);
}

}  // namespace
}  // namespace elmx
