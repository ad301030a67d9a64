#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace elmx {

// FOLDER/.elmx-files lists the files that elmx has written into a results folder, one name per line
// ("log.txt", "tables/time.csv"). elmx replaces or removes no other file there.

/// Prepares to write files: creates their folders and adds their names to the list. Throws OutputError if a
/// foreign file is in the way.
void claim_files(const std::filesystem::path& folder, const std::vector<std::string>& names);

/// Checks for foreign files and throws like claim_files, but changes nothing.
void refuse_files_in_the_way(const std::filesystem::path& folder, const std::vector<std::string>& names);

/// Adds names to the list without checking for foreign files.
void note_own_files(const std::filesystem::path& folder, const std::vector<std::string>& names);

/// Calls claim_files for one name, then write_file.
void write_own_file(const std::filesystem::path& folder, const std::string& name, std::string_view content);

/// Removes the files on the list for whose names `goes` returns true, and the folders that become empty. A
/// file that cannot be removed stays on the list.
void remove_own_files(const std::filesystem::path& folder, const std::function<bool(const std::string&)>& goes);

/// Returns true if a file that elmx wrote, and whose name has this beginning, no longer exists.
bool lacks_own_file(const std::filesystem::path& folder, const std::string& beginning);

}  // namespace elmx
