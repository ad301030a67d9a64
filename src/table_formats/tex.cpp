#include "table_formats/tex.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "base/error.hpp"
#include "table_formats/lines_of_text.hpp"
#include "table_formats/paper_numbers.hpp"
#include "table_formats/tex_text.hpp"

namespace elmx {
namespace {

using Columns = std::vector<std::size_t>;

constexpr double kColumnGap = 8;                         // points, two \tabcolsep
constexpr std::size_t kHeadingLine = 9, kTextLine = 24;  // characters of a line, where texts are broken into lines

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

/// The name without characters that mean anything in the argument of \label.
std::string label_of(std::string name) {
  const auto is_special = [](char c) { return std::string_view("\\{}%#&~^$\"").find(c) != std::string_view::npos; };
  std::replace_if(name.begin(), name.end(), is_special, '-');
  return name;
}

std::string number_in_math(const std::string& number) {
  return number == "inf" ? "\\infty" : number == "-inf" ? "-\\infty" : number;
}

/// A number of a column as "mean \pm spread" with what it lacks to be as wide as the others, for math mode.
class AlignedNumbers {
 public:
  explicit AlignedNumbers(const Table& table, std::size_t j) : numbers_(paper_numbers(table, j)) {
    for (const auto& number : numbers_) {
      if (!number) continue;
      mean_decimals_ = std::max(mean_decimals_, decimals(number->mean));
      spread_decimals_ = std::max(spread_decimals_, decimals(number->spread));
      spread_integers_ = std::max(spread_integers_, number->spread.size() - decimals(number->spread));
      if (number->exponent) exponent_ = std::max(exponent_, std::to_string(*number->exponent).size());
    }
  }

  TexText text(std::size_t i) const {
    const PaperNumber& number = *numbers_[i];
    TexText all;
    add(number_in_math(number.mean), number.mean, all);
    add_blank(missing(decimals(number.mean), mean_decimals_), all);
    if (!number.spread.empty()) {
      add(" \\pm ", "<<", all);
      const std::size_t integers = number.spread.size() - decimals(number.spread);
      add_blank(std::string(spread_integers_ - integers, '0'), all);
      add(number_in_math(number.spread), number.spread, all);
      add_blank(missing(decimals(number.spread), spread_decimals_), all);
      if (number.exponent) all.tex = "(" + all.tex + ")", all.width += 0.92;
    }
    if (number.exponent) {
      if (!number.mean.empty()) add(" \\times ", "<<", all);
      const std::string exponent = std::to_string(*number.exponent);
      const std::size_t blanks = exponent_ - exponent.size();
      all.tex += "10^{" + exponent + (blanks > 0 ? "\\phantom{" + std::string(blanks, '0') + "}" : "") + "}";
      all.width += 1.06 + 0.5 * static_cast<double>(exponent_) + 0.2;
    }
    return all;
  }

 private:
  static std::size_t decimals(const std::string& number) {
    const std::size_t point = number.find('.');
    return point == std::string::npos ? 0 : number.size() - point;
  }

  static std::string missing(std::size_t here, std::size_t widest) {
    return here == 0 && widest > 0 ? '.' + std::string(widest - 1, '0') : std::string(widest - here, '0');
  }

  static void add(const std::string& tex, std::string_view as_wide_as, TexText& all) {
    all.tex += tex;
    all.width += tex_text(as_wide_as).width;
  }

  static void add_blank(const std::string& digits, TexText& all) {
    if (!digits.empty()) add("\\phantom{" + digits + "}", digits, all);
  }

  std::vector<std::optional<PaperNumber>> numbers_;
  std::size_t mean_decimals_ = 0, spread_decimals_ = 0, spread_integers_ = 0, exponent_ = 0;
};

/// The cells of a table in LaTeX, with the widths that its columns take.
class TexCells {
 public:
  TexCells(const Table& table, bool break_texts) : table_(table), breaks_(break_texts), heads_(row_heads(table)) {
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      widths_.push_back(0);
      std::vector<TexText>& cells = cells_.emplace_back();
      const AlignedNumbers numbers(table, j);
      for (std::size_t i = 0; i < table.rows.size(); ++i) {
        cells.push_back(cell(table.rows[i][j], i, numbers));
        widths_[j] = std::max(widths_[j], cells.back().width);
      }
    }
  }

  /// A heading of columns [first, end) of `columns`.
  TexText heading(const HeadingSpan& span, bool of_group) const {
    if (!breaks_ || (of_group && span.end - span.first > 1)) return tex_text(span.text);
    return tex_lines(span.text, std::clamp(longest_word(span.text), kHeadingLine, kTextLine), 'c', true);
  }

  /// Points that a tabular of these columns takes.
  double width(const Columns& columns, double em) const {
    std::vector<double> widths;
    for (const std::size_t j : columns) widths.push_back(em * widths_[j]);
    const auto lines = heading_lines(table_, columns);
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
      for (const HeadingSpan& span : *line) {
        const auto begin = widths.begin() + static_cast<std::ptrdiff_t>(span.first);
        const auto end = widths.begin() + static_cast<std::ptrdiff_t>(span.end);
        const double below = std::accumulate(begin, end, kColumnGap * static_cast<double>(span.end - span.first - 1));
        *(end - 1) += std::max(0.0, em * heading(span, line != lines.rbegin()).width - below);
      }
    }
    return std::accumulate(widths.begin(), widths.end(), kColumnGap * (static_cast<double>(widths.size()) - 1));
  }

  std::string tabular(const Columns& columns) const {
    std::string alignment, out;
    for (const std::size_t j : columns) alignment += is_numeric(table_, j) ? 'r' : 'l';
    out +=
        "  \\begin{tabular}{@{}" + alignment + "@{}}\n    \\toprule\n" + head(columns, alignment) + "    \\midrule\n";
    const bool has_groups = heads_ > 1 && std::ranges::any_of(rows(), [&](std::size_t i) { return repeats(i, 0); });
    for (const std::size_t i : rows()) {
      if (has_groups && i > 0 && !repeats(i, 0)) out += "    \\addlinespace\n";
      out += "    ";
      for (const std::size_t j : columns) {
        const bool is_blank = j + 1 < heads_ && repeats(i, j);
        out += (j == columns.front() ? "" : " & ") + (is_blank ? std::string() : cells_[j][i].tex);
      }
      out += " \\\\\n";
    }
    return out + "    \\bottomrule\n  \\end{tabular}\n";
  }

  /// The columns of each tabular: all of them, or as many beside the row heads as fit. Groups stay together.
  std::vector<Columns> parts(double points, double em) const {
    Columns all(table_.columns.size());
    std::iota(all.begin(), all.end(), 0U);
    if (width(all, em) <= points) return {all};
    const Columns heads(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(heads_));
    std::vector<Columns> parts = {heads};
    for (const Columns& unit : units(heads, all, points, em)) {
      Columns longer = parts.back();
      longer.insert(longer.end(), unit.begin(), unit.end());
      if (parts.back().size() > heads_ && width(longer, em) > points) {
        parts.push_back(heads);
        parts.back().insert(parts.back().end(), unit.begin(), unit.end());
      } else {
        parts.back() = longer;
      }
    }
    return parts;
  }

 private:
  TexText cell(const Cell& cell, std::size_t i, const AlignedNumbers& numbers) const {
    TexText text;
    const std::string note = cell.note > 0 ? "\\textsuperscript{" + std::to_string(cell.note) + "}" : "";
    if (cell.value) {
      text = numbers.text(i);
      text.tex = cell.best ? "$\\mathbf{" + text.tex + "}$" : "$" + text.tex + "$";
      if (cell.best) text.width *= 1.15;
      if (!note.empty()) text.tex += "\\rlap{" + note + "}";  // numbers stay aligned
      return text;
    }
    const std::size_t longest = breaks_ ? kTextLine : std::string::npos;
    text = tex_lines(mean_text(cell), longest, 'l', false);
    text.tex += note;
    text.width += note.empty() ? 0 : 0.8;
    return text;
  }

  /// The lines of headings with the rules below groups.
  std::string head(const Columns& columns, const std::string& alignment) const {
    std::string out;
    const auto lines = heading_lines(table_, columns);
    for (const std::vector<HeadingSpan>& line : lines) {
      const bool of_groups = &line != &lines.back();
      std::string rules;
      out += "    ";
      for (const HeadingSpan& span : line) {
        const std::string text = heading(span, of_groups).tex;
        const std::string count = std::to_string(span.end - span.first);
        if (span.first > 0) out += " & ";
        if (!of_groups || text.empty()) {
          const bool is_value = !of_groups && span.first >= heads_ && alignment[span.first] == 'r' && lines.size() > 1;
          out += is_value ? "\\multicolumn{1}{c}{" + text + "}" : text;
          for (std::size_t k = span.first + 1; k < span.end; ++k) out += " &";
          continue;
        }
        out += "\\multicolumn{" + count + "}{c}{" + text + "}";
        rules += "\\cmidrule(lr){" + std::to_string(span.first + 1) + "-" + std::to_string(span.end) + "}";
      }
      out += " \\\\\n" + (rules.empty() ? "" : "    " + rules + "\n");
    }
    return out;
  }

  /// Groups of value columns that stay together: those under one outermost heading, if they fit.
  std::vector<Columns> units(const Columns& heads, const Columns& all, double points, double em) const {
    const Columns values(all.begin() + static_cast<std::ptrdiff_t>(heads_), all.end());
    std::vector<Columns> units;
    const auto lines = heading_lines(table_, values);
    for (const HeadingSpan& span : lines.front()) {
      const Columns group(values.begin() + static_cast<std::ptrdiff_t>(span.first),
                          values.begin() + static_cast<std::ptrdiff_t>(span.end));
      Columns with_heads = heads;
      with_heads.insert(with_heads.end(), group.begin(), group.end());
      if (width(with_heads, em) <= points)
        units.push_back(group);
      else
        for (const std::size_t j : group) units.push_back({j});
    }
    return units;
  }

  Columns rows() const {
    Columns all(table_.rows.size());
    std::iota(all.begin(), all.end(), 0U);
    return all;
  }

  /// Returns true if columns 0 to j of row i show what the row before it shows.
  bool repeats(std::size_t i, std::size_t j) const {
    for (std::size_t k = 0; i > 0 && k <= j; ++k) {
      if (cells_[k][i].tex != cells_[k][i - 1].tex) return false;
    }
    return i > 0;
  }

  const Table& table_;
  bool breaks_;
  std::size_t heads_;
  std::vector<std::vector<TexText>> cells_;  // of each column
  std::vector<double> widths_;               // in ems
};

/// The environment, the size of the letters and the tabulars of a table.
struct TexLayout {
  const TexPage* page;
  const TexFont* font;
  std::vector<std::string> tabulars;
};

TexLayout layout_of(const Table& table) {
  const TexCells plain(table, false), broken(table, true);
  for (const TexPage& page : kPages) {
    if (table.page_width != PageWidth::fitting && table.page_width != page.width) continue;
    const bool is_last = table.page_width == page.width || &page == std::end(kPages) - 1;
    for (const TexCells* cells : {&plain, &broken}) {
      for (const TexFont& font : kFonts) {
        const bool must_fit = !is_last || cells != &broken || &font != std::end(kFonts) - 1;
        const std::vector<Columns> parts = cells->parts(page.points, font.em);
        if (must_fit && (parts.size() > 1 || cells->width(parts[0], font.em) > page.points)) continue;
        TexLayout layout{&page, &font, {}};
        for (const Columns& part : parts) layout.tabulars.push_back(cells->tabular(part));
        return layout;
      }
    }
  }
  throw std::logic_error("to_tex: no page");
}

}  // namespace

std::string to_tex(const Table& table) {
  for (const auto& row : table.rows) expects(row.size() == table.columns.size(), "to_tex: one cell a column");
  const TexLayout layout = layout_of(table);
  const std::string environment = layout.page->environment;
  std::string out = "% needs \\usepackage{booktabs}\n\\begin{" + environment + "}\n  \\centering\n  \\caption{" +
                    tex_paragraph(table.title) +
                    "}\n  \\label{tab:" + label_of(table.label.empty() ? table.name : table.label) + "}\n  " +
                    layout.font->command + "\\setlength{\\tabcolsep}{4pt}\n";
  for (const std::string& tabular : layout.tabulars)
    out += (&tabular == &layout.tabulars.front() ? "" : "\n  \\medskip\n\n") + tabular;
  for (const std::string& remark : table.remarks) out += "\n  " + tex_paragraph(remark) + "\n";
  for (std::size_t i = 0; i < table.footnotes.size(); ++i)
    out += "\n  \\textsuperscript{" + std::to_string(i + 1) + "}" + tex_paragraph(table.footnotes[i]) + "\n";
  return out + "\\end{" + environment + "}\n";
}

}  // namespace elmx
