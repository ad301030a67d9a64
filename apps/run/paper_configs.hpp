#pragma once

#include <string>
#include <vector>

#include "base/config/json.hpp"
#include "published/paper.hpp"

namespace elmx {

/// A published table that `elmx reproduce` knows: its config, and what stands in there about the table.
struct PaperTable {
  std::string id;
  Json config;  ///< without "model" nothing is trained
  PaperOptions options;
  Published published;
};

/// The config of a published table, laid over that of the run that it is made of; full: at the scale that
/// decides its claims. Throws ConfigError with the nearest known id.
Json paper_config(const std::string& id, const std::vector<std::string>& assignments, bool full);

/// The same with what its "paper" holds.
PaperTable paper_table(const std::string& id, const std::vector<std::string>& assignments, bool full);

}  // namespace elmx
