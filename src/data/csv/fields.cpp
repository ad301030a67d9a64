#include "data/csv/fields.hpp"

#include <algorithm>

namespace elmx {
namespace {

constexpr std::size_t kMostLines = 1000;  // of a row with quoted line ends
constexpr std::size_t kMostBytes = 1 << 16;

}  // namespace

const std::vector<std::string_view>& RowSplitter::split(std::string_view row) {
  fields_.clear();
  unquoted_.clear();
  open_quote_ = stray_quote_ = false;
  const bool by_blanks = separator_ == ' ';
  while (true) {
    if (separator_ != '\t') skip_blanks(row);
    if (by_blanks && row.empty()) return fields_;
    if (!take_quoted(row)) {
      const std::size_t end = by_blanks ? static_cast<std::size_t>(std::ranges::find_if(row, is_blank) - row.begin())
                                        : std::min(row.find(separator_), row.size());
      fields_.push_back(trimmed(row.substr(0, end)));
      row.remove_prefix(end);
    }
    if (row.empty()) return fields_;
    row.remove_prefix(1);
  }
}

/// Takes a quoted field, and the blanks behind it, from the front of `rest`. False: it is none.
bool RowSplitter::take_quoted(std::string_view& rest) {
  if (!rest.starts_with('"')) return false;
  bool doubled = false;
  std::size_t end = rest.find('"', 1);
  for (; end != std::string_view::npos && rest.substr(end + 1).starts_with('"'); end = rest.find('"', end + 2))
    doubled = true;
  if (end == std::string_view::npos) {
    open_quote_ = stray_quote_ = true;
    return false;
  }
  std::string_view behind = rest.substr(end + 1);
  while (!behind.empty() && is_blank(behind.front()) && !separates(behind.front())) behind.remove_prefix(1);
  if (!behind.empty() && !separates(behind.front())) {
    stray_quote_ = true;
    return false;
  }
  const std::string_view inside = rest.substr(1, end - 1);
  rest = behind;
  if (!doubled) {
    fields_.push_back(inside);
    return true;
  }
  std::string& text = unquoted_.emplace_back();
  for (std::size_t i = 0; i < inside.size(); ++i) {
    text += inside[i];
    if (inside[i] == '"') ++i;
  }
  fields_.push_back(text);
  return true;
}

bool RowScanner::next() {
  if (!lines_.next()) return false;
  row_ = lines_.line();
  line_ = lines_.number();
  has_quotes_ = row_.find('"') != std::string_view::npos;
  if (!has_quotes_) return true;
  const std::size_t fields = splitter_.split(row_).size();
  if (splitter_.has_open_quote()) take_more_lines(fields == expected_);
  return true;
}

bool RowScanner::next_content(std::string_view comment) {
  while (next()) {
    if (is_content(row_, comment)) return true;
  }
  return false;
}

/// Takes in the lines up to the one that ends the open quote, unless the quote is a character like others.
/// is_a_row: the first line alone has the expected number of fields.
void RowScanner::take_more_lines(bool is_a_row) {
  Lines ahead = lines_;
  while (!ahead.rest().empty() && ahead.number() < line_ + kMostLines - 1 &&
         static_cast<std::size_t>(ahead.rest().data() - row_.data()) < kMostBytes) {
    if (ahead.rest().substr(0, kMostBytes).find('"') == std::string_view::npos) {
      reached_end_ = ahead.rest().size() < kMostBytes;
      return;
    }
    ahead.next();
    const std::string_view line = ahead.line();
    is_a_row = is_a_row && splitter_.split(line).size() == expected_;
    if (line.find('"') == std::string_view::npos) continue;
    const std::string_view row(row_.data(), static_cast<std::size_t>(line.data() + line.size() - row_.data()));
    splitter_.split(row);
    if (splitter_.has_open_quote()) continue;
    if (is_a_row || splitter_.has_stray_quote()) return;
    row_ = row;
    lines_ = ahead;
    return;
  }
  reached_end_ = ahead.rest().empty();
}

}  // namespace elmx
