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

/// A file that only grows, one line a call. A line is in the file when append returns, which outlives the
/// process; a thread of its own waits for the disk meanwhile, so that many short appends cost no more than
/// the disk does. Its text is kept in memory as well: where somebody has deleted or cut the file, or its
/// folder, it is written anew.
class AppendFile {
 public:
  /// Opens or creates the file; a last line without '\n' (a killed run) is cut off. Throws UserError.
  explicit AppendFile(const std::filesystem::path& path);
  /// What was appended is on the disk then.
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  /// Where the disk is full the file stays as it was. Throws UserError(config), also for what the disk has
  /// refused since the last call, and where the file was deleted, cut or replaced and cannot be written anew:
  /// its text then stands in a file that the message names.
  void append(std::string_view line);

  /// Writes the file anew where it is no longer there as a whole; throws as `append`.
  void restore();

  /// All lines, whatever has become of the file.
  const std::string& text() const { return text_; }

  /// Bytes of the last line that were cut off when the file was opened.
  std::size_t torn_bytes() const { return torn_; }

  /// Times that it was written anew.
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
  int refused_ = 0;  // errno of the disk
  std::jthread disk_;
};

}  // namespace elmx
