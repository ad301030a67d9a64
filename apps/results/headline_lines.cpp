#include "results/headline_lines.hpp"

#include <fmt/format.h>

#include <iostream>

#include "base/printable.hpp"
#include "report/tables/summary_of_methods.hpp"
#include "terminal.hpp"

namespace elmx {
namespace {

/// Returns the argument of `elmx predict`: the folder, or the first of several model files; "" without a
/// model.
std::string to_predict_with(const std::vector<Headline>& headlines, const std::filesystem::path& folder) {
  std::string first;
  for (const Headline& one : headlines) {
    if (!one.file.empty() && first.empty()) first = one.file;
  }
  if (first.empty()) return "";
  return headlines.size() == 1 ? folder.string() : (folder / first).string();
}

/// Returns "Next: ..." with commands to use the model, to view the result, and to edit the config: NAME.json
/// if it is in the current folder, as written by `elmx run FILE`.
std::string next_commands(const std::string& model, const std::string& config, const std::filesystem::path& folder) {
  const std::string word = shell_word(folder.string());
  std::vector<std::string> commands;
  if (!model.empty())
    commands.push_back(fmt::format("elmx predict {} NEW.csv (predictions for new rows)", shell_word(model)));
  commands.push_back(fmt::format("elmx report {} (one page, with diagrams)", word));
  std::error_code ignored;
  const std::string file = config + ".json";
  if (!config.empty() && std::filesystem::exists(file, ignored))
    commands.push_back(fmt::format("edit {0} and elmx run {0} -o {1} (to change something)", shell_word(file),
                                   shell_word(folder.string() + "-2")));
  else
    commands.push_back(fmt::format("elmx table {} (every number)", word));
  return fmt::format("Next: {}.", fmt::join(commands, "; "));
}

}  // namespace

std::vector<std::string> headline_lines(const std::vector<Headline>& headlines, const std::string& config,
                                        const std::filesystem::path& folder) {
  std::vector<std::string> lines;
  for (const Headline& headline : headlines) {
    for (std::string& sentence : sentences_of(headline)) lines.push_back(std::move(sentence));
  }
  if (lines.empty()) return lines;
  lines.push_back(next_commands(to_predict_with(headlines, folder), config, folder));
  return lines;
}

void print_summary(const Frame& frame, const std::filesystem::path& folder) {
  const RunSummary summary = summary_of_methods(frame);
  const std::vector<std::string> lines = headline_lines(headlines_of(frame, folder), frame.run().name, folder);
  const auto print_lines = [](const std::vector<std::string>& text) {
    for (const std::string& line : text) print_line(line);
    if (!text.empty()) std::cout << '\n';
  };
  print_lines(lines.empty() ? summary.sentences : lines);
  for (const Table& table : summary.tables)
    print(table, "elmx table " + shell_word(folder.string()) + " --markdown prints all columns");
  if (!lines.empty()) print_lines(summary.sentences);
}

}  // namespace elmx
