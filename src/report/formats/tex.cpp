#include "report/formats/tex.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "report/formats/lines_of_text.hpp"

namespace elmx {
namespace {

using Columns = std::vector<std::size_t>;
using Slice = std::span<const std::size_t>;

constexpr double kColumnGap = 8;  // points, two \tabcolsep
// The length of a line in characters, for texts that are broken into lines.
constexpr std::size_t kHeadingLine = 9, kTextLine = 24;

struct TexFont {
  const char* command;
  double em;  // points
};
constexpr TexFont kFonts[] = {{"\\footnotesize", 8.5}, {"\\scriptsize", 7.97}};

struct TexPage {
  const char* environment;
  PageWidth width;
  double points;
};
constexpr TexPage kPages[] = {{"table", PageWidth::one_column, 252.9}, {"table*", PageWidth::two_column, 517.4}};

/// Replaces the characters of a name that are special in the argument of \label, which is one line.
std::string label_of(const std::string& name) {
  const auto is_special = [](char c) { return std::string_view("\\{}%#&~^$\"").find(c) != std::string_view::npos; };
  std::string label = printable(name);
  std::replace_if(label.begin(), label.end(), is_special, '-');
  return label;
}

std::string phantom(const std::string& digits) { return digits.empty() ? "" : "\\phantom{" + digits + "}"; }

/// Returns the number of characters from the point on.
std::size_t decimals_in(const std::string& number) { return number.size() - std::min(number.size(), number.find('.')); }

/// Appends a number, with invisible padding to as many digits before and after the point as the longest.
void add_number(const std::string& number, std::size_t integers, std::size_t decimals, TexText& all) {
  const std::size_t here = decimals_in(number), left = integers - std::min(integers, number.size() - here);
  std::string before(left, '0'), after(decimals - here, '0');
  if (here == 0 && decimals > 0) after[0] = '.';
  const std::string tex = number == "inf" ? "\\infty" : number == "-inf" ? "-\\infty" : number;
  all.tex += phantom(before) + tex + phantom(after);
  all.width += tex_text(before + number + after).width;
}

/// Returns the numbers of a column as "mean \pm spread" for math mode, aligned at the point, or empty.
std::vector<TexText> aligned_numbers(const Table& table, std::size_t j) {
  const std::vector<std::optional<PaperNumber>> numbers = paper_numbers(table, j);
  std::size_t mean_decimals = 0, spread_decimals = 0, spread_integers = 0, exponent_digits = 0;
  for (const auto& number : numbers) {
    if (!number) continue;
    mean_decimals = std::max(mean_decimals, decimals_in(number->mean));
    spread_decimals = std::max(spread_decimals, decimals_in(number->spread));
    spread_integers = std::max(spread_integers, number->spread.size() - decimals_in(number->spread));
    if (number->exponent) exponent_digits = std::max(exponent_digits, std::to_string(*number->exponent).size());
  }
  const double sign_width = tex_text("<<").width;  // \pm and \times with the blanks around them
  std::vector<TexText> texts;
  for (const auto& number : numbers) {
    TexText& all = texts.emplace_back();
    if (!number) continue;
    add_number(number->mean, 0, mean_decimals, all);
    if (!number->spread.empty()) {
      all = {all.tex + " \\pm ", all.width + sign_width};
      add_number(number->spread, spread_integers, spread_decimals, all);
      if (number->exponent) all = {"(" + all.tex + ")", all.width + 0.92};
    }
    if (!number->exponent) continue;
    if (!number->mean.empty()) all = {all.tex + " \\times ", all.width + sign_width};
    const std::string exponent = std::to_string(*number->exponent);
    all.tex += "10^{" + exponent + phantom(std::string(exponent_digits - exponent.size(), '0')) + "}";
    all.width += 1.26 + 0.5 * static_cast<double>(exponent_digits);
  }
  return texts;
}

/// Returns the width of neighbouring columns with the gaps between them.
double row_width(std::span<const double> widths) {
  return std::accumulate(widths.begin(), widths.end(), kColumnGap * (static_cast<double>(widths.size()) - 1));
}

/// The cells of a table in LaTeX, with the widths of its columns.
class TexCells {
 public:
  TexCells(const Table& table, bool break_texts) : table_(table), breaks_(break_texts), heads_(row_heads(table)) {
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      widths_.push_back(0);
      const std::vector<TexText> numbers = aligned_numbers(table, j);
      std::vector<std::string>& cells = cells_.emplace_back();
      for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const TexText text = cell(table.rows[i][j], numbers[i]);
        cells.push_back(text.tex);
        widths_[j] = std::max(widths_[j], text.width);
      }
    }
  }

  /// Returns the width of a tabular of these columns, in points.
  double width(const Columns& columns, double em) const {
    std::vector<double> widths;
    for (const std::size_t j : columns) widths.push_back(em * widths_[j]);
    const auto lines = heading_lines(table_, columns);
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
      for (const HeadingSpan& span : *line) {
        const auto under = std::span(widths).subspan(span.first, span.end - span.first);
        under.back() += std::max(0.0, em * heading(span, line != lines.rbegin()).width - row_width(under));
      }
    }
    return row_width(widths);
  }

  std::string tabular(const Columns& columns) const {
    std::string alignment, body;
    for (const std::size_t j : columns) alignment += is_numeric(table_, j) ? 'r' : 'l';
    bool has_groups = false;
    for (std::size_t i = 0; i < table_.rows.size(); ++i) has_groups = has_groups || (heads_ > 1 && repeats(i, 0));
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
      if (has_groups && i > 0 && !repeats(i, 0)) body += "    \\addlinespace\n";
      for (const std::size_t j : columns) {
        const bool is_blank = j + 1 < heads_ && repeats(i, j);
        body += (j == columns.front() ? "    " : " & ") + (is_blank ? "" : cells_[j][i]);
      }
      body += " \\\\\n";
    }
    return "  \\begin{tabular}{@{}" + alignment + "@{}}\n    \\toprule\n" + head(columns, alignment) +
           "    \\midrule\n" + body + "    \\bottomrule\n  \\end{tabular}\n";
  }

  /// Splits the columns into tabulars that fit, each with the row heads. Columns under one outermost heading
  /// stay together if they fit.
  std::vector<Columns> parts(double points, double em) const {
    Columns all(table_.columns.size());
    std::iota(all.begin(), all.end(), 0U);
    const auto fits = [&](const Columns& columns) { return width(columns, em) <= points; };
    if (fits(all)) return {all};
    const auto joined = [](Columns columns, Slice more) {
      columns.insert(columns.end(), more.begin(), more.end());
      return columns;
    };
    const Slice values = Slice(all).subspan(heads_);
    const Columns heads = joined({}, Slice(all).first(heads_));
    std::vector<Columns> parts = {heads};
    const auto add = [&](Slice columns) {
      const Columns longer = joined(parts.back(), columns);
      if (parts.back().size() > heads_ && !fits(longer))
        parts.push_back(joined(heads, columns));
      else
        parts.back() = longer;
    };
    const auto lines = heading_lines(table_, joined({}, values));
    for (const auto& [text, first, end] : lines.front()) {
      const Slice group = values.subspan(first, end - first);
      if (fits(joined(heads, group)))
        add(group);
      else
        for (std::size_t k = 0; k < group.size(); ++k) add(group.subspan(k, 1));
    }
    return parts;
  }

 private:
  TexText cell(const Cell& cell, TexText number) const {
    const std::string note = cell.note > 0 ? fmt::format("\\textsuperscript{{{}}}", cell.note) : "";
    if (cell.value) {
      number.tex = (cell.best ? "$\\mathbf{" + number.tex + "}$" : "$" + number.tex + "$") +
                   (note.empty() ? "" : "\\rlap{" + note + "}");  // numbers stay aligned
      if (cell.best) number.width *= 1.15;
      return number;
    }
    const TexText text = tex_lines(mean_text(cell), breaks_ ? kTextLine : std::string::npos, 'l', false);
    return {text.tex + note, text.width + (note.empty() ? 0 : 0.8)};
  }

  TexText heading(const HeadingSpan& span, bool of_group) const {
    if (!breaks_ || (of_group && span.end - span.first > 1)) return tex_text(span.text);
    return tex_lines(span.text, std::clamp(longest_word(span.text), kHeadingLine, kTextLine), 'c', true);
  }

  /// Returns the lines of headings with the rules below groups.
  std::string head(const Columns& columns, const std::string& alignment) const {
    std::string out;
    const auto lines = heading_lines(table_, columns);
    for (const std::vector<HeadingSpan>& line : lines) {
      const bool of_groups = &line != &lines.back();
      std::string rules;
      for (const HeadingSpan& span : line) {
        const std::string text = heading(span, of_groups).tex;
        const std::size_t count = span.end - span.first;
        out += span.first > 0 ? " & " : "    ";
        if (of_groups && !text.empty()) {
          out += fmt::format("\\multicolumn{{{}}}{{c}}{{{}}}", count, text);
          rules += fmt::format("\\cmidrule(lr){{{}-{}}}", span.first + 1, span.end);
          continue;
        }
        const bool is_value = !of_groups && span.first >= heads_ && alignment[span.first] == 'r' && lines.size() > 1;
        out += is_value ? "\\multicolumn{1}{c}{" + text + "}" : text;
        for (std::size_t k = 1; k < count; ++k) out += " &";
      }
      out += " \\\\\n" + (rules.empty() ? "" : "    " + rules + "\n");
    }
    return out;
  }

  /// Returns true if row i repeats the previous row in columns 0 to j.
  bool repeats(std::size_t i, std::size_t j) const {
    for (std::size_t k = 0; i > 0 && k <= j; ++k) {
      if (cells_[k][i] != cells_[k][i - 1]) return false;
    }
    return i > 0;
  }

  const Table& table_;
  bool breaks_;
  std::size_t heads_;
  std::vector<std::vector<std::string>> cells_;  // by column
  std::vector<double> widths_;                   // in ems
};

std::string environment_of(const Table& table, const TexPage& page, const TexFont& font,
                           const std::vector<std::string>& tabulars) {
  std::string out = fmt::format(
      "% needs \\usepackage{{booktabs}}\n\\begin{{{}}}\n  \\centering\n  \\caption{{{}}}\n  \\label{{tab:{}}}\n"
      "  {}\\setlength{{\\tabcolsep}}{{4pt}}\n",
      page.environment, tex_paragraph(table.title), label_of(table.label.empty() ? table.name : table.label),
      font.command);
  out += fmt::format("{}", fmt::join(tabulars, "\n  \\medskip\n\n"));
  for (const std::string& remark : table.remarks) out += "\n  " + tex_paragraph(remark) + "\n";
  for (std::size_t i = 0; i < table.footnotes.size(); ++i)
    out += fmt::format("\n  \\textsuperscript{{{}}}{}\n", i + 1, tex_paragraph(table.footnotes[i]));
  return out + fmt::format("\\end{{{}}}\n", page.environment);
}

}  // namespace

std::string to_tex(const Table& table) {
  for (const auto& row : table.rows) expects(row.size() == table.columns.size(), "to_tex: one cell a column");
  for (const TexPage& page : kPages) {
    if (table.page_width != PageWidth::fitting && table.page_width != page.width) continue;
    const bool is_last = table.page_width == page.width || &page == std::end(kPages) - 1;
    for (const bool break_texts : {false, true}) {
      const TexCells cells(table, break_texts);
      for (const TexFont& font : kFonts) {
        const bool must_fit = !is_last || !break_texts || &font != std::end(kFonts) - 1;
        const std::vector<Columns> parts = cells.parts(page.points, font.em);
        if (must_fit && (parts.size() > 1 || cells.width(parts[0], font.em) > page.points)) continue;
        std::vector<std::string> tabulars;
        for (const Columns& part : parts) tabulars.push_back(cells.tabular(part));
        return environment_of(table, page, font, tabulars);
      }
    }
  }
  throw std::logic_error("to_tex: no page");
}

}  // namespace elmx
