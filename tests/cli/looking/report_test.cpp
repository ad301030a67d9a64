#include <gtest/gtest.h>

#include "base/machine/machine.hpp"
#include "cli/program.hpp"
#include "support/xml.hpp"

namespace elmx {
namespace {

bool installed(const std::string& program) { return run_program({program, "--version"}, ".") == 0; }

/// Reports of two cases, three algorithms, two folds.
class ReportPages : public ProgramTest {
 protected:
  void SetUp() override { write("config.json", small_config().dump()); }

  void run_into_a() const {
    const Outcome outcome = run_once({"run", "config.json", "-o", "a", "--fake-clock"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  std::string page_of(const std::string& folder, const Environment& environment = {}) const {
    const Outcome outcome = run({"report", folder}, environment);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    const std::string page = read(folder + "/report.html");
    EXPECT_EQ(XmlReader(page).error(), "");
    return page;
  }
  static bool has(const std::string& page, const std::string& text) { return page.find(text) != std::string::npos; }
};

TEST_F(ReportPages, AreSelfContained) {
  run_into_a();
  const auto before = snapshot();

  const Outcome outcome = run({"report", "a", "-o", "page.html"});

  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(outcome.err.ends_with("report: page.html\n")) << outcome.err;
  const std::string page = read("page.html");
  auto after = snapshot();
  after.erase("page.html");
  EXPECT_EQ(after, before) << "the page is all that is written";
  const XmlReader xml(page);
  EXPECT_EQ(xml.error(), "");
  for (const char* caption :
       {"Accuracy of the solutions (means)", "Regression performance", "Classification performance", "Training time"})
    EXPECT_TRUE(has(page, "<caption>" + std::string(caption) + "</caption>")) << caption;
  for (const char* text :
       {"<title>small</title>", "&quot;seed&quot;: 3", "&quot;version&quot;: ", "&quot;report&quot;: ["})
    EXPECT_TRUE(has(page, text)) << text;
  for (const std::string& target : xml.values("href")) EXPECT_EQ(target[0], '#') << target;
  for (const std::string& source : xml.values("src")) EXPECT_TRUE(source.starts_with("data:image/svg+xml,"));
  EXPECT_EQ(xml.count("script") + xml.count("link") + xml.count("iframe"), 0u);
}

TEST_F(ReportPages, HaveEveryFigureOfPlot) {
  if (!installed("gnuplot")) GTEST_SKIP() << "gnuplot is not installed";
  run_into_a();

  const std::string page = page_of("a");
  run({"plot", "a"});

  std::size_t figures = 0;
  for (const auto& file : fs::directory_iterator(work() / "a/plots")) figures += file.path().extension() == ".svg";
  const XmlReader xml(page);
  EXPECT_GT(figures, 3u);
  EXPECT_EQ(xml.count("img"), figures);
  EXPECT_EQ(xml.count("figcaption"), figures);
  const std::vector<std::string> ids = xml.values("id");
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
}

TEST_F(ReportPages, OpenWithTheDataAndWhoWins) {
  run_into_a();

  const std::string page = page_of("a", {{"PATH", "/nowhere"}});

  const std::size_t data = page.find("<li>friedman1: "), answer = page.find("<h2>Result</h2>"),
                    numbers = page.find("<h2>Every number</h2>"), folded = page.find("<details>");
  EXPECT_LT(page.find("<h1>"), data);
  EXPECT_LT(data, answer);
  EXPECT_LT(answer, folded);
  EXPECT_LT(folded, page.size());
  EXPECT_LT(answer, numbers);
  EXPECT_LT(numbers, page.size());
  EXPECT_LT(page.find("test RMSE", answer), folded) << "the sentence and the main table";
  EXPECT_LT(page.find("test accuracy", answer), folded);
}

TEST_F(ReportPages, WithoutGnuplotSaySo) {
  run_into_a();

  const Outcome outcome = run({"report", "a"}, {{"PATH", "/nowhere"}});

  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(lines_of(outcome.err).size(), 2u) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "gnuplot"));
  EXPECT_TRUE(has(read("a/report.html"), "gnuplot"));
  EXPECT_EQ(XmlReader(read("a/report.html")).count("img"), 0u);
}

TEST_F(ReportPages, OfUnfinishedRunsShowTheProgress) {
  run_into_a();
  const std::vector<std::string> lines = lines_of(read("a/records.jsonl"));
  write("a/records.jsonl", lines[0] + "\n" + lines[1] + "\n" + lines[2].substr(0, 20));

  EXPECT_TRUE(has(page_of("a", {{"PATH", "/nowhere"}}), "The run is not finished: 2 of 12 trials are recorded."));
  Json experiment = Json::parse(read("a/experiment.json"));
  experiment.erase("trials");
  write("a/experiment.json", experiment.dump());
  EXPECT_FALSE(has(page_of("a", {{"PATH", "/nowhere"}}), "The run is not finished"));
  fs::remove(work() / "a/experiment.json");
  EXPECT_TRUE(has(page_of("a", {{"PATH", "/nowhere"}}), "<title>a</title>"));
}

TEST_F(ReportPages, EscapeNamesOfFilesAndOfTheExperiment) {
  std::string rows = "x,y\n";
  for (int i = 0; i < 30; ++i) rows += std::to_string(i) + "," + std::to_string(i % 7) + "\n";
  write("a<b>&'c'.csv", rows);
  Json config = smallest_config();
  config["name"] = "<script>alert(1)</script>";
  config["data"] = {{"path", "a<b>&'c'.csv"}, {"target", {"y"}}};
  write("config.json", config.dump());
  const Outcome outcome = run({"run", "config.json", "-o", "a", "--data", ".", "--fake-clock"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;

  const std::string page = page_of("a");

  EXPECT_EQ(XmlReader(page).count("script"), 0u);
  EXPECT_TRUE(has(page, "<h1>&lt;script&gt;alert(1)&lt;/script&gt;</h1>"));
  EXPECT_TRUE(has(page, "<td>a&lt;b&gt;&amp;&#39;c&#39;.csv</td>")) << page.substr(0, 20000);
}

TEST_F(ReportPages, BeginWithThePublishedTable) {
  Json config = small_config();
  config["name"] = "demo";
  config["paper"] = {{"published", "demo.csv"}, {"case", "regression"}, {"metric", "test_mse"}, {"nodes", "12"}};
  write("configs/paper/demo.json", config.dump());
  write("data/paper/demo.csv", "algorithm,value\nstandard,0.1\n");
  write("data/catalogue.json", content_of(source_dir() / "data/catalogue.json"));
  const Outcome outcome = run({"reproduce", "demo", "-o", "out", "--fake-clock"}, {{"ELMX_HOME", work().string()}});
  ASSERT_TRUE(exists("out/demo/tables/demo.json")) << outcome.err;

  const std::string page = page_of("out/demo", {{"PATH", "/nowhere"}});

  const std::size_t published = page.find("demo.csv: published and measured</caption>"),
                    own = page.find("<caption>Regression performance</caption>");
  EXPECT_LT(published, own);
  EXPECT_NE(own, std::string::npos);
  fs::remove(work() / "out/demo/records.jsonl");
  EXPECT_TRUE(has(page_of("out/demo"), "published and measured</caption>")) << "a table alone is enough";
}

TEST_F(ReportPages, RefuseWhatIsNoResultsFolder) {
  fs::create_directories(work() / "empty");
  refuses(3, {"report", "nowhere"}, {"elmx: nowhere/records.jsonl: "});
  refuses(3, {"report", "empty"}, {"elmx: empty: "});
  run_into_a();
  const Json experiment = Json::parse(read("a/experiment.json"));
  for (const char* member : {"data", "config"}) {
    Json damaged = experiment;
    damaged[member] = Json::array({1});
    write("a/experiment.json", damaged.dump());
    EXPECT_NE(run({"report", "a"}, {{"PATH", "/nowhere"}}).code, 1) << member;
  }
  write("a/experiment.json", "{}");
  refuses(3, {"report", "a"}, {"elmx: a/experiment.json: "});
  write("a/experiment.json", experiment.dump());
  const Outcome outcome = run({"report", "a", "-o", "no/such/folder/page.html"}, {{"PATH", "/nowhere"}});
  EXPECT_EQ(outcome.code, 2) << outcome.err;
}

TEST_F(ReportPages, ShowFiguresThatAreNotDrawnAgain) {
  run_into_a();
  for (const char* name : {"a/plots/mine.pdf", "a/plots/notes.txt"}) write(name, "x");
  write("a/plots/mine.svg", "<svg viewBox='0 0 1 1' onload='alert(1)'><script>alert(1)</script><g/></svg>");

  const XmlReader page(page_of("a", {{"PATH", "/nowhere"}}));

  EXPECT_EQ(page.count("img"), 1u);
  EXPECT_EQ(page.count("script") + page.count("svg"), 0u) << "an image runs nothing";
}

TEST_F(ReportPages, ShowAnImportedMethodBesideTheOthers) {
  run_into_a();
  ASSERT_EQ(run({"folds", "config.json", "-o", "folds.csv"}).code, 0);
  std::string csv;
  for (const std::string& line : lines_of(read("folds.csv"))) {
    if (csv.empty())
      csv = line + ",prediction\n";
    else if (line.ends_with(",test"))
      csv += line + (line.starts_with("two_moons") ? ",0\n" : ",14.4\n");
  }
  write("mine.csv", csv);
  const Outcome imported = run({"import", "a", "mine.csv", "--as", "forest"});
  ASSERT_EQ(imported.code, 0) << imported.err;

  const std::string page = page_of("a", {{"PATH", "/nowhere"}});

  const std::size_t answer = page.find("<section id=\"answer\">"), end = page.find("</section>", answer);
  const std::string result = page.substr(answer, end - answer);
  EXPECT_TRUE(has(result, "forest</td>")) << result;
  EXPECT_TRUE(has(page.substr(page.find("<section id=\"tables\">")), "<td>forest</td>"));
}

TEST_F(ReportPages, FitAPhone) {
  if (!installed("chromium")) GTEST_SKIP() << "chromium is not installed";
  Json config = small_config();
  config["cases"][std::string(90, 'c')] = config["cases"]["regression"];
  write("config.json", config.dump());
  run_into_a();
  page_of("a");
  // Only elements that scroll may reach beyond the right edge, with folded parts open or closed.
  write("phone.html",
        R"(<iframe id="f" src="a/report.html" style="width:400px;height:800px;border:0"></iframe><p id="o"></p>
<script>f.onload = () => {
  const d = f.contentDocument;
  d.querySelectorAll("details").forEach(e => e.open = true);
  const wide = [...d.querySelectorAll("body *")].filter(e => !e.parentElement.closest(".scroll") &&
    e.getBoundingClientRect().right > 401);
  const cut = [...d.querySelectorAll("table")].filter(e => getComputedStyle(e.closest(".scroll")).overflowX != "auto");
  o.textContent = "page " + d.documentElement.scrollWidth + " wide " + wide.length + " cut " + cut.length + ".";
};</script>)");
  const std::string command =
      "chromium --headless --no-sandbox --disable-gpu --allow-file-access-from-files --user-data-dir=profile "
      "--virtual-time-budget=20000 --dump-dom file://" +
      (work() / "phone.html").string() + " > dom.html 2> log.txt";
  ASSERT_EQ(run_program({"sh", "-c", command}, work()), 0) << read("log.txt");

  const std::string dom = read("dom.html");
  const std::size_t at = dom.find("page ");
  ASSERT_NE(at, std::string::npos) << dom;
  EXPECT_LE(std::stoi(dom.substr(at + 5)), 400);
  EXPECT_TRUE(has(dom, " wide 0 cut 0.")) << dom;
}

TEST_F(ReportPages, OpenInABrowserWithoutNetwork) {
  if (!installed("chromium")) GTEST_SKIP() << "chromium is not installed";
  run_into_a();
  const std::size_t figures = XmlReader(page_of("a")).count("img");

  const std::string command =
      "chromium --headless --no-sandbox --disable-gpu --user-data-dir=profile --host-resolver-rules='MAP * ~NOTFOUND' "
      "--enable-logging=stderr --dump-dom file://" +
      (work() / "a/report.html").string() + " > dom.html 2> log.txt";
  ASSERT_EQ(run_program({"sh", "-c", command}, work()), 0) << read("log.txt");

  const std::string dom = read("dom.html");
  std::size_t drawn = 0;
  for (std::size_t at = 0; (at = dom.find("<img ", at)) != std::string::npos; ++at) ++drawn;
  EXPECT_EQ(drawn, figures);
  EXPECT_TRUE(has(dom, "<h2>The run</h2>"));
  EXPECT_FALSE(has(read("log.txt"), "CONSOLE")) << read("log.txt");
}

}  // namespace
}  // namespace elmx
