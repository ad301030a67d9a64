#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace elmx {

/// A file, or a folder with its content, that the destructor removes.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::filesystem::path path) : path_(std::move(path)) {}
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Creates a file with this content in $TMPDIR or /tmp that only this user can read. Throws ConfigError.
TemporaryFile temporary_file(std::string_view content);

/// Creates an empty folder in the same place, with the same access.
TemporaryFile temporary_folder();

/// Creates a permanent file in the same place whose name ends in `name`. Throws ConfigError.
std::filesystem::path kept_file(const std::string& name, std::string_view content);

}  // namespace elmx
