#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "report/formats/lines_of_text.hpp"
#include "report/formats/table_formats.hpp"

namespace elmx {
namespace {

using Indices = std::vector<std::size_t>;

// The least and the greatest width of a column of texts.
constexpr std::size_t kNarrowText = 16, kWideText = 24;

// ECMA-48, "select graphic rendition"
constexpr const char *kBold = "\033[1m", *kFaint = "\033[2m", *kBest = "\033[1;32m", *kPlain = "\033[0m";

/// Rows of a table under a common heading, with the columns that tell them apart.
struct Block {
  std::string heading;  ///< "case sines, nodes 100": values that all rows share; "" = none
  Indices columns, rows;
};

Indices up_to(std::size_t n) {
  Indices all(n);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

enum class Place { column, heading, nowhere };

/// Returns the place of a column of a block. A column with the same value in all rows moves to the heading
/// (if there is a single row: only a text does), and an empty column is left out. A number with a standard
/// deviation, a mark or a footnote stays in its column.
Place place_of(const Table& table, const Indices& rows, std::size_t j) {
  const Cell& first = table.rows[rows.front()][j];
  const std::string text = plain_text(first);
  const bool alike = std::ranges::all_of(rows, [&](std::size_t i) {
    const Cell& cell = table.rows[i][j];
    return cell.note == 0 && !cell.best && !cell.sd && plain_text(cell) == text;
  });
  if (!alike) return Place::column;
  if (text.empty() || text == "-" || text == "NA") return Place::nowhere;
  return rows.size() > 1 || first.kind == Cell::Kind::text ? Place::heading : Place::column;
}

Block block_of(const Table& table, Indices rows) {
  Block block;
  std::vector<Place> places;
  for (std::size_t j = 0; j < table.columns.size(); ++j) places.push_back(place_of(table, rows, j));
  if (std::ranges::count(places, Place::column) == 0) {  // keep one: the first result, else the last
    const auto result = std::ranges::find(table.columns, Worth::result, &Column::worth);
    places[result == table.columns.end() ? places.size() - 1 : result - table.columns.begin()] = Place::column;
  }
  // The ends of an interval, "95 % from" and "to", stay side by side.
  for (std::size_t j = 1; j < places.size(); ++j) {
    const bool shown = places[j] == Place::column || places[j - 1] == Place::column;
    if (table.columns[j].heading == "to" && shown) places[j] = places[j - 1] = Place::column;
  }
  for (std::size_t j = 0; j < places.size(); ++j) {
    if (places[j] == Place::heading)
      block.heading += (block.heading.empty() ? "" : ", ") + table.columns[j].heading + " " +
                       plain_text(table.rows[rows.front()][j]);
    if (places[j] == Place::column) block.columns.push_back(j);
  }
  block.rows = std::move(rows);
  return block;
}

/// Puts neighbouring rows that begin with the same text into one block if there are at least twice as many
/// rows as blocks; otherwise all rows form one block.
std::vector<Block> blocks_of(const Table& table) {
  std::vector<Indices> groups;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (i == 0 || table.rows[i][0].text != table.rows[i - 1][0].text) groups.emplace_back();
    groups.back().push_back(i);
  }
  if (is_numeric(table, 0) || 2 * groups.size() > table.rows.size()) groups = {up_to(table.rows.size())};
  std::vector<Block> blocks;
  for (Indices& rows : groups) blocks.push_back(block_of(table, std::move(rows)));
  return blocks;
}

class Drawing {
 public:
  Drawing(const Table& table, const TerminalStyle& style) : table_(table), style_(style) {
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      numeric_.push_back(is_numeric(table, j));
      marked_.push_back(!style.colour && std::ranges::any_of(table.rows, [j](const auto& row) { return row[j].best; }));
    }
  }

  std::string drawn() {
    if (!table_.title.empty()) add_text(table_.title, kBold);
    std::vector<Block> blocks = {{"", up_to(table_.columns.size()), up_to(table_.rows.size())}};
    if (!fits(blocks.front()) && !table_.rows.empty()) blocks = blocks_of(table_);
    for (const Block& block : blocks) draw(block);
    if (!left_out_.empty()) add_left_out();
    if (!table_.remarks.empty() || !notes_.empty()) out_ += '\n';
    for (const std::string& remark : table_.remarks) add_text(remark);
    for (const std::size_t note : notes_) add_note(note);
    return out_;
  }

 private:
  std::string coloured(const std::string& text, const char* code) const {
    return style_.colour && code != kPlain && !text.empty() ? code + text + kPlain : text;
  }

  void add_text(const std::string& text, const char* code = kPlain) {
    for (const std::string& line : lines_of_text(printable(text), style_.width)) out_ += coloured(line, code) + '\n';
  }

  void add_note(std::size_t note) {
    std::string before = "[" + std::to_string(note) + "] ";
    const std::size_t room = style_.width - std::min(style_.width - 1, before.size());
    for (const std::string& line : lines_of_text(printable(table_.footnotes[note - 1]), room)) {
      out_ += before + line + '\n';
      before.assign(before.size(), ' ');
    }
  }

  void add_left_out() {
    std::string names;
    for (const std::size_t j : left_out_) names += (names.empty() ? "" : ", ") + table_.columns[j].heading;
    out_ += '\n';
    add_text("No room for " + names + (style_.whole.empty() ? "." : ": " + style_.whole + "."));
  }

  std::string heading(std::size_t j) const { return printable(table_.columns[j].heading); }

  std::string text_of(std::size_t i, std::size_t j) const {
    const Cell& cell = table_.rows[i][j];
    const std::string mark = !marked_[j] ? "" : cell.best ? "*" : " ";
    return printable(plain_text(cell)) + mark + (cell.note > 0 ? " [" + std::to_string(cell.note) + "]" : "");
  }

  std::vector<WidthRange> ranges_of(const Block& block) const {
    std::vector<WidthRange> ranges;
    for (const std::size_t j : block.columns) {
      std::size_t widest = 0, word = 0;
      for (const std::size_t i : block.rows) {
        widest = std::max(widest, display_width(text_of(i, j)));
        word = std::max(word, longest_word(text_of(i, j)));
      }
      const std::size_t of_texts = std::min(widest, std::clamp(word, kNarrowText, kWideText));
      ranges.push_back({std::max(longest_word(heading(j)), numeric_[j] ? widest : of_texts),
                        std::max(display_width(heading(j)), widest), static_cast<int>(table_.columns[j].worth)});
    }
    return ranges;
  }

  bool fits(const Block& block) const {
    std::size_t used = 0;
    for (const WidthRange& range : ranges_of(block)) used += range.natural + (used > 0 ? kGap : 0);
    return used <= style_.width;
  }

  /// The lines of a cell, and their colour.
  using DrawnCell = std::pair<std::vector<std::string>, const char*>;

  /// Adds one row of the table, as high as its tallest cell; cells are aligned at the top or bottom.
  void add_row(const Block& block, const Indices& widths, const std::vector<DrawnCell>& cells, bool bottom) {
    std::size_t height = 0;
    for (const auto& [lines, code] : cells) height = std::max(height, lines.size());
    for (std::size_t line = 0; line < height; ++line) {
      std::string text;
      std::size_t blanks = 0;
      for (std::size_t k = 0; k < widths.size(); ++k) {
        const auto& [lines, code] = cells[k];
        const std::size_t above = bottom ? height - lines.size() : 0;
        const std::string part = line >= above && line - above < lines.size() ? lines[line - above] : "";
        const std::size_t rest = widths[k] - std::min(widths[k], display_width(part));
        const bool right = numeric_[block.columns[k]];
        if (right) blanks += rest;
        if (!part.empty()) text += std::string(std::exchange(blanks, 0), ' ') + coloured(part, code);
        blanks += (right ? 0 : rest) + kGap;
      }
      out_ += text.substr(0, text.find_last_not_of(' ') + 1) + '\n';
    }
  }

  /// Removes the columns that do not fit (both ends of an interval or none); returns the other widths.
  Indices leave_out(Block& block) {
    Indices widths = column_widths(ranges_of(block), style_.width), kept;
    for (std::size_t k = 1; k < widths.size(); ++k) {
      const auto from = block.columns.begin() + static_cast<long>(k) - 1;
      if (heading(from[1]) != "to" || (widths[k] > 0) == (widths[k - 1] > 0)) continue;
      left_out_.insert(from, from + 2);
      block.columns.erase(from, from + 2);
      return leave_out(block);
    }
    for (std::size_t k = 0; k < widths.size(); ++k) {
      if (widths[k] > 0)
        kept.push_back(block.columns[k]);
      else
        left_out_.insert(block.columns[k]);
    }
    block.columns = kept;
    std::erase(widths, 0U);
    return widths;
  }

  void draw(Block block) {
    out_ += '\n';
    if (!block.heading.empty()) add_text(block.heading, kBold);
    const Indices widths = leave_out(block);
    std::vector<DrawnCell> cells;
    std::string rule;
    for (std::size_t k = 0; k < widths.size(); ++k) {
      cells.emplace_back(lines_of_text(heading(block.columns[k]), widths[k]), kPlain);
      if (k > 0) rule += std::string(kGap, ' ');
      for (std::size_t c = 0; c < widths[k]; ++c) rule += "─";
    }
    add_row(block, widths, cells, true);
    out_ += coloured(rule, kFaint) + '\n';
    for (const std::size_t i : block.rows) {
      cells.clear();
      for (std::size_t k = 0; k < widths.size(); ++k) {
        const Cell& cell = table_.rows[i][block.columns[k]];
        const std::string text = text_of(i, block.columns[k]);
        // Keeps blanks, including those at the end that replace a mark.
        const bool fits = display_width(text) <= widths[k];
        cells.emplace_back(fits ? std::vector{text} : lines_of_text(text, widths[k]), cell.best ? kBest : kPlain);
        if (cell.note > 0) notes_.insert(cell.note);
      }
      add_row(block, widths, cells, false);
    }
  }

  const Table& table_;
  const TerminalStyle& style_;
  std::vector<bool> numeric_, marked_;  // by column
  std::set<std::size_t> left_out_, notes_;
  std::string out_;
};

}  // namespace

std::string to_terminal(const Table& table, const TerminalStyle& style) {
  for (const auto& row : table.rows) expects(row.size() == table.columns.size(), "to_terminal: one cell a column");
  return Drawing(table, style).drawn();
}

}  // namespace elmx
