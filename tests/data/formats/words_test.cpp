#include <gtest/gtest.h>

#include "data/formats/reviews.hpp"
#include "data/table/column_texts.hpp"

namespace elmx {
namespace {

using Strings = std::vector<std::string>;

TEST(Words, AreRunsOfLettersAndDigitsInLowerCase) {
  EXPECT_EQ(words_of("It is The 2nd film, (of 3)-- see_it: 7/10!"),
            (Strings{"it", "is", "the", "2nd", "film", "of", "3", "see", "it", "7", "10"}));
  EXPECT_EQ(words_of("@AZ[`az{/09:"), (Strings{"az", "az", "09"})) << "the neighbours of letters and digits in ASCII";
  EXPECT_EQ(words_of(std::string_view("a\0b\nc\td", 7)), (Strings{"a", "b", "c", "d"}));
}

TEST(Words, KeepApostrophesInside) {
  EXPECT_EQ(words_of("Don't 'tis dogs' rock''n'roll o'er's ' '' 'quoted'"),
            (Strings{"don't", "tis", "dogs", "rock", "n'roll", "o'er's", "quoted"}));
  EXPECT_EQ(words_of("'"), Strings{});
  EXPECT_EQ(words_of("a'"), Strings{"a"});
  EXPECT_EQ(words_of("'a"), Strings{"a"});
}

TEST(Words, TakeBreaksAsBlanks) {
  EXPECT_EQ(words_of("one<br />two.<br /><br />Three<br />"), (Strings{"one", "two", "three"}));
  EXPECT_EQ(words_of("it<br />'s"), (Strings{"it", "s"})) << "no apostrophe inside a word";
  EXPECT_EQ(words_of("a<br/>b"), (Strings{"a", "br", "b"})) << "another tag";
  EXPECT_EQ(words_of("<br /"), Strings{"br"});
}

TEST(Words, KeepBytesBeyondAsciiAsTheyAre) {
  EXPECT_EQ(words_of("Caf\xc3\xa9 \xc3\x89lan it\xe2\x80\x99s \xc3\xa9't"),
            (Strings{"caf\xc3\xa9", "\xc3\x89lan", "it\xe2\x80\x99s", "\xc3\xa9't"}));
  EXPECT_EQ(words_of("\x7f\x80\xff"), Strings{"\x80\xff"});
}

TEST(Words, MayBeNone) {
  EXPECT_EQ(words_of(""), Strings{});
  EXPECT_EQ(words_of(" ...<br />"), Strings{});
}

/// Counts the words of the first text, only numbers those of the second.
TextIndex counts_of(std::string_view text, std::string_view uncounted = "") {
  TextIndex counts;
  for (const std::string& word : words_of(uncounted)) counts.add(word, 0, 0);
  for (const std::string& word : words_of(text)) counts.add(word, 0);
  return counts;
}

/// The index of each of `words`.
std::vector<std::uint32_t> indices(TextIndex counts, const Strings& words, std::size_t size) {
  const std::vector<std::uint32_t> index = word_indices(counts.texts(), size);
  std::vector<std::uint32_t> found;
  for (const std::string& word : words) found.push_back(index.at(counts.add(word, 0, 0)));
  return found;
}

using Indices = std::vector<std::uint32_t>;

TEST(WordIndices, RankByFrequencyThenAlphabetically) {
  const TextIndex counts = counts_of("d b c c a b c e");  // c 3, b 2, then a, d, e

  EXPECT_EQ(indices(counts, {"c", "b", "a", "d", "e"}, 100), (Indices{2, 3, 4, 5, 6}));
  EXPECT_EQ(indices(counts, {"c", "b", "a", "d", "e"}, 7), (Indices{2, 3, 4, 5, 6}));
  EXPECT_EQ(indices(counts, {"c", "b", "a", "d", "e"}, 5), (Indices{2, 3, 4, 1, 1})) << "a tie across the end";
  EXPECT_EQ(indices(counts, {"c", "b", "a", "d", "e"}, 3), (Indices{2, 1, 1, 1, 1}));
}

TEST(WordIndices, TiesAreInTheOrderOfTheBytes) {
  EXPECT_EQ(indices(counts_of("\xc3\xa9 z 9 a's a as"), {"9", "a", "a's", "as", "z", "\xc3\xa9"}, 100),
            (Indices{2, 3, 4, 5, 6, 7}));
}

TEST(WordIndices, GiveNoIndexToWordsThatAreNotCounted) {
  const TextIndex counts = counts_of("b b", "a a a b");

  EXPECT_EQ(indices(counts, {"a", "b"}, 100), (Indices{1, 2}));
  EXPECT_TRUE(word_indices({}, 100).empty());
}

TEST(WordIndices, NumberManyWordsOnce) {
  TextIndex counts;
  for (int pass = 0; pass < 2; ++pass) {
    for (std::uint32_t i = 0; i < 5000; ++i) EXPECT_EQ(counts.add("word" + std::to_string(i), 0), i);
  }
}

}  // namespace
}  // namespace elmx
