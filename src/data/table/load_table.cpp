#include "data/table/load_table.hpp"

#include <fmt/core.h>

#include "base/error.hpp"
#include "data/content/text_in_utf8.hpp"
#include "data/on_disk/from_disk.hpp"
#include "data/on_disk/look.hpp"
#include "data/table/assemble.hpp"
#include "data/table/kept_table.hpp"

namespace elmx {
namespace {

RawTable read_text(Content& file, const char* part, const Source& source, const TableReader& read) {
  const std::string encoding = make_utf8(file);
  RawTable table = read(file, source.table);
  if (!encoding.empty()) table.notes.push_back(fmt::format("the {} is not UTF-8: read as {}", part, encoding));
  return table;
}

JoinedTable join(std::vector<Content>& files, const Source& source, const TableReader& read) {
  JoinedTable joined{read_text(files.front(), "file", source, read), source.train_rows};
  if (files.size() > 1) {
    files.front().bytes = {};
    joined.train_rows = joined.table.rows;
    joined.table.append(read_text(files.back(), "test file", source, read), files.back().origin);
  }
  return joined;
}

/// A new file for a model is read as the model's data were, which `how` does not say.
bool is_worth_keeping(const std::vector<Content>& files, const Source& source) {
  std::size_t bytes = 0;
  for (const Content& file : files) bytes += file.bytes.size();
  return bytes >= kLargeText && !source.how.empty() && !source.table.known;
}

JoinedTable kept_or_joined(std::vector<Content>& files, const std::vector<std::string>& checksums, const Source& source,
                           const TableReader& read) {
  if (!is_worth_keeping(files, source)) return join(files, source, read);
  const std::string key = key_of_table(checksums, source.how);
  if (std::optional<JoinedTable> kept = kept_table(key)) return std::move(*kept);
  JoinedTable joined = join(files, source, read);
  keep_table(joined, key);
  return joined;
}

/// The table on disk, kept now where it was not and that is asked for. Nothing where it is not kept.
std::optional<TableOnDisk> table_on_disk(const std::string& key, const Source& source, const TableReader& read,
                                         bool asked) {
  if (std::optional<TableOnDisk> kept = kept_table_on_disk(key); kept || !asked) return kept;
  {
    std::vector<Content> files;
    files.push_back(read_verified(source.train, source));
    if (source.test) files.push_back(read_verified(*source.test, source));
    keep_table(join(files, source, read), key);
  }
  std::optional<TableOnDisk> kept = kept_table_on_disk(key);
  if (kept) return kept;
  throw ConfigError(
      fmt::format("/data/from_disk: true, but the table of {} cannot be kept in {}; allowed: a folder with "
                  "room for it (ELMX_CACHE)",
                  source.name, folder_of_kept_tables().string()));
}

}  // namespace

std::optional<Dataset> table_from_disk(const Source& source, const TableReader& read, const FromDisk& from_disk) {
  if (folder_of_kept_tables().empty() && from_disk.asked)
    throw ConfigError(
        "/data/from_disk: true with a text file, but tables are kept nowhere; allowed: a folder in ELMX_CACHE");
  if (folder_of_kept_tables().empty() || source.how.empty() || source.table.known) return std::nullopt;
  const std::vector<SourceFile> named = source.parts();
  std::vector<std::string> checksums;
  double bytes = 0;
  for (const SourceFile& file : named) {
    const SharedFile opened = open_for_blocks(file, source, from_disk);
    if (opened == nullptr) return std::nullopt;
    bytes += static_cast<double>(opened->size());
    if (from_disk.wants(bytes / 2, 1)) checksums.push_back(verified_checksum(*opened, file, source));  // "1,"
  }
  if (checksums.size() < named.size()) return std::nullopt;
  std::optional<TableOnDisk> kept = table_on_disk(key_of_table(checksums, source.how), source, read, from_disk.asked);
  if (!kept) return std::nullopt;

  RawTable& table = kept->joined.table;
  std::vector<RawColumn*> inputs;
  std::vector<LookedAtColumn> looked_at;
  for (RawColumn& column : table.columns) {
    if (column.role != Role::input) continue;
    inputs.push_back(&column);
    looked_at.push_back({column.name, column.kind == Kind::number});
  }
  if (!from_disk.wants(static_cast<double>(table.rows), static_cast<double>(inputs.size()))) return std::nullopt;
  const SharedRows raw = std::make_shared<const ColumnRows>(kept->file, table.rows, kept->offsets);
  const Look look = look_at(*raw, inputs.size(), looked_at, source.table.missing != "refuse", source.name);
  for (std::size_t k = 0; k < inputs.size(); ++k) inputs[k]->missing_on_disk = look.missing[k];

  std::vector<PlacedColumn> placed;
  Dataset data = assemble_without_inputs(std::move(table), source.table, kept->joined.train_rows, source.name,
                                         look.incomplete, placed);
  for (const arma::uword j : look.constant) data.constant.push_back(placed[j].first);
  SharedRows X = std::make_shared<const EncodedRows>(raw, std::move(placed), data.inputs.size());
  if (!data.kept_rows.is_empty()) X = std::make_shared<const ChosenRows>(X, data.kept_rows);
  data.on_disk = X;
  data.pass_seconds = look.seconds;
  data.sha256 = std::move(checksums);
  return data;
}

Dataset load_table(const Source& source, const TableReader& read) {
  std::vector<Content> files;
  files.push_back(read_verified(source.train, source));
  if (source.test) files.push_back(read_verified(*source.test, source));
  std::vector<std::string> checksums;
  for (const Content& file : files) checksums.push_back(file.sha256);

  JoinedTable joined = kept_or_joined(files, checksums, source, read);
  files.clear();
  Dataset data = assemble(std::move(joined.table), source.table, joined.train_rows, source.name);
  data.sha256 = std::move(checksums);
  return data;
}

}  // namespace elmx
