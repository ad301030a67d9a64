#include "data/archive.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <array>
#include <memory>
#include <vector>

#include "base/error.hpp"

namespace elmx {
namespace {

struct CloseArchive {
  void operator()(archive* handle) const { archive_read_free(handle); }
};
using Handle = std::unique_ptr<archive, CloseArchive>;

[[noreturn]] void refuse(const Handle& handle, const std::string& origin) {
  const char* reason = archive_error_string(handle.get());
  throw DataError(origin + ": cannot be unpacked: " + (reason ? reason : "unknown reason"));
}

void open(const Handle& handle, std::string_view bytes, const std::string& origin) {
  archive_read_support_filter_all(handle.get());
  if (archive_read_open_memory(handle.get(), bytes.data(), bytes.size()) != ARCHIVE_OK) refuse(handle, origin);
}

/// Moves on to the next member; false at the end.
bool next(const Handle& handle, archive_entry*& entry, const std::string& origin) {
  const int code = archive_read_next_header(handle.get(), &entry);
  if (code != ARCHIVE_OK && code != ARCHIVE_WARN && code != ARCHIVE_EOF) refuse(handle, origin);
  return code != ARCHIVE_EOF;
}

std::string read_member(const Handle& handle, const std::string& origin) {
  std::string content;
  std::array<char, 1 << 16> block;
  for (;;) {
    const la_ssize_t size = archive_read_data(handle.get(), block.data(), block.size());
    if (size < 0) refuse(handle, origin);
    if (size == 0) return content;
    content.append(block.data(), static_cast<std::size_t>(size));
  }
}

}  // namespace

std::string archive_member(std::string_view bytes, const std::string& member, const std::string& origin) {
  const Handle handle(archive_read_new());
  archive_read_support_format_all(handle.get());
  open(handle, bytes, origin);
  std::vector<std::string> seen;
  for (archive_entry* entry = nullptr; next(handle, entry, origin);) {
    seen.emplace_back(archive_entry_pathname(entry));
    if (seen.back() == member) return read_member(handle, origin);
  }
  throw DataError(origin + ": no member \"" + member + "\"" + suggest(member, seen));
}

std::string uncompress(std::string_view bytes, const std::string& origin) {
  const Handle handle(archive_read_new());
  archive_read_support_format_raw(handle.get());
  open(handle, bytes, origin);
  archive_entry* entry = nullptr;
  return next(handle, entry, origin) ? read_member(handle, origin) : std::string();
}

}  // namespace elmx
