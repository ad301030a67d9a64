#include "data/table/classes.hpp"

#include <algorithm>
#include <cmath>

#include "data/values/text.hpp"

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
  data.classes = used(names, numbers);
  const bool numeric = std::ranges::all_of(data.classes, is_number);
  const auto before = [numeric](const std::string& a, const std::string& b) {
    if (!numeric) return a < b;
    const double x = *parse_number(a), y = *parse_number(b);
    return x < y || (x == y && a < b);
  };
  std::ranges::sort(data.classes, before);

  std::vector<arma::uword> class_of(names.size());
  for (std::size_t k = 0; k < names.size(); ++k)
    class_of[k] = static_cast<arma::uword>(std::ranges::find(data.classes, names[k]) - data.classes.begin());
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
