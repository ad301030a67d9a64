#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "data/content/unpacked.hpp"

struct archive;
struct archive_entry;

namespace elmx {

/// What the catalogue and the readers need, and nothing else: a tar that is not compressed; one file packed
/// by compress (.Z), or by bzip2, xz or zstd; a zip.
enum class ArchiveKind { tar, compress, packed, zip };

/// The members of an archive in memory, one after the other. `origin` begins the messages. Nothing is written
/// to the disk, and no program is started. Throws DataError: not an archive, damaged.
class ArchiveReader {
 public:
  ArchiveReader(std::string_view bytes, std::string origin, ArchiveKind kind);

  /// Moves to the next member; false at the end.
  bool next();
  const std::string& name() const { return name_; }

  /// The first bytes of the member, at most `size`; in place of content().
  std::string head(std::size_t size);

  /// The content of the member; once. Throws DataError: a link or a folder, more than `most` bytes.
  std::string content(std::size_t most = kAnySize);

 private:
  struct Close {
    void operator()(archive* handle) const;
  };
  [[noreturn]] void refuse() const;

  std::string origin_;
  std::size_t packed_;
  std::unique_ptr<archive, Close> handle_;
  std::string name_;
  bool is_file_ = false;
};

/// One member of a tar or zip by its full name. Throws DataError: as ArchiveReader, no such member (with the
/// nearest name).
std::string archive_member(std::string_view tar, const std::string& member, const std::string& origin,
                           std::size_t most = kAnySize, ArchiveKind kind = ArchiveKind::tar);

/// The content of one file packed by compress (.Z). Throws DataError.
std::string uncompress(std::string_view bytes, const std::string& origin, std::size_t most = kAnySize);

/// The content of a file packed by bzip2, xz or zstd, or of the only file in a zip. A zip of several .npy
/// files (NumPy's .npz) stays as it is. Throws DataError: several other files, or a workbook, which is a zip
/// too.
std::string unpack_one(std::string_view bytes, const std::string& origin, std::size_t most = kAnySize);

}  // namespace elmx
