#include <algorithm>
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

}  // namespace elmx
