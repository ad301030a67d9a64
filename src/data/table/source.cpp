#include "data/table/source.hpp"

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/files/fsio.hpp"

namespace elmx {
namespace {

constexpr std::size_t kShownDigits = 12;

std::string remedy_of(const Source& source) { return "\"elmx data fetch " + source.set + "\""; }

}  // namespace

void refuse_absent(const SourceFile& file, const Source& source) {
  std::error_code ignored;
  if (source.set.empty() || std::filesystem::exists(file.path, ignored)) return;
  throw DataError(fmt::format("{}: not there; {} downloads set {}, --data or ELMX_DATA names another data directory",
                              file.path.string(), remedy_of(source), source.set));
}

void refuse_other_content(const SourceFile& file, const std::string& sha256, const Source& source) {
  if (file.sha256.empty() || sha256 == file.sha256) return;
  throw DataError(fmt::format("{}: sha256 {}...; {}... is expected ({} downloads it again)", file.path.string(),
                              sha256.substr(0, kShownDigits), file.sha256.substr(0, kShownDigits), remedy_of(source)));
}

Content open_file(const SourceFile& file, const Source& source) {
  if (file.opened) return std::move(*file.opened);
  refuse_absent(file, source);
  return open_content(file.path, file.size > 0 ? file.size : kAnySize);
}

Content read_verified(const SourceFile& file, const Source& source) {
  Content content = open_file(file, source);
  if (content.file) {
    content.bytes = content.file->head(content.file->size());
    content.file.reset();
    content.sha256 = sha256(content.bytes);
  }
  refuse_other_content(file, content.sha256, source);
  return content;
}

}  // namespace elmx
