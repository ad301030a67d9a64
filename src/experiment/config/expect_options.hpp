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

  template <class F>
  void fields(F& field) {
    field("where", where,
          "the rows: {field: value or list of values}, fields as in elmx table (dataset, algorithm, nodes, ridge, "
          "...); {} = all");
    field("metric", metric, "a metric of the records (test_acc, weight_error), or a time");
    field("statistic", statistic, "of the metric over the trials of a row",
          one_of({"mean", "median", "min", "max", "sd"}));
    field("at_least", at_least, "lower bound");
    field("at_most", at_most, "upper bound");
    field("equals", equals, "value, up to the tolerance");
    field("tolerance", tolerance, "of equals: |found - value| <= tolerance", elmx::at_least(0));
  }

  /// Checks the options. Throws ConfigError that starts with `place`.
  void check(const std::string& place) const;
};

}  // namespace elmx
