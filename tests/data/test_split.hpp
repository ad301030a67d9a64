#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "data/splits/split.hpp"
#include "data/test_files.hpp"

// Small sets to divide, and what is asked of their parts.

namespace elmx {

inline Dataset regression(arma::uword samples) {
  Dataset data;
  data.name = "made";
  data.X.zeros(samples, 1);
  data.Y.zeros(samples, 1);
  return data;
}

/// Classes of the given sizes, one after the other, as published files often have them.
inline Dataset sorted_classes(const std::vector<arma::uword>& sizes) {
  Dataset data;
  data.name = "made";
  data.task = Task::classification;
  for (arma::uword k = 0; k < sizes.size(); ++k) {
    data.classes.push_back(std::string(1, static_cast<char>('a' + k)));
    data.labels = arma::join_cols(data.labels, arma::uvec(sizes[k], arma::fill::value(k)));
  }
  data.X.zeros(data.labels.n_elem, 1);
  return data;
}

inline arma::uvec class_counts(const Dataset& data, const arma::uvec& rows) {
  arma::uvec counts(data.classes.size(), arma::fill::zeros);
  for (const arma::uword row : rows) ++counts(data.labels(row));
  return counts;
}

inline SplitOptions options_of(const std::string& kind) {
  SplitOptions options;
  options.kind = kind;
  return options;
}

inline bool equal(const arma::uvec& a, const arma::uvec& b) { return a.n_elem == b.n_elem && arma::all(a == b); }

inline bool contains(const arma::uvec& large, const arma::uvec& small) { return std::ranges::includes(large, small); }

/// Returns the place of the ConfigError that the options give; "" if there is none.
inline std::string place_of_refusal(const Dataset& data, const SplitOptions& options) {
  return place_thrown<ConfigError>([&] { make_folds(data, options, 1, 0); });
}

/// Returns the DataError that the options give; "" if there is none.
inline std::string refusal_of_data(const Dataset& data, const SplitOptions& options) {
  return thrown<DataError>([&] { make_folds(data, options, 1, 0); });
}

}  // namespace elmx
