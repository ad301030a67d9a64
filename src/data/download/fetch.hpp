#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "data/catalogue.hpp"
#include "data/download/download.hpp"

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

/// A file that was fetched.
struct FetchedFile {
  std::filesystem::path path;
  std::filesystem::path kept;  ///< where what stood at `path` is now; "" = nothing stood there
};

/// Downloads the files of a set that are missing or wrong below data_dir. What came is unpacked only where it
/// has the checksum that the catalogue knows of it, and no further than the size that it knows; it is moved
/// to its place when its content has the checksum, compressed or not as its name says (a published .gz or .Z
/// is stored as it came). A workbook becomes text, and an archive of pictures a MAT-file (data/originals). What
/// stood there is kept beside. Nothing is left behind by a fetch that fails but what it can go on from. Files
/// without an address are refused when the others are there. Throws DataError: a file without an address, an
/// HTTP status, no connection, too slow, too large, a wrong checksum, no such archive member; ConfigError: it
/// cannot be written.
std::vector<FetchedFile> fetch(const CatalogueEntry& entry, const std::filesystem::path& data_dir,
                               const FetchProgress& progress = {}, const DownloadLimits& limits = {});

}  // namespace elmx
