#pragma once

#include <limits>
#include <memory>
#include <string>
#include <string_view>

struct archive;

namespace elmx {

inline constexpr std::size_t kAnySize = std::numeric_limits<std::size_t>::max();

bool is_gzip(std::string_view bytes);
bool is_compress(std::string_view bytes);

/// Bytes from the beginning of a file that is_tar() needs.
inline constexpr std::size_t kHeadOfTar = 512;

/// Returns true if the bytes begin as a tar archive (ustar, GNU).
bool is_tar(std::string_view bytes);

/// Returns true if the bytes begin as a file that unpack() unpacks.
bool is_packed(std::string_view bytes);

/// The content of a file packed by gzip, compress (.Z), bzip2, xz or zstd, or of the only file in a zip. A
/// zip of several .npy files (NumPy's .npz) stays as it is. Throws DataError: damaged, more than `most`
/// bytes, several other files, or a workbook, which is a zip too.
std::string unpack(std::string_view bytes, const std::string& origin, std::size_t most = kAnySize);

/// All members of a gzip file, one after the other. Throws DataError: truncated, damaged, followed by
/// something else (but zeros), more than `most` bytes.
std::string gunzip(std::string_view bytes, const std::string& origin, std::size_t most = kAnySize);

/// One gzip member without name or time, so that equal contents give equal files.
std::string gzip(std::string_view bytes);

/// What the catalogue and the readers need, and nothing else: a tar that is not compressed; one file packed
/// by compress (.Z), bzip2, xz or zstd; a zip.
enum class ArchiveKind { tar, packed, zip };

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
std::string archive_member(std::string_view bytes, const std::string& member, const std::string& origin,
                           std::size_t most = kAnySize, ArchiveKind kind = ArchiveKind::tar);

/// The bytes that come out of a packed file, bounded as they grow: by the size that is expected, by the
/// memory of the machine, and, from 256 MiB on, to 250 times the packed bytes (a few of them may stand for
/// any number of zeros).
class Unpacked {
 public:
  /// `origin` and `what` begin the messages ("x.csv.gz: its unpacked content"); `most` = bytes that are
  /// allowed.
  Unpacked(std::string origin, std::string what, std::size_t packed, std::size_t most);

  /// Makes room for the size that the packed file states, where that size is possible.
  void announce(std::size_t bytes);

  /// Throws DataError, ConfigError (memory).
  void append(std::string_view bytes);

  std::string take() { return std::move(bytes_); }

 private:
  bool is_doubtful(std::size_t bytes) const;

  std::string origin_;
  std::string what_;
  std::size_t packed_;
  std::size_t most_;
  std::string bytes_;
};

}  // namespace elmx
