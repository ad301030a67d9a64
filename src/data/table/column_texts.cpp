#include "data/table/column_texts.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr double kNearlyAll = 0.9;

/// Returns true for digits with or without a sign, which are the same number in every spelling.
bool is_whole(std::string_view text) { return text.find_first_not_of("0123456789+-") == std::string_view::npos; }

/// Returns true if each number can also be read with the decimal and the thousands mark swapped, and one is
/// then another number.
bool reads_two_ways(const std::vector<DistinctText>& texts, const Spelling& spelling) {
  Spelling swapped = spelling;
  if (spelling.thousands == '\0') swapped.thousands = spelling.decimal == '.' ? ',' : '.';
  std::swap(swapped.decimal, swapped.thousands);
  if (swapped.decimal != '.' && swapped.decimal != ',') return false;
  bool differs = false;
  for (const DistinctText& text : texts) {
    const auto number = finite_number(text.text, spelling), other = finite_number(text.text, swapped);
    if (number && !other) return false;
    differs = differs || (number && *number != *other);
  }
  return differs;
}

}  // namespace

std::uint32_t TextIndex::add(std::string_view text, std::size_t line, std::size_t count) {
  if (last_ < texts_.size() && texts_[last_].text == text) {
    texts_[last_].count += count;
    return last_;
  }
  auto found = codes_.find(text);
  if (found == codes_.end()) {
    found = codes_.emplace(std::string(text), static_cast<std::uint32_t>(texts_.size())).first;
    texts_.push_back({std::string(text), 0, line});
  }
  last_ = found->second;
  texts_[last_].count += count;
  return last_;
}

void NumberRange::add(const NumberRange& other) {
  if (other.count == 0) return;
  min = count == 0 ? other.min : std::min(min, other.min);
  max = count == 0 ? other.max : std::max(max, other.max);
  whole = whole && other.whole;
  count += other.count;
}

void NumberRange::add(double number, std::size_t times) {
  add(NumberRange{times, number, number, number == std::floor(number)});
}

void ColumnBlock::add(std::string_view text, std::size_t line) {
  const std::size_t row = rows_++;
  if (mode_ == Mode::skip) return;
  if (mode_ == Mode::texts) {
    codes_.push_back(index_.add(text, line));
    return;
  }
  const auto number = whole_only_ && !is_whole(text) ? std::nullopt
                      : plain_                       ? parse_number(text)
                                                     : parse_number(text, spelling_);
  if (number && std::isfinite(*number)) {
    range_.add(*number);
    values_.push_back(*number);
    return;
  }
  const std::uint32_t code = index_.add(text, line);
  if (!text.empty()) others_.push_back({row, code});
  values_.push_back(nan);
}

std::size_t ColumnBlock::add_front(std::string_view row, char separator, std::size_t line) {
  if (mode_ == Mode::numbers && plain_) {
    std::string_view rest = row;
    const auto number = take_short_decimal(rest);
    const std::size_t width = row.size() - rest.size();
    const bool ends = rest.empty() || rest.front() == separator;
    if (number && ends && !(whole_only_ && !is_whole(row.substr(0, width)))) {
      range_.add(*number);
      values_.push_back(*number);
      ++rows_;
      return width;
    }
  }
  const std::size_t width = std::min(row.find(separator), row.size());
  add(trimmed(row.substr(0, width)), line);
  return width;
}

void ColumnBlock::forget_rows() {
  rows_ = 0;
  codes_.clear();
  values_.clear();
  others_.clear();
}

void ColumnTexts::begin(ColumnBlock& block) const {
  block.mode_ = mode_;
  block.plain_ = plain_;
  block.whole_only_ = whole_only_;
  block.spelling_ = spelling_;
  block.index_ = {};
  block.range_ = {};
  block.forget_rows();
}

ColumnTexts ColumnTexts::without_rows() const {
  ColumnTexts column(keep_texts_, skipped(), hint_);
  begin(column);
  return column;
}

void ColumnTexts::reserve(std::size_t rows) {
  if (mode_ == Mode::numbers) values_.reserve(rows);
  if (mode_ == Mode::texts) codes_.reserve(rows);
}

/// Adds the texts of a block. Returns the code in this column for each code of the block.
std::vector<std::uint32_t> ColumnTexts::codes_of(const ColumnBlock& block, std::size_t lines_before) {
  std::vector<std::uint32_t> code;
  for (const DistinctText& text : block.index_.texts())
    code.push_back(index_.add(text.text, lines_before + text.line, text.count));
  return code;
}

void ColumnTexts::append(const ColumnBlock& block, std::size_t lines_before) {
  const std::size_t first = rows_;
  rows_ += block.rows_;
  if (block.mode_ == Mode::skip) return;
  if (block.mode_ == Mode::numbers) {
    values_.insert(values_.end(), block.values_.begin(), block.values_.end());
    range_.add(block.range_);
    const std::vector<std::uint32_t> code = codes_of(block, lines_before);
    for (const OtherText& other : block.others_) others_.push_back({first + other.row, code[other.code]});
    if (whole_only_ && distinct().size() > next_check_) finds_spelling();
  } else if (stores_numbers()) {  // since the block was begun
    store(block.codes_, block.index_.texts(), first, lines_before);
  } else {
    const std::vector<std::uint32_t> code = codes_of(block, lines_before);
    for (const std::uint32_t own : block.codes_) codes_.push_back(code[own]);
    if (!keep_texts_ && distinct().size() > next_check_) store_numbers_if_possible();
  }
}

/// Stores rows as numbers, given the codes of their texts. first: number of the first row.
void ColumnTexts::store(const std::vector<std::uint32_t>& codes, const std::vector<DistinctText>& texts,
                        std::size_t first, std::size_t lines_before) {
  std::vector<double> value;
  std::vector<std::uint32_t> code;
  for (const DistinctText& text : texts) {
    const auto number = stored_number(text.text);
    value.push_back(number.value_or(nan));
    code.push_back(number ? 0 : index_.add(text.text, lines_before + text.line, text.count));
    if (number) range_.add(*number, text.count);
  }
  for (std::size_t i = 0; i < codes.size(); ++i) {
    values_.push_back(value[codes[i]]);
    if (std::isnan(values_.back()) && !texts[codes[i]].text.empty()) others_.push_back({first + i, code[codes[i]]});
  }
}

/// The number that is stored for a text; nothing if the text keeps its code.
std::optional<double> ColumnTexts::stored_number(std::string_view text) const {
  return whole_only_ && !is_whole(text) ? std::nullopt : finite_number(text, spelling_);
}

/// Sets the spelling in which nearly all distinct texts are numbers. Returns false if none is certain.
bool ColumnTexts::finds_spelling() {
  const std::vector<DistinctText>& texts = distinct();
  next_check_ = 2 * texts.size();
  const BestSpelling best = hint_ ? BestSpelling{*hint_, count_numbers(texts, *hint_)} : best_spelling(texts);
  std::size_t rows = 0;  // with a text
  for (const DistinctText& text : texts) rows += text.text.empty() ? 0 : text.count;
  if (best.numbers == 0 || static_cast<double>(best.numbers) < kNearlyAll * static_cast<double>(rows)) return false;
  if (!hint_ && reads_two_ways(texts, best.spelling)) return false;
  spelling_ = best.spelling;
  plain_ = spelling_.is_plain();
  whole_only_ = false;
  return true;
}

void ColumnTexts::store_numbers_if_possible() {
  if (!finds_spelling()) return;
  const std::vector<DistinctText> texts = distinct();
  mode_ = Mode::numbers;
  whole_only_ = std::ranges::none_of(
      texts, [&](const DistinctText& text) { return !is_whole(text.text) && finite_number(text.text, spelling_); });
  if (whole_only_) next_check_ = kMostDistinct;  // marks will show the spelling
  index_ = {};
  values_.reserve(codes_.capacity());
  store(codes_, texts, 0, 0);
  codes_ = std::vector<std::uint32_t>();
}

bool ColumnTexts::counts_up() const {
  const auto number = [&](std::size_t i) {
    return stores_numbers() ? std::optional(values_[i]) : parse_number(distinct()[i].text);
  };
  return count_up(stores_numbers() ? values_.size() : distinct().size(), number);
}

std::vector<double> ColumnTexts::values_of(const std::vector<double>& value_of_text) && {
  expects(value_of_text.size() == distinct().size(), "ColumnTexts: a value for each distinct text");
  if (stores_numbers()) {
    for (const OtherText& other : others_) values_[other.row] = value_of_text[other.code];
  } else {
    values_.reserve(codes_.size());
    for (const std::uint32_t code : codes_) values_.push_back(value_of_text[code]);
  }
  codes_ = std::vector<std::uint32_t>();
  return std::move(values_);
}

std::optional<double> finite_number(std::string_view text, const Spelling& spelling) {
  const auto number = parse_number(text, spelling);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::size_t count_numbers(const std::vector<DistinctText>& texts, const Spelling& spelling) {
  std::size_t numbers = 0;
  for (const DistinctText& text : texts) numbers += finite_number(text.text, spelling) ? text.count : 0;
  return numbers;
}

BestSpelling best_spelling(const std::vector<DistinctText>& texts, const Spelling& unit, std::optional<char> decimal) {
  std::optional<BestSpelling> best;
  std::size_t all = 0;
  for (const DistinctText& text : texts) all += text.count;
  for (const Spelling& marks : spellings()) {
    if (decimal && marks.decimal != *decimal) continue;
    const Spelling spelling{marks.decimal, marks.thousands, unit.before, unit.behind, unit.optional_unit};
    const std::size_t numbers = count_numbers(texts, spelling);
    if (!best || numbers > best->numbers) best = {spelling, numbers};
    if (numbers == all) break;
  }
  return *best;
}

}  // namespace elmx
