#include "data/table/kept_table.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <chrono>
#include <cstdlib>
#include <fstream>

#include "base/error.hpp"
#include "base/files/fsio.hpp"
#include "base/version.hpp"

// A kept file, all numbers as the machine has them:
//
//     "elmxtab1"  rows  training rows  sparse  notes  columns            counts: 8 bytes, texts: count and bytes
//     a column    name  role  kind  decimal  declared  categories  values
//     CRC-32 of all that stands before it

namespace elmx {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "elmxtab1";
constexpr auto kKeptFor = std::chrono::hours(24 * 30);
constexpr std::string_view kEnding = ".table";
constexpr std::size_t kNumbersAtOnce = std::size_t(1) << 17;
constexpr std::size_t kAtOnce = std::size_t(1) << 30;  // zlib counts bytes in 32 bits

class Writer {
 public:
  explicit Writer(const fs::path& path) : out_(path, std::ios::binary) {}

  void bytes(const void* from, std::size_t size) {
    const char* at = static_cast<const char*>(from);
    for (std::size_t done = 0; done < size; done += kAtOnce) {
      const std::size_t part = std::min(kAtOnce, size - done);
      sum_ = crc32(sum_, reinterpret_cast<const Bytef*>(at + done), static_cast<uInt>(part));
    }
    out_.write(at, static_cast<std::streamsize>(size));
  }
  void count(std::size_t n) { bytes(&n, sizeof n); }
  void text(const std::string& value) {
    count(value.size());
    bytes(value.data(), value.size());
  }
  void texts(const std::vector<std::string>& values) {
    count(values.size());
    for (const std::string& value : values) text(value);
  }
  void numbers(const std::vector<double>& values) {
    count(values.size());
    bytes(values.data(), values.size() * sizeof(double));
  }
  bool finish() {
    count(sum_);
    out_.close();
    return !out_.fail();
  }

 private:
  std::ofstream out_;
  uLong sum_ = crc32(0, nullptr, 0);
};

/// Throws DataError where the file ends too early.
class Reader {
 public:
  explicit Reader(const fs::path& path) : in_(path, std::ios::binary) {
    std::error_code none;
    size_ = left_ = fs::file_size(path, none);
  }

  void bytes(void* to, std::size_t size) {
    if (size > left_) throw DataError("ends too early");
    left_ -= size;
    char* at = static_cast<char*>(to);
    if (!in_.read(at, static_cast<std::streamsize>(size))) throw DataError("ends too early");
    for (std::size_t done = 0; done < size; done += kAtOnce) {
      const std::size_t part = std::min(kAtOnce, size - done);
      sum_ = crc32(sum_, reinterpret_cast<const Bytef*>(at + done), static_cast<uInt>(part));
    }
  }
  std::size_t count() {
    std::size_t n = 0;
    bytes(&n, sizeof n);
    return n;
  }
  /// Of things that take so many bytes at least.
  std::size_t count_of(std::size_t least) {
    const std::size_t n = count();
    if (n > left_ / least) throw DataError("ends too early");
    return n;
  }
  std::string text() {
    std::string value(count_of(1), '\0');
    bytes(value.data(), value.size());
    return value;
  }
  std::vector<std::string> texts() {
    std::vector<std::string> values(count_of(sizeof(std::size_t)));
    for (std::string& value : values) value = text();
    return values;
  }
  std::vector<double> numbers() {
    std::vector<double> values(count_of(sizeof(double)));
    bytes(values.data(), values.size() * sizeof(double));
    return values;
  }
  /// Passes over numbers; returns where the first of them stands.
  std::size_t skip_numbers(std::size_t& count_of_numbers) {
    count_of_numbers = count_of(sizeof(double));
    const std::size_t offset = size_ - left_;
    std::vector<double> block(std::min(count_of_numbers, kNumbersAtOnce));
    for (std::size_t done = 0; done < count_of_numbers; done += block.size())
      bytes(block.data(), std::min(block.size(), count_of_numbers - done) * sizeof(double));
    return offset;
  }
  bool finish() {
    const uLong sum = sum_;
    return count() == sum && left_ == 0;
  }

 private:
  std::ifstream in_;
  std::size_t size_ = 0, left_ = 0;
  uLong sum_ = crc32(0, nullptr, 0);
};

void write(Writer& out, const JoinedTable& joined) {
  const RawTable& table = joined.table;
  out.bytes(kMagic.data(), kMagic.size());
  out.count(table.rows);
  out.count(joined.train_rows);
  out.count(table.sparse);
  out.texts(table.notes);
  out.count(table.columns.size());
  for (const RawColumn& column : table.columns) {
    out.text(column.name);
    out.count(static_cast<std::size_t>(column.role));
    out.count(static_cast<std::size_t>(column.kind));
    out.count(static_cast<std::size_t>(column.decimal));
    out.count(column.declared);
    out.texts(column.categories);
    out.numbers(column.values);
  }
}

/// offsets: receives those of the values of inputs, which are left out of the table; null: they are not.
std::optional<JoinedTable> read(Reader& in, std::vector<std::size_t>* offsets = nullptr) {
  std::string magic(kMagic.size(), '\0');
  in.bytes(magic.data(), magic.size());
  if (magic != kMagic) return {};
  JoinedTable joined;
  RawTable& table = joined.table;
  table.rows = in.count();
  joined.train_rows = in.count();
  table.sparse = in.count() != 0;
  table.notes = in.texts();
  table.columns.resize(in.count_of(6 * sizeof(std::size_t)));
  for (RawColumn& column : table.columns) {
    column.name = in.text();
    column.role = static_cast<Role>(in.count());
    column.kind = static_cast<Kind>(in.count());
    column.decimal = static_cast<Decimal>(in.count());
    column.declared = in.count() != 0;
    column.categories = in.texts();
    if (offsets == nullptr || column.role != Role::input) {
      column.values = in.numbers();
      continue;
    }
    std::size_t count = 0;
    offsets->push_back(in.skip_numbers(count));
    if (count != table.rows) return {};
  }
  if (!in.finish()) return {};
  return joined;
}

fs::path file_of(const std::string& key) { return folder_of_kept_tables() / (key + std::string(kEnding)); }

void remove_unused(const fs::path& folder) {
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
    if (!entry.path().filename().string().ends_with(kEnding)) continue;
    const auto used = entry.last_write_time(none);
    if (!none && fs::file_time_type::clock::now() - used > kKeptFor) fs::remove(entry.path(), none);
  }
}

std::optional<JoinedTable> kept_as(const std::string& key, std::vector<std::size_t>* offsets) {
  if (folder_of_kept_tables().empty()) return {};
  const fs::path path = file_of(key);
  std::error_code none;
  if (!fs::is_regular_file(path, none)) return {};
  try {
    Reader in(path);
    std::optional<JoinedTable> joined = read(in, offsets);
    if (joined) fs::last_write_time(path, fs::file_time_type::clock::now(), none);
    return joined;
  } catch (const DataError&) {
    return {};
  }
}

/// Another build may read otherwise.
std::string program() {
  std::error_code none;
  const auto built = fs::last_write_time("/proc/self/exe", none).time_since_epoch().count();
  return fmt::format("{} {} {} {}", kVersion, kCommit, fs::file_size("/proc/self/exe", none), built);
}

}  // namespace

fs::path folder_of_kept_tables() {
  if (const char* named = std::getenv("ELMX_CACHE"); named != nullptr) return named;
  if (const char* caches = std::getenv("XDG_CACHE_HOME"); caches != nullptr && *caches != '\0')
    return fs::path(caches) / "elmx";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') return fs::path(home) / ".cache/elmx";
  return {};
}

std::string key_of_table(const std::vector<std::string>& checksums, const std::string& how) {
  return sha256(fmt::format("{}\n{}\n{}", fmt::join(checksums, "\n"), how, program()));
}

std::optional<JoinedTable> kept_table(const std::string& key) { return kept_as(key, nullptr); }

std::optional<TableOnDisk> kept_table_on_disk(const std::string& key) {
  TableOnDisk table;
  std::optional<JoinedTable> joined = kept_as(key, &table.offsets);
  if (!joined) return {};
  table.joined = std::move(*joined);
  table.file = std::make_shared<const BlocksOfFile>(file_of(key));
  return table;
}

void keep_table(const JoinedTable& joined, const std::string& key) {
  const fs::path folder = folder_of_kept_tables();
  if (folder.empty()) return;
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return;
  remove_unused(folder);
  const fs::path whole = file_of(key), part = folder / fmt::format("{}.{}.part", key, ::getpid());
  Writer out(part);
  write(out, joined);
  if (out.finish()) fs::rename(part, whole, failed);
  fs::remove(part, failed);
}

}  // namespace elmx
