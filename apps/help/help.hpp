#pragma once

#include <string>
#include <vector>

#include "commands.hpp"
#include "experiment/config/config_keys.hpp"

namespace elmx {

/// Every key of a config.
std::vector<ConfigKey> all_config_keys();

/// The schema of a config with the names that there are.
Json schema_with_names();

/// The keys as a table of Markdown: docs/reference/config.md.
std::string keys_as_markdown(const std::vector<ConfigKey>& keys);

/// Prints what is known of a word that a user can write: a key of the config, an algorithm, a metric, an exit
/// code, ... Throws ConfigError with the nearest word.
void explain_word(const std::string& word, const Common& common);

/// What `elmx` alone prints: where to begin.
std::string where_to_begin();

/// Sets the examples behind the help of every command.
void add_examples(CLI::App& app);

}  // namespace elmx
