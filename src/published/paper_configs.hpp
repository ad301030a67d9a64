#pragma once

#include <string>
#include <vector>

#include "experiment/config/layered_config.hpp"
#include "published/paper.hpp"

namespace elmx {

/// A published table that `elmx reproduce` knows: its config, and the content of the config's "paper" key.
struct PaperTable {
  std::string id;
  LayeredConfig config;  ///< without "model" nothing is trained
  PaperOptions options;
  Published published;
};

/// Returns the ids of the published tables: the files of configs/paper.
std::vector<std::string> paper_ids();

/// Returns the config of a published table, merged over the config of its run. `full` selects the scale that
/// decides the table's claims. Throws ConfigError that suggests the nearest known id.
LayeredConfig paper_config(const std::string& id, const std::vector<std::string>& assignments, bool full);

/// Returns the same config together with the content of its "paper" key.
PaperTable paper_table(const std::string& id, const std::vector<std::string>& assignments, bool full);

/// Returns the schema of a config with all names of data sets and metrics, and with the content of "paper".
Json schema_with_names();

}  // namespace elmx
