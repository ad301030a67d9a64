#include "data/table/problems.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostLines = 8;
constexpr std::size_t kLongestLine = 500;

std::string mend(const std::string& missing) {
  if (missing.empty()) return "";
  return fmt::format("; set \"missing\" to \"{}\" or \"drop_rows\" in \"data\" (elmx run: --set data.missing={})",
                     missing, missing);
}

std::string one_line(const std::string& origin, const std::vector<std::string>& problems, const std::string& missing) {
  if (problems.size() == 1) return origin + ": " + problems.front() + mend(missing);
  const std::vector<std::string> first(problems.begin(),
                                       problems.begin() + static_cast<long>(std::min(problems.size(), kMostLines)));
  return fmt::format("{}: {}: {}{}{}", origin, counted(problems.size(), "problem"), fmt::join(first, "; "),
                     problems.size() > kMostLines ? fmt::format("; and {} more", problems.size() - kMostLines) : "",
                     mend(missing));
}

}  // namespace

TableProblems::TableProblems(const std::string& origin, const std::vector<std::string>& problems,
                             const std::string& missing)
    : DataError(one_line(origin, problems, missing)) {
  if (problems.size() == 1) {
    lines_.emplace_back(what());
    return;
  }
  lines_.push_back(
      printable(fmt::format("{}: {}{}", origin, counted(problems.size(), "problem"), mend(missing)), kLongestLine));
  for (std::size_t i = 0; i < std::min(problems.size(), kMostLines); ++i)
    lines_.push_back(printable("  " + problems[i], kLongestLine));
  if (problems.size() > kMostLines) lines_.push_back(fmt::format("  and {} more", problems.size() - kMostLines));
}

}  // namespace elmx
