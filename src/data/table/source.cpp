#include "data/table/source.hpp"

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/files/sha256.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"

namespace elmx {
namespace {

constexpr std::size_t kRowsAtOnce = 4096;

/// Throws DataError if a file has another checksum than the catalogue states; "" = it states none.
void refuse_other_sum(const SourceFile& file, const std::string& found, const std::string& expected,
                      const Source& source) {
  if (expected.empty() || found == expected) return;
  throw DataError(
      file.path.string(),
      fmt::format("expected sha256 {:.12}..., found {:.12}...; \"elmx data fetch {}\" downloads the file again",
                  expected, found, source.set));
}

/// Throws DataError if a file of a catalogue set does not exist; the message says how to download it.
void refuse_absent(const SourceFile& file, const Source& source) {
  if (source.set.empty() || is_there(file.path)) return;
  throw DataError(
      file.path.string(),
      fmt::format("the file is missing; \"elmx data fetch {}\" downloads it, --data or ELMX_DATA names another "
                  "data directory",
                  source.set));
}

/// Opens a file of the source; a large file that is not packed stays on the disk. Verifies only
/// packed_sha256, if set, but not the checksum of the content. Throws DataError.
Content open_file(const SourceFile& file, const Source& source) {
  if (file.opened) return std::move(*file.opened);
  refuse_absent(file, source);
  if (!file.packed_sha256.empty()) refuse_other_sum(file, BlocksOfFile(file.path).sha256(), file.packed_sha256, source);
  return open_content(file.path, file.size > 0 ? file.size : kAnySize);
}

}  // namespace

Content read_verified(const SourceFile& file, const Source& source) {
  Content content = open_for_blocks(file, source, {});
  content.read_into_memory();
  if (content.sha256.empty()) content.sha256 = sha256(content.bytes);
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
  if (file.sha256.empty()) return content;
  content.sha256 = content.checksum();
  refuse_other_sum(file, content.sha256, file.sha256, source);
  return content;
}

std::vector<ColumnTexts> empty_texts(const std::vector<RawColumn>& columns) {
  std::vector<ColumnTexts> texts;
  for (const RawColumn& column : columns)
    texts.emplace_back(column.kind == Kind::category || column.kept, column.role == Role::dropped,
                       column.spelling_is_known ? column.spelling : std::nullopt);
  return texts;
}

TextRows::TextRows(RawTable& table) : table_(table), blocks_(table.columns.size()) {
  table.texts = empty_texts(table.columns);
}

void TextRows::add(const std::vector<std::string_view>& fields, std::size_t line) {
  const std::size_t expected = blocks_.size();
  if (fields.size() != expected && !(fields.size() == expected + 1 && fields.back().empty()))
    throw DataError(fmt::format("{}:{}", table_.origin, line),
                    fmt::format("expected {}, found {}", counted(expected, "field"), fields.size()));
  for (std::size_t j = 0; j < expected; ++j) {
    if (pending_ == 0) table_.texts[j].begin(blocks_[j]);
    blocks_[j].add(fields[j], line);
  }
  ++table_.rows;
  if (++pending_ == kRowsAtOnce) finish();
}

void TextRows::finish() {
  for (std::size_t j = 0; pending_ > 0 && j < blocks_.size(); ++j) table_.texts[j].append(blocks_[j]);
  pending_ = 0;
  refuse_beyond_memory(table_.origin, "its table",
                       8.0 * static_cast<double>(kRowsAtOnce) * static_cast<double>(blocks_.size()));
}

Dataset load_table(const Source& source, const TableReader& read) {
  RawTable table;
  TableOptions options = source.table;
  arma::uword train_rows = source.train_rows;
  std::vector<std::string> checksums;
  for (const SourceFile& file : source.parts()) {
    Content content = open_file(file, source);
    if (!content.file) refuse_other_sum(file, content.sha256, file.sha256, source);
    RawTable part = read(std::move(content), options);
    refuse_other_sum(file, part.sha256, file.sha256, source);
    checksums.push_back(part.sha256);
    if (checksums.size() > 1) {
      train_rows = table.rows;
      table.append(std::move(part), file.path.string());
      continue;
    }
    table = std::move(part);
    if (!options.known) options.first_file = &table.columns;
  }
  Dataset data = assemble(std::move(table), source.table, train_rows, source.name);
  data.sha256 = std::move(checksums);
  return data;
}

}  // namespace elmx
