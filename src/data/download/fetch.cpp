#include "data/download/fetch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>

#include <cerrno>

#include "base/error.hpp"
#include "base/files/fsio.hpp"
#include "data/content/archive.hpp"
#include "data/content/content.hpp"
#include "data/download/staged_file.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostUnknown = std::size_t{1} << 30;  // where the catalogue has no size
constexpr std::size_t kBesideContent = 1 << 20;             // headers, other members of an archive
constexpr int kKept = 100;

std::size_t most_content(const CatalogueFile& file) { return file.size > 0 ? file.size : kMostUnknown; }

/// No packing needs more than twice the content, nor does the archive of the catalogue.
std::size_t most_packed(const CatalogueFile& file) { return 2 * most_content(file) + kBesideContent; }

DownloadSize size_of(const CatalogueFile& file) {
  if (file.packed == "no") return {.most = most_content(file), .exact = file.size > 0};
  return {.most = most_packed(file)};
}

void check_sha256(const std::string& bytes, const std::string& expected, const std::string& origin) {
  const std::string found = sha256(bytes);
  if (found == expected) return;
  const bool packed = is_gzip(bytes) || is_compress(bytes);
  throw DataError(fmt::format("{}: sha256 {}{}; {} is expected", origin, found, packed ? " (packed)" : "", expected));
}

/// Undoes the packing that the catalogue declares, and no other.
std::string unpacked(const CatalogueFile& file, const std::string& bytes, const std::string& origin) {
  if (file.packed == "gzip") return gunzip(bytes, origin, most_content(file));
  if (file.packed == "compress") return uncompress(bytes, origin, most_content(file));
  if (file.packed == "tar.gz")
    return archive_member(gunzip(bytes, origin, most_packed(file)), file.member, origin, most_content(file));
  return bytes;
}

/// The bytes to store: as they came where that agrees with the name, else packed or unpacked.
std::string packed_as_named(const CatalogueFile& file, std::string bytes, std::string content) {
  if (file.path.ends_with(".gz")) return file.packed == "gzip" ? std::move(bytes) : gzip(content);
  return file.path.ends_with(".Z") ? std::move(bytes) : std::move(content);
}

/// What is to be stored. Throws DataError.
std::string verified(const CatalogueFile& file, std::string bytes, const std::string& origin) {
  if (!file.packed_sha256.empty()) check_sha256(bytes, file.packed_sha256, origin);
  std::string content = unpacked(file, bytes, origin);
  check_sha256(content, file.sha256, origin);
  return packed_as_named(file, std::move(bytes), std::move(content));
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
    if (!std::filesystem::is_regular_file(there)) throw DataError("neither a file nor a link to one");
    if (const auto size = std::filesystem::file_size(report.path); size > most_packed(file))
      throw DataError(fmt::format("{} bytes; at most {} are expected", size, most_packed(file)));
    const Content content = read_content(report.path, most_content(file));
    if (file.size > 0 && content.bytes.size() != file.size)
      report.what = fmt::format("{} bytes; {} are expected", content.bytes.size(), file.size);
    else if (content.sha256 != file.sha256)
      report.what = fmt::format("sha256 {}; {} is expected", content.sha256, file.sha256);
  } catch (const DataError& error) {
    report.what = error.what();
    const std::string place = report.path.string() + ": ";  // which whoever shows this says, too
    if (report.what.starts_with(place)) report.what.erase(0, place.size());
  }
  if (!report.what.empty()) report.state = FileState::wrong;
  return report;
}

/// Downloads from one address; the bytes to store. Where pieces of two contents may have met, once more from
/// the beginning.
std::string fetched_from(const std::string& url, const CatalogueFile& file, const std::filesystem::path& path,
                         const DownloadLimits& limits, DownloadClock::time_point begin, const FetchProgress& progress) {
  StagedFile partial(path, url + "\n" + file.sha256);
  DownloadProgress report;
  if (progress) report = [&](std::size_t done, std::size_t total) { progress(file, done, total); };
  const bool whole = download(url, partial, size_of(file), limits, begin, report);
  try {
    return verified(file, partial.content(), url);
  } catch (const DataError&) {
    if (whole) throw;
  }
  if (!partial.clear()) partial.refuse();
  download(url, partial, size_of(file), limits, begin, report);
  return verified(file, partial.content(), url);
}

/// From the first address, or from the second.
std::string fetched(const CatalogueFile& file, const std::filesystem::path& path, const DownloadLimits& limits,
                    const FetchProgress& progress) {
  const auto begin = DownloadClock::now();
  std::string first;
  try {
    return fetched_from(file.url, file, path, limits, begin, progress);
  } catch (const DataError& error) {
    if (file.mirror.empty()) throw;
    first = error.what();
  }
  try {
    return fetched_from(file.mirror, file, path, limits, begin, progress);
  } catch (const DataError& error) {
    throw DataError(fmt::format("{}; and {}", first, error.what()));
  }
}

/// Moves what stands at `path` to a name beside it that is free; "" where nothing stands there.
std::filesystem::path set_aside(const std::filesystem::path& path) {
  for (int i = 1; i < kKept; ++i) {
    std::filesystem::path kept = fmt::format("{}.replaced{}", path.string(), i > 1 ? "-" + std::to_string(i) : "");
    if (::renameat2(AT_FDCWD, path.c_str(), AT_FDCWD, kept.c_str(), RENAME_NOREPLACE) == 0) return kept;
    if (errno == ENOENT) return "";
    if (errno != EEXIST) break;
  }
  refuse_write(path);
}

/// Several fetches at once may come here with the same file: the first one places it.
FetchedFile place(const std::string& bytes, const CatalogueFile& file, const std::filesystem::path& data_dir) {
  FetchedFile fetched{data_dir / file.path, ""};
  StagedFile staged(fetched.path);
  if (!staged.append(bytes)) staged.refuse();
  while (!staged.move_to_place()) {
    if (state_of(file, data_dir).state == FileState::ok) break;
    fetched.kept = set_aside(fetched.path);
  }
  return fetched;
}

FetchedFile fetch_file(const CatalogueFile& file, const std::filesystem::path& data_dir, const DownloadLimits& limits,
                       const FetchProgress& progress) {
  const std::filesystem::path path = data_dir / file.path;
  std::error_code failed;
  std::filesystem::create_directories(path.parent_path(), failed);
  if (failed)
    throw ConfigError(fmt::format("{}: cannot be created: {}", path.parent_path().string(), failed.message()));
  return place(fetched(file, path, limits, progress), file, data_dir);
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
      fmt::format("{}: no address to download from, since no publisher serves this content; \"elmx show {}\" says "
                  "where it comes from",
                  fmt::join(without_address, ", "), entry.name));
}

}  // namespace elmx
