#pragma once

#include <memory>
#include <string>
#include <string_view>

struct archive;
struct archive_entry;

namespace elmx {

/// .zip, .tar, 7z ..., compressed or not; .tar or .tar.gz; one file packed by compress (.Z).
enum class ArchiveKind { any, tar_gz, compress };

/// The members of an archive in memory, one after the other. `origin` begins the messages.
/// Throws DataError: not an archive, damaged.
class ArchiveReader {
 public:
  ArchiveReader(std::string_view bytes, std::string origin, ArchiveKind kind = ArchiveKind::any);

  /// Moves to the next member; false at the end.
  bool next();
  const std::string& name() const { return name_; }

  /// The content of the member; once.
  std::string content();

 private:
  struct Close {
    void operator()(archive* handle) const;
  };
  [[noreturn]] void refuse() const;

  std::string origin_;
  std::unique_ptr<archive, Close> handle_;
  std::string name_;
};

/// One member of an archive by its full name. Throws DataError: as ArchiveReader, no such member (with the nearest
/// name).
std::string archive_member(std::string_view bytes, const std::string& member, const std::string& origin);

/// The content of one file packed by compress (.Z). Throws DataError.
std::string uncompress(std::string_view bytes, const std::string& origin);

}  // namespace elmx
