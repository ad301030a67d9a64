#include "data/classes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/printable.hpp"
#include "data/table/text.hpp"

namespace elmx {
namespace {

bool is_number(const std::string& name) {
  const auto number = parse_number(name);
  return number && std::isfinite(*number);
}

/// The names that some sample has.
std::vector<std::string> used(const std::vector<std::string>& names, const std::vector<double>& numbers) {
  std::vector<char> seen(names.size(), 0);
  for (const double number : numbers) seen[static_cast<std::size_t>(number)] = 1;
  std::vector<std::string> found;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (seen[k]) found.push_back(names[k]);
  }
  return found;
}

}  // namespace

void set_classes(Dataset& data, const std::vector<std::string>& names, const std::vector<double>& numbers) {
  std::vector<std::string> spelled = names;
  const bool numeric = std::ranges::all_of(names, is_number);
  if (numeric) {
    for (std::string& name : spelled) name = shortest(*parse_number(name));
  }

  std::map<std::string_view, std::size_t> first;
  for (std::size_t k = 0; numeric && k < names.size(); ++k) {
    const auto [known, is_new] = first.try_emplace(spelled[k], k);
    if (!is_new)
      data.notes.push_back(fmt::format("the classes \"{}\" and \"{}\" are one number, and one class: {}",
                                       printable(names[known->second]), printable(names[k]), spelled[k]));
  }
  data.classes = used(spelled, numbers);
  const auto before = [numeric](const std::string& a, const std::string& b) {
    return numeric ? *parse_number(a) < *parse_number(b) : a < b;
  };
  std::ranges::sort(data.classes, before);
  data.classes.erase(std::unique(data.classes.begin(), data.classes.end()), data.classes.end());

  std::vector<arma::uword> class_of(names.size());
  for (std::size_t k = 0; k < names.size(); ++k) {
    class_of[k] =
        static_cast<arma::uword>(std::ranges::lower_bound(data.classes, spelled[k], before) - data.classes.begin());
  }
  data.labels.set_size(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) data.labels(i) = class_of[static_cast<std::size_t>(numbers[i])];
}

void set_targets(Dataset& data, Task task, const std::vector<std::string>& names, const std::vector<double>& numbers) {
  data.task = task;
  if (task == Task::regression)
    data.Y = arma::vec(numbers);
  else
    set_classes(data, names, numbers);
}

}  // namespace elmx
