#include "table_formats/terminal.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "table_formats/blocks.hpp"
#include "table_formats/column_widths.hpp"
#include "table_formats/lines_of_text.hpp"

namespace elmx {
namespace {

constexpr std::size_t kNarrowText = 16, kWideText = 24;  // a column of texts wants no less, and can do with no more

// ECMA-48, "select graphic rendition"
constexpr const char *kBold = "\033[1m", *kFaint = "\033[2m", *kBest = "\033[1;32m", *kPlain = "\033[0m";

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
    std::vector<Block> blocks = {whole_table(table_)};
    if (!fits(blocks.front())) blocks = blocks_of(table_);
    for (const Block& block : blocks) draw(block);
    if (!left_out_.empty()) add_left_out();
    if (!table_.remarks.empty() || !notes_.empty()) out_ += '\n';
    for (const std::string& remark : table_.remarks) add_text(remark);
    for (const std::size_t note : notes_) add_note(note);
    return out_;
  }

 private:
  std::string coloured(const std::string& text, const char* code) const {
    return style_.colour && !text.empty() ? code + text + kPlain : text;
  }

  void add_text(const std::string& text, const char* code = kPlain) {
    for (const std::string& line : lines_of_text(printable(text), style_.width))
      out_ += (code == kPlain ? line : coloured(line, code)) + '\n';
  }

  void add_note(std::size_t note) {
    const std::string mark = "[" + std::to_string(note) + "] ";
    std::string before = mark;
    for (const std::string& line : lines_of_text(printable(table_.footnotes[note - 1]), room_after(mark.size()))) {
      out_ += before + line + '\n';
      before = std::string(mark.size(), ' ');
    }
  }

  void add_left_out() {
    std::string names;
    for (const std::size_t j : left_out_) names += (names.empty() ? "" : ", ") + table_.columns[j].heading;
    out_ += '\n';
    add_text("No room for " + names + (style_.whole.empty() ? "." : ": " + style_.whole + "."));
  }

  std::size_t room_after(std::size_t used) const { return style_.width - std::min(style_.width - 1, used); }

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

  /// One row of the table: as many lines as its tallest cell, numbers at the last one of the heading, else at
  /// the first.
  void add_row(const Block& block, const std::vector<std::size_t>& widths,
               const std::vector<std::vector<std::string>>& cells, const std::vector<const char*>& codes, bool bottom) {
    std::size_t height = 0;
    for (const auto& cell : cells) height = std::max(height, cell.size());
    for (std::size_t line = 0; line < height; ++line) {
      std::string text;
      std::size_t blanks = 0;
      for (std::size_t k = 0; k < widths.size(); ++k) {
        const std::size_t above = bottom ? height - cells[k].size() : 0;
        const std::string part =
            line >= above && line - above < cells[k].size() ? cells[k][line - above] : std::string();
        const std::size_t rest = widths[k] - std::min(widths[k], display_width(part));
        const bool right = numeric_[block.columns[k]];
        if (right) blanks += rest;
        if (!part.empty()) text += std::string(std::exchange(blanks, 0), ' ') + styled(part, codes[k]);
        blanks += (right ? 0 : rest) + kGap;
      }
      out_ += text.substr(0, text.find_last_not_of(' ') + 1) + '\n';
    }
  }

  std::string styled(const std::string& text, const char* code) const {
    return code == kPlain ? text : coloured(text, code);
  }

  /// Leaves the block the columns that have room; their widths.
  std::vector<std::size_t> leave_out(Block& block) {
    std::vector<std::size_t> widths = column_widths(ranges_of(block), style_.width), kept;
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
    const std::vector<std::size_t> widths = leave_out(block);
    std::vector<std::vector<std::string>> cells;
    for (std::size_t k = 0; k < widths.size(); ++k)
      cells.push_back(lines_of_text(heading(block.columns[k]), widths[k]));
    add_row(block, widths, cells, std::vector(widths.size(), kPlain), true);
    std::string rule;
    for (std::size_t k = 0; k < widths.size(); ++k) {
      if (k > 0) rule += std::string(kGap, ' ');
      for (std::size_t c = 0; c < widths[k]; ++c) rule += "─";
    }
    out_ += coloured(rule, kFaint) + '\n';
    for (const std::size_t i : block.rows) {
      cells.clear();
      std::vector<const char*> codes;
      for (std::size_t k = 0; k < widths.size(); ++k) {
        const Cell& cell = table_.rows[i][block.columns[k]];
        cells.push_back(lines_of_text_kept(text_of(i, block.columns[k]), widths[k]));
        codes.push_back(cell.best ? kBest : kPlain);
        if (cell.note > 0) notes_.insert(cell.note);
      }
      add_row(block, widths, cells, codes, false);
    }
  }

  /// A cell that fits keeps its blanks, at its end those in place of a mark.
  static std::vector<std::string> lines_of_text_kept(const std::string& text, std::size_t width) {
    return display_width(text) <= width ? std::vector{text} : lines_of_text(text, width);
  }

  const Table& table_;
  const TerminalStyle& style_;
  std::vector<bool> numeric_, marked_;  // of each column
  std::set<std::size_t> left_out_, notes_;
  std::string out_;
};

}  // namespace

std::string to_terminal(const Table& table, const TerminalStyle& style) {
  for (const auto& row : table.rows) expects(row.size() == table.columns.size(), "to_terminal: one cell a column");
  return Drawing(table, style).drawn();
}

}  // namespace elmx
