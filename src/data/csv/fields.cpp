#include "data/csv/fields.hpp"

#include <algorithm>

#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostLines = 1000;  // of a row with quoted line ends
constexpr std::size_t kMostBytes = 1 << 16;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

void skip_blanks(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
}

}  // namespace

const std::vector<std::string_view>& RowSplitter::split(std::string_view row) {
  fields_.clear();
  unquoted_.clear();
  open_quote_ = stray_quote_ = false;
  separator_ == ' ' ? split_blanks(row) : split_separated(row);
  return fields_;
}

/// Takes a quoted field, and the blanks behind it, from the front of `rest`. False: it is none.
bool RowSplitter::take_quoted(std::string_view& rest) {
  if (rest.empty() || rest.front() != '"') return false;
  std::size_t end = 1;
  bool doubled = false;
  while (true) {
    end = rest.find('"', end);
    if (end == std::string_view::npos) {
      open_quote_ = stray_quote_ = true;
      return false;
    }
    if (end + 1 >= rest.size() || rest[end + 1] != '"') break;
    doubled = true;
    end += 2;
  }
  const std::string_view inside = rest.substr(1, end - 1);
  std::string_view behind = rest.substr(end + 1);
  const bool apart = behind.empty() || is_blank(behind.front());
  if (separator_ != ' ') {
    while (!behind.empty() && is_blank(behind.front()) && behind.front() != separator_) behind.remove_prefix(1);
  }
  const bool ends = separator_ == ' ' ? apart : behind.empty() || behind.front() == separator_;
  if (!ends) {
    stray_quote_ = true;
    return false;
  }
  if (doubled) {
    std::string& text = unquoted_.emplace_back();
    for (std::size_t i = 0; i < inside.size(); ++i) {
      text += inside[i];
      if (inside[i] == '"') ++i;
    }
    fields_.push_back(text);
  } else {
    fields_.push_back(inside);
  }
  rest = behind;
  return true;
}

void RowSplitter::split_blanks(std::string_view row) {
  for (skip_blanks(row); !row.empty(); skip_blanks(row)) {
    if (take_quoted(row)) continue;
    const std::size_t end = static_cast<std::size_t>(std::ranges::find_if(row, is_blank) - row.begin());
    fields_.push_back(row.substr(0, end));
    row.remove_prefix(end);
  }
}

void RowSplitter::split_separated(std::string_view row) {
  for (;;) {
    if (separator_ != '\t') skip_blanks(row);
    if (!take_quoted(row)) {
      const std::size_t end = std::min(row.find(separator_), row.size());
      fields_.push_back(trimmed(row.substr(0, end)));
      row.remove_prefix(end);
    }
    if (row.empty()) return;
    row.remove_prefix(1);
  }
}

std::string_view RowScanner::line_at(std::size_t from, std::size_t& next) const {
  const std::size_t end = std::min(rest_.find(line_end_, from), rest_.size());
  next = std::min(end + 1, rest_.size());
  std::string_view line = rest_.substr(from, end - from);
  if (line_end_ == '\n' && line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool RowScanner::next() {
  if (rest_.empty()) return false;
  line_ = next_line_++;
  std::size_t behind = 0;
  row_ = line_at(0, behind);
  if (row_.find('"') != std::string_view::npos) {
    splitter_.split(row_);
    if (splitter_.has_open_quote() && take_more_lines()) return true;
  }
  rest_.remove_prefix(behind);
  return true;
}

/// Takes in the lines up to the one that ends the open quote. False: the quote is a character like others.
bool RowScanner::take_more_lines() {
  std::size_t behind = 0, lines = 1;
  const std::string_view first = line_at(0, behind);
  bool each_a_row = expected_ > 0 && splitter_.split(first).size() == expected_;
  while (behind < rest_.size() && lines < kMostLines && behind < kMostBytes) {
    if (rest_.substr(behind, kMostBytes).find('"') == std::string_view::npos) {
      reached_end_ = rest_.size() - behind < kMostBytes;
      return false;
    }
    const std::string_view line = line_at(behind, behind);
    ++lines;
    each_a_row = each_a_row && splitter_.split(line).size() == expected_;
    if (line.find('"') == std::string_view::npos) continue;
    const std::string_view row(first.data(), static_cast<std::size_t>(line.data() + line.size() - first.data()));
    splitter_.split(row);
    if (splitter_.has_open_quote()) continue;
    if (each_a_row || splitter_.has_stray_quote()) return false;
    row_ = row;
    next_line_ += lines - 1;
    rest_.remove_prefix(behind);
    return true;
  }
  reached_end_ = behind >= rest_.size();
  return false;
}

}  // namespace elmx
