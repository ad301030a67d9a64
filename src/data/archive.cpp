#include "data/archive.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <array>
#include <vector>

#include "base/error.hpp"

namespace elmx {

void ArchiveReader::Close::operator()(archive* handle) const {
  archive_read_free(handle);
}

ArchiveReader::ArchiveReader(std::string_view bytes, std::string origin, ArchiveKind kind)
    : origin_(std::move(origin)), handle_(archive_read_new()) {
  if (kind == ArchiveKind::any) archive_read_support_format_all(handle_.get());
  if (kind == ArchiveKind::tar) archive_read_support_format_tar(handle_.get());
  if (kind == ArchiveKind::one_file) archive_read_support_format_raw(handle_.get());
  archive_read_support_filter_all(handle_.get());
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
  std::array<char, 1 << 16> block;
  for (;;) {
    const la_ssize_t size = archive_read_data(handle_.get(), block.data(), block.size());
    if (size < 0) refuse();
    if (size == 0) return content;
    content.append(block.data(), static_cast<std::size_t>(size));
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
  ArchiveReader file(bytes, origin, ArchiveKind::one_file);
  return file.next() ? file.content() : std::string();
}

}  // namespace elmx
