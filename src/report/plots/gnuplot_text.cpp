#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/error.hpp"
#include "report/formats/table.hpp"
#include "report/formats/table_formats.hpp"
#include "report/plots/plot_gnuplot.hpp"

namespace elmx {
namespace {

/// The palette of Okabe and Ito, and further colours.
constexpr const char* kColours[kPlotColours] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000",
                                                "#E69F00", "#56B4E9", "#8C510A", "#666666", "#5E3C99"};

/// Breaks title and note into lines as wide as a diagram, after clauses if possible, otherwise at blanks.
std::vector<std::string> title_lines(const std::string& title, const std::string& note) {
  constexpr std::size_t kCharacters = 66;
  std::vector<std::string> lines;
  for (std::string text : {title, note}) {
    if (text.empty() && !lines.empty()) continue;
    while (text.size() > kCharacters) {
      std::size_t end = text.rfind("; ", kCharacters - 1);
      end = end == std::string::npos ? text.rfind(' ', kCharacters) : end + 1;
      if (end == std::string::npos || end == 0) end = text.find(' ');
      if (end == std::string::npos) break;
      lines.push_back(text.substr(0, end));
      text.erase(0, end + 1);
    }
    lines.push_back(text);
  }
  return lines;
}

std::size_t longest_in(const std::vector<std::string>& names) {
  return names.empty() ? 0 : std::ranges::max(names, {}, &std::string::size).size();
}

/// Returns the height with room for titles and a legend of more than two lines. The columns of the legend are
/// as wide as its longest name.
std::size_t height_of(const std::vector<std::string>& legend, std::size_t titles) {
  const std::size_t columns = std::max<std::size_t>(1, 520 / (70 + 9 * longest_in(legend))),
                    lines = (legend.size() + columns - 1) / columns;
  return 440 + 25 * (lines > 2 ? lines - 2 : 0) + 20 * (titles > 2 ? titles - 2 : 0);
}

struct Terminal {
  std::string name;  ///< name of the format
  std::string terminal;
  std::string options;  ///< after the size
  double unit;          ///< pixels or inches per unit of the size
};

/// The terminals of the formats. With a width of 640, the text is still legible when the diagram is scaled to
/// the width of a phone.
const Terminal kTerminals[] = {
    {"svg", "svg", "dynamic noenhanced font 'sans-serif,16' background 'white'", 1},
    {"pdf", "pdfcairo", "noenhanced font 'sans-serif,16' fontscale 0.75 background 'white'", 1 / 96.0},
    {"png", "pngcairo", "noenhanced font 'sans-serif,16' fontscale 1.5 linewidth 2 pointscale 2 background 'white'", 2},
};

std::string log_tics(const std::string& axis, double low, double high) {
  if (high > 1000 * low) return "";
  std::vector<std::string> tics;
  for (const std::string_view digits : {"125", "123456789"}) {
    if (tics.size() >= 3) break;
    tics.clear();
    const auto last = static_cast<int>(std::ceil(std::log10(high)));
    for (auto decade = static_cast<int>(std::floor(std::log10(low))); decade <= last; ++decade) {
      for (const char digit : digits) {
        const double tic = std::stod(fmt::format("{}e{}", digit, decade));
        if (tic >= low && tic <= high) tics.push_back(gnuplot_number(tic));
      }
    }
  }
  return tics.empty() ? "" : fmt::format("set {}tics ({})\n", axis, fmt::join(tics, ", "));
}

/// Escapes a text for a string in double quotes. There gnuplot substitutes text in backquotes and after "@",
/// and reads escapes. Single quotes are not safe either: '' at the beginning ends the string. All special
/// characters are therefore written as octal codes with a leading zero: gnuplot reads four digits after
/// "\\0", otherwise three. In SVG gnuplot escapes only & and <, but XML forbids "]]>" in text: a blank
/// separates it.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : one_line(text)) {
    if (c == '>' && result.ends_with("]]")) result += ' ';
    if (std::string_view("\"'`@$\\#").find(c) == std::string_view::npos)
      result += c;
    else
      result += fmt::format("\\0{:03o}", static_cast<unsigned>(c));
  }
  return result;
}

}  // namespace

std::string gnuplot_number(double value) { return std::isfinite(value) ? show(value) : "NaN"; }

std::string one_line(std::string_view text) {
  std::string line = valid_text(text);
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return line;
}

std::string gnuplot_quoted(const std::string& text) { return '"' + escaped(text) + '"'; }

std::string plot_colour(std::size_t i) { return kColours[i % kPlotColours]; }

std::string terminal_named(const std::string& format) {
  return named_row(kTerminals, format, "--format " + format, "unknown format").terminal;
}

std::string caption(const std::string& title, const std::string& subtitle, const std::string& what,
                    const std::string& note) {
  return fmt::format("{}{}{}: {}{}{}", title, subtitle.empty() ? "" : ", ", subtitle, what, note.empty() ? "" : "; ",
                     note);
}

std::string caption_of(const Figure& figure) { return drawing_of(figure).caption; }

Drawing drawing_of(const Figure& figure) {
  return std::visit([](const auto& one) { return drawing_of(one); }, figure);
}

std::string plot_script(const Figure& figure, const PlotFormats& formats) {
  const Drawing drawing = drawing_of(figure);
  const std::string& name = name_of(figure);
  std::vector<std::string> titles;
  for (const std::string& line : title_lines(title_of(figure), drawing.note)) titles.push_back(escaped(line));
  std::string script = fmt::format(
      "# gnuplot {0}.gp draws {0}.dat\nset encoding utf8\nif (!exists('data')) data = {1}\nset title \"{2}\"\nset "
      "xlabel {3} offset 0,0.3\n"
      "set ylabel {4}\nset border 3\nset tics nomirror out scale 0.5\nset grid ytics linecolor rgb '#dddddd' linewidth "
      "0.5 dashtype solid\n",
      name, gnuplot_quoted(name + ".dat"), fmt::join(titles, "\\n"), gnuplot_quoted(drawing.x_label),
      gnuplot_quoted(drawing.y_label));
  if (drawing.legend.empty())
    script += "unset key\n";
  else
    script += std::string("set key outside below center horizontal Left reverse samplen 3.5 spacing 1.15") +
              (longest_in(drawing.legend) > 50 ? " font ',11'\n" : "\n");  // small letters for long names
  script += drawing.lines + "if (!exists('suffix')) suffix = ''\n";
  std::string command = fmt::format("plot {}", fmt::join(drawing.clauses, ", \\\n     "));
  const auto height = static_cast<double>(height_of(drawing.legend, titles.size()));
  for (const std::string& format : formats) {
    const Terminal& terminal = named_row(kTerminals, format, "plot_script: format");
    script +=
        fmt::format("set terminal {} size {},{} {}\nset output exists('output') ? output : {}.suffix\n{}\n",
                    terminal.terminal, gnuplot_number(terminal.unit * 640), gnuplot_number(terminal.unit * height),
                    terminal.options, gnuplot_quoted(name + '.' + format), command);
    command = "replot";
  }
  return script;
}

std::string axis_lines(const std::string& axis, double low, double high, bool log) {
  std::string lines = log ? fmt::format("set logscale {0}\nset format {0} '%g'\n", axis) : "";
  lines += fmt::format("set {}range [{}:{}]\n", axis, gnuplot_number(low), gnuplot_number(high));
  return log && axis != "x" ? lines + log_tics(axis, low, high) : lines;
}

}  // namespace elmx
