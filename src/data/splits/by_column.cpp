#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "data/splits/split.hpp"
#include "data/values/dates.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

std::size_t category(const RawColumn& column, arma::uword row) { return static_cast<std::size_t>(column.values[row]); }

/// The rows of each category.
std::vector<RowNumbers> rows_of(const RawColumn& column) {
  std::vector<RowNumbers> rows(column.categories.size());
  for (arma::uword i = 0; i < column.values.size(); ++i) rows[category(column, i)].push_back(i);
  return rows;
}

bool is_finite_number(const std::string& text) {
  const auto number = parse_number(text);
  return number && std::isfinite(*number);
}

/// Returns true for a text such as "03.2024", which may be a month or a time of day.
bool is_padded_fraction(const std::string& text) {
  return text.size() > 2 && text[0] == '0' && text[1] != '.' && text.find('.') != std::string::npos;
}

/// Returns the position of each category in time, or in numeric order.
std::vector<double> places_of(const RawColumn& column, const std::string& origin) {
  const bool numbers = std::ranges::all_of(column.categories, is_finite_number);
  std::vector<double> places;
  for (const std::string& text : column.categories) {
    const auto moment = numbers ? std::nullopt : parse_moment(text);
    if (numbers ? is_padded_fraction(text) : !moment || !moment->certain)
      throw DataError(
          origin, fmt::format("column \"{}\" (split.order): expected numbers (3.5, not 03.5) or dates whose day, month "
                              "and year are certain (2024-03-31, 31.3.2024), found \"{}\"",
                              column.name, text));
    places.push_back(numbers ? *parse_number(text) : moment->days);
  }
  return places;
}

std::vector<RowNumbers> groups_with_rows(const RawColumn& groups) {
  std::vector<RowNumbers> rows = rows_of(groups);
  std::erase_if(rows, [](const RowNumbers& group) { return group.empty(); });
  return rows;
}

/// Counts the rows of each class in each group: groups x classes.
arma::mat class_counts(const std::vector<RowNumbers>& groups, const arma::uvec& labels) {
  arma::mat counts(groups.size(), labels.max() + 1, arma::fill::zeros);
  for (std::size_t k = 0; k < groups.size(); ++k) {
    for (const arma::uword row : groups[k]) ++counts(k, labels(row));
  }
  return counts;
}

/// The part to which a group with these shares of the classes is added: that which leaves the smallest mean
/// over the classes of the standard deviation over the parts; of equal ones that with the fewest rows.
std::size_t most_even_part(const arma::mat& shares, const arma::rowvec& share, const std::vector<RowNumbers>& parts) {
  constexpr double kRounding = 1e-12;
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t part = 0; part < parts.size(); ++part) {
    arma::mat with = shares;
    with.row(part) += share;
    const double unevenness = arma::mean(arma::stddev(with, 1, 0));
    const bool equal = std::abs(unevenness - least) <= kRounding;
    if ((equal && parts[part].size() < parts[best].size()) || (!equal && unevenness < least)) {
      best = part;
      least = std::min(least, unevenness);
    }
  }
  return best;
}

}  // namespace

RowNumbers numbered(arma::uword count) {
  RowNumbers rows(count);
  std::iota(rows.begin(), rows.end(), arma::uword{0});
  return rows;
}

RowNumbers numbered(arma::uword count, bool shuffle, const Rng& rng) {
  RowNumbers rows = numbered(count);
  if (shuffle) std::ranges::copy(rng.permutation(count), rows.begin());
  return rows;
}

std::vector<RowNumbers> group_parts(const RawColumn& groups, arma::uword folds, bool shuffle, const Rng& rng,
                                    const arma::uvec& labels) {
  const std::vector<RowNumbers> rows = groups_with_rows(groups);
  if (folds < 2 || folds > rows.size()) {
    throw ConfigError("/split/folds", fmt::format("expected 2 to {}, the number of groups in column \"{}\", found {}",
                                                  rows.size(), groups.name, folds));
  }
  RowNumbers order = numbered(rows.size(), shuffle, rng);
  std::vector<RowNumbers> parts(folds);
  const auto put = [&](arma::uword group, std::size_t part) {
    parts[part].insert(parts[part].end(), rows[group].begin(), rows[group].end());
  };
  if (labels.is_empty()) {
    std::ranges::stable_sort(order, std::ranges::greater(), [&](arma::uword k) { return rows[k].size(); });
    for (const arma::uword k : order) {
      const auto smallest = std::ranges::min_element(parts, {}, [](const RowNumbers& part) { return part.size(); });
      put(k, static_cast<std::size_t>(smallest - parts.begin()));
    }
    return parts;
  }
  const arma::mat counts = class_counts(rows, labels);  // groups x classes
  const arma::vec variation = arma::stddev(counts, 1, 1);
  std::ranges::stable_sort(order, std::ranges::greater(), [&](arma::uword k) { return variation(k); });
  arma::mat shares(folds, counts.n_cols, arma::fill::zeros);  // of each class in each part
  for (const arma::uword k : order) {
    const arma::rowvec share =
        counts.row(k) / arma::max(arma::sum(counts, 0), arma::rowvec(counts.n_cols, arma::fill::ones));
    const std::size_t part = most_even_part(shares, share, parts);
    shares.row(part) += share;
    put(k, part);
  }
  return parts;
}

std::vector<RowNumbers> single_groups(const RawColumn& groups) {
  std::vector<RowNumbers> parts = groups_with_rows(groups);
  if (parts.size() < 2)
    throw ConfigError("/split/group",
                      fmt::format("expected two or more groups, but column \"{}\" has the same value in "
                                  "all rows",
                                  groups.name));
  return parts;
}

std::vector<RowNumbers> given_parts(const RawColumn& column) {
  const std::vector<std::string>& names = column.categories;
  const std::vector<RowNumbers> rows = rows_of(column);
  const bool numeric = std::ranges::all_of(names, is_finite_number);
  RowNumbers order = numbered(names.size());
  std::ranges::sort(order, [&](arma::uword a, arma::uword b) {
    return numeric ? *parse_number(names[a]) < *parse_number(names[b]) : names[a] < names[b];
  });
  std::erase_if(order, [&](arma::uword k) { return rows[k].empty(); });
  if (order.size() < 2) {
    throw ConfigError("/split/column", fmt::format("expected two or more folds, but column \"{}\" has the same fold in "
                                                   "all rows",
                                                   column.name));
  }
  const auto part_named = [&](std::string_view word) {
    return std::ranges::find_if(
        order, [&](arma::uword k) { return names[k].size() == word.size() && begins_with_word(names[k], word); });
  };
  const auto train = part_named("train");
  if (order.size() == 2 && train != order.end() && part_named("test") != order.end()) order.erase(train);
  std::vector<RowNumbers> parts;
  for (const arma::uword k : order) parts.push_back(rows[k]);
  return parts;
}

std::vector<RowNumbers> ordered_runs(const std::optional<RawColumn>& order, arma::uword samples, arma::uword count,
                                     const std::string& origin) {
  if (count < 3 || count > samples) {
    throw ConfigError("/split/folds", fmt::format("expected 2 to {}, one less than the number of samples, found {}",
                                                  samples - 1, count - 1));
  }
  RowNumbers rows = numbered(samples);
  std::vector<double> place(samples);
  std::iota(place.begin(), place.end(), 0.0);
  if (order) {
    const std::vector<double> of_category = places_of(*order, origin);
    for (arma::uword i = 0; i < samples; ++i) place[i] = of_category[category(*order, i)];
    std::ranges::stable_sort(rows, {}, [&](arma::uword row) { return place[row]; });
  }
  std::vector<RowNumbers> runs;
  arma::uword begin = 0;
  for (arma::uword k = 1; k <= count; ++k) {
    arma::uword end = std::max(begin, k * samples / count);
    while (end > 0 && end < samples && place[rows[end]] == place[rows[end - 1]]) ++end;
    if (end == begin) {
      throw ConfigError("/split/folds",
                        fmt::format("too many rows have the same value of \"{}\" for {} folds; use fewer folds",
                                    order ? order->name : "", count - 1));
    }
    runs.emplace_back(rows.begin() + static_cast<long>(begin), rows.begin() + static_cast<long>(end));
    begin = end;
  }
  return runs;
}

}  // namespace elmx
