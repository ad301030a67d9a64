#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "data/catalogue.hpp"

namespace elmx {

enum class FileState { ok, missing, wrong };

std::string_view to_string(FileState state);

/// One file of a set as it is on the disk.
struct FileReport {
  std::filesystem::path path;
  FileState state;
  std::string what;  ///< wrong: why, in one line
};

/// The state of every file of a set below data_dir.
std::vector<FileReport> verify(const CatalogueEntry& entry, const std::filesystem::path& data_dir);

/// Called as a file arrives: bytes so far, and in all (0 = not known).
using FetchProgress = std::function<void(const CatalogueFile& file, std::size_t done, std::size_t total)>;

/// Downloads the files of a set that are missing or wrong below data_dir and returns their paths. A file is written to
/// its place only when its uncompressed content has the checksum; it is compressed or not as its name says (a published
/// .gz or .Z is stored as it came). Nothing is left behind by a download that fails. Throws DataError: a file without
/// an address, an HTTP status, no connection, a wrong checksum, no such archive member.
std::vector<std::filesystem::path> fetch(const CatalogueEntry& entry, const std::filesystem::path& data_dir,
                                         const FetchProgress& progress = {});

}  // namespace elmx
