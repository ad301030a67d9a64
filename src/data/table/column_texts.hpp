#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/values/spelling.hpp"

namespace elmx {

/// A distinct text of a column.
struct DistinctText {
  std::string text;
  std::size_t count = 0;
  std::size_t line = 0;  ///< line of its first occurrence in the file
};

/// Distinct texts in order of appearance, each with a code: 0, 1, ...
class TextIndex {
 public:
  std::uint32_t add(std::string_view text, std::size_t line, std::size_t count = 1);
  const std::vector<DistinctText>& texts() const { return texts_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::vector<DistinctText> texts_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> codes_;
  std::uint32_t last_ = 0;  // the code of the last text, because equal texts often follow each other
};

/// A row of a column of numbers whose text is not a number in the spelling of the column.
struct OtherText {
  std::size_t row;
  std::uint32_t code;  ///< the code of the text
};

/// The count and the range of the numbers of a column.
struct NumberRange {
  std::size_t count = 0;
  double min = 0, max = 0;
  bool whole = true;

  void add(double number, std::size_t times = 1);
  void add(const NumberRange& other);
};

/// Consecutive rows of one column, parsed by one thread. Lines count from 1 within the block.
class ColumnBlock {
 public:
  void add(std::string_view text, std::size_t line);

  /// Adds the first field of `row`, which has no quotes. Returns its width, up to the separator or the end of
  /// the row.
  std::size_t add_front(std::string_view row, char separator, std::size_t line);

 private:
  friend class ColumnTexts;
  enum class Mode { skip, texts, numbers };

  void forget_rows();

  Mode mode_ = Mode::skip;
  bool plain_ = true, whole_only_ = false;  // facts about the stored numbers
  Spelling spelling_;
  std::size_t rows_ = 0;
  TextIndex index_;
  std::vector<std::uint32_t> codes_;  // mode texts
  std::vector<double> values_;        // mode numbers; NaN at `others_` and at empty fields
  std::vector<OtherText> others_;
  NumberRange range_;
};

/// A spelling, and the number of values that are numbers in this spelling.
struct BestSpelling {
  Spelling spelling;
  std::size_t numbers = 0;
};

/// One column of a text file, stored without loss as the code of the distinct text of each row. If a column
/// has more than kMostDistinct texts and nearly all are numbers in one spelling, its rows are stored as
/// numbers instead, and only the other texts keep their codes. Labels (keep_texts) and texts that two
/// spellings read differently, such as "1.234", are never stored as numbers.
class ColumnTexts : private ColumnBlock {
 public:
  static constexpr std::size_t kMostDistinct = 4096;

  /// hint: the spelling of its numbers, if known.
  explicit ColumnTexts(bool keep_texts = true, bool skipped = false, std::optional<Spelling> hint = std::nullopt)
      : keep_texts_(keep_texts), hint_(std::move(hint)) {
    mode_ = skipped ? Mode::skip : Mode::texts;
  }

  /// Clears a block for the following rows, without releasing its memory.
  void begin(ColumnBlock& block) const;

  /// Appends the rows of a block. lines_before: lines of the file above the block.
  void append(const ColumnBlock& block, std::size_t lines_before = 0);

  void reserve(std::size_t rows);
  std::size_t rows() const { return rows_; }

  /// Keeps the summaries, distinct() and range(), and drops the rows.
  using ColumnBlock::forget_rows;

  /// Returns a column without rows that uses the same kind of storage.
  ColumnTexts without_rows() const;
  bool skipped() const { return mode_ == Mode::skip; }

  /// Returns true if the rows are stored as numbers of spelling(); distinct() then has the other texts only.
  bool stores_numbers() const { return mode_ == Mode::numbers; }
  const Spelling& spelling() const { return spelling_; }

  /// Returns true if the stored numbers are whole and without any mark, so that they are the same in every
  /// spelling.
  bool stores_whole_only() const { return stores_numbers() && whole_only_; }
  const NumberRange& range() const { return range_; }
  const std::vector<DistinctText>& distinct() const { return index_.texts(); }

  /// Returns true if the stored numbers, or else the distinct texts, are 0, 1, 2, ... or 1, 2, 3, ...
  bool counts_up() const;

  /// Returns the value of each row, given the value of each distinct text. Frees the memory of the column.
  std::vector<double> values_of(const std::vector<double>& value_of_text) &&;

 private:
  std::vector<std::uint32_t> codes_of(const ColumnBlock& block, std::size_t lines_before);
  void store(const std::vector<std::uint32_t>& codes, const std::vector<DistinctText>& texts, std::size_t first,
             std::size_t lines_before);
  bool finds_spelling();
  void store_numbers_if_possible();
  std::optional<double> stored_number(std::string_view text) const;

  bool keep_texts_;
  std::optional<Spelling> hint_;
  std::size_t next_check_ = kMostDistinct;
};

/// Returns the spelling in which most texts, weighted by their counts, are numbers; on ties the plain
/// spelling. unit: the texts before and behind the numbers in each spelling. decimal: the decimal mark, if
/// known.
BestSpelling best_spelling(const std::vector<DistinctText>& texts, const Spelling& unit = {},
                           std::optional<char> decimal = std::nullopt);

/// Counts the values that are numbers in this spelling.
std::size_t count_numbers(const std::vector<DistinctText>& texts, const Spelling& spelling);

/// Parses a finite number in this spelling.
std::optional<double> finite_number(std::string_view text, const Spelling& spelling);

}  // namespace elmx
