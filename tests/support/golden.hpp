#pragma once

#include <armadillo>
#include <string>

#include "base/config/json.hpp"
#include "support/paths.hpp"

// Values of tests/*/golden/*.json, computed in 80-bit arithmetic by scripts/golden_values.py.

namespace elmx {

/// A matrix stored as a list of rows.
inline arma::mat matrix_from(const Json& rows) {
  arma::mat M(rows.size(), rows.at(0).size());
  for (arma::uword i = 0; i < M.n_rows; ++i) {
    for (arma::uword j = 0; j < M.n_cols; ++j) M(i, j) = rows[i][j].get<double>();
  }
  return M;
}

inline arma::vec vector_from(const Json& values) { return arma::vec(values.get<std::vector<double>>()); }
inline arma::uvec indices_from(const Json& values) { return arma::uvec(values.get<std::vector<arma::uword>>()); }

struct StoredValues {
  Json input, expected;
  double rtol;

  /// tests/<stage>/golden/<name>.json
  StoredValues(const std::string& stage, const std::string& name) {
    const Json all = read_json_file(source_dir() / "tests" / stage / "golden" / (name + ".json"));
    input = all.at("input");
    expected = all.at("expected");
    rtol = all.at("rtol").get<double>();
  }

  /// |a - b| <= rtol (1 + max |b|), entry by entry.
  bool agrees(const arma::mat& a, const arma::mat& b) const {
    return arma::size(a) == arma::size(b) && a.is_finite() && arma::abs(a - b).max() <= rtol * (1 + arma::abs(b).max());
  }
  bool agrees(double a, const Json& b) const { return agrees(arma::mat{a}, arma::mat{b.get<double>()}); }
};

}  // namespace elmx
