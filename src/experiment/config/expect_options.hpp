#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"

namespace elmx {

/// A bound on the results of a run, for every row of its tables that matches `where`.
struct Expectation {
  Json where = Json::object();
  std::string metric;
  std::string statistic = "mean";
  std::optional<double> at_least, at_most, equals;
  double tolerance = 0;

  void fields(FieldVisitor& field);

  /// Checks the options. Throws ConfigError that starts with `place`.
  void check(const std::string& place) const;
};

}  // namespace elmx
