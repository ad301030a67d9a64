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

/// How reviews become numbers.
struct ReviewOptions {
  std::optional<std::size_t> vocabulary;
  std::size_t length = 200;  ///< tokens of a review: "length", a key that generated sequences have too

  template <class F>
  void fields(F& field) {
    field("vocabulary", vocabulary,
          "reviews: number of indices (10000): padding, unknown word, and the most frequent words", at_least(3));
  }

  std::size_t indices() const { return vocabulary.value_or(10000); }
};

/// The Large Movie Review Dataset (IMDB) as published, a tar.gz: members
/// aclImdb/{train,test}/{neg,pos}/ID_RATING.txt are reviews, all others are skipped. The rating is not read;
/// the task is always classification.
///
///     X: N x length   indices of the last `length` words (words_of) of each review, 0s before a shorter one
///     1               a word that is not in the vocabulary
///     2, 3, ...       the vocabulary - 2 most frequent words of the training part, ties in alphabetical order
///
/// Rows are sorted by part (train, test), class (neg, pos) and ID, whatever the order of the archive. The
/// archive is unpacked in memory, members one by one. Throws DataError: not an archive, truncated, a part
/// without reviews of a class, two reviews of the same ID, a training part without words.
///
/// A. L. Maas et al., Learning word vectors for sentiment analysis, ACL 2011.
Dataset load_reviews(const Source& source, const ReviewOptions& options);

/// The words of a text, one after the other.
///
///     1. every "<br />" becomes a blank;
///     2. A to Z become a to z;
///     3. letters a to z, digits 0 to 9 and all bytes from 0x80 on are word bytes, and so is an apostrophe (0x27)
///        between two of these; a word is a maximal run of word bytes.
///
/// "Don't" is one word, "'tis" is "tis", "dogs'" is "dogs", "rock''n" is "rock" and "n". Bytes from 0x80 on
/// are not decoded: accents stay as they are, and so do capitals and punctuation beyond ASCII.
std::vector<std::string> words_of(std::string_view text);

/// The index of each word: 2, 3, ... for the most frequent of those that are counted, ties in the order of
/// their bytes, until `size` indices are given away (0 for padding and 1 among them); 1 for all others.
std::vector<std::uint32_t> word_indices(const std::vector<DistinctText>& words, std::size_t size);

}  // namespace elmx
