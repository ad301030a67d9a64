#include "data/fetch.hpp"

#include "base/error.hpp"
#include "base/fsio.hpp"
#include "base/temporary_file.hpp"
#include "data/archive.hpp"
#include "data/content.hpp"
#include "data/download.hpp"

namespace elmx {
namespace {

std::string unpacked(const std::string& bytes, const std::string& origin) {
  if (is_gzip(bytes)) return gunzip(bytes, origin);
  return is_compress(bytes) ? uncompress(bytes, origin) : bytes;
}

/// The bytes to store: as they came where that agrees with the name, else packed or unpacked.
std::string packed_as_named(const CatalogueFile& file, std::string bytes, std::string content) {
  if (file.path.ends_with(".gz")) return is_gzip(bytes) ? std::move(bytes) : gzip(content);
  return file.path.ends_with(".Z") ? std::move(bytes) : std::move(content);
}

FileReport state_of(const CatalogueFile& file, const std::filesystem::path& data_dir) {
  FileReport report{data_dir / file.path, FileState::ok, ""};
  std::error_code ignored;
  if (!std::filesystem::exists(report.path, ignored)) {
    report.state = FileState::missing;
    return report;
  }
  try {
    const std::string found = read_content(report.path).sha256;
    if (found != file.sha256) report.what = "sha256 " + found + "; " + file.sha256 + " is expected";
  } catch (const DataError& error) {
    report.what = error.what();
  }
  if (!report.what.empty()) report.state = FileState::wrong;
  return report;
}

/// Downloads from one address, verifies, stores.
void fetch_from(const std::string& url, const CatalogueFile& file, const std::filesystem::path& path,
                const FetchProgress& progress) {
  const TemporaryFile partial(path.string() + ".part");
  DownloadProgress report;
  if (progress) report = [&](std::size_t done, std::size_t total) { progress(file, done, total); };
  download(url, partial.path(), report);

  std::string bytes = read_file(partial.path());
  if (!file.member.empty()) bytes = archive_member(bytes, file.member, url);
  std::string content = unpacked(bytes, url);
  const std::string found = sha256(content);
  if (found != file.sha256) throw DataError(url + ": sha256 " + found + "; " + file.sha256 + " is expected");
  write_file(path, packed_as_named(file, std::move(bytes), std::move(content)));
}

void fetch_file(const CatalogueFile& file, const std::filesystem::path& path, const FetchProgress& progress) {
  if (file.url.empty()) {
    throw DataError(path.string() +
                    ": no address to download from; its publisher does not serve this content (see notes)");
  }
  std::error_code failed;
  std::filesystem::create_directories(path.parent_path(), failed);
  if (failed) throw ConfigError(path.parent_path().string() + ": cannot be created: " + failed.message());
  try {
    fetch_from(file.url, file, path, progress);
  } catch (const DataError&) {
    if (file.mirror.empty()) throw;
    fetch_from(file.mirror, file, path, progress);
  }
}

}  // namespace

std::string_view to_string(FileState state) {
  switch (state) {
    case FileState::ok:
      return "ok";
    case FileState::missing:
      return "missing";
    case FileState::wrong:
      return "wrong";
  }
  return "unknown";
}

std::vector<FileReport> verify(const CatalogueEntry& entry, const std::filesystem::path& data_dir) {
  std::vector<FileReport> reports;
  for (const CatalogueFile& file : entry.files) reports.push_back(state_of(file, data_dir));
  return reports;
}

std::vector<std::filesystem::path> fetch(const CatalogueEntry& entry, const std::filesystem::path& data_dir,
                                         const FetchProgress& progress) {
  std::vector<std::filesystem::path> fetched;
  for (const CatalogueFile& file : entry.files) {
    const FileReport before = state_of(file, data_dir);
    if (before.state == FileState::ok) continue;
    fetch_file(file, before.path, progress);
    fetched.push_back(before.path);
  }
  return fetched;
}

}  // namespace elmx
