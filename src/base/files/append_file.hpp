#pragma once

#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "base/files/descriptor.hpp"

namespace elmx {

/// An append-only file of lines. A line has reached the kernel when append returns, and thus survives the
/// process; a background thread syncs the file to the disk, so that many short appends share one sync. The
/// text is also kept in memory and is written again if somebody deletes or truncates the file or its folder.
class AppendFile {
 public:
  /// Opens or creates the file; a last line without '\n' (from a killed run) is removed. Throws UserError.
  explicit AppendFile(const std::filesystem::path& path);
  /// Syncs all appended lines to the disk.
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  /// Appends a line. If the disk is full, the file stays as it was. Throws UserError(config) if the write or
  /// a sync since the last call has failed, or if the file was deleted, truncated or replaced and cannot be
  /// restored; in this last case the message names the file that its text was saved to.
  void append(std::string_view line);

  /// Writes the file again if it is no longer complete. Throws the same errors as `append`.
  void restore();

  /// Returns all lines, even if the file was lost.
  const std::string& text() const { return text_; }

  /// Returns the number of bytes of an incomplete last line that were removed when the file was opened.
  std::size_t torn_bytes() const { return torn_; }

  /// Returns how often the file was restored.
  std::size_t restored() const { return restored_; }

 private:
  using Open = std::shared_ptr<const Descriptor>;

  void restore_if_lost();
  Open written_anew() const;
  [[noreturn]] void give_up(const std::string& reason) const;
  void keep_on_disk(const std::stop_token& stop);

  std::filesystem::path path_;
  Open file_;
  std::string text_;
  std::size_t torn_ = 0;
  std::size_t restored_ = 0;
  std::mutex mutex_;
  std::condition_variable_any appended_;
  bool dirty_ = false;
  int refused_ = 0;  // errno of a failed sync
  std::jthread disk_;
};

}  // namespace elmx
