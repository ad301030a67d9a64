#include "data/formats/reviews.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "data/content/unpack.hpp"
#include "data/table/column_texts.hpp"
#include "data/table/source.hpp"
#include "data/table/table.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr std::array<std::string_view, 4> kFolders{"aclImdb/train/neg/", "aclImdb/train/pos/", "aclImdb/test/neg/",
                                                   "aclImdb/test/pos/"};
constexpr std::string_view kBreak = "<br />";
constexpr std::uint32_t kUnknown = 1;  // the index of words beyond the vocabulary; 0 is left for padding

bool is_word_byte(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') ||
         static_cast<unsigned char>(letter) >= 0x80;
}

char lower_case(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

/// The sort key of a review.
struct Place {
  std::size_t folder;
  std::uint64_t id;

  bool trains() const { return folder < 2; }
  auto operator<=>(const Place&) const = default;
};

/// Returns the place of a member "aclImdb/PART/CLASS/ID_RATING.txt", or nothing if it is not a review.
std::optional<Place> place_of(std::string_view name) {
  if (name.starts_with("./")) name.remove_prefix(2);
  for (std::size_t folder = 0; folder < kFolders.size(); ++folder) {
    if (!name.starts_with(kFolders[folder])) continue;
    name.remove_prefix(kFolders[folder].size());
    const auto id = take_digits(name);
    if (!id || !name.starts_with('_')) return std::nullopt;
    name.remove_prefix(1);
    return take_digits(name) && name == ".txt" ? std::optional(Place{folder, *id}) : std::nullopt;
  }
  return std::nullopt;
}

/// All reviews, sorted, as the numbers of their words.
struct Reviews {
  std::map<Place, std::vector<std::uint32_t>> tokens;
  TextIndex words;  // counted in the training part

  std::size_t distinct() const {
    const auto is_counted = [](const DistinctText& word) { return word.count > 0; };
    return static_cast<std::size_t>(std::ranges::count_if(words.texts(), is_counted));
  }
};

Reviews read_reviews(const Source& source, Dataset& data) {
  const Content content = read_verified(source.train, source);
  data.sha256.push_back(content.sha256);
  Reviews reviews;
  ArchiveReader archive(content.bytes, content.origin, ArchiveKind::tar);
  while (archive.next()) {
    const std::optional<Place> place = place_of(archive.name());
    if (!place) continue;
    const auto [review, is_new] = reviews.tokens.try_emplace(*place);
    if (!is_new) {
      throw DataError(content.origin, fmt::format("review \"{}\": another review of this folder also has the number {}",
                                                  archive.name(), place->id));
    }
    for (const std::string& word : words_of(archive.content()))
      review->second.push_back(reviews.words.add(word, 0, place->trains() ? 1 : 0));
  }
  return reviews;
}

void check_complete(const Reviews& reviews, const std::string& origin) {
  for (std::size_t folder = 0; folder < kFolders.size(); ++folder) {
    const auto found = reviews.tokens.lower_bound({folder, 0});
    if (found == reviews.tokens.end() || found->first.folder != folder)
      throw DataError(origin, fmt::format("expected reviews of both classes in both parts, found no {}ID_RATING.txt",
                                          kFolders[folder]));
  }
  if (reviews.distinct() == 0) throw DataError(origin, "the reviews of the training part have no words");
}

/// Formats a percentage: "12.3 %".
std::string percent(std::size_t part, std::size_t whole) {
  const double share = whole == 0 ? 0 : 1000.0 * static_cast<double>(part) / static_cast<double>(whole);
  return shortest(std::round(share) / 10) + " %";
}

/// Writes the indices of the last tokens to the end of row `row` of X, whose zeros are the padding.
void fill_row(arma::mat& X, arma::uword row, const std::vector<std::uint32_t>& tokens,
              const std::vector<std::uint32_t>& index) {
  const arma::uword kept = std::min<arma::uword>(tokens.size(), X.n_cols);
  for (arma::uword i = 1; i <= kept; ++i) X(row, X.n_cols - i) = index[tokens[tokens.size() - i]];
}

/// Returns a note about the vocabulary, unknown words and shortened reviews, in one line.
std::string note_of(const Reviews& reviews, const std::vector<std::uint32_t>& index, const ReviewOptions& options) {
  std::size_t tokens = 0, unknown = 0, cut = 0;
  for (const auto& [place, words] : reviews.tokens) {
    tokens += words.size();
    unknown += static_cast<std::size_t>(
        std::ranges::count_if(words, [&](std::uint32_t word) { return index[word] == kUnknown; }));
    if (words.size() > options.length) ++cut;
  }
  const std::size_t distinct = reviews.distinct();
  return fmt::format(
      "{} in the training part, {} of them in the vocabulary; {} of all tokens unknown; {} cut to the last {} tokens",
      counted(distinct, "distinct word"), std::min(distinct, options.indices() - 2), percent(unknown, tokens),
      counted(cut, "review"), options.length);
}

}  // namespace

void ReviewOptions::fields(FieldVisitor& field) {
  field("vocabulary", vocabulary,
        "reviews: number of indices (10000), which stand for padding, an unknown word, and the most frequent words",
        at_least(3));
}

Dataset load_reviews(const Source& source, const ReviewOptions& options) {
  Dataset data;
  const Reviews reviews = read_reviews(source, data);
  check_complete(reviews, source.train.path.string());
  const arma::uword samples = reviews.tokens.size(), length = options.length;
  refuse_beyond_memory("/data/length", "the data set",
                       8.0 * static_cast<double>(samples) * static_cast<double>(length));

  const std::vector<std::uint32_t> index = word_indices(reviews.words.texts(), options.indices());
  data.task = Task::classification;
  data.classes = {"neg", "pos"};
  data.X.zeros(samples, length);
  data.labels.set_size(samples);
  arma::uword row = 0;
  for (const auto& [place, tokens] : reviews.tokens) {
    fill_row(data.X, row, tokens, index);
    data.labels(row++) = place.folder % 2;
    if (place.trains()) data.published_train = row;
  }
  for (arma::uword t = 1; t <= length; ++t) data.inputs.push_back("t" + std::to_string(t));
  data.report.notes.push_back(note_of(reviews, index, options));
  return data;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(word);
    word.clear();
  };
  const auto is_word = [&](std::size_t i) { return i < text.size() && is_word_byte(lower_case(text[i])); };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_word(i) || (text[i] == '\'' && !word.empty() && is_word(i + 1))) {
      word += lower_case(text[i]);
      continue;
    }
    end_word();
    if (text.substr(i).starts_with(kBreak)) i += kBreak.size() - 1;
  }
  end_word();
  return words;
}

std::vector<std::uint32_t> word_indices(const std::vector<DistinctText>& words, std::size_t size) {
  std::vector<std::uint32_t> ranking;
  for (std::uint32_t k = 0; k < words.size(); ++k) {
    if (words[k].count > 0) ranking.push_back(k);
  }
  std::ranges::sort(ranking, [&](std::uint32_t a, std::uint32_t b) {
    return words[a].count != words[b].count ? words[a].count > words[b].count : words[a].text < words[b].text;
  });
  std::vector<std::uint32_t> index(words.size(), kUnknown);
  for (std::uint32_t rank = 0; rank < ranking.size() && kUnknown + 1 + rank < size; ++rank)
    index[ranking[rank]] = kUnknown + 1 + rank;
  return index;
}

}  // namespace elmx
