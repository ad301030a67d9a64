#include "table_formats/tex.hpp"

#include <algorithm>
#include <string_view>

#include "base/printable.hpp"

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

/// Any text as text of LaTeX. After "\\" and \midrule a "[" begins an argument and a "*" is one: braces
/// before it end the search for them.
std::string escaped_for_tex(const std::string& given) {
  const std::string shown = printable(given);
  std::string_view text = shown;
  const std::size_t first = text.find_first_not_of(' ');
  std::string out = first != std::string_view::npos && (text[first] == '[' || text[first] == '*') ? "{}" : "";
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

/// The name without characters that mean anything in the argument of \label.
std::string label_of(std::string name) {
  const auto is_special = [](char c) { return std::string_view("\\{}%#&~^$\"").find(c) != std::string_view::npos; };
  std::replace_if(name.begin(), name.end(), is_special, '-');
  return name;
}

/// "4.8e-02" becomes "4.8 \times 10^{-2}", for math mode.
std::string with_power_of_ten(const std::string& number) {
  const auto e = number.find('e');
  if (e == std::string::npos) return number == "inf" ? "\\infty" : number == "-inf" ? "-\\infty" : number;
  return number.substr(0, e) + " \\times 10^{" + std::to_string(std::stoi(number.substr(e + 1))) + "}";
}

std::string tex_cell(const Cell& cell) {
  std::string text;
  if (cell.kind == Cell::Kind::text || !cell.value) {
    text = escaped_for_tex(plain_text(cell));
  } else {
    const std::string plain = plain_text(cell);
    const std::string sign = " ± ";
    const auto at = plain.find(sign);
    std::string number = with_power_of_ten(plain.substr(0, at));
    if (at != std::string::npos) number += " \\pm " + with_power_of_ten(plain.substr(at + sign.size()));
    text = cell.best ? "$\\mathbf{" + number + "}$" : "$" + number + "$";
  }
  return text + (cell.note > 0 ? "\\textsuperscript{" + std::to_string(cell.note) + "}" : "");
}

}  // namespace

std::string to_tex(const Table& table) {
  std::string alignment;
  std::string head;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    alignment += is_numeric(table, j) ? 'r' : 'l';
    head += (j == 0 ? "" : " & ") + escaped_for_tex(table.columns[j].heading);
  }
  std::string out = "% needs \\usepackage{booktabs}\n\\begin{table}\n  \\centering\n  \\caption{" +
                    escaped_for_tex(table.title) + "}\n  \\label{tab:" + label_of(table.name) +
                    "}\n  \\begin{tabular}{" + alignment + "}\n    \\toprule\n    " + head + " \\\\\n    \\midrule\n";
  for (const auto& row : table.rows) {
    out += "    ";
    for (std::size_t j = 0; j < row.size(); ++j) out += (j == 0 ? "" : " & ") + tex_cell(row[j]);
    out += " \\\\\n";
  }
  out += "    \\bottomrule\n  \\end{tabular}\n";
  for (const std::string& remark : table.remarks) out += "\n  \\footnotesize " + escaped_for_tex(remark) + "\n";
  for (std::size_t i = 0; i < table.footnotes.size(); ++i) {
    out += "\n  \\footnotesize\\textsuperscript{" + std::to_string(i + 1) + "}" + escaped_for_tex(table.footnotes[i]) +
           "\n";
  }
  return out + "\\end{table}\n";
}

}  // namespace elmx
