#include "experiment/config/expect_options.hpp"

namespace elmx {

void Expectation::check(const std::string& place) const {
  require_object(where, place + "/where");
  if (metric.empty()) throw ConfigError(place + "/metric: none; allowed: a metric of the records (elmx list metrics)");
  if (!at_least && !at_most && !equals) throw ConfigError(place + ": no bound; allowed: at_least, at_most, equals");
  if (tolerance > 0 && !equals)
    throw ConfigError(place + "/tolerance: " + std::to_string(tolerance) + " without a value; allowed: with equals");
}

}  // namespace elmx
