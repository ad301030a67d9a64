#include "data/formats/words.hpp"

#include <algorithm>
#include <iterator>

#include "data/content/bytes.hpp"

namespace elmx {
namespace {

constexpr std::string_view kBreak = "<br />";

bool is_word_byte(unsigned char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte >= 0x80;
}

char lower_case(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

}  // namespace

Words::Words(std::string_view text) {
  text_.reserve(text.size());
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(kBreak), text.size());
    std::ranges::transform(text.substr(0, end), std::back_inserter(text_), lower_case);
    text.remove_prefix(end);
    if (text.empty()) break;
    text_ += ' ';
    text.remove_prefix(kBreak.size());
  }
}

bool Words::next() {
  const auto is_word = [this](std::size_t i) { return i < text_.size() && is_word_byte(byte_at(text_, i)); };
  while (at_ < text_.size() && !is_word(at_)) ++at_;
  const std::size_t begin = at_;
  // An apostrophe here is behind a word byte: it stays where one follows.
  while (is_word(at_) || (is_word(at_ + 1) && text_[at_] == '\'')) ++at_;
  word_ = std::string_view(text_).substr(begin, at_ - begin);
  return !word_.empty();
}

std::uint32_t WordCounts::number_of(std::string_view word) {
  if (const auto known = numbers_.find(word); known != numbers_.end()) return known->second;
  const auto number = static_cast<std::uint32_t>(counts_.size());
  numbers_.emplace(word, number);
  counts_.push_back(0);
  return number;
}

std::size_t WordCounts::distinct() const {
  return static_cast<std::size_t>(std::ranges::count_if(counts_, [](std::size_t count) { return count > 0; }));
}

std::vector<std::uint32_t> WordCounts::indices(std::size_t size) const {
  struct Counted {
    std::size_t count;
    std::string_view word;
    std::uint32_t number;
  };
  std::vector<Counted> ranking;
  for (const auto& [word, number] : numbers_) {
    if (counts_[number] > 0) ranking.push_back({counts_[number], word, number});
  }
  std::ranges::sort(ranking, [](const Counted& a, const Counted& b) {
    return a.count != b.count ? a.count > b.count : a.word < b.word;
  });
  std::vector<std::uint32_t> index(counts_.size(), kUnknown);
  std::uint32_t next = kUnknown + 1;
  for (std::size_t rank = 0; rank < ranking.size() && next < size; ++rank) index[ranking[rank].number] = next++;
  return index;
}

}  // namespace elmx
