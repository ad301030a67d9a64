#include "report/frame/natural_order.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace elmx {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

/// Cuts a number (without leading zeros) or one other character off the front of `text`.
std::string_view take(std::string_view& text) {
  std::size_t size = 1;
  if (digit(text[0])) {
    while (text.size() > 1 && text[0] == '0' && digit(text[1])) text.remove_prefix(1);
    while (size < text.size() && digit(text[size])) ++size;
  }
  const std::string_view taken = text.substr(0, size);
  text.remove_prefix(size);
  return taken;
}

int sign(double x) { return (x > 0) - (x < 0); }

int rank(const Json& value) { return value.is_number() ? 0 : (value.is_string() ? 1 : 2); }

}  // namespace

int compare_naturally(std::string_view a, std::string_view b) {
  const std::string_view whole_a = a;
  const std::string_view whole_b = b;
  while (!a.empty() && !b.empty()) {
    const std::string_view x = take(a);
    const std::string_view y = take(b);
    if (digit(x[0]) && digit(y[0]) && x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
    if (const int order = x.compare(y); order != 0) return order;
  }
  if (a.empty() != b.empty()) return a.empty() ? -1 : 1;
  return whole_a.compare(whole_b);  // "01" and "1" are different names
}

int compare_listed(const std::vector<std::string>& first, const std::string& a, const std::string& b) {
  const auto at_a = std::ranges::find(first, a), at_b = std::ranges::find(first, b);
  return at_a != at_b ? (at_a < at_b ? -1 : 1) : compare_naturally(a, b);
}

int compare_values(const Json& a, const Json& b) {
  if (rank(a) != rank(b)) return rank(a) - rank(b);
  if (a.is_number()) return sign(a.get<double>() - b.get<double>());
  if (a.is_string()) return compare_naturally(a.get_ref<const std::string&>(), b.get_ref<const std::string&>());
  return a.dump().compare(b.dump());
}

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace elmx
