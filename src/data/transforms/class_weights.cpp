#include "data/transforms/class_weights.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/config/fields.hpp"

namespace elmx {
namespace {

arma::vec balanced(const Dataset& data, const arma::uvec& train) {
  arma::vec count(data.classes.size());
  for (const arma::uword row : train) ++count(data.labels(row));
  const double share = static_cast<double>(train.n_elem) / static_cast<double>(arma::accu(count > 0));
  return count.transform([&](double n) { return n > 0 ? share / n : 1.0; });
}

arma::vec explicit_weights(const Json& option, const Dataset& data) {
  arma::vec weights(data.classes.size(), arma::fill::ones);
  for (const auto& [name, weight] : option.items()) {
    const auto found = std::ranges::find(data.classes, name);
    if (found == data.classes.end()) {
      throw ConfigError("class_weights",
                        fmt::format("\"{}\" is not a class of {}{}", name, data.name, suggest(name, data.classes)));
    }
    weights(static_cast<arma::uword>(found - data.classes.begin())) =
        read_number(weight, "class_weights/" + name, between(1e-6, 1e6));
  }
  return weights;
}

}  // namespace

arma::vec class_weights(const Json& option, const Dataset& data, const arma::uvec& train) {
  if (data.task != Task::classification)
    throw ConfigError("class_weights", "needs a classification, but " + data.name + " is a regression");
  if (option.is_object()) return explicit_weights(option, data);
  if (option != "balanced")
    throw ConfigError("class_weights", "expected \"balanced\" or {\"class\": weight, ...}, found " + option.dump());
  return balanced(data, train);
}

}  // namespace elmx
