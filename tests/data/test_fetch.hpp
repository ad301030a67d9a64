#pragma once

#include <string>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/files/sha256.hpp"
#include "data/download/fetch.hpp"
#include "data/test_files.hpp"
#include "data/test_server.hpp"

namespace elmx {

/// Fetches what a server of its own serves into "data" below a folder of its own.
class FetchTest : public testing::Test {
 protected:
  /// A file of this content, which is not packed unless a test says so.
  CatalogueFile& add(const std::string& path, const std::string& url_path, const std::string& content) {
    CatalogueFile& file = entry_.files.emplace_back();
    file.path = path;
    file.url = server_.url(url_path);
    file.sha256 = sha256(content);
    file.size = content.size();
    return file;
  }

  std::vector<FetchedFile> fetch_all() const { return fetch(entry_, data_dir(), {}, limits_); }

  std::string refusal() const {
    return thrown<DataError>([&] { fetch_all(); });
  }
  std::string place() const {
    return place_thrown<DataError>([&] { fetch_all(); });
  }

  std::filesystem::path data_dir() const { return folder_.path() / "data"; }
  std::string stored(const std::string& path) const { return read_file(data_dir() / path); }

  /// Where the beginning of a download waits for the next fetch.
  std::filesystem::path kept_beginning(const CatalogueFile& file) const {
    const std::string key = sha256(file.url + "\n" + file.sha256).substr(0, 16);
    return data_dir() / ("." + file.path + "." + key + ".part");
  }

  TestFolder folder_;
  TestServer server_;
  CatalogueEntry entry_;
  DownloadLimits limits_;
};

}  // namespace elmx
