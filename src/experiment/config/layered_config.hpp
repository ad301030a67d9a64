#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/config/json.hpp"
#include "base/files/files.hpp"

namespace elmx {

/// A config that is merged from files and options of the command line, and where each of its values comes
/// from.
class LayeredConfig {
 public:
  Json json = Json::object();

  /// Merges the values of a file over the config.
  void lay_over(const std::string& file, const Json& values);

  /// Applies an assignment ("model.ridge=0.1") of an option. Throws ConfigError.
  void assign(const std::string& assignment, const std::string& option = "--set");

  /// Calls `use`, which uses the config. A ConfigError about one of its values ("/model/ridge") then names
  /// the file or the option that gives the value ("config.json: model.ridge"). Other errors pass unchanged.
  template <class Use>
  decltype(auto) check(const Use& use) const {
    try {
      return use();
    } catch (const OutputError&) {
      throw;
    } catch (const ConfigError& error) {
      if (!is_value(error.place())) throw;
      throw ConfigError(source_of(error.place()), error.problem());
    }
  }

 private:
  struct Layer {
    std::string source;
    Json values;
  };

  /// Returns true for the place of a value, false for the absolute path of a file.
  bool is_value(const std::string& place) const;

  /// Returns "config.json: model.ridge": the last source of the value or of its nearest ancestor, else the
  /// last file.
  std::string source_of(const std::string& place) const;

  std::vector<Layer> layers_;
  std::string last_file_;
};

/// Returns true for data in place of a config: a file that looks like no JSON (by its extension, and by its
/// first character, "{" or "/"), or a set of the catalogue that is not a file.
bool is_data(const std::string& file);

/// Merges config files, later files override earlier ones, and applies --set last. An experiment.json stands
/// for the config of its run, and is added to `runs` under its file name. Relative paths start at the folder
/// of their file; a config without a name is named after the first file. Each file is read only once, so that
/// it may be a pipe. Throws ConfigError.
LayeredConfig load_config(const std::vector<std::string>& files, const std::vector<std::string>& assignments,
                          std::map<std::string, Json>* runs = nullptr);

}  // namespace elmx
