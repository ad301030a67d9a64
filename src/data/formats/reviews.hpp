#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/fields.hpp"

namespace elmx {

struct Dataset;
struct DistinctText;
struct Source;

/// The options for turning reviews into numbers.
struct ReviewOptions {
  std::optional<std::size_t> vocabulary;
  std::size_t length = 200;  ///< tokens of a review; generated sequences share the key "length"

  void fields(FieldVisitor& field);

  std::size_t indices() const { return vocabulary.value_or(10000); }
};

/// Loads the Large Movie Review Dataset (IMDB) from its published tar.gz. The members
/// aclImdb/{train,test}/{neg,pos}/ID_RATING.txt are reviews; all others are skipped. The rating is not read;
/// the task is always classification.
///
///     X: N x length   indices of the last `length` words (words_of) of each review, 0s before a shorter one
///     1               a word that is not in the vocabulary
///     2, 3, ...       the (vocabulary - 2) most frequent training words, ties in alphabetical order
///
/// Rows are sorted by part (train, test), class (neg, pos) and ID. The archive is unpacked in memory, one
/// member at a time. Throws DataError: not an archive, truncated, a part without reviews of a class, two
/// reviews of the same ID, a training part without words.
///
/// A. L. Maas et al., Learning word vectors for sentiment analysis, ACL 2011.
Dataset load_reviews(const Source& source, const ReviewOptions& options);

/// Splits a text into words:
///
///     1. every "<br />" becomes a blank;
///     2. A to Z become a to z;
///     3. a to z, 0 to 9, all bytes from 0x80 on and apostrophes (0x27) between two of these are word bytes;
///        a word is a maximal run of word bytes.
///
/// "Don't" is one word, "'tis" is "tis", "dogs'" is "dogs", "rock''n" is "rock" and "n". Bytes from 0x80 on
/// are not decoded: accents stay as they are, and so do capitals and punctuation beyond ASCII.
std::vector<std::string> words_of(std::string_view text);

/// Returns the index of each word: 2, 3, ... for the most frequent counted words, ties in byte order, until
/// `size` indices are assigned (including 0 for padding and 1); 1 for all other words.
std::vector<std::uint32_t> word_indices(const std::vector<DistinctText>& words, std::size_t size);

}  // namespace elmx
