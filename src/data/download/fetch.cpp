#include "data/download/fetch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>

#include <cerrno>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/files/sha256.hpp"
#include "base/printable.hpp"
#include "data/content/content.hpp"
#include "data/originals/originals.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostUnknown = std::size_t{1} << 30;  // limit if the catalogue has no size
constexpr std::size_t kBesideContent = 1 << 20;             // headers, other members of an archive
constexpr int kKept = 100;

std::size_t most_content(const CatalogueFile& file) { return file.size > 0 ? file.size : kMostUnknown; }

/// No packing needs more than twice the content, nor does the archive of the catalogue.
std::size_t most_packed(const CatalogueFile& file) { return 2 * most_content(file) + kBesideContent; }

void check_sha256(const std::string& bytes, const std::string& expected, const std::string& origin) {
  const std::string found = sha256(bytes);
  if (found == expected) return;
  const bool packed = is_gzip(bytes) || is_compress(bytes);
  throw DataError(origin, fmt::format("expected sha256 {}, found {}{}", expected, found, packed ? " (packed)" : ""));
}

/// Unpacks or converts downloaded bytes, strictly as the catalogue declares.
std::string unpacked(const CatalogueFile& file, const std::string& bytes, const std::string& origin) {
  if (file.packed == "gzip") return gunzip(bytes, origin, most_content(file));
  if (file.packed == "compress" && !is_compress(bytes))
    throw DataError(origin, "expected a file packed by compress (.Z)");
  if (file.packed == "compress") return unpack(bytes, origin, most_content(file));
  if (file.packed == "tar.gz")
    return archive_member(gunzip(bytes, origin, most_packed(file)), file.member, origin, most_content(file));
  if (file.packed == "xlsx") return sheet_as_csv(bytes, origin, most_content(file));
  if (file.packed == "pictures") return pictures_as_mat(bytes, origin, most_content(file));
  return bytes;
}

/// Returns the bytes to store: as received if this agrees with the file name, else packed or unpacked.
std::string packed_as_named(const CatalogueFile& file, std::string bytes, std::string content) {
  if (file.path.ends_with(".gz")) return file.packed == "gzip" ? std::move(bytes) : gzip(content);
  return file.path.ends_with(".Z") ? std::move(bytes) : std::move(content);
}

/// Verifies downloaded bytes and returns the bytes to store. Throws DataError.
std::string verified(const CatalogueFile& file, std::string bytes, const std::string& origin) {
  if (!file.packed_sha256.empty()) check_sha256(bytes, file.packed_sha256, origin);
  if (file.sha256.empty()) return bytes;  // the catalogue knows only the checksum of the packed file
  std::string content = unpacked(file, bytes, origin);
  check_sha256(content, file.sha256, origin);
  return packed_as_named(file, std::move(bytes), std::move(content));
}

/// Describes the difference between a stored file and the catalogue, or returns "". Throws DataError if the
/// file cannot be read.
std::string difference(const CatalogueFile& file, const std::filesystem::path& path) {
  const auto compare = [](std::size_t size, std::size_t expected_size, const std::string& sum,
                          const std::string& expected) -> std::string {
    if (expected_size > 0 && size != expected_size)
      return fmt::format("expected {}, found {}", counted(expected_size, "byte"), size);
    return sum == expected ? "" : fmt::format("expected sha256 {}, found {}", expected, sum);
  };
  if (file.sha256.empty()) {
    const BlocksOfFile stored(path);
    return compare(stored.size(), file.packed_size, stored.sha256(), file.packed_sha256);
  }
  const Content content = open_content(path, most_content(file));
  return compare(content.size(), file.size, content.file ? content.file->sha256() : content.sha256, file.sha256);
}

FileReport state_of(const CatalogueFile& file, const std::filesystem::path& data_dir) {
  FileReport report{data_dir / file.path, FileState::ok, ""};
  std::error_code ignored;
  const std::filesystem::file_status there = std::filesystem::status(report.path, ignored);
  if (!std::filesystem::exists(there)) {
    report.state = FileState::missing;
    return report;
  }
  try {
    if (!std::filesystem::is_regular_file(there))
      report.what = "expected a file or a link to one";
    else if (const auto size = std::filesystem::file_size(report.path); size > most_packed(file))
      report.what = fmt::format("expected at most {} bytes, found {}", most_packed(file), size);
    else
      report.what = difference(file, report.path);
  } catch (const DataError& error) {  // the caller prints the path, too
    report.what = printable(error.place() == report.path.string() ? error.problem() : error.what());
  }
  if (!report.what.empty()) report.state = FileState::wrong;
  return report;
}

/// The bytes to store, from the first address or from the second.
std::string downloaded(const CatalogueFile& file, const std::filesystem::path& path, const DownloadLimits& limits,
                       const FetchProgress& progress) {
  const bool plain = file.packed == "no";
  const std::size_t size = plain ? file.size : file.packed_size;
  Download wanted{.url = "",
                  .place = path,
                  .key = "",
                  .most = size > 0 ? size
                          : plain  ? most_content(file)
                                   : most_packed(file),
                  .exact = size > 0,
                  .limits = limits,
                  .begin = DownloadClock::now(),
                  .progress = {}};
  if (progress) wanted.progress = [&](std::size_t done, std::size_t total) { progress(file, done, total); };
  std::string place, problem;
  for (const std::string& url : {file.url, file.mirror}) {
    if (url.empty()) continue;
    wanted.url = url;
    wanted.key = url + "\n" + (file.sha256.empty() ? file.packed_sha256 : file.sha256);
    try {
      return download(wanted, [&](std::string bytes) { return verified(file, std::move(bytes), url); });
    } catch (const DataError& error) {
      problem += problem.empty() ? error.problem() : std::string("; and ") + error.what();
      if (place.empty()) place = error.place();
    }
  }
  throw DataError(place, problem);
}

/// Renames the file at `path` to a free name in the same folder and returns it; "" if there is no file.
std::filesystem::path set_aside(const std::filesystem::path& path) {
  for (int i = 1; i < kKept; ++i) {
    std::filesystem::path kept = fmt::format("{}.replaced{}", path.string(), i > 1 ? "-" + std::to_string(i) : "");
    if (::renameat2(AT_FDCWD, path.c_str(), AT_FDCWD, kept.c_str(), RENAME_NOREPLACE) == 0) return kept;
    if (errno == ENOENT) return "";
    if (errno != EEXIST) break;
  }
  refuse_write(path);
}

FetchedFile fetch_file(const CatalogueFile& file, const std::filesystem::path& data_dir, const DownloadLimits& limits,
                       const FetchProgress& progress) {
  FetchedFile fetched{data_dir / file.path, ""};
  const std::filesystem::path folder = fetched.path.parent_path();
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw ConfigError(folder.string(), "cannot be created: " + failed.message());
  const std::string bytes = downloaded(file, fetched.path, limits, progress);
  const FileState state = state_of(file, data_dir).state;
  if (state == FileState::ok) return fetched;  // by another fetch meanwhile
  if (state == FileState::wrong || std::filesystem::is_symlink(fetched.path, failed))
    fetched.kept = set_aside(fetched.path);
  write_file(fetched.path, bytes);
  return fetched;
}

}  // namespace

std::string_view to_string(FileState state) {
  return state == FileState::ok ? "ok" : state == FileState::missing ? "missing" : "wrong";
}

std::vector<FileReport> verify(const CatalogueEntry& entry, const std::filesystem::path& data_dir) {
  std::vector<FileReport> reports;
  for (const CatalogueFile& file : entry.files) reports.push_back(state_of(file, data_dir));
  return reports;
}

std::vector<FetchedFile> fetch(const CatalogueEntry& entry, const std::filesystem::path& data_dir,
                               const FetchProgress& progress, const DownloadLimits& limits) {
  std::vector<FetchedFile> fetched;
  std::vector<std::string> without_address;
  for (const CatalogueFile& file : entry.files) {
    if (state_of(file, data_dir).state == FileState::ok) continue;
    if (file.url.empty())
      without_address.push_back((data_dir / file.path).string());
    else
      fetched.push_back(fetch_file(file, data_dir, limits, progress));
  }
  if (without_address.empty()) return fetched;
  throw DataError(
      fmt::format("{}", fmt::join(without_address, ", ")),
      fmt::format("no address to download from, since no publisher serves this content; \"elmx help {}\" says where it "
                  "comes from",
                  entry.name));
}

}  // namespace elmx
