#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/files.hpp"

namespace elmx {

// FOLDER/.elmx-files lists the files that elmx has written into a results folder, one name per line
// ("log.txt", "tables/time.csv"). elmx replaces or removes no other file there.

/// Prepares to write files: creates their folders and adds their names to the list. Throws OutputError if a
/// foreign file is in the way.
void claim_files(const std::filesystem::path& folder, const std::vector<std::string>& names);

/// Checks for foreign files and throws like claim_files, but changes nothing.
void refuse_files_in_the_way(const std::filesystem::path& folder, const std::vector<std::string>& names);

/// Adds names to the list without checking for foreign files.
void note_own_files(const std::filesystem::path& folder, const std::vector<std::string>& names);

/// Calls claim_files for one name, then write_file.
void write_own_file(const std::filesystem::path& folder, const std::string& name, std::string_view content);

/// Removes the files on the list for whose names `goes` returns true, and the folders that become empty. A
/// file that cannot be removed stays on the list.
void remove_own_files(const std::filesystem::path& folder, const std::function<bool(const std::string&)>& goes);

/// Returns true if elmx keeps this file in a results folder.
bool is_own_file(const std::filesystem::path& path);

/// Returns true if a file that elmx wrote, and whose name has this beginning, no longer exists.
bool lacks_own_file(const std::filesystem::path& folder, const std::string& beginning);

/// An append-only file of lines. A line has reached the kernel when append returns, and thus survives the
/// process. It is also synced to the disk, unless syncs take more than a twentieth of the time; then a later
/// line or the destructor syncs it. The text is kept in memory and written again if somebody deletes or cuts
/// the file.
class AppendFile {
 public:
  /// Opens or creates the file; a last line without '\n' (from a killed run) is removed. Throws UserError.
  explicit AppendFile(const std::filesystem::path& path);
  /// Syncs all appended lines to the disk.
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  /// Appends a line. If the disk is full, the file stays as it was. Throws UserError(config) if the write or
  /// the sync fails, or if the file was deleted, truncated or replaced and cannot be restored; in this last
  /// case the message names the file that its text was saved to.
  void append(std::string_view line);

  /// Writes the file again if it is no longer complete. Throws the same errors as `append`.
  void restore();

  /// Returns all lines, even if the file was lost.
  const std::string& text() const { return text_; }

  /// Return the number of bytes of an incomplete last line that were removed when the file was opened, and
  /// how often the file was restored.
  std::size_t torn_bytes() const { return torn_; }
  std::size_t restored() const { return restored_; }

 private:
  [[noreturn]] void give_up(const std::string& reason) const;
  void sync_if_due();

  std::filesystem::path path_;
  Descriptor file_;
  std::string text_;
  std::size_t torn_ = 0, restored_ = 0;
  std::chrono::steady_clock::time_point next_sync_;
};

}  // namespace elmx
