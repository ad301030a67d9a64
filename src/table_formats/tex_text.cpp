#include "table_formats/tex_text.hpp"

#include <algorithm>
#include <array>

#include "base/printable.hpp"
#include "table_formats/lines_of_text.hpp"

namespace elmx {
namespace {

struct Escape {
  std::string_view from;
  std::string_view to;
};

constexpr Escape escapes[] = {
    {"\\", "\\textbackslash{}"},
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
    {"×", "$\\times$"},
};

struct WidthClass {
  std::string_view characters;
  double width;
};

constexpr std::array kWidths = {
    WidthClass{"ijl.,:;'!|", 0.31},
    WidthClass{"frst()[]- cez/", 0.46},
    WidthClass{"0123456789aghnopqvxyk", 0.53},
    WidthClass{"bdu", 0.56},
    WidthClass{"wABCDEFGHIJKLNOPQRSTUVXYZ<>=+~^&", 0.79},
    WidthClass{"mM%@", 0.95},
    WidthClass{"W", 1.03},
};

double width_of(std::string_view text) {
  double width = 0;
  for (const char c : text) {
    const auto found = std::ranges::find_if(
        kWidths, [c](const WidthClass& one) { return one.characters.find(c) != std::string_view::npos; });
    width += found == kWidths.end() ? 0.8 : found->width;
  }
  return width;
}

std::string escaped_for_tex(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::size_t taken = 1;
    std::string_view put = text.substr(0, 1);
    for (const Escape& escape : escapes) {
      if (!text.starts_with(escape.from)) continue;
      taken = escape.from.size();
      put = escape.to;
    }
    out += put;
    text.remove_prefix(taken);
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
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const TexText line = tex_text(lines[i]);
    all.tex += (i == 0 ? "" : " \\\\ ") + line.tex;
    all.width = std::max(all.width, line.width);
  }
  all.tex += "\\end{tabular}";
  return all;
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
