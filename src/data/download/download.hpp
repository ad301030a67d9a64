#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "data/download/staged_file.hpp"

namespace elmx {

inline constexpr std::size_t kLeastRate = 1024;  ///< bytes a second

/// What a download may cost.
struct DownloadLimits {
  int seconds = 3600;        ///< for one file, all its attempts and addresses together
  int stalled_seconds = 30;  ///< below the least rate
};

/// How many bytes are expected.
struct DownloadSize {
  std::size_t most;
  bool exact = false;  ///< no fewer either
};

/// Called with the bytes that have arrived and their number in all (0 = not known).
using DownloadProgress = std::function<void(std::size_t done, std::size_t total)>;

using DownloadClock = std::chrono::steady_clock;

/// Fetches an http or https address, through redirects (from https to https only), behind what the file
/// already has of it; a server that cannot go on there begins anew, and one that breaks off is asked again.
/// Returns whether all came in one piece: pieces of two contents may have met. Throws DataError ("url: what
/// happened; what is expected"), ConfigError (the file cannot be written); what has arrived by then is kept
/// for the next attempt where that can go on. begin: of the first attempt at the file, wherever from.
bool download(const std::string& url, StagedFile& to, DownloadSize expected, const DownloadLimits& limits,
              DownloadClock::time_point begin, const DownloadProgress& progress = {});

}  // namespace elmx
