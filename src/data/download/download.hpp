#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

namespace elmx {

/// The limits of a download.
struct DownloadLimits {
  int seconds = 3600;        ///< for one file, over all attempts and addresses
  int stalled_seconds = 30;  ///< longest time below 1024 bytes per second
};

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
