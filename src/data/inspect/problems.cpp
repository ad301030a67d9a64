#include "data/inspect/problems.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostLines = 40;
constexpr std::size_t kLongestLine = 500;

std::string advice(const std::string& config) {
  return config.empty() ? "" : "in the config: \"data\": {" + config + "}";
}

std::string one_line(const std::string& origin, const std::vector<std::string>& problems, const std::string& config) {
  if (problems.size() == 1) return origin + ": " + problems.front();
  return fmt::format("{}: {}: {}{}{}", origin, counted(problems.size(), "problem"), fmt::join(problems, "; "),
                     config.empty() ? "" : "; ", advice(config));
}

}  // namespace

TableProblems::TableProblems(const std::string& origin, const std::vector<std::string>& problems,
                             const std::string& config)
    : DataError(one_line(origin, problems, config)) {
  if (problems.size() == 1) {
    lines_.emplace_back(what());
    return;
  }
  lines_.push_back(printable(fmt::format("{}: {}", origin, counted(problems.size(), "problem")), kLongestLine));
  for (std::size_t i = 0; i < std::min(problems.size(), kMostLines); ++i)
    lines_.push_back(printable("  " + problems[i], kLongestLine));
  if (problems.size() > kMostLines) lines_.push_back(fmt::format("  and {} more", problems.size() - kMostLines));
  if (!config.empty()) lines_.push_back(printable("  " + advice(config)));
}

}  // namespace elmx
