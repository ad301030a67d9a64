#include "data/content/archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"

namespace elmx {

void ArchiveReader::Close::operator()(archive* handle) const { archive_read_free(handle); }

// Each kind by its name: archive_read_support_filter_all would start lrzip, lzop and grzip where a file looks
// like theirs.
ArchiveReader::ArchiveReader(std::string_view bytes, std::string origin, ArchiveKind kind)
    : origin_(std::move(origin)), packed_(bytes.size()), handle_(archive_read_new()) {
  if (kind == ArchiveKind::tar) archive_read_support_format_tar(handle_.get());
  if (kind == ArchiveKind::compress) archive_read_support_format_raw(handle_.get());
  if (kind == ArchiveKind::compress) archive_read_support_filter_compress(handle_.get());
  if (kind == ArchiveKind::packed) {
    archive_read_support_format_raw(handle_.get());
    archive_read_support_filter_bzip2(handle_.get());
    archive_read_support_filter_xz(handle_.get());
    archive_read_support_filter_zstd(handle_.get());
  }
  if (kind == ArchiveKind::zip) archive_read_support_format_zip(handle_.get());
  if (archive_read_open_memory(handle_.get(), bytes.data(), bytes.size()) != ARCHIVE_OK) refuse();
}

void ArchiveReader::refuse() const {
  const char* reason = archive_error_string(handle_.get());
  throw DataError(fmt::format("{}: cannot be unpacked: {}", origin_, reason ? reason : "unknown reason"));
}

bool ArchiveReader::next() {
  archive_entry* entry = nullptr;
  const int code = archive_read_next_header(handle_.get(), &entry);
  if (code == ARCHIVE_EOF) return false;
  if (code != ARCHIVE_OK && code != ARCHIVE_WARN) refuse();
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
    throw DataError(fmt::format("{}: member \"{}\" is a link or a folder; a file is expected", origin_, name_));
  Unpacked content(origin_, "member \"" + name_ + "\", unpacked,", packed_, most);
  std::size_t filled = 0;
  for (;;) {
    const void* block = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    const int code = archive_read_data_block(handle_.get(), &block, &size, &offset);
    if (code == ARCHIVE_EOF) return content.take();
    if (code != ARCHIVE_OK && code != ARCHIVE_WARN) refuse();
    // A few bytes may say that they stand behind a hole of any size.
    if (offset != static_cast<la_int64_t>(filled)) {
      throw DataError(fmt::format("{}: member \"{}\" has holes; a file without is expected", origin_, name_));
    }
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
  throw DataError(fmt::format("{}: no member \"{}\"{}", origin, member, suggest(member, seen)));
}

std::string unpack_one(std::string_view bytes, const std::string& origin, std::size_t most) {
  if (!bytes.starts_with("PK")) {
    ArchiveReader file(bytes, origin, ArchiveKind::packed);
    return file.next() ? file.content(most) : std::string();
  }
  std::vector<std::string> files;
  for (ArchiveReader archive(bytes, origin, ArchiveKind::zip); archive.next();) {
    const std::string& name = archive.name();
    if (name.starts_with("xl/") || name == "content.xml" || name.starts_with("word/"))
      throw DataError(origin + ": this is a workbook or an Office document; save the sheet as CSV");
    if (!name.ends_with('/') && !name.starts_with("__MACOSX/")) files.push_back(name);
  }
  if (files.size() == 1) return archive_member(bytes, files.front(), origin, most, ArchiveKind::zip);
  if (!files.empty() && std::ranges::all_of(files, [](const std::string& name) { return name.ends_with(".npy"); }))
    return std::string(bytes);
  throw DataError(fmt::format("{}: a zip archive of {} files; unpack it and name one of them", origin, files.size()));
}

std::string uncompress(std::string_view bytes, const std::string& origin, std::size_t most) {
  // What has not been packed would come through as it is.
  if (!bytes.starts_with("\x1f\x9d")) throw DataError(origin + ": no file packed by compress (.Z), which is expected");
  ArchiveReader file(bytes, origin, ArchiveKind::compress);
  return file.next() ? file.content(most) : std::string();
}

}  // namespace elmx
