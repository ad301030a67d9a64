#include <pty.h>
#include <utf8cpp/utf8.h>

#include <future>
#include <regex>

#include "cli/program.hpp"

namespace elmx {
namespace {

Json folds_of(std::size_t folds) {
  Json config = small_config();
  config["split"]["folds"] = folds;
  for (auto& one : config["cases"]) one["data"]["samples"] = 200;
  config["model"]["activation"] = {"sigmoid", "hardlim"};  // algorithms agree, these do not
  return config;
}

/// The program on a pseudo-terminal.
class Terminal : public ProgramTest {
 protected:
  using Typing = std::function<void(int keyboard, const std::string& so_far)>;

  /// Returns everything sent to the terminal, with stderr. `type` is called with the output so far.
  Outcome at_terminal(std::size_t columns, const Arguments& arguments, Environment environment = {},
                      const Typing& type = {}) const {
    environment.insert({{"NO_COLOR", ""}, {"COLUMNS", ""}, {"TERM", "xterm"}});
    int master = -1, slave = -1;
    const winsize size{40, static_cast<unsigned short>(columns), 0, 0};
    EXPECT_EQ(::openpty(&master, &slave, nullptr, nullptr, &size), 0);
    ::fcntl(master, F_SETFD, FD_CLOEXEC);
    ::fcntl(slave, F_SETFD, FD_CLOEXEC);
    const pid_t child = start(arguments, environment, slave);
    // A terminal whose last writer closes it may lose unread output. The slave therefore stays open until a
    // mark, written after the output of the program, is read.
    constexpr char kMark = '\x1e';
    std::future<Outcome> ended = std::async(std::launch::async, [&] {
      Outcome outcome = finish(child);
      EXPECT_EQ(::write(slave, &kMark, 1), 1);
      return outcome;
    });
    std::string sent;
    std::array<char, 4096> buffer{};
    for (ssize_t n = 0; !sent.ends_with(kMark) && (n = ::read(master, buffer.data(), buffer.size())) > 0;) {
      sent.append(buffer.data(), static_cast<std::size_t>(n));
      if (type) type(master, sent);
    }
    Outcome outcome = ended.get();
    ::close(slave);
    ::close(master);
    EXPECT_TRUE(sent.ends_with(kMark)) << "the output is whole";
    sent.pop_back();
    outcome.out = sent;
    return outcome;
  }

  /// Returns the visible text: the final content of overwritten lines, without colours.
  static std::string without_codes(const std::string& sent) {
    static const std::regex codes("[^\n]*\r\033\\[K|\033\\[[0-9;]*m|\r");
    return std::regex_replace(sent, codes, "");
  }

  /// Returns the lines from the first one that begins with `first`.
  static std::vector<std::string> lines_from(const std::string& sent, const std::string& first) {
    std::vector<std::string> lines = lines_of(without_codes(sent));
    const auto begin = std::ranges::find_if(lines, [&](const std::string& line) { return line.starts_with(first); });
    return {begin, lines.end()};
  }

  /// Runs small.json with five folds into out/small.
  Outcome run_small() const {
    return prepared("small", [&] {
      write("small.json", folds_of(5).dump());
      return run({"run", "small.json", "--fake-clock"});
    });
  }

  static std::size_t characters(const std::string& line) {
    return static_cast<std::size_t>(utf8::distance(line.begin(), line.end()));
  }

  static std::size_t widest(const std::vector<std::string>& lines) {
    std::size_t most = 0;
    for (const std::string& line : lines) most = std::max(most, characters(line));
    return most;
  }
};

TEST_F(Terminal, TablesFitItsWidth) {
  const Outcome plain = run_small();
  for (const std::size_t columns : {40u, 120u}) {
    for (const Arguments& arguments : {Arguments{"run", "small.json", "--fake-clock"},
                                       {"table", "out/small"},
                                       {"list", "algorithms"},
                                       {"plan", "small.json"},
                                       {"compare", "out/small", "--by", "algorithm=alg2,existing"}}) {
      const Outcome outcome = at_terminal(columns, arguments);
      const bool is_run = arguments[0] == "run";
      const auto lines = lines_from(outcome.out, is_run ? "Every method" : "");

      EXPECT_EQ(outcome.code, 0) << outcome.out;
      EXPECT_GT(lines.size(), 5u) << outcome.out;
      EXPECT_LE(widest(lines), columns) << outcome.out;
      EXPECT_GT(widest(lines), columns / 2) << "it uses the width";
    }
  }
  EXPECT_GT(widest(lines_of(plain.out)), 120u) << "there is something to fit";
}

TEST_F(Terminal, ResultTimesDiagnosticsAndNextStepsInOrder) {
  write("small.json", folds_of(5).dump());

  const std::string sent = without_codes(at_terminal(80, {"run", "small.json", "--fake-clock"}).out);

  std::size_t place = 0;
  for (const char* text : {"two_moons: standard: hardlim", "have the highest", "friedman1: standard: sigmoid",
                           "have the lowest", "Every method against the best", "best", "Training time",
                           "Diagnostics: ", "solutions, the largest backward error is ", "out/small/tables/errors.md",
                           "Next: elmx report out/small"}) {
    place = sent.find(text, place);
    ASSERT_NE(place, std::string::npos) << text << " is not in its place:\n" << sent;
  }
  EXPECT_EQ(sent.find("Accuracy of the solutions"), std::string::npos);
}

TEST_F(Terminal, WhereSomethingIsWrongTheDiagnosticsAreShown) {
  Json config = folds_of(5);
  config["model"]["ridge"] = 1e-13;  // Cholesky breaks down
  config["model"]["nodes"] = {{"start", 2}, {"stop", 150}, {"report", {150}}};
  write("small.json", config.dump());

  const Outcome outcome = at_terminal(80, {"run", "small.json", "--fake-clock"});

  EXPECT_NE(outcome.out.find("Accuracy of the solutions"), std::string::npos) << outcome.out;
}

TEST_F(Terminal, HasColoursUnlessNobodyWantsThem) {
  const Arguments arguments{"run", "small.json", "--fake-clock"};
  ASSERT_EQ(run_small().code, 0);
  const auto with = [&](const Environment& environment) {
    const std::string sent = at_terminal(80, arguments, environment).out;
    return sent.substr(sent.find("Every method"));
  };
  const std::string best = "\033[1;32m";

  const std::string coloured = with({}), plain = with({{"NO_COLOR", "1"}}), dumb = with({{"TERM", "dumb"}});

  EXPECT_NE(coloured.find(best), std::string::npos) << coloured;
  EXPECT_EQ(std::regex_search(coloured, std::regex("[0-9]\\*")), false) << "the best stands out by its colour";
  EXPECT_EQ(plain.find('\033'), std::string::npos) << plain;
  EXPECT_TRUE(std::regex_search(plain, std::regex("[0-9]\\*"))) << "the best is marked: " << plain;
  EXPECT_EQ(dumb, plain);
}

TEST_F(Terminal, PipesAndMarkdownOptionGetTheSameBytes) {
  const Arguments arguments{"run", "small.json", "--fake-clock"};
  ASSERT_EQ(run_small().code, 0);
  std::string files;
  for (const char* name : {"errors", "selection", "regression", "classification", "time"}) {
    if (exists("out/small/tables/" + std::string(name) + ".md"))
      files += read("out/small/tables/" + std::string(name) + ".md") + '\n';
  }

  const std::string shown = run(arguments).out;
  EXPECT_TRUE(shown.ends_with(files)) << "behind the summary";
  EXPECT_EQ(run({"table", "out/small"}).out, shown);
  // The terminal also shows stderr, which names the tables that are only in files.
  const std::regex other("\r|[^\n]*confusion\\.md\r?\n");
  for (const Arguments& asked : {Arguments{"--format", "md"}, {"--markdown"}}) {
    Arguments table{"table", "out/small"};
    table.insert(table.end(), asked.begin(), asked.end());
    const std::string expected = asked.size() == 1 ? shown : files;
    EXPECT_EQ(std::regex_replace(at_terminal(80, table).out, other, ""), expected);
  }
}

/// A config of one training that takes minutes.
Json very_long_training() {
  Json config = long_training();
  config["model"]["epochs"] = 50000;
  return config;
}

TEST_F(Terminal, LongTrialsShowProgressAndTimeLeft) {
  write("long.json", very_long_training().dump());
  const std::regex line("0/2 trials, ([^,]*) left; friedman1 adam: epoch ([0-9]+) of 50000");
  constexpr std::size_t kFarTooMuch = 5000;  // some fifty seconds
  std::vector<std::pair<std::string, int>> seen;
  bool typed = false;
  at_terminal(80, {"run", "long.json"}, {}, [&](int keyboard, const std::string& so_far) {
    for (std::sregex_iterator found(so_far.begin(), so_far.end(), line), end; found != end; ++found) {
      if (seen.empty() || std::stoi((*found)[2]) > seen.back().second)
        seen.emplace_back((*found)[1], std::stoi((*found)[2]));
    }
    const bool enough = seen.size() >= 3 || so_far.size() > kFarTooMuch;
    if (!typed && enough) typed = ::write(keyboard, "\003", 1) == 1;
  });

  ASSERT_GE(seen.size(), 3u);
  std::set<std::string> left;
  for (const auto& [time, epoch] : seen) left.insert(time);
  EXPECT_GT(left.size(), 1u) << *left.begin();
}

TEST_F(Terminal, CtrlCEndsARunAsEver) {
  write("long.json", very_long_training().dump());
  bool typed = false;
  const Outcome outcome = at_terminal(80, {"run", "long.json"}, {}, [&](int keyboard, const std::string& so_far) {
    if (typed || so_far.find("0/2 trials") == std::string::npos) return;
    typed = ::write(keyboard, "\003", 1) == 1;
  });

  EXPECT_TRUE(typed);
  EXPECT_EQ(outcome.code, 130) << outcome.out;
  EXPECT_NE(outcome.out.find("interrupted after 0 of 2 trials"), std::string::npos) << outcome.out;
}

TEST_F(Terminal, NamesOfAFileCannotSteerIt) {
  write("d.csv", "a,b\x1b[31m,y\n1,2,3\n2,3,4\n5,6,8\n");

  const std::string sent = at_terminal(80, {"data", "info", "d.csv"}, {{"NO_COLOR", "1"}}).out;

  EXPECT_EQ(sent.find('\033'), std::string::npos) << sent;
}

TEST_F(Terminal, NarrowTablesShowResultsBeforeSettings) {
  std::string rows = "length,width,speed\n";
  for (int i = 0; i < 50; ++i)
    rows += std::to_string(i * 7 % 31) + "," + std::to_string(i * 11 % 23) + "," + std::to_string(i * 3 % 17) + "\n";
  write("boats.csv", rows);
  ASSERT_EQ(run({"run", "boats.csv", "--target", "speed", "--fake-clock"}).code, 0);

  const std::string sent = without_codes(at_terminal(80, {"table", "out/boats"}).out);

  const std::string table = sent.substr(sent.find("Regression performance"));
  const std::string headings = table.substr(0, table.find("\u2500"));
  for (const char* heading : {"case", "chosen", "RMSE"})
    EXPECT_NE(headings.find(heading), std::string::npos) << heading << '\n' << table;
  EXPECT_TRUE(std::regex_search(sent, std::regex("elmx table\\s+out/boats\\s+--markdown\\s+prints\\s+all"))) << sent;
}

TEST_F(Terminal, TablesKeepBothEndsOfIntervals) {
  ASSERT_EQ(run_small().code, 0);
  for (const std::size_t columns : {40u, 80u}) {
    const auto lines =
        lines_of(without_codes(at_terminal(columns, {"compare", "out/small", "--by", "algorithm=alg2,existing"}).out));
    EXPECT_EQ(std::ranges::count(lines, "to"), 0) << columns;
  }
}

TEST_F(Terminal, OneThatTakesNoCodesGetsNone) {
  write("smallest.json", smallest_config().dump());
  const std::string sent = at_terminal(80, {"run", "smallest.json"}, {{"TERM", "dumb"}}).out;
  EXPECT_EQ(sent.find('\033'), std::string::npos) << sent;
}

TEST_F(Terminal, HelpIsBrokenAtBlanks) {
  const auto lines = lines_of(without_codes(at_terminal(80, {"run", "--help"}).out));
  EXPECT_LE(widest(lines), 80u);
  const std::string piped = run({"run", "--help"}).out;
  EXPECT_GT(widest(lines_of(piped)), 80u);
  for (const std::string& line : lines) {
    const std::string last = line.substr(line.find_last_of(' ') + 1);
    EXPECT_NE(piped.find(last), std::string::npos) << "no word is broken: " << line;
  }
}

/// Returns the text with single blanks, so that sentences broken into lines are whole again.
std::string unbroken(const std::string& text) { return std::regex_replace(text, std::regex("\\s+"), " "); }

void expect_all(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << "\nin " << text;
}

TEST_F(Terminal, LongNamesAndNotesAreBrokenNotCut) {
  const std::string target = "monthly_rent_of_the_flat_without_heating";
  std::string rows = "area,rooms," + target + "\n";
  for (int i = 0; i < 60; ++i)
    rows += std::to_string(30 + i * 7 % 61) + "," + std::to_string(1 + i % 4) + "," +
            std::to_string(495.725 + i * 11 % 47) + "\n";
  write("rents_of_the_second_half_of_the_year.csv", rows);
  for (const Arguments& arguments :
       {Arguments{"data", "info"}, Arguments{"init", "--target", target}, Arguments{"run", "--target", target}}) {
    Arguments all = arguments;
    all.emplace_back("rents_of_the_second_half_of_the_year.csv");
    const std::string text = without_codes(at_terminal(60, all).out);
    expect_all(unbroken(text), {"60 rows, 2 inputs, target " + target + " from 495.725 to 541.725",
                                "the target is read as numbers: " + target + " has numbers (for classes: "});
  }
}

TEST_F(Terminal, PublishedTablesShowRulesUnitsAndDeviations) {
  const std::vector<std::string> deviations{
      "A quarter of the samples, and two runs in place of the fifty that the paper has, with half of the nodes.",
      "The copy of the data is another one, whose scale is not that of the paper, as far as this can be known.",
      "The ridge parameter was fitted to the published values, because the paper does not state it anywhere."};
  const Json rules = {
      {{"match", {{"metric", "test_acc"}}}, {"rule", "absolute"}, {"tolerance", 0.0375}, {"scale", 0.01}},
      {{"rule", "relative"}, {"tolerance", 0.625}, {"relative_to", {{"algorithm", "standard"}}}}};
  write("data/catalogue.json", content_of(source_dir() / "data/catalogue.json"));
  write("data/paper/demo.csv", "dataset,algorithm,metric,value\nset,standard,test_acc,90\nset,standard,seconds,3\n");
  write("configs/paper/demo.json",
        Json{{"paper",
              {{"published", "demo.csv"},
               {"rules", rules},
               {"deviations", {{"scale", {deviations[0]}}, {"data", {deviations[1]}}, {"settings", {deviations[2]}}}}}}}
            .dump());

  for (const std::string command : {"reproduce", "help"}) {
    const std::string text = without_codes(at_terminal(100, {command, "demo"}, {{"ELMX_HOME", work().string()}}).out);
    EXPECT_LE(widest(lines_of(text)), 100u);
    expect_all(unbroken(text), deviations);
    expect_all(unbroken(text), {"test_acc", "0.0375", "62.5 %", "percent", "standard"});
  }
}

}  // namespace
}  // namespace elmx
