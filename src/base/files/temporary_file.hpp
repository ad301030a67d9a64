#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace elmx {

/// A file, or a folder with all that is in it, that does not outlive the object.
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

/// A file with this content in the system's folder for such files ($TMPDIR, or /tmp), which only this user
/// can read. Throws ConfigError.
TemporaryFile temporary_file(std::string_view content);

/// An empty folder there, likewise.
TemporaryFile temporary_folder();

/// A file there that stays; its name ends in `name`. Throws ConfigError.
std::filesystem::path kept_file(const std::string& name, std::string_view content);

}  // namespace elmx
