#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <thread>

namespace elmx {

/// A file that only grows, one line a call. A line is in the file when append returns, which outlives the process; a thread of its own
/// waits for the disk meanwhile, so that many short appends cost no more than the disk does.
class AppendFile {
 public:
  /// Opens or creates the file; a last line without '\n' (a killed run) is cut off. Throws UserError(config).
  explicit AppendFile(const std::filesystem::path& path);
  /// What was appended is on the disk then.
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  /// Where the disk is full the file stays as it was. Throws UserError(config), also for what the disk has refused since the last call.
  void append(std::string_view line);

  /// Bytes of the last line that were cut off when the file was opened.
  std::size_t torn_bytes() const { return torn_; }

 private:
  void keep_on_disk(const std::stop_token& stop);

  std::filesystem::path path_;
  int descriptor_;
  std::size_t torn_ = 0;
  std::mutex mutex_;
  std::condition_variable_any appended_;
  bool dirty_ = false;
  int refused_ = 0;  // errno of the disk
  std::jthread disk_;
};

}  // namespace elmx
