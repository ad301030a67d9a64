#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace elmx {

/// The tokens of a text, one after the other.
///
///     1. every "<br />" becomes a blank;
///     2. A to Z become a to z;
///     3. letters a to z, digits 0 to 9 and all bytes from 0x80 on are word bytes, and so is an apostrophe (0x27)
///        between two of these; a token is a maximal run of word bytes.
///
/// "Don't" is one token, "'tis" is "tis", "dogs'" is "dogs", "rock''n" is "rock" and "n". Bytes from 0x80 on
/// are not decoded: accents stay as they are, and so do capitals and punctuation beyond ASCII.
class Words {
 public:
  explicit Words(std::string_view text);

  /// Moves to the next token; false at the end of the text.
  bool next();
  std::string_view word() const { return word_; }

 private:
  std::string text_;
  std::size_t at_ = 0;
  std::string_view word_;
};

/// Numbers the distinct words of a set from 0 on, as they come, and counts them.
class WordCounts {
 public:
  static constexpr std::uint32_t kUnknown = 1;  ///< the index of words beyond the vocabulary; 0 is left for padding

  /// The number of a word, a new one where it has none.
  std::uint32_t number_of(std::string_view word);

  void count(std::uint32_t number) { ++counts_[number]; }

  /// How many words have been counted at least once.
  std::size_t distinct() const;

  /// index[number] for every word: 2, 3, ... for the most frequent of the words counted, ties in the order of
  /// their bytes, until `size` indices are given away (0 and 1 among them); kUnknown for all others.
  std::vector<std::uint32_t> indices(std::size_t size) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const { return std::hash<std::string_view>()(word); }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
  std::vector<std::size_t> counts_;  // by number
};

}  // namespace elmx
