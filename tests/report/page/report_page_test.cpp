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

/// Seconds since 1970 of 2026-01-02T03:04:05Z: 56 years of 365 days, 14 leap days and a day, and the time of
/// the day.
constexpr std::time_t kBegun = (56L * 365 + 14 + 1) * 86400 + 3 * 3600 + 4 * 60 + 5;

std::string value_of(const Entries& entries, const std::string& what) {
  for (const auto& [name, value] : entries) {
    if (name == what) return value;
  }
  return "absent";
}

TEST(Summary, SaysHowFarARunHasCome) {
  const std::vector<Record> records = small_run();  // six trials, of which one fails in part

  const Entries partial = summary_entries(records, experiment(), kBegun + 3723);

  EXPECT_EQ(value_of(partial, "trials"), "6 of 12: the run is not finished");
  EXPECT_EQ(value_of(partial, "failed"), "1");
  EXPECT_EQ(value_of(partial, "algorithms"), "existing, alg2, alg10");
  EXPECT_EQ(value_of(partial, "duration"), "1 h 2 min from the beginning to the last record");
  Json finished = experiment();
  finished["trials"] = 6;
  EXPECT_EQ(value_of(summary_entries(records, finished, kBegun - 1), "trials"), "6");
  EXPECT_EQ(value_of(summary_entries(records, finished, kBegun - 1), "duration"), "")
      << "the file is older than the run";
  finished.erase("trials");
  EXPECT_EQ(value_of(summary_entries(records, finished, {}), "trials"), "6");
  EXPECT_EQ(value_of(summary_entries(records, Json::object(), kBegun), "begun"), "");
}

TEST(Provenance, LeavesOutWhatTheFileLacks) {
  EXPECT_EQ(value_of(provenance_entries(experiment()), "seed"), "7");
  EXPECT_EQ(value_of(provenance_entries(experiment()), "BLAS kernel"), "Haswell");
  EXPECT_EQ(value_of(provenance_entries(Json::object()), "commit"), "");
  EXPECT_TRUE(data_table(Json::object()).rows.empty());
  const Table data = data_table(experiment());
  ASSERT_EQ(data.rows.size(), 1u);
  EXPECT_EQ(plain_text(data.rows[0][3]), "0f0f; 1e1e");
}

TEST(FailuresTable, NamesTheTrialAndTheReason) {
  std::vector<Record> records = small_run();
  records[0].status = TrialStatus::other("out of memory");
  records[0].steps.clear();
  records[0].point = {{"/model/ridge", 0.5}};

  const Table table = failures_table(records);

  ASSERT_EQ(table.rows.size(), 2u);
  std::set<std::string> reasons;
  for (const auto& row : table.rows)
    reasons.insert(plain_text(row[2]) + "|" + plain_text(row[3]) + "|" + plain_text(row[5]) + "|" + plain_text(row[6]));
  EXPECT_EQ(reasons, (std::set<std::string>{"|alg2|1|not_positive_definite at 100 nodes",
                                            "ridge = 0.5|existing|0|out of memory"}));
}

TEST(FailuresTable, TellsPlacesOfOneNameApart) {
  std::vector<Record> records = small_run();
  records.resize(1);
  records[0].status = TrialStatus::other("out of memory");
  records[0].point = {{"/model/a/k", 1}, {"/model/b/k", 2}, {"/model/ridge", 0.5}};

  EXPECT_EQ(plain_text(failures_table(records).rows.at(0)[2]), "/model/a/k = 1, /model/b/k = 2, ridge = 0.5");
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
  for (const char* text : {"<h1>", "a&lt;b&gt;.csv: 1503 rows, 5 inputs", "yacht: 308 rows &amp; more",
                           "6 of 12 trials", "1 of 6 trials failed", "&lt;A&gt; wins", "<caption>Test error</caption>",
                           "<strong>2</strong>", "<summary>Against the best</summary>",
                           "<summary>Training time</summary>", "<summary>Trials that failed", "<summary>The config"}) {
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

TEST(ReportPage, OfSeveralFoldersHasThePartsOfEachSinglePage) {
  std::vector<Report> reports{report_of(small_run()), report_of(small_run())};
  for (Report& report : reports) {
    report.folder = &report == &reports[0] ? "out/one" : "out/two/";
    report.summary.sentences = {"one wins"};
    report.figures = {{"a figure", "<svg viewBox='0 0 1 1'><g id='a'/></svg>"}};
    report.published = {Table{"t", "Table I", {{"published", "published"}}, {{number_cell(1)}}, {}, {}}};
  }
  const Table summary{"summary", "All", {{"x", "x"}}, {{number_cell(1)}}, {}, {}};

  const std::string page = report_page("out", summary, reports), single = report_page(reports[0]);

  const XmlReader xml(page);
  EXPECT_EQ(xml.error(), "");
  std::vector<std::string> ids, of_single = XmlReader(single).values("id", "section");
  for (const char* folder : {"one", "two"}) {
    ids.push_back(folder);
    for (const std::string& id : of_single) ids.push_back(std::string(folder) + "-" + id);
  }
  EXPECT_EQ(xml.values("id", "section"), ids);
  EXPECT_EQ(of_single, (std::vector<std::string>{"published", "answer", "figures", "tables", "run"}));
  const std::vector<std::string> once = summaries_in(single);
  std::vector<std::string> twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  EXPECT_EQ(summaries_in(page), twice);
  EXPECT_NE(page.find("Figure 2. a figure."), std::string::npos) << "figures are numbered through";
  EXPECT_EQ(xml.count("caption"), 2 * XmlReader(single).count("caption") + 1);
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

TEST(ReportPage, LinksToFilesByAddressesThatAreNoMarkup) {
  Report report = report_of(small_run());
  report.files = {"plots/a b.pdf", "../x/plots/\"><script>.png", "javascript:alert(1)/y.pdf"};

  const std::string page = report_page(report);
  const XmlReader xml(page);

  EXPECT_EQ(xml.error(), "");
  EXPECT_EQ(xml.count("script"), 0u);
  std::vector<std::string> addresses = xml.values("href");
  std::erase_if(addresses, [](const std::string& address) { return address.starts_with("#"); });
  EXPECT_EQ(addresses, (std::vector<std::string>{"./plots/a%20b.pdf", "./../x/plots/%22%3E%3Cscript%3E.png",
                                                 "./javascript%3Aalert%281%29/y.pdf"}));
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

/// A, B on two data sets; `verdict` is that of B on the second.
Table comparison(const std::string& verdict) {
  Table table{"t", "Table I", {}, {}, {"a reason"}, {"agree: 3 of 4"}};
  for (const char* name :
       {"dataset", "activation", "algorithm", "published", "measured", "ratio", "difference", "rule", "verdict"})
    table.columns.push_back({name, name});
  for (const std::string data : {"d1", "d2"}) {
    for (const std::string algorithm : {"A", "B"}) {
      const bool last = data == "d2" && algorithm == "B";
      table.rows.push_back({text_cell(data), text_cell("sine"), text_cell(algorithm), number_cell(last ? 7 : 1),
                            number_cell(last ? 8 : 2), number_cell(1), number_cell(1), text_cell("within 1"),
                            text_cell(last ? verdict : "agrees")});
      if (last) table.rows.back().back().note = 1;
    }
  }
  return table;
}

TEST(PaperLayout, SetsPublishedAboveMeasuredAndMarksWhatDisagrees) {
  const std::string html = paper_layout(comparison("disagrees"));

  EXPECT_EQ(XmlReader(html).error(), "");
  EXPECT_EQ(XmlReader(html).count("tr"), 3u) << "a head and a row for each data set";
  EXPECT_NE(html.find(">A</th>"), std::string::npos);
  EXPECT_NE(html.find("Table I (activation sine)"), std::string::npos);
  EXPECT_NE(html.find("<span class=\"published\">7</span><br /><strong>8 <abbr title=\"disagrees\">✗</abbr></strong>"
                      "<sup>1</sup>"),
            std::string::npos)
      << html;
  EXPECT_EQ(XmlReader(html).count("strong"), 1u);
  EXPECT_EQ(XmlReader(paper_layout(comparison("agrees"))).count("strong"), 0u);
  for (const auto& [verdict, sign] : {std::pair("level", "≈"),
                                      {"NA", "✗"},
                                      {"NA, no other value yet", "…"},
                                      {"contrary, scaled down", "(✗)"},
                                      {"consistent, about 7 more runs would decide", "(✓)"}}) {
    const std::string mark = std::string("<abbr title=\"") + verdict + "\">" + sign + "</abbr>";
    EXPECT_NE(paper_layout(comparison(verdict)).find(mark), std::string::npos) << mark;
  }
}

TEST(PaperLayout, IsNoneWhereItWouldBeEmptyOrAmbiguous) {
  Table table = comparison("agrees");
  table.rows.push_back(table.rows[0]);
  EXPECT_EQ(paper_layout(table), "") << "two numbers for one cell";
  table = comparison("agrees");
  table.columns.back().name = "judgement";
  EXPECT_EQ(paper_layout(table), "");
  table = comparison("agrees");
  table.rows.resize(1);
  EXPECT_EQ(paper_layout(table), "");
}

}  // namespace
}  // namespace elmx
