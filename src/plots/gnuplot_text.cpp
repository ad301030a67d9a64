#include "plots/gnuplot_text.hpp"

#include <algorithm>
#include <cmath>

#include "table_formats/html_text.hpp"
#include "table_formats/table.hpp"

namespace elmx {
namespace {

/// The palette of Okabe and Ito, and three more.
constexpr const char* kColours[kPlotColours] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000",
                                                "#E69F00", "#56B4E9", "#8C510A", "#666666", "#5E3C99"};

/// Room for a legend of more than two lines, whose columns are as wide as the longest name makes them.
std::size_t height(const std::vector<std::string>& legend) {
  std::size_t longest = 0;
  for (const std::string& name : legend) longest = std::max(longest, name.size());
  const std::size_t columns = std::max<std::size_t>(1, 520 / (70 + 9 * longest)),
                    lines = (legend.size() + columns - 1) / columns;
  return 440 + 25 * (lines > 2 ? lines - 2 : 0);
}

std::vector<double> tics_between(double low, double high, std::string_view digits) {
  std::vector<double> tics;
  const int first = static_cast<int>(std::floor(std::log10(low))), last = static_cast<int>(std::ceil(std::log10(high)));
  for (int decade = first; decade <= last; ++decade) {
    for (const char digit : digits) {
      const double tic = std::stod(std::string(1, digit) + "e" + std::to_string(decade));
      if (tic >= low && tic <= high) tics.push_back(tic);
    }
  }
  return tics;
}

}  // namespace

std::string gnuplot_number(double value) { return std::isfinite(value) ? show(value) : "NaN"; }

std::string one_line(std::string_view text) {
  std::string line = valid_text(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return line;
}

namespace {

// In double quotes gnuplot substitutes what stands in backquotes and after "@", and reads escapes; single
// quotes are not safe either: '' at the beginning ends the string. What could mean anything is therefore
// written as its octal code, with a zero in front: gnuplot reads four digits after "\\0", else three. In SVG
// gnuplot escapes & and < alone, while XML has no "]]>" in text: a blank parts it.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : one_line(text)) {
    if (c == '>' && result.ends_with("]]")) result += ' ';
    if (std::string_view("\"'`@$\\#").find(c) == std::string_view::npos) {
      result += c;
    } else {
      const auto code = static_cast<unsigned>(c);
      result += "\\0";
      for (const unsigned shift : {6U, 3U, 0U}) result += std::to_string((code >> shift) & 7U);
    }
  }
  return result;
}

}  // namespace

std::string gnuplot_quoted(const std::string& text) { return gnuplot_lines({text}); }

std::string gnuplot_lines(const std::vector<std::string>& lines) {
  std::string result;
  for (const std::string& line : lines) result += (result.empty() ? "\"" : "\\n") + escaped(line);
  return result + "\"";
}

std::string plot_colour(std::size_t i) { return kColours[i % kPlotColours]; }

std::string script_head(const ScriptHead& head) {
  std::string script = "# gnuplot " + head.name + ".gp makes " + head.name + ".svg of " + head.name + ".dat\n";
  // At this width the text is still legible where the diagram is shrunk to the width of a phone.
  script += "set terminal svg size 640," + std::to_string(height(head.legend)) +
            " dynamic noenhanced font 'sans-serif,16' background 'white'\n";
  script += "set encoding utf8\n";
  script += "set output " + gnuplot_quoted(head.output) + "\n";
  script += "data = " + gnuplot_quoted(head.name + ".dat") + "\n";
  script += "set title " +
            gnuplot_lines(head.note.empty() ? std::vector{head.title} : std::vector{head.title, head.note}) + "\n";
  script += "set xlabel " + gnuplot_quoted(head.x_label) + " offset 0,0.3\n";
  script += "set ylabel " + gnuplot_quoted(head.y_label) + "\n";
  script +=
      "set border 3\nset tics nomirror out scale 0.5\nset grid ytics linecolor rgb '#dddddd' linewidth 0.5 dashtype "
      "solid\n";
  if (head.legend.empty()) return script + "unset key\n";
  return script + "set key outside below center horizontal Left reverse samplen 3.5 spacing 1.15\n";
}

std::string log_tics(double low, double high, const std::string& axis) {
  if (high > 1000 * low) return "";
  std::vector<double> tics = tics_between(low, high, "125");
  if (tics.size() < 3) tics = tics_between(low, high, "123456789");
  std::string list;
  for (const double tic : tics) list += (list.empty() ? "" : ", ") + gnuplot_number(tic);
  return list.empty() ? "" : "set " + axis + " (" + list + ")\n";
}

std::string plot_command(const std::vector<std::string>& clauses) {
  std::string command;
  for (const std::string& clause : clauses) command += (command.empty() ? "plot " : ", \\\n     ") + clause;
  return command + "\n";
}

}  // namespace elmx
