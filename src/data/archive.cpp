#include "data/archive.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <vector>

#include "base/error.hpp"
#include "base/machine.hpp"

namespace elmx {
namespace {

constexpr std::size_t kLarge = 1 << 24;  // bytes from which on it is asked whether the memory holds them

}  // namespace

void ArchiveReader::Close::operator()(archive* handle) const {
  archive_read_free(handle);
}

ArchiveReader::ArchiveReader(std::string_view bytes, std::string origin, ArchiveKind kind)
    : origin_(std::move(origin)), handle_(archive_read_new()) {
  if (kind == ArchiveKind::any) archive_read_support_format_all(handle_.get());
  if (kind == ArchiveKind::any) archive_read_support_filter_all(handle_.get());
  if (kind == ArchiveKind::tar_gz) archive_read_support_format_tar(handle_.get());
  if (kind == ArchiveKind::tar_gz) archive_read_support_filter_gzip(handle_.get());
  if (kind == ArchiveKind::compress) archive_read_support_format_raw(handle_.get());
  if (kind == ArchiveKind::compress) archive_read_support_filter_compress(handle_.get());
  if (archive_read_open_memory(handle_.get(), bytes.data(), bytes.size()) != ARCHIVE_OK) refuse();
}

void ArchiveReader::refuse() const {
  const char* reason = archive_error_string(handle_.get());
  throw DataError(origin_ + ": cannot be unpacked: " + (reason ? reason : "unknown reason"));
}

bool ArchiveReader::next() {
  archive_entry* entry = nullptr;
  const int code = archive_read_next_header(handle_.get(), &entry);
  if (code == ARCHIVE_EOF) return false;
  if (code != ARCHIVE_OK && code != ARCHIVE_WARN) refuse();
  const char* name = archive_entry_pathname(entry);  // null: not to be had in the locale's characters
  name_ = name ? name : "";
  return true;
}

std::string ArchiveReader::content() {
  std::string content;
  for (;;) {
    const void* block = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    const int code = archive_read_data_block(handle_.get(), &block, &size, &offset);
    if (code == ARCHIVE_EOF) return content;
    if (code != ARCHIVE_OK && code != ARCHIVE_WARN) refuse();
    // A few bytes may say that they stand behind a hole of any size.
    if (offset != static_cast<la_int64_t>(content.size())) {
      throw DataError(origin_ + ": member \"" + name_ + "\" has holes; a file without is expected");
    }
    const std::size_t grown = content.size() + size;
    if (grown > kLarge && grown > content.capacity()) {
      refuse_beyond_memory(origin_, "member \"" + name_ + "\", unpacked,", 2.0 * static_cast<double>(grown));
    }
    content.append(static_cast<const char*>(block), size);
  }
}

std::string archive_member(std::string_view bytes, const std::string& member, const std::string& origin) {
  ArchiveReader archive(bytes, origin);
  std::vector<std::string> seen;
  while (archive.next()) {
    if (archive.name() == member) return archive.content();
    seen.push_back(archive.name());
  }
  throw DataError(origin + ": no member \"" + member + "\"" + suggest(member, seen));
}

std::string uncompress(std::string_view bytes, const std::string& origin) {
  ArchiveReader file(bytes, origin, ArchiveKind::compress);
  return file.next() ? file.content() : std::string();
}

}  // namespace elmx
