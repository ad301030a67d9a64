#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace elmx {

/// Called with the bytes that have arrived and their number in all (0 = not known).
using DownloadProgress = std::function<void(std::size_t done, std::size_t total)>;

/// Fetches an http or https address, through redirects, into the file `to`, which is removed if that fails.
/// Throws DataError ("url: what happened; what is expected").
void download(const std::string& url, const std::filesystem::path& to, const DownloadProgress& progress = {});

}  // namespace elmx
