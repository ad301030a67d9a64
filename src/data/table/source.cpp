#include "data/table/source.hpp"

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/files/sha256.hpp"

namespace elmx {
namespace {

void refuse_other_sum(const SourceFile& file, const std::string& found, const std::string& expected,
                      const Source& source) {
  if (expected.empty() || found == expected) return;
  throw DataError(
      file.path.string(),
      fmt::format("expected sha256 {:.12}..., found {:.12}...; \"elmx data fetch {}\" downloads the file again",
                  expected, found, source.set));
}

}  // namespace

void refuse_absent(const SourceFile& file, const Source& source) {
  std::error_code ignored;
  if (source.set.empty() || std::filesystem::exists(file.path, ignored)) return;
  throw DataError(
      file.path.string(),
      fmt::format("the file is missing; \"elmx data fetch {}\" downloads it, --data or ELMX_DATA names another "
                  "data directory",
                  source.set));
}

void refuse_other_content(const SourceFile& file, const std::string& sha256, const Source& source) {
  refuse_other_sum(file, sha256, file.sha256, source);
}

Content open_file(const SourceFile& file, const Source& source) {
  if (file.opened) return std::move(*file.opened);
  refuse_absent(file, source);
  if (!file.packed_sha256.empty()) refuse_other_sum(file, BlocksOfFile(file.path).sha256(), file.packed_sha256, source);
  return open_content(file.path, file.size > 0 ? file.size : kAnySize);
}

Content read_verified(const SourceFile& file, const Source& source) {
  Content content = open_file(file, source);
  content.read_into_memory();
  if (content.sha256.empty()) content.sha256 = sha256(content.bytes);
  refuse_other_content(file, content.sha256, source);
  return content;
}

Content open_for_blocks(const SourceFile& file, const Source& source, const FromDisk& from_disk) {
  Content content;
  if (!from_disk.asked) {
    content = open_file(file, source);
  } else {
    refuse_absent(file, source);
    const auto refuse = [&](const char* kind) {
      throw DataError(file.path.string(),
                      fmt::format("{} cannot be read in blocks (data.from_disk); use an uncompressed file", kind));
    };
    if (file.path == kStandardInput) refuse("stdin");
    content = {file.path.string(), "", "", std::make_shared<const BlocksOfFile>(file.path)};
    if (is_gzip(content.head(2)) || is_compress(content.head(2))) refuse("a compressed file");
  }
  if (content.file) content.sha256 = content.file->sha256();
  refuse_other_content(file, content.sha256, source);
  return content;
}

}  // namespace elmx
