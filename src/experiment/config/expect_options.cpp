#include "experiment/config/expect_options.hpp"

#include <fmt/core.h>

namespace elmx {

void Expectation::fields(FieldVisitor& field) {
  field("where", where,
        "the rows: {field: value or list of values}, fields as in elmx table (dataset, algorithm, nodes, ridge, ...); "
        "{} = all");
  field("metric", metric, "a metric of the records (test_acc, weight_error), or a time");
  field("statistic", statistic, "of the metric over the trials of a row",
        one_of({"mean", "median", "min", "max", "sd"}));
  field("at_least", at_least, "lower bound");
  field("at_most", at_most, "upper bound");
  field("equals", equals, "value, up to the tolerance");
  field("tolerance", tolerance, "of equals: |found - value| <= tolerance", elmx::at_least(0));
}

void Expectation::check(const std::string& place) const {
  require_object(where, place + "/where");
  if (metric.empty())
    throw ConfigError(place + "/metric", "missing, expected a metric of the records (`elmx list metrics`)");
  if (!at_least && !at_most && !equals)
    throw ConfigError(place, "needs a bound: \"at_least\", \"at_most\" or \"equals\"");
  if (tolerance > 0 && !equals)
    throw ConfigError(place + "/tolerance", fmt::format("the tolerance {:f} needs a value, \"equals\"", tolerance));
}

}  // namespace elmx
