#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

struct archive;
struct archive_entry;

namespace elmx {

inline unsigned char byte_at(std::string_view bytes, std::size_t i) { return static_cast<unsigned char>(bytes[i]); }

/// Return the four bytes at `offset` as one number, lowest byte first or highest byte first.
inline std::uint32_t little_endian(std::string_view bytes, std::size_t offset) {
  std::uint32_t number = 0;
  for (std::size_t i = 4; i-- > 0;) number = number << 8 | byte_at(bytes, offset + i);
  return number;
}

inline std::uint32_t big_endian(std::string_view bytes, std::size_t offset) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | byte_at(bytes, offset + i);
  return number;
}

inline constexpr std::size_t kAnySize = std::numeric_limits<std::size_t>::max();

bool is_gzip(std::string_view bytes);
bool is_compress(std::string_view bytes);

/// Returns true if the bytes, 512 or more of a file, are the start of a tar archive (ustar, GNU).
bool is_tar(std::string_view bytes);

/// Returns true if the bytes are the start of a file that unpack() unpacks.
bool is_packed(std::string_view bytes);

/// Returns the content of a file packed by gzip, compress (.Z), bzip2, xz or zstd, or of the only file in a
/// zip. A zip of several .npy files (NumPy's .npz) is returned as it is. Throws DataError: damaged, more than
/// `most` bytes, a zip of several other files, or a workbook, which is a zip too.
std::string unpack(std::string_view bytes, const std::string& origin, std::size_t most = kAnySize);

/// Unpacks and joins all members of a gzip file, or unpacks a zlib stream. Throws DataError: truncated,
/// damaged, followed by bytes other than zeros, more than `most` bytes.
std::string gunzip(std::string_view bytes, const std::string& origin, std::size_t most = kAnySize);

/// Packs bytes as one gzip member without name or time, so that equal contents give equal files.
std::string gzip(std::string_view bytes);

/// The supported kinds: an uncompressed tar, one file packed by compress (.Z), bzip2, xz or zstd, and a zip.
enum class ArchiveKind { tar, packed, zip };

/// Reads the members of an archive in memory, one after the other, without temporary files or other programs.
/// `origin` starts the messages. Throws DataError: not an archive, damaged.
class ArchiveReader {
 public:
  ArchiveReader(std::string_view bytes, std::string origin, ArchiveKind kind);

  /// Moves to the next member. Returns false at the end.
  bool next();
  const std::string& name() const { return name_; }

  /// Returns the first bytes of the member, at most `size`. Call either this or content().
  std::string head(std::size_t size);

  /// Returns the content of the member; call it only once. Throws DataError: a link or a folder, more than
  /// `most` bytes.
  std::string content(std::size_t most = kAnySize);

 private:
  struct Close {
    void operator()(archive* handle) const;
    void operator()(archive_entry* entry) const;
  };
  void check(int code) const;
  [[noreturn]] void refuse() const;

  std::string origin_;
  std::size_t packed_;
  std::unique_ptr<archive, Close> handle_;
  std::unique_ptr<archive_entry, Close> entry_;  // the library does not check the one that it makes itself
  std::string name_;
  bool is_file_ = false;
};

/// Returns one member of a tar or zip by its full name. Throws DataError: the errors of ArchiveReader, or no
/// such member (with the nearest name).
std::string archive_member(std::string_view bytes, const std::string& member, const std::string& origin,
                           std::size_t most = kAnySize, ArchiveKind kind = ArchiveKind::tar);

/// A growing buffer for unpacked bytes with limits: the expected size, the available memory, and, from 256
/// MiB on, 250 times the packed size (a few packed bytes may expand to any number of zeros).
class Unpacked {
 public:
  /// `origin` is the place of errors, `what` the subject ("the unpacked content"). `most` is the limit in
  /// bytes.
  Unpacked(std::string origin, std::string what, std::size_t packed, std::size_t most);

  /// Reserves memory for the size that the packed file states, if that size is plausible.
  void reserve(std::size_t bytes);

  /// Appends bytes. Throws DataError, ConfigError (memory).
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
