#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

namespace elmx {

/// What a download may cost.
struct DownloadLimits {
  int seconds = 3600;        ///< for one file, all its attempts and addresses together
  int stalled_seconds = 30;  ///< below 1024 bytes a second
};

using DownloadClock = std::chrono::steady_clock;

/// A file to download.
struct Download {
  std::string url;
  std::filesystem::path place;  ///< what arrives is collected beside this path
  /// names the content: a later download with the same key goes on from what was kept
  std::string key;
  std::size_t most;  ///< bytes that are expected at most
  bool exact;        ///< no fewer either
  DownloadLimits limits;
  DownloadClock::time_point begin;  ///< of the first attempt at the file, wherever from
  /// called with the bytes that have arrived and their number in all (0 = not known); may be null
  std::function<void(std::size_t done, std::size_t total)> progress;
};

/// Fetches an http or https address, through redirects (from https to https only), behind what was kept of
/// it; a server that cannot go on there begins anew, and one that breaks off is asked again. Returns what
/// `accept` makes of the bytes. Where `accept` throws DataError and the bytes came in several pieces, which
/// may be of two contents, they are fetched once more from the beginning. Throws DataError ("url: what
/// happened; what is expected"), ConfigError (the file cannot be written); what has arrived by then is kept
/// for the next attempt where that can go on.
std::string download(const Download& wanted, const std::function<std::string(std::string)>& accept);

}  // namespace elmx
