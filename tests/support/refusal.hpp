#pragma once

#include <ostream>
#include <string>

#include "base/config/fields.hpp"

namespace elmx {

/// A "model" that is refused, the place of the error, and a word of its message.
struct Refusal {
  const char* config;
  const char* place;
  const char* word = "";
};

inline void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.config; }

/// Reads the options of a family as a run does. Throws ConfigError.
template <class Options>
Options read_model(const std::string& config) {
  Options options;
  read_options(Json::parse(config), "/model", options);
  options.check("/model");
  return options;
}

}  // namespace elmx
