#include "base/error.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/printable.hpp"

namespace elmx {
namespace {

constexpr std::size_t kLongestMessage = 2000;

}  // namespace

UserError::UserError(ExitCode code, const std::string& place, const std::string& problem)
    : std::runtime_error(printable(place.empty() ? problem : place + ": " + problem, kLongestMessage)),
      code_(code),
      place_(place),
      problem_(problem) {}

std::string_view to_string(Status status) {
  constexpr std::string_view kNames[] = {"ok",         "not_positive_definite", "not_finite", "not_decreasing",
                                         "all_pruned", "too_few_samples"};
  return kNames[static_cast<std::size_t>(status)];
}

void expects(bool condition, const char* message) {
  if (!condition) throw std::logic_error(message);
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace elmx
