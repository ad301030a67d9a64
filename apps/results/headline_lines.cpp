#include "results/headline_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "base/shell_word.hpp"
#include "terminal.hpp"

namespace elmx {
namespace {

/// "Next: ..." with a command each to use the model, to look at the result, and to change something:
/// NAME.json where it lies here, as `elmx run FILE` has written it.
std::string next_commands(bool has_model, const std::string& config, const std::filesystem::path& folder) {
  const std::string word = shell_word(folder.string());
  std::vector<std::string> commands;
  if (has_model) commands.push_back(fmt::format("elmx predict {} NEW.csv (predictions for new rows)", word));
  commands.push_back(fmt::format("elmx report {} (one page, with diagrams)", word));
  std::error_code ignored;
  const std::string file = config + ".json";
  if (!config.empty() && std::filesystem::exists(file, ignored))
    commands.push_back(fmt::format("edit {0} and elmx run {0} -o {1}-2 (to change something)", shell_word(file), word));
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
  const bool has_model = std::ranges::any_of(headlines, [](const Headline& one) { return !one.model.empty(); });
  lines.push_back(next_commands(has_model, config, folder));
  return lines;
}

bool print_headlines(const std::vector<Headline>& headlines, const std::string& config,
                     const std::filesystem::path& folder) {
  const std::vector<std::string> lines = headline_lines(headlines, config, folder);
  for (const std::string& line : lines) print_line(line);
  if (!lines.empty()) std::cout << '\n';
  return !lines.empty();
}

}  // namespace elmx
