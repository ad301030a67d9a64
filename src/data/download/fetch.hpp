#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "data/catalogue.hpp"

namespace elmx {

/// The limits of a download.
struct DownloadLimits {
  int seconds = 3600;        ///< for one file, over all attempts and addresses
  int stalled_seconds = 30;  ///< longest time below 1024 bytes per second
};

enum class FileState { ok, missing, wrong };

std::string_view to_string(FileState state);

/// The state of one file of a set on the disk.
struct FileReport {
  std::filesystem::path path;
  FileState state;
  std::string what;  ///< the reason for the state `wrong`, in one line
};

/// Checks every file of a set below data_dir.
std::vector<FileReport> verify(const CatalogueEntry& entry, const std::filesystem::path& data_dir);

/// A callback for a file that is being received: bytes so far, and in total (0 = not known).
using FetchProgress = std::function<void(const CatalogueFile& file, std::size_t done, std::size_t total)>;

/// A fetched file.
struct FetchedFile {
  std::filesystem::path path;
  std::filesystem::path kept;  ///< the new place of an earlier file at `path`; "" = there was none
};

/// Downloads the files of a set that are missing or wrong below data_dir. A packed file is unpacked only
/// after its checksum in the catalogue has been verified, and only up to the catalogue's size. It is moved to
/// its place once its content has the right checksum, compressed if its name says so (a published .gz or .Z
/// is stored unchanged). A workbook becomes text, and an archive of pictures a MAT-file (data/originals). An
/// earlier file at this place is renamed and kept. A failed fetch leaves only a partial download that can be
/// continued. Files without an address are refused after the others were fetched. Throws DataError: a file
/// without an address, an HTTP status, no connection, too slow, too large, a wrong checksum, no such archive
/// member; ConfigError: the file cannot be written.
std::vector<FetchedFile> fetch(const CatalogueEntry& entry, const std::filesystem::path& data_dir,
                               const FetchProgress& progress = {}, const DownloadLimits& limits = {});

using DownloadClock = std::chrono::steady_clock;

/// A file to download.
struct Download {
  std::string url;
  std::filesystem::path place;  ///< received bytes are collected beside this path
  /// Identifies the content: a later download with the same key continues a partial one.
  std::string key;
  std::size_t most;  ///< the largest expected size in bytes
  bool exact;        ///< the size must be exactly `most`
  DownloadLimits limits;
  DownloadClock::time_point begin;  ///< start of the first attempt at the file, from any address
  /// Called with the number of received bytes and the total (0 = not known); may be null.
  std::function<void(std::size_t done, std::size_t total)> progress;
};

/// Fetches an http or https address, following redirects (from https to https only), and returns the result
/// of `accept` for its bytes. Continues a partial download if the server supports it, else starts again, and
/// retries interrupted transfers. If `accept` throws DataError and the bytes came in several pieces, which
/// may belong to different contents, they are fetched once more from the start. Throws DataError ("url: what
/// happened; what is expected"), ConfigError (the file cannot be written). Received bytes are kept for the
/// next attempt if it can continue them.
std::string download(const Download& wanted, const std::function<std::string(std::string)>& accept);

}  // namespace elmx
