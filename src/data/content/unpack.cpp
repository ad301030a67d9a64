#include "data/content/unpack.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <vector>

#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "data/content/child_process.hpp"

namespace elmx {
namespace {

// windowBits of zlib: a window of 32 KiB (15) in the gzip format (+ 16), or with the format detected (+ 32)
constexpr int kGzipWindow = 15 + 16, kAnyWindow = 15 + 32;
constexpr std::size_t kBlock = 1 << 16;
// The end of a gzip file has the size of its last member, modulo 2^32.
constexpr std::size_t kSizeBytes = 4;
constexpr std::size_t kLarge = 1 << 24;  // bytes from which on it is asked whether the memory holds them
constexpr std::size_t kDoubtful = 1 << 28;
constexpr std::size_t kLargestRatio = 250;
constexpr double kNumbersToo = 2;  // memory for the bytes and for the numbers that are parsed from them

/// Shows zlib the bytes, or as many of them as it counts.
void set_input(z_stream& z, std::string_view bytes) {
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib does not write to its input
  z.avail_in = static_cast<uInt>(std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max()));
}

constexpr std::string_view kXz = "\xFD\x37zXZ";

/// Unpacks the only file of an archive of the kind `packed`.
std::string unpack_file(std::string_view bytes, const std::string& origin, std::size_t most) {
  ArchiveReader file(bytes, origin, ArchiveKind::packed);
  return file.next() ? file.content(most) : std::string();
}

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

bool is_compress(std::string_view bytes) { return bytes.starts_with("\x1f\x9d"); }

bool is_tar(std::string_view bytes) {
  constexpr std::size_t mark = 257;  // behind names and numbers that end with zeros
  return bytes.size() > mark && bytes.substr(mark).starts_with("ustar") &&
         bytes.substr(0, mark).find('\0') != std::string_view::npos;
}

bool is_packed(std::string_view bytes) {
  constexpr std::array<std::string_view, 4> others{"BZh", kXz, "\x28\xB5\x2F\xFD", "PK\x03\x04"};
  return is_gzip(bytes) || is_compress(bytes) ||
         std::ranges::any_of(others, [&](std::string_view mark) { return bytes.starts_with(mark); });
}

std::string unpack(std::string_view bytes, const std::string& origin, std::size_t most) {
  if (is_gzip(bytes)) return gunzip(bytes, origin, most);
  if (bytes.starts_with(kXz)) {  // libarchive 3.6 crashes if liblzma gets no memory when it is prepared
    const auto make = [&] { return unpack_file(bytes, origin, most); };
    std::optional<std::string> content = in_child_process<std::string>(make, kAnyTime);
    if (!content) throw std::bad_alloc();
    return *std::move(content);
  }
  if (!bytes.starts_with("PK")) return unpack_file(bytes, origin, most);
  std::vector<std::string> files;
  for (ArchiveReader archive(bytes, origin, ArchiveKind::zip); archive.next();) {
    const std::string& name = archive.name();
    if (name.starts_with("xl/") || name == "content.xml" || name.starts_with("word/"))
      throw DataError(origin, "this is a workbook or an Office document; save the sheet as CSV");
    if (!name.ends_with('/') && !name.starts_with("__MACOSX/")) files.push_back(name);
  }
  if (files.size() == 1) return archive_member(bytes, files.front(), origin, most, ArchiveKind::zip);
  if (!files.empty() && std::ranges::all_of(files, [](const std::string& name) { return name.ends_with(".npy"); }))
    return std::string(bytes);
  throw DataError(origin, fmt::format("this is a zip archive of {}; unpack it and name one of its files",
                                      counted(files.size(), "file")));
}

std::string gunzip(std::string_view bytes, const std::string& origin, std::size_t most) {
  const auto refuse = [&](const std::string& what) {
    throw DataError(origin, fmt::format("its gzip or zlib data {}; use a complete file", what));
  };
  Unpacked out(origin, "the unpacked content", bytes.size(), most);
  if (is_gzip(bytes) && bytes.size() >= kSizeBytes) out.reserve(little_endian(bytes, bytes.size() - kSizeBytes));
  z_stream z{};
  if (inflateInit2(&z, kAnyWindow) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> ended(&z, inflateEnd);
  std::array<char, kBlock> block;
  do {
    inflateReset(&z);
    for (int code = Z_OK; code != Z_STREAM_END;) {
      if (bytes.empty()) refuse("end too early");
      set_input(z, bytes);
      const std::size_t given = z.avail_in;
      z.next_out = reinterpret_cast<Bytef*>(block.data());
      z.avail_out = block.size();
      code = inflate(&z, Z_NO_FLUSH);
      if (code == Z_MEM_ERROR) throw std::bad_alloc();
      if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) refuse("are damaged");
      out.append({block.data(), block.size() - z.avail_out});
      bytes.remove_prefix(given - z.avail_in);
    }
  } while (is_gzip(bytes));
  if (bytes.find_first_not_of('\0') != std::string_view::npos)
    refuse(fmt::format("are followed by {} of other data", counted(bytes.size(), "byte")));
  return out.take();
}

std::string gzip(std::string_view bytes) {
  z_stream z{};
  if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string out(deflateBound(&z, bytes.size()), '\0');
  set_input(z, bytes);
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(std::min<std::size_t>(out.size(), std::numeric_limits<uInt>::max()));
  const int code = deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  expects(code == Z_STREAM_END, "gzip: less than 4 GB");
  return out;
}

void ArchiveReader::Close::operator()(archive* handle) const { archive_read_free(handle); }
void ArchiveReader::Close::operator()(archive_entry* entry) const { archive_entry_free(entry); }

// Enables each kind by name, because archive_read_support_filter_all would start lrzip, lzop and grzip for
// files that look like theirs.
ArchiveReader::ArchiveReader(std::string_view bytes, std::string origin, ArchiveKind kind)
    : origin_(std::move(origin)), packed_(bytes.size()), handle_(archive_read_new()), entry_(archive_entry_new()) {
  if (!handle_ || !entry_) throw std::bad_alloc();
  if (kind == ArchiveKind::tar) check(archive_read_support_format_tar(handle_.get()));
  if (kind == ArchiveKind::zip) check(archive_read_support_format_zip(handle_.get()));
  if (kind == ArchiveKind::packed) {
    check(archive_read_support_format_raw(handle_.get()));
    check(archive_read_support_filter_compress(handle_.get()));
    check(archive_read_support_filter_bzip2(handle_.get()));
    check(archive_read_support_filter_xz(handle_.get()));
    check(archive_read_support_filter_zstd(handle_.get()));
  }
  check(archive_read_open_memory(handle_.get(), bytes.data(), bytes.size()));
}

void ArchiveReader::check(int code) const {
  if (code != ARCHIVE_OK && code != ARCHIVE_WARN) refuse();
}

void ArchiveReader::refuse() const {
  if (archive_errno(handle_.get()) == ENOMEM) throw std::bad_alloc();
  const char* reason = archive_error_string(handle_.get());
  throw DataError(origin_, fmt::format("cannot be unpacked: {}", reason ? reason : "unknown reason"));
}

bool ArchiveReader::next() {
  archive_entry* const entry = entry_.get();
  const int code = archive_read_next_header2(handle_.get(), entry);
  if (code == ARCHIVE_EOF) return false;
  check(code);
  const char* name = archive_entry_pathname(entry);  // null: not to be had in the locale's characters
  name_ = name ? name : "";
  is_file_ = archive_entry_filetype(entry) == AE_IFREG && archive_entry_hardlink(entry) == nullptr;
  return true;
}

std::string ArchiveReader::head(std::size_t size) {
  std::string bytes(size, '\0');
  const la_ssize_t read = archive_read_data(handle_.get(), bytes.data(), size);
  if (read < 0) refuse();
  bytes.resize(static_cast<std::size_t>(read));
  return bytes;
}

std::string ArchiveReader::content(std::size_t most) {
  if (!is_file_)
    throw DataError(origin_, fmt::format("expected a file as member \"{}\", found a link or a folder", name_));
  Unpacked content(origin_, "member \"" + name_ + "\"", packed_, most);
  for (std::size_t filled = 0;;) {
    const void* block = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    const int code = archive_read_data_block(handle_.get(), &block, &size, &offset);
    if (code == ARCHIVE_EOF) return content.take();
    check(code);
    // A few bytes may say that they stand behind a hole of any size.
    if (offset != static_cast<la_int64_t>(filled))
      throw DataError(origin_, fmt::format("member \"{}\" is a sparse file; pack it without holes", name_));
    content.append({static_cast<const char*>(block), size});
    filled += size;
  }
}

std::string archive_member(std::string_view bytes, const std::string& member, const std::string& origin,
                           std::size_t most, ArchiveKind kind) {
  ArchiveReader archive(bytes, origin, kind);
  std::vector<std::string> seen;
  while (archive.next()) {
    if (archive.name() == member) return archive.content(most);
    seen.push_back(archive.name());
  }
  throw DataError(origin, fmt::format("the archive has no member \"{}\"{}", member,
                                      seen.empty() ? "; it is empty" : suggest(member, seen)));
}

Unpacked::Unpacked(std::string origin, std::string what, std::size_t packed, std::size_t most)
    : origin_(std::move(origin)), what_(std::move(what)), packed_(packed), most_(most) {}

bool Unpacked::is_doubtful(std::size_t bytes) const { return bytes > kDoubtful && bytes / kLargestRatio > packed_; }

void Unpacked::reserve(std::size_t bytes) {
  if (bytes > most_ || is_doubtful(bytes) || kNumbersToo * static_cast<double>(bytes) > available_memory()) return;
  bytes_.reserve(bytes);
}

void Unpacked::append(std::string_view bytes) {
  const std::size_t needed = bytes_.size() + bytes.size();
  if (needed > most_) throw DataError(origin_, fmt::format("{} has more than the expected {} bytes", what_, most_));
  if (is_doubtful(needed)) {
    throw DataError(
        origin_, fmt::format("{} has more than {} and is more than {} times as large as the {} packed bytes; unpack it "
                             "first",
                             what_, show_bytes(kDoubtful), kLargestRatio, packed_));
  }
  if (needed > bytes_.capacity()) {
    const std::size_t grown = std::max(needed, std::min(bytes_.capacity() / 2 * 3, most_));
    if (grown > kLarge) refuse_beyond_memory(origin_, what_, kNumbersToo * static_cast<double>(grown));
    bytes_.reserve(grown);
  }
  bytes_.append(bytes);
}

}  // namespace elmx
