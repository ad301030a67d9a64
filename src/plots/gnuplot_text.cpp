#include "plots/gnuplot_text.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/named_row.hpp"
#include "table_formats/html_text.hpp"
#include "table_formats/table.hpp"

namespace elmx {
namespace {

/// The palette of Okabe and Ito, and three more.
constexpr const char* kColours[kPlotColours] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000",
                                                "#E69F00", "#56B4E9", "#8C510A", "#666666", "#5E3C99"};

constexpr std::size_t kCharacters = 66;  ///< in a line of the width of a diagram

/// In lines that end at blanks.
std::vector<std::string> wrapped(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t at = 0;
  while (text.size() - at > kCharacters) {
    std::size_t end = text.rfind("; ", at + kCharacters - 1);  // between clauses if possible
    end = end == std::string::npos || end < at ? text.rfind(' ', at + kCharacters) : end + 1;
    if (end == std::string::npos || end <= at) end = text.find(' ', at);
    if (end == std::string::npos) break;
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  lines.push_back(text.substr(at));
  return lines;
}

std::vector<std::string> title_lines(const ScriptHead& head) {
  std::vector<std::string> lines = wrapped(head.title);
  if (!head.note.empty()) std::ranges::move(wrapped(head.note), std::back_inserter(lines));
  return lines;
}

std::size_t longest_of(const std::vector<std::string>& names) {
  std::size_t longest = 0;
  for (const std::string& name : names) longest = std::max(longest, name.size());
  return longest;
}

/// Room for titles and a legend of more than two lines, whose columns are as wide as the longest name makes them.
std::size_t height(const ScriptHead& head) {
  const std::size_t columns = std::max<std::size_t>(1, 520 / (70 + 9 * longest_of(head.legend))),
                    lines = (head.legend.size() + columns - 1) / columns, titles = title_lines(head).size();
  return 440 + 25 * (lines > 2 ? lines - 2 : 0) + 20 * (titles > 2 ? titles - 2 : 0);
}

struct Terminal {
  std::string name;  ///< of the format
  std::string terminal;
  std::string options;  ///< after the size
  double unit;          ///< of the size: pixels, or inches
};

/// At a width of 640 the text is still legible where the diagram is shrunk to the width of a phone.
const Terminal kTerminals[] = {
    {"svg", "svg", "dynamic noenhanced font 'sans-serif,16' background 'white'", 1},
    {"pdf", "pdfcairo", "noenhanced font 'sans-serif,16' fontscale 0.75 background 'white'", 1 / 96.0},
    {"png", "pngcairo", "noenhanced font 'sans-serif,16' fontscale 1.5 linewidth 2 pointscale 2 background 'white'", 2},
};

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

std::string gnuplot_quoted(const std::string& text) { return '"' + escaped(text) + '"'; }

std::string plot_colour(std::size_t i) { return kColours[i % kPlotColours]; }

std::string terminal_named(const std::string& format) {
  return named_row(kTerminals, format, "--format \"" + format + "\": unknown format").terminal;
}

std::string script_head(const ScriptHead& head) {
  std::string script = "# gnuplot " + head.name + ".gp draws " + head.name + ".dat\n", title;
  for (const std::string& line : title_lines(head)) title += (title.empty() ? "" : "\\n") + escaped(line);
  script += "set encoding utf8\n";
  script += "data = " + gnuplot_quoted(head.name + ".dat") + "\n";
  script += "set title \"" + title + "\"\n";
  script += "set xlabel " + gnuplot_quoted(head.x_label) + " offset 0,0.3\n";
  script += "set ylabel " + gnuplot_quoted(head.y_label) + "\n";
  script +=
      "set border 3\nset tics nomirror out scale 0.5\nset grid ytics linecolor rgb '#dddddd' linewidth 0.5 dashtype "
      "solid\n";
  if (head.legend.empty()) return script + "unset key\n";
  script += "set key outside below center horizontal Left reverse samplen 3.5 spacing 1.15";
  return script + (longest_of(head.legend) > 50 ? " font ',11'\n" : "\n");  // long names have room in small letters
}

std::string script_end(const ScriptHead& head, const PlotFormats& formats, const std::vector<std::string>& clauses) {
  std::string command, script = "if (!exists('suffix')) suffix = ''\n";
  for (const std::string& clause : clauses) command += (command.empty() ? "plot " : ", \\\n     ") + clause;
  for (const std::string& format : formats) {
    const Terminal& terminal = named_row(kTerminals, format, "script_end: format");
    script += "set terminal " + terminal.terminal + " size " + gnuplot_number(terminal.unit * 640) + ',' +
              gnuplot_number(terminal.unit * static_cast<double>(height(head))) + ' ' + terminal.options +
              "\nset output " + gnuplot_quoted(head.name + '.' + format) + ".suffix\n" + command + '\n';
    command = "replot";
  }
  return script;
}

std::string log_tics(double low, double high, const std::string& axis) {
  if (high > 1000 * low) return "";
  std::vector<double> tics = tics_between(low, high, "125");
  if (tics.size() < 3) tics = tics_between(low, high, "123456789");
  std::string list;
  for (const double tic : tics) list += (list.empty() ? "" : ", ") + gnuplot_number(tic);
  return list.empty() ? "" : "set " + axis + " (" + list + ")\n";
}

}  // namespace elmx
