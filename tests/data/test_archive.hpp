#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <string>
#include <utility>
#include <vector>

namespace elmx {

enum class TestArchive { zip, tar_gz, compress };

using TestMembers = std::vector<std::pair<std::string, std::string>>;

/// An archive of (name, content) in memory; for compress the content of the one member, packed.
inline std::string test_archive(TestArchive kind, const TestMembers& members) {
  archive* writer = archive_write_new();
  if (kind == TestArchive::zip) archive_write_set_format_zip(writer);
  if (kind == TestArchive::tar_gz) archive_write_set_format_ustar(writer);
  if (kind == TestArchive::compress) archive_write_set_format_raw(writer);
  if (kind == TestArchive::tar_gz) archive_write_add_filter_gzip(writer);
  if (kind == TestArchive::compress) archive_write_add_filter_compress(writer);
  std::string bytes(1 << 20, '\0');
  std::size_t used = 0;
  archive_write_open_memory(writer, bytes.data(), bytes.size(), &used);
  for (const auto& [name, content] : members) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
    archive_write_header(writer, entry);
    archive_write_data(writer, content.data(), content.size());
    archive_entry_free(entry);
  }
  archive_write_free(writer);
  bytes.resize(used);
  return bytes;
}

/// A .tar.gz whose one member is a symbolic link.
inline std::string test_archive_of_link(const std::string& name, const std::string& target) {
  archive* writer = archive_write_new();
  archive_write_set_format_ustar(writer);
  archive_write_add_filter_gzip(writer);
  std::string bytes(1 << 16, '\0');
  std::size_t used = 0;
  archive_write_open_memory(writer, bytes.data(), bytes.size(), &used);
  archive_entry* entry = archive_entry_new();
  archive_entry_set_pathname(entry, name.c_str());
  archive_entry_set_filetype(entry, AE_IFLNK);
  archive_entry_set_symlink(entry, target.c_str());
  archive_write_header(writer, entry);
  archive_entry_free(entry);
  archive_write_free(writer);
  bytes.resize(used);
  return bytes;
}

/// The content as the program compress (.Z) packs it.
inline std::string test_compress(const std::string& content) {
  return test_archive(TestArchive::compress, {{"content", content}});
}

}  // namespace elmx
