#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace elmx {

// What elmx has written into a folder of results stands in FOLDER/.elmx-files, one name a line
// ("tables/time.csv"). Nothing else is replaced or removed there. In a folder without the list (an earlier
// version made it) those files are elmx's that come as only elmx writes them: models that begin as models,
// states by their names, tables in all formats, a script with its data, and beside an experiment.json that
// describes a run what belongs to it.

/// Before files of the folder are written: makes their folders and puts their names on the list. Throws
/// OutputError where something else stands there.
void claim_files(const std::filesystem::path& folder, const std::vector<std::string>& names);

/// claim_files alone asks, and throws, likewise.
void refuse_files_in_the_way(const std::filesystem::path& folder, const std::vector<std::string>& names);

/// Puts names on the list, whatever stands there.
void note_own_files(const std::filesystem::path& folder, const std::vector<std::string>& names);

/// claim_files of one name, and write_file.
void write_own_file(const std::filesystem::path& folder, const std::string& name, std::string_view content);

/// Removes the files on the list whose names `goes` is true of, and the folders that are empty then. What
/// cannot be removed stays on the list.
void remove_own_files(const std::filesystem::path& folder, const std::function<bool(const std::string&)>& goes);

/// Returns true if a file that elmx wrote, whose name begins so, is not there any more.
bool lacks_own_file(const std::filesystem::path& folder, const std::string& beginning);

}  // namespace elmx
