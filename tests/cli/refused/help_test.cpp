#include <algorithm>
#include <iterator>

#include "base/config/json.hpp"
#include "cli/shell.hpp"
#include "experiment/config/options.hpp"
#include "support/configs.hpp"
#include "support/paths.hpp"

namespace elmx {
namespace {

/// The help agrees with the options that the program accepts, wherever it is shown.
class Help : public ShellTest {
 protected:
  /// Returns the help of every command by its path; the path of the program itself is "".
  const std::map<std::string, std::string>& help() const {
    static std::map<std::string, std::string> texts;
    if (texts.empty()) collect("", texts);
    return texts;
  }

  static Arguments words_of(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
  }

  /// Returns the first words of the indented lines below a heading.
  static std::vector<std::string> entries(const std::string& text, const std::string& heading) {
    std::vector<std::string> found;
    bool below = false;
    for (const std::string& line : lines_of(text)) {
      if (!line.starts_with(' ')) below = line == heading;
      const bool entry = below && line.starts_with("  ") && !line.starts_with("   ");
      if (entry) found.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
    return found;
  }

 private:
  void collect(const std::string& path, std::map<std::string, std::string>& texts) const {
    Arguments arguments = words_of(path);
    arguments.emplace_back("--help");
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << path;
    texts[path] = outcome.out;
    for (const std::string& name : entries(outcome.out, "Subcommands:"))
      collect(path.empty() ? name : path + " " + name, texts);
  }
};

TEST_F(Help, EachCommandHasTwoValidExamples) {
  ASSERT_GE(help().size(), 21u);
  for (const auto& [path, text] : help()) {
    if (path.empty()) continue;
    const std::size_t begin = text.find("\nExamples:\n");
    ASSERT_NE(begin, std::string::npos) << path;
    std::size_t examples = 0;
    for (const std::string& line : lines_of(text.substr(begin))) {
      if (!line.starts_with("  elmx ")) continue;
      ++examples;
      EXPECT_TRUE(line.starts_with("  elmx " + path)) << line;
      // Every option of an example is an option of the command or of the program.
      for (std::size_t at = 0; (at = line.find(" --", at)) != std::string::npos; ++at) {
        const std::string option = line.substr(at + 1, line.find_first_of(" =", at + 1) - at - 1);
        EXPECT_TRUE(text.find(option) < begin || help().at("").find(option) != std::string::npos) << line;
      }
    }
    EXPECT_EQ(examples, 2u) << path;
  }
}

TEST_F(Help, ManualAndCompletionsHaveEveryOption) {
  const std::string fish = run({"completion", "fish"}).out;
  ASSERT_EQ(run({"man", "-o", "pages"}).code, 0);
  for (const auto& [path, text] : help()) {
    if (path.empty()) continue;
    std::string file = "pages/elmx-" + path + ".1";
    std::ranges::replace(file, ' ', '-');
    const std::string page = read(file);
    for (const std::string& option : entries(text, "Options:")) {
      const std::string name = option.substr(option.find("--"));
      std::string escaped;
      for (const char c : name) escaped += c == '-' ? std::string("\\-") : std::string(1, c);
      EXPECT_NE(page.find(escaped), std::string::npos) << path << ": " << name;
      EXPECT_NE(fish.find(" -l " + name.substr(2)), std::string::npos) << path << ": " << name;
    }
    EXPECT_NE(page.find(".SH EXAMPLES"), std::string::npos) << path;
  }
  EXPECT_EQ(run({"man", "data", "fetch"}).out, read("pages/elmx-data-fetch.1"));
}

TEST_F(Help, BashCompletesCommandsAndTheirOptions) {
  const auto completed = [&](const std::string& words, int at) {
    return shell("source <(\"$E\" completion bash); COMP_WORDS=(elmx " + words + "); COMP_CWORD=" + std::to_string(at) +
                 "; _elmx; echo \"${COMPREPLY[*]}\"")
        .out;
  };
  EXPECT_EQ(completed("repr", 1), "reproduce\n");
  EXPECT_EQ(completed("data fet", 2), "fetch\n");
  EXPECT_EQ(completed("run x.json --retry", 3), "--retry-failed\n");
  EXPECT_EQ(completed("data fetch --stall", 3), "--stall-timeout\n");
}

/// Collects the places of all keys of a config, except lists and names of cases.
void collect_places(const Json& value, const std::string& place, std::set<std::string>& places) {
  if (value.is_array()) {
    for (const Json& element : value) collect_places(element, place, places);
  }
  if (!value.is_object()) return;
  for (const auto& [key, inner] : value.items()) {
    if (key == "range" || key == "logspace") continue;
    if (place.empty() && (key == "cases" || key == "full" || key == "paper")) continue;
    const std::string here = place + "/" + key;
    places.insert(here);
    if (here != "/expect/where" && here != "/preprocess/targets/class_weights") collect_places(inner, here, places);
  }
}

TEST_F(Help, ExplainsEveryKeyOfTheShippedConfigs) {
  std::set<std::string> places;
  for (const auto& config : shipped_configs())
    collect_places(Json::parse(content_of(config), nullptr, true, true), "", places);
  ASSERT_GE(places.size(), 60u);
  const std::vector<ConfigKey> keys = config_keys(Json::parse(run({"schema"}).out));
  for (const std::string& place : places) {
    const std::vector<ConfigKey> found = keys_named(keys, place);
    ASSERT_FALSE(found.empty()) << place;
    EXPECT_EQ(found.front().place, place);
    EXPECT_NE(found.front().description, "") << place;
  }
}

TEST_F(Help, ExplainsWordsOfAllKinds) {
  const std::map<std::string, std::vector<std::string>> parts{
      {"ridge",
       {"config key model.ridge (families elm): ridge penalty", "default: 0.1, as in {\"model\":{\"ridge\":0.1}}"}},
      {"model.ridge", {"config key model.ridge (families elm): ridge penalty"}},
      {"/model/ridge", {"config key model.ridge (families elm): ridge penalty"}},
      {"panel", {"algorithm: panel", "config key model.panel"}},
      {"test_rmse", {"square root of the MSE"}},
      {"130", {"exit code 130: interrupted"}},
      {"run", {"Usage:"}},
      {"data fetch", {"--stall-timeout"}},
      {"report", {"Usage:", "config key model.nodes.report"}},
      {"yacht", {"set: yacht"}},
      {"rls", {"family: rls"}},
      {"rbf", {"exp(-b ||x - w||^2)"}},
      {"fourier", {"Gaussian kernel"}},
      {"standard", {"ridge regression on the inputs", "the mean of the targets"}},
      {"data info", {"Usage: elmx data info"}},
      {"Data Fetch", {"--stall-timeout"}},
      {"BLS", {"family: bls"}},
      {"Yacht", {"set: yacht"}},
      {"Test RMSE", {"square root of the MSE"}},
      {"model.Ridge", {"config key model.ridge (families elm): ridge penalty"}},
      {"metrics", {"rmse", "acc"}},
      {"data sets", {"yacht"}},
      {"jobs", {"option --jobs", "elmx run", "elmx plan"}},
      {"wilcoxon", {"option --test"}},
      {"shard", {"option --shard"}},
      {"leave-one-out", {"config key model.leave_one_out"}},
      {"leverage", {"hat matrix"}},
      {"folds", {"config key split.folds", "One division of the samples"}}};
  for (const auto& [word, expected] : parts) {
    const Outcome outcome = run(words_of("help " + word));
    EXPECT_EQ(outcome.code, 0) << word << outcome.err;
    for (const std::string& part : expected)
      EXPECT_NE(outcome.out.find(part), std::string::npos) << word << ": " << outcome.out;
  }
  refuses(2, {"help", "rigde"}, {"\"rigde\"", "\"ridge\""});
}

TEST_F(Help, AloneTheProgramSaysWhereToBegin) {
  const Outcome outcome = shell("\"$E\"");

  EXPECT_EQ(outcome.code, 0);
  const std::string run = "  elmx run ", out = outcome.out;
  const std::size_t begin = out.find(run) + run.size();
  EXPECT_TRUE(fs::exists(out.substr(begin, out.find('\n', begin) - begin))) << out;
  EXPECT_NE(outcome.out.find("elmx help WORD"), std::string::npos);
}

TEST_F(Help, ListsExperimentsInNaturalOrder) {
  const std::string list = run({"list", "experiments"}).out;
  EXPECT_LT(list.find("dec-table2"), list.find("dec-table10"));
}

TEST_F(Help, ThatCannotBeWrittenIsNoSuccess) {
  for (const char* asked : {"--help", "--version", "run --help", ""})
    EXPECT_EQ(shell("\"$E\" " + std::string(asked) + " > /dev/full").code, 2) << asked;
}

}  // namespace
}  // namespace elmx
