#pragma once

#include <string>
#include <vector>

#include "commands.hpp"
#include "experiment/config/config_keys.hpp"

namespace elmx {

/// Returns every key of a config.
std::vector<ConfigKey> all_config_keys();

/// Returns the schema of a config with all known names.
Json schema_with_names();

/// Formats the keys as a Markdown table for docs/reference/config.md.
std::string keys_as_markdown(const std::vector<ConfigKey>& keys);

/// Explains a word that a user can write: a key of the config, an algorithm, a metric, an exit code, ...
/// Throws ConfigError that suggests the nearest word.
void explain_word(const std::string& word, const Common& common);

/// Returns the text that `elmx` prints without arguments: the first commands to try.
std::string where_to_begin();

/// Appends the examples to the help of every command.
void add_examples(CLI::App& app);

}  // namespace elmx
