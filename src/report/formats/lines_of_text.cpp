#include "report/formats/lines_of_text.hpp"

#include <utf8cpp/utf8.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/printable.hpp"

namespace elmx {
namespace {

/// A range of characters whose width is not one column.
struct WidthOfRange {
  char32_t first, last;
  std::size_t width;
};

// Unicode 15: EastAsianWidth.txt (W and F) and combining marks of scripts that decompose to Latin.
constexpr WidthOfRange kWidthOfRanges[] = {
    {0x1100, 0x115f, 2},   {0x2e80, 0x303e, 2}, {0x3041, 0xa4cf, 2}, {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},
    {0xfe30, 0xfe6f, 2},   {0xff00, 0xff60, 2}, {0xffe0, 0xffe6, 2}, {0x1f300, 0x1f64f, 2}, {0x1f900, 0x1f9ff, 2},
    {0x20000, 0x3fffd, 2}, {0x300, 0x36f, 0},   {0x1ab0, 0x1aff, 0}, {0x1dc0, 0x1dff, 0},   {0x200b, 0x200f, 0},
    {0x20d0, 0x20ff, 0},   {0xfe00, 0xfe0f, 0}};

/// Returns the number of bytes of the first character, at least 1.
std::size_t first_bytes(std::string_view text) { return std::max<std::size_t>(1, utf8_bytes(text)); }

std::size_t width_of_first(std::string_view text) {
  const char32_t c = first_bytes(text) == 1 ? static_cast<unsigned char>(text[0])
                                            : static_cast<char32_t>(utf8::unchecked::peek_next(text.begin()));
  const auto found =
      std::ranges::find_if(kWidthOfRanges, [c](const WidthOfRange& one) { return one.first <= c && c <= one.last; });
  return found == std::end(kWidthOfRanges) ? 1 : found->width;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) return words;
    words.push_back(text.substr(0, text.find(' ')));
    text.remove_prefix(words.back().size());
  }
}

/// Returns the longest beginning of at most `width` columns, but at least one character.
std::string_view beginning(std::string_view word, std::size_t width) {
  std::size_t bytes = first_bytes(word), columns = width_of_first(word);
  while (bytes < word.size() && columns + width_of_first(word.substr(bytes)) <= width) {
    columns += width_of_first(word.substr(bytes));
    bytes += first_bytes(word.substr(bytes));
  }
  return word.substr(0, bytes);
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (; !text.empty(); text.remove_prefix(first_bytes(text))) width += width_of_first(text);
  return width;
}

std::vector<std::string> lines_of_text(std::string_view text, std::size_t width) {
  std::vector<std::string> lines = {""};
  for (std::string_view word : words_of(text)) {
    if (!lines.back().empty() && display_width(lines.back()) + 1 + display_width(word) <= width) {
      lines.back() += ' ';
    } else if (!lines.back().empty()) {
      lines.emplace_back();
    }
    for (; lines.back().empty() && display_width(word) > width; lines.emplace_back()) {
      lines.back() = beginning(word, width);
      word.remove_prefix(lines.back().size());
    }
    lines.back() += word;
  }
  return lines;
}

std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0;
  for (const std::string_view word : words_of(text)) longest = std::max(longest, display_width(word));
  return longest;
}

std::vector<std::size_t> column_widths(const std::vector<WidthRange>& columns, std::size_t room) {
  std::vector<std::size_t> widths(columns.size(), 0);
  std::size_t used = 0;
  std::set<int> ranks;
  for (const WidthRange& column : columns) ranks.insert(column.rank);
  for (const int rank : ranks) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (columns[j].rank != rank) continue;
      const std::size_t gap = used > 0 ? kGap : 0;
      if (used > 0 && used + gap + columns[j].least > room) break;
      widths[j] = std::clamp<std::size_t>(columns[j].least, 1, room);
      used += gap + widths[j];
    }
  }
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (widths[j] == 0) continue;
    const std::size_t more = std::min(columns[j].natural - std::min(columns[j].natural, widths[j]), room - used);
    widths[j] += more;
    used += more;
  }
  return widths;
}

}  // namespace elmx
