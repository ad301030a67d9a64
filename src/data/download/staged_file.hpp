#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace elmx {

/// A file that is written beside its place and moved there when it is complete. No link is followed, and
/// nobody else writes to it: it is gone with this object unless it was moved or kept. Throws ConfigError: it
/// cannot be written.
class StagedFile {
 public:
  /// Empty, under a name of its own.
  explicit StagedFile(std::filesystem::path place);

  /// What was kept under this key, else empty. Where another process has it, or where anything but a file of
  /// this user stands under its name: one of its own.
  StagedFile(std::filesystem::path place, std::string_view key);

  ~StagedFile();
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  std::size_t size() const { return size_; }
  bool clear();                         ///< false leaves the reason in errno
  bool append(std::string_view bytes);  ///< likewise
  [[noreturn]] void refuse() const;     ///< throws ConfigError with the reason in errno
  std::string content() const;

  /// Leaves what is there for the next object with this key; false: it would not be found.
  bool keep();

  /// Moves it to its place. False where something stands there, which stays.
  bool move_to_place();

 private:
  void open_new();
  bool open_kept(const std::filesystem::path& path);

  std::filesystem::path place_;
  std::filesystem::path path_;  // "" = there is nothing to remove
  int descriptor_ = -1;
  std::size_t size_ = 0;
  bool has_key_ = false;
};

}  // namespace elmx
