#include "data/table/load_table.hpp"

#include "data/table/assemble.hpp"
#include "data/table/kept_table.hpp"

namespace elmx {
namespace {

JoinedTable join(std::vector<Content>& files, const Source& source, const TableReader& read) {
  JoinedTable joined{read(files.front(), source.table), source.train_rows};
  if (files.size() > 1) {
    files.front().bytes = {};
    joined.train_rows = joined.table.rows;
    joined.table.append(read(files.back(), source.table), files.back().origin);
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

}  // namespace

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
