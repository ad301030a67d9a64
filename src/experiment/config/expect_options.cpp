#include "experiment/config/expect_options.hpp"

#include <fmt/core.h>

namespace elmx {

void Expectation::check(const std::string& place) const {
  require_object(where, place + "/where");
  if (metric.empty()) throw ConfigError(place + "/metric: none; allowed: a metric of the records (elmx list metrics)");
  if (!at_least && !at_most && !equals) throw ConfigError(place + ": no bound; allowed: at_least, at_most, equals");
  if (tolerance > 0 && !equals)
    throw ConfigError(fmt::format("{}/tolerance: {:f} without a value; allowed: with equals", place, tolerance));
}

}  // namespace elmx
