#include "data/formats/reviews.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "data/content/archive.hpp"
#include "data/formats/words.hpp"
#include "data/table/source.hpp"
#include "data/table/table.hpp"

namespace elmx {
namespace {

constexpr std::array<const char*, 2> kParts{"train", "test"};
constexpr std::array<const char*, 2> kClasses{"neg", "pos"};

/// Where a review belongs: the order of the rows.
struct Place {
  std::size_t part;
  std::size_t label;
  std::uint64_t id;

  auto operator<=>(const Place&) const = default;
};

/// Takes a number from the front of `text`.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// The place of a member "aclImdb/PART/CLASS/ID_RATING.txt"; nothing where it is no review.
std::optional<Place> place_of(std::string_view name) {
  if (name.starts_with("./")) name.remove_prefix(2);
  for (std::size_t part = 0; part < kParts.size(); ++part) {
    for (std::size_t label = 0; label < kClasses.size(); ++label) {
      const std::string folder = fmt::format("aclImdb/{}/{}/", kParts[part], kClasses[label]);
      if (!name.starts_with(folder)) continue;
      std::string_view rest = name.substr(folder.size());
      const auto id = take_number(rest);
      if (!id || !rest.starts_with('_')) return std::nullopt;
      rest.remove_prefix(1);
      if (!take_number(rest) || rest != ".txt") return std::nullopt;
      return Place{part, label, *id};
    }
  }
  return std::nullopt;
}

/// All reviews, sorted, as the numbers of their words.
struct Reviews {
  std::map<Place, std::vector<std::uint32_t>> tokens;
  WordCounts words;  // counted in the training part
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
      throw DataError(fmt::format("{}: \"{}\" is a second review of number {}; one of each number is expected",
                                  content.origin, archive.name(), place->id));
    }
    const std::string text = archive.content();
    for (Words words(text); words.next();) {
      review->second.push_back(reviews.words.number_of(words.word()));
      if (place->part == 0) reviews.words.count(review->second.back());
    }
  }
  return reviews;
}

void check_complete(const Reviews& reviews, const std::string& origin) {
  if (reviews.tokens.empty())
    throw DataError(origin + ": no reviews; members aclImdb/{train,test}/{neg,pos}/ID_RATING.txt are expected");
  for (std::size_t part = 0; part < kParts.size(); ++part) {
    for (std::size_t label = 0; label < kClasses.size(); ++label) {
      const auto found = reviews.tokens.lower_bound({part, label, 0});
      if (found != reviews.tokens.end() && found->first.part == part && found->first.label == label) continue;
      throw DataError(fmt::format("{}: no reviews in aclImdb/{}/{}; both classes are expected in both parts", origin,
                                  kParts[part], kClasses[label]));
    }
  }
  if (reviews.words.distinct() == 0)
    throw DataError(origin + ": no words in the training part; one or more are expected");
}

/// "12.3 %".
std::string percent(std::size_t part, std::size_t whole) {
  const double share = whole == 0 ? 0 : 1000.0 * static_cast<double>(part) / static_cast<double>(whole);
  return shortest(std::round(share) / 10) + " %";
}

/// Row `row` of X, whose zeros are the padding: the indices of the last tokens, at the end.
void fill_row(arma::mat& X, arma::uword row, const std::vector<std::uint32_t>& tokens,
              const std::vector<std::uint32_t>& index) {
  const arma::uword kept = std::min<arma::uword>(tokens.size(), X.n_cols);
  for (arma::uword i = 1; i <= kept; ++i) X(row, X.n_cols - i) = index[tokens[tokens.size() - i]];
}

/// What became of the words, in one line.
std::string note_of(const Reviews& reviews, const std::vector<std::uint32_t>& index, const ReviewOptions& options) {
  std::size_t tokens = 0, unknown = 0, cut = 0;
  for (const auto& [place, words] : reviews.tokens) {
    tokens += words.size();
    unknown += static_cast<std::size_t>(
        std::ranges::count_if(words, [&](std::uint32_t word) { return index[word] == WordCounts::kUnknown; }));
    if (words.size() > options.length) ++cut;
  }
  const std::size_t distinct = reviews.words.distinct();
  return fmt::format(
      "{} in the training part, {} of them in the vocabulary; {} of all tokens unknown; {} cut to the last {} tokens",
      counted(distinct, "distinct word"), std::min(distinct, options.indices() - 2), percent(unknown, tokens),
      counted(cut, "review"), options.length);
}

}  // namespace

Dataset load_reviews(const Source& source, const ReviewOptions& options) {
  Dataset data;
  const Reviews reviews = read_reviews(source, data);
  check_complete(reviews, source.train.path.string());
  const arma::uword samples = reviews.tokens.size(), length = options.length;
  refuse_beyond_memory("/data/length", "the data set",
                       8.0 * static_cast<double>(samples) * static_cast<double>(length));

  const std::vector<std::uint32_t> index = reviews.words.indices(options.indices());
  data.task = Task::classification;
  data.classes.assign(kClasses.begin(), kClasses.end());
  data.X.zeros(samples, length);
  data.labels.set_size(samples);
  arma::uword row = 0;
  for (const auto& [place, tokens] : reviews.tokens) {
    fill_row(data.X, row, tokens, index);
    data.labels(row++) = place.label;
    if (place.part == 0) data.published_train = row;
  }
  for (arma::uword t = 1; t <= length; ++t) data.inputs.push_back("t" + std::to_string(t));
  data.report.notes.push_back(note_of(reviews, index, options));
  return data;
}

}  // namespace elmx
