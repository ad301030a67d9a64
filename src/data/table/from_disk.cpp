#include "data/table/from_disk.hpp"

#include "base/error.hpp"
#include "base/files/standard_input.hpp"
#include "data/content/content.hpp"

namespace elmx {

SharedFile open_for_blocks(const SourceFile& file, const Source& source, const FromDisk& from_disk) {
  refuse_absent(file, source);
  std::string why;
  if (file.path == kStandardInput) {
    why = "stdin";
  } else {
    auto opened = std::make_shared<const BlocksOfFile>(file.path);
    const std::string head = opened->head(2);
    if (!is_gzip(head) && !is_compress(head)) return opened;
    why = "a compressed file";
  }
  if (!from_disk.asked) return nullptr;
  throw DataError(file.path.string() + ": " + why +
                  ", which cannot be read in blocks (\"from_disk\": true); a file that is not compressed is expected");
}

std::string verified_checksum(const BlocksOfFile& file, const SourceFile& named, const Source& source) {
  std::string sha256 = file.sha256();
  refuse_other_content(named, sha256, source);
  return sha256;
}

}  // namespace elmx
