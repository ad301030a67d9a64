#include "experiment/config/expect_options.hpp"

#include <fmt/core.h>

namespace elmx {

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
