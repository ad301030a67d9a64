#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "base/printable.hpp"
#include "report/formats/lines_of_text.hpp"
#include "report/formats/tex.hpp"

namespace elmx {
namespace {

constexpr std::pair<std::string_view, std::string_view> kEscapes[] = {{"\\", "\\textbackslash{}"},
                                                                      {"&", "\\&"},
                                                                      {"%", "\\%"},
                                                                      {"$", "\\$"},
                                                                      {"#", "\\#"},
                                                                      {"_", "\\_"},
                                                                      {"{", "\\{"},
                                                                      {"}", "\\}"},
                                                                      {"~", "\\textasciitilde{}"},
                                                                      {"^", "\\textasciicircum{}"},
                                                                      {"<", "$<$"},
                                                                      {">", "$>$"},
                                                                      {"|", "$|$"},
                                                                      {"`", "\\textasciigrave{}"},
                                                                      {"±", "$\\pm$"},
                                                                      {"×", "$\\times$"}};

/// Characters and their widths in ems.
constexpr std::pair<std::string_view, double> kWidths[] = {{"ijl.,:;'!|", 0.31},
                                                           {"frst()[]- cez/", 0.46},
                                                           {"0123456789aghnopqvxyk", 0.53},
                                                           {"bdu", 0.56},
                                                           {"wABCDEFGHIJKLNOPQRSTUVXYZ<>=+~^&", 0.79},
                                                           {"mM%@", 0.95},
                                                           {"W", 1.03}};

double width_of(std::string_view text) {
  double width = 0;
  for (const char c : text) {
    const auto found =
        std::ranges::find_if(kWidths, [c](const auto& one) { return one.first.find(c) != std::string_view::npos; });
    width += found == std::end(kWidths) ? 0.8 : found->second;
  }
  return width;
}

std::string escaped_for_tex(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto found = std::ranges::find_if(kEscapes, [&](const auto& one) { return text.starts_with(one.first); });
    const bool is_plain = found == std::end(kEscapes);
    out += is_plain ? text.substr(0, 1) : found->second;
    text.remove_prefix(is_plain ? 1 : found->first.size());
  }
  return out;
}

/// Returns the exponent of the number in scientific notation with `digits` digits after the point.
int exponent_of(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
  const bool is_rounded_up = std::abs(value) * std::pow(10.0, digits - exponent) >= std::pow(10.0, digits + 1) - 0.5;
  return exponent + (is_rounded_up ? 1 : 0);
}

/// Returns the digits after the point of the shortest scientific notation that reads back as the same number.
int shortest_digits(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, std::abs(value), std::chars_format::scientific).ptr;
  const std::string_view mantissa(buffer, static_cast<std::size_t>(std::find(buffer, end, 'e') - buffer));
  return std::max(0, static_cast<int>(mantissa.size()) - 2);
}

bool needs_power_of_ten(double value) {
  return std::isfinite(value) && value != 0 && (std::abs(value) < 1e-4 || std::abs(value) >= 1e6);
}

double mean_of(const Cell& cell) { return *cell.value * cell.display.scale; }
double spread_of(const Cell& cell) { return cell.sd.value_or(0) * cell.display.scale; }

/// The notation of all cells of a column that have the same display.
class Notation {
 public:
  Notation(const Table& table, std::size_t j, const Display& display) : kind_(display.notation) {
    has_powers_ = kind_ == Display::Notation::scientific;
    digits_ = std::max(0, display.digits - (kind_ == Display::Notation::significant ? 1 : 0));
    for (const std::vector<Cell>& row : table.rows) {
      if (!row[j].value || row[j].display != display) continue;
      const double value = mean_of(row[j]);
      if (kind_ != Display::Notation::fixed) has_powers_ = has_powers_ || needs_power_of_ten(value);
      if (kind_ == Display::Notation::shortest) digits_ = std::max(digits_, shortest_digits(value));
      least_decimals_ = std::min(least_decimals_, decimals_of(row[j]));
      most_decimals_ = std::max(most_decimals_, decimals_of(row[j]));
      are_powers_ = are_powers_ && value > 0 && value == std::pow(10.0, exponent_of(value, digits_));
    }
    are_powers_ = are_powers_ && has_powers_ && kind_ == Display::Notation::shortest;
  }

  PaperNumber of(const Cell& cell) const {
    const double mean = mean_of(cell), spread = spread_of(cell);
    if (has_powers_ && mean == 0 && spread == 0) return {"0", "", std::nullopt};
    PaperNumber number;
    int decimals = digits_;
    double unit = 1;
    if (has_powers_ && std::isfinite(mean)) {
      number.exponent = exponent_of(std::max(std::abs(mean), spread), digits_);
      unit = std::pow(10.0, *number.exponent);
    } else if (kind_ == Display::Notation::significant) {
      decimals = most_decimals_ - least_decimals_ == 1 ? most_decimals_ : decimals_of(cell);
    } else if (kind_ == Display::Notation::shortest) {
      return {show(mean), "", std::nullopt};
    }
    if (!are_powers_) number.mean = show(mean / unit, fixed_point(decimals));
    if (cell.sd) number.spread = show(spread / unit, fixed_point(decimals));
    return number;
  }

 private:
  /// Returns the decimals that show digits_ digits of the mean after its first one. A spread that would be
  /// shown as 0 gets up to two more.
  int decimals_of(const Cell& cell) const {
    const int decimals = std::max(0, digits_ - exponent_of(mean_of(cell), digits_));
    return spread_of(cell) > 0 ? std::clamp(-exponent_of(spread_of(cell), 0), decimals, decimals + 2) : decimals;
  }

  Display::Notation kind_;
  int digits_ = 0;  // significant and scientific: digits after the first one
  int least_decimals_ = std::numeric_limits<int>::max(), most_decimals_ = 0;
  bool has_powers_ = false, are_powers_ = true;
};

}  // namespace

TexText tex_text(std::string_view text) {
  const std::string shown = printable(text);
  const std::size_t first = shown.find_first_not_of(' ');
  const bool is_argument = first != std::string::npos && (shown[first] == '[' || shown[first] == '*');
  return {(is_argument ? "{}" : "") + escaped_for_tex(shown), width_of(shown)};
}

TexText tex_lines(std::string_view text, std::size_t characters, char alignment, bool last_is_level) {
  const std::vector<std::string> lines = lines_of_text(printable(text), characters);
  if (lines.size() == 1) return tex_text(text);
  TexText all{std::string("\\begin{tabular}[") + (last_is_level ? 'b' : 't') + "]{@{}" + alignment + "@{}}", 0};
  for (const std::string& one : lines) {
    const TexText line = tex_text(one);
    all.tex += (&one == &lines.front() ? "" : " \\\\ ") + line.tex;
    all.width = std::max(all.width, line.width);
  }
  return {all.tex + "\\end{tabular}", all.width};
}

std::string tex_paragraph(std::string_view text) {
  constexpr std::size_t kLongWord = 16;
  const std::string shown = printable(text);
  std::string out;
  for (std::size_t begin = 0; begin < shown.size();) {
    const std::size_t end = std::min(shown.find(' ', begin + 1), shown.size());
    const std::vector<std::string> parts = lines_of_text(std::string_view(shown).substr(begin, end - begin), kLongWord);
    if (shown[begin] == ' ') out += ' ';
    for (const std::string& part : parts)
      out += (&part == &parts.front() ? "" : "\\allowbreak{}") + escaped_for_tex(part);
    begin = end;
  }
  return out;
}

std::vector<std::optional<PaperNumber>> paper_numbers(const Table& table, std::size_t j) {
  std::vector<std::optional<PaperNumber>> numbers(table.rows.size());
  std::vector<std::pair<Display, Notation>> notations;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Cell& cell = table.rows[i][j];
    if (!cell.value) continue;
    auto known = std::ranges::find(notations, cell.display, &std::pair<Display, Notation>::first);
    if (known == notations.end()) known = notations.emplace(known, cell.display, Notation(table, j, cell.display));
    numbers[i] = known->second.of(cell);
  }
  return numbers;
}

}  // namespace elmx
