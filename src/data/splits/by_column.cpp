#include "data/splits/by_column.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/rng.hpp"
#include "data/values/dates.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

std::size_t category(const RawColumn& column, arma::uword row) { return static_cast<std::size_t>(column.values[row]); }

/// The rows of each category that has some.
std::vector<Rows> rows_of(const RawColumn& column, const std::vector<std::size_t>& place) {
  std::vector<Rows> rows(column.categories.size());
  for (arma::uword i = 0; i < column.values.size(); ++i) rows[place[category(column, i)]].push_back(i);
  std::erase_if(rows, [](const Rows& of_one) { return of_one.empty(); });
  return rows;
}

std::vector<std::size_t> places_in(const std::vector<std::size_t>& order) {
  std::vector<std::size_t> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = k;
  return place;
}

std::vector<std::size_t> numbered(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

bool is_finite_number(const std::string& text) {
  const auto number = parse_number(text);
  return number && std::isfinite(*number);
}

/// "03.2024", which may be a month or a time of day.
bool is_padded_fraction(const std::string& text) {
  return text.size() > 2 && text[0] == '0' && text[1] != '.' && text.find('.') != std::string::npos;
}

/// Where each category stands in time, or in another order.
std::vector<double> places_of(const RawColumn& column) {
  const bool numbers = std::ranges::all_of(column.categories, is_finite_number);
  std::vector<double> places;
  const auto check = [&](const std::string& text, bool right) {
    if (right) return;
    throw DataError(fmt::format(
        "column \"{}\": \"{}\" in the order of a time series; numbers are expected (3.5, not 03.5), or dates of which "
        "day, month and year are certain (2024-03-31, 31.3.2024)",
        column.name, text));
  };
  for (const std::string& text : column.categories) check(text, !(numbers && is_padded_fraction(text)));
  for (const std::string& text : column.categories) {
    const auto moment = numbers ? std::nullopt : parse_moment(text);
    check(text, numbers || (moment && moment->certain));
    places.push_back(numbers ? *parse_number(text) : moment->days);
  }
  return places;
}

}  // namespace

std::vector<Rows> group_parts(const RawColumn& groups, arma::uword folds, bool shuffle, std::uint64_t seed,
                              std::uint32_t repeat) {
  std::vector<Rows> rows = rows_of(groups, numbered(groups.categories.size()));
  if (folds < 2 || folds > rows.size()) {
    throw ConfigError(fmt::format("/split/folds: {}; allowed: 2 to {}, the number of groups in column \"{}\"", folds,
                                  rows.size(), groups.name));
  }
  std::vector<std::size_t> order = numbered(rows.size());
  if (shuffle) std::ranges::copy(Rng(seed, Purpose::split, repeat).permutation(rows.size()), order.begin());
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t k) { return rows[k].size(); });
  std::vector<Rows> parts(folds);
  for (const std::size_t k : order) {
    Rows& smallest = *std::ranges::min_element(parts, {}, [](const Rows& part) { return part.size(); });
    smallest.insert(smallest.end(), rows[k].begin(), rows[k].end());
  }
  return parts;
}

std::vector<Rows> given_parts(const RawColumn& column) {
  const std::vector<std::string>& names = column.categories;
  const bool numeric = std::ranges::all_of(names, is_finite_number);
  std::vector<std::size_t> order = numbered(names.size());
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return numeric ? *parse_number(names[a]) < *parse_number(names[b]) : names[a] < names[b];
  });
  std::vector<Rows> parts = rows_of(column, places_in(order));
  if (parts.size() < 2) {
    throw ConfigError(fmt::format(
        "/split/column: column \"{}\" has the same fold in all rows; two or more are expected", column.name));
  }
  // The parts are those of the categories that have rows.
  std::vector<char> has_rows(names.size(), 0);
  for (arma::uword i = 0; i < column.values.size(); ++i) has_rows[category(column, i)] = 1;
  std::erase_if(order, [&](std::size_t k) { return !has_rows[k]; });
  const auto part_named = [&](std::string_view word) {
    return std::ranges::find_if(
        order, [&](std::size_t k) { return names[k].size() == word.size() && begins_with_word(names[k], word); });
  };
  const auto test = part_named("test"), train = part_named("train");
  if (parts.size() == 2 && test != order.end() && train != order.end())
    parts.erase(parts.begin() + (train - order.begin()));
  return parts;
}

std::vector<Rows> ordered_runs(const std::optional<RawColumn>& order, arma::uword samples, arma::uword count) {
  if (count < 3 || count > samples) {
    throw ConfigError(
        fmt::format("/split/folds: {}; allowed: 2 to {}, one less than the samples", count - 1, samples - 1));
  }
  Rows rows(samples);
  std::iota(rows.begin(), rows.end(), arma::uword{0});
  std::vector<double> place(samples);
  std::iota(place.begin(), place.end(), 0.0);
  if (order) {
    const std::vector<double> of_category = places_of(*order);
    for (arma::uword i = 0; i < samples; ++i) place[i] = of_category[category(*order, i)];
    std::ranges::stable_sort(rows, {}, [&](arma::uword row) { return place[row]; });
  }
  std::vector<Rows> runs;
  arma::uword begin = 0;
  for (arma::uword k = 1; k <= count; ++k) {
    arma::uword end = std::max(begin, k * samples / count);
    while (end > 0 && end < samples && place[rows[end]] == place[rows[end - 1]]) ++end;
    if (end == begin) {
      throw ConfigError(fmt::format("/split/folds: {}; allowed: fewer, as too many rows have the same value of \"{}\"",
                                    count - 1, order ? order->name : ""));
    }
    runs.emplace_back(rows.begin() + static_cast<long>(begin), rows.begin() + static_cast<long>(end));
    begin = end;
  }
  return runs;
}

}  // namespace elmx
