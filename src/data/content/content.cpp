#include "data/content/content.hpp"

#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>

#include "base/error.hpp"
#include "base/files/fsio.hpp"
#include "base/files/standard_input.hpp"
#include "data/content/archive.hpp"
#include "data/content/bytes.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib: 32 KiB window, gzip wrapper
constexpr std::size_t kBlock = 1 << 16;
constexpr std::size_t kSizeBytes = 4;

/// A zlib stream that is ended whatever happens.
class Inflater {
 public:
  Inflater() {
    if (inflateInit2(&stream, kGzipWindow) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream stream{};
};

Bytef* input(std::string_view bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib does not write to its input
}

uInt limited(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

[[noreturn]] void refuse(const std::string& origin, const std::string& what) {
  throw DataError(fmt::format("{}: gzip data {}; a complete gzip file is allowed", origin, what));
}

/// Inflates one member from the front of `bytes` onto `out`; returns the bytes it took.
std::size_t inflate_member(std::string_view bytes, const std::string& origin, Unpacked& out) {
  Inflater inflater;
  z_stream& z = inflater.stream;
  std::array<char, kBlock> block;
  std::size_t given = 0;
  for (int code = Z_OK; code != Z_STREAM_END;) {
    if (z.avail_in == 0) {
      if (given == bytes.size()) refuse(origin, "end too early");
      z.next_in = input(bytes.substr(given));
      z.avail_in = limited(bytes.size() - given);
      given += z.avail_in;
    }
    z.next_out = reinterpret_cast<Bytef*>(block.data());
    z.avail_out = block.size();
    code = inflate(&z, Z_NO_FLUSH);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) refuse(origin, "are damaged");
    out.append({block.data(), block.size() - z.avail_out});
  }
  return given - z.avail_in;
}

/// The size that stands at the end of a gzip file: that of its last member, modulo 2^32.
std::size_t announced_size(std::string_view bytes) {
  return bytes.size() < kSizeBytes ? 0 : little_endian(bytes, bytes.size() - kSizeBytes);
}

/// All of stdin, which can be read once, for every data set that it is used for.
const std::string& standard_input() {
  static const std::string bytes = read_file("/dev/stdin");
  return bytes;
}

constexpr std::size_t kBytesThatTell = 4096;  // of a large file: its kind, and the first members of an archive
constexpr std::size_t kReadInBlocks = std::size_t(32) << 20;

enum class Packing { none, gzip, compress, archive };

Packing packing_of(std::string_view bytes) {
  if (is_gzip(bytes)) return Packing::gzip;
  if (is_compress(bytes)) return Packing::compress;
  const bool archive = bytes.starts_with("BZh") ||
                       bytes.starts_with(
                           "\xFD"
                           "7zXZ") ||
                       bytes.starts_with("\x28\xB5\x2F\xFD") || bytes.starts_with("PK\x03\x04");
  return archive ? Packing::archive : Packing::none;
}

/// The text behind a byte order mark and blanks. A tab stays: it is the label 9 of a CIFAR-10 file.
std::string_view from_first_letter(std::string_view bytes) {
  return bytes.substr(std::min(bytes.find_first_not_of("\xEF\xBB\xBF \r\n"), bytes.size()));
}

/// Returns true if the text begins with an object or with a list of objects, lists or strings.
bool is_json(std::string_view text) {
  if (!text.starts_with('{') && !text.starts_with('[')) return false;
  const std::string_view inside = text.substr(std::min(text.find_first_not_of(" \t\r\n", 1), text.size()));
  return inside.starts_with('"') || (text.front() == '[' && (inside.starts_with('{') || inside.starts_with('[')));
}

/// Returns true if the text begins with a tag of an HTML page or the declaration of XML. Other words in angle
/// brackets can be names of columns: <TICKER>,<DATE>,<CLOSE>.
bool is_markup(std::string_view text) {
  constexpr std::array<std::string_view, 9> beginnings{"<?xml",  "<!doctype", "<!--",    "<html>", "<html ",
                                                       "<head>", "<meta ",    "<table>", "<table "};
  return std::ranges::any_of(beginnings, [&](std::string_view tag) { return begins_with_word(text, tag); });
}

/// Returns true if the bytes begin as the binary formats 113 to 115 of Stata do: the number of the format,
/// the order of the bytes (1 or 2), 1 and 0.
bool is_old_stata(std::string_view bytes) {
  return bytes.size() > 3 && bytes[0] >= 113 && bytes[0] <= 115 && (bytes[1] == 1 || bytes[1] == 2) && bytes[2] == 1 &&
         bytes[3] == 0;
}

/// Returns true if the bytes are a tar archive and not the one that the format "reviews" reads.
bool is_other_tar(std::string_view bytes) {
  constexpr std::size_t mark = 257;  // behind names and numbers that end with zeros
  return bytes.size() > mark && bytes.substr(mark).starts_with("ustar") &&
         bytes.substr(0, mark).find('\0') != std::string_view::npos && bytes.find("aclImdb/") == std::string_view::npos;
}

/// Refuses the kinds of files that elmx does not read, by their first bytes.
void refuse_other_kinds(std::string_view bytes, const std::string& origin) {
  using namespace std::string_view_literals;
  struct OtherKind {
    std::string_view mark;
    const char* what;
  };
  constexpr const char* picture = "a picture; elmx reads images from IDX, NORB and CIFAR-10 files, or arrays from .npy";
  constexpr const char* pickle = "a pickle of Python; save the array with numpy.save or the table as CSV";
  constexpr const char* spss = "an SPSS file; save it as CSV (pandas: read_spss(...).to_csv(...))";
  constexpr const char* stata = "a Stata file; save it as CSV (pandas: read_stata(...).to_csv(...))";
  constexpr const char* data_of_r = "a file of R data; save the table as CSV (R: write.csv(..., row.names = FALSE))";
  constexpr std::array<OtherKind, 19> kinds{{
      {"PAR1", "a Parquet file; save it as CSV (pandas: read_parquet(...).to_csv(...))"},
      {"ARROW1", "an Arrow file; save it as CSV (pandas: read_feather(...).to_csv(...))"},
      {"FEA1", "a Feather file; save it as CSV (pandas: read_feather(...).to_csv(...))"},
      {"%PDF-", "a PDF file; save its table as CSV"},
      {"{\\rtf", "a text document (RTF); save its table as CSV"},
      {"\xD0\xCF\x11\xE0", "a workbook of Excel 97 or an Office document; save the sheet as CSV"},
      {"SQLite format 3", "an SQLite database; save a table as CSV (sqlite3 -csv -header FILE 'select ...')"},
      {"7z\xBC\xAF", "a 7z archive; unpack it first"},
      {"Rar!", "a RAR archive; unpack it first"},
      {"\x89PNG", picture},
      {"\xFF\xD8\xFF", picture},
      {"\x80\x04\x95", pickle},
      {"\x80\x05\x95", pickle},
      {"$FL2", spss},
      {"$FL3", spss},
      {"<stata_dta>", stata},
      {"RDX2\nX\n", data_of_r},
      {"RDX3\nX\n", data_of_r},
      {"X\n\0\0\0"sv, data_of_r},
  }};
  const auto refuse = [&](const char* what) { throw DataError(origin + ": this is " + what); };
  for (const OtherKind& kind : kinds) {
    if (bytes.starts_with(kind.mark)) refuse(kind.what);
  }
  if (is_old_stata(bytes)) refuse(stata);
  const std::string_view text = from_first_letter(bytes);
  if (is_json(text))
    refuse("a JSON file; save the table as CSV (pandas: read_json(...).to_csv(...), with lines=True for JSON lines)");
  if (is_markup(text)) refuse("an HTML or XML file; open it in a spreadsheet program and save the table as CSV");
  if (is_other_tar(bytes)) refuse("a tar archive; unpack it and name one of its files");
}

Content unpacked(Content content, std::size_t most) {
  switch (packing_of(content.bytes)) {
    case Packing::gzip:
      content.bytes = gunzip(content.bytes, content.origin, most);
      break;
    case Packing::compress:
      content.bytes = uncompress(content.bytes, content.origin, most);
      break;
    case Packing::archive:
      content.bytes = unpack_one(content.bytes, content.origin, most);
      break;
    case Packing::none:
      break;
  }
  refuse_other_kinds(content.bytes, content.origin);
  content.sha256 = sha256(content.bytes);
  return content;
}

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

bool is_compress(std::string_view bytes) { return bytes.starts_with("\x1f\x9d"); }

std::string gunzip(std::string_view bytes, const std::string& origin, std::size_t most) {
  Unpacked out(origin, "its unpacked content", bytes.size(), most);
  out.announce(announced_size(bytes));
  do {
    bytes.remove_prefix(inflate_member(bytes, origin, out));
  } while (is_gzip(bytes));
  if (bytes.find_first_not_of('\0') != std::string_view::npos) {
    refuse(origin, fmt::format("are followed by {} bytes that are none", bytes.size()));
  }
  return out.take();
}

std::string gzip(std::string_view bytes) {
  z_stream z{};
  if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string out(deflateBound(&z, bytes.size()), '\0');
  z.next_in = input(bytes);
  z.avail_in = limited(bytes.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = limited(out.size());
  const int code = deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  expects(code == Z_STREAM_END, "gzip: less than 4 GB");
  return out;
}

Content read_content(const std::filesystem::path& path, std::size_t most) {
  return unpacked(path == kStandardInput ? Content{std::string(kNameOfStandardInput), standard_input(), ""}
                                         : Content{path.string(), read_file(path), ""},
                  most);
}

Content open_content(const std::filesystem::path& path, std::size_t most) {
  std::error_code ignored;
  if (path == kStandardInput || !std::filesystem::is_regular_file(path, ignored)) return read_content(path, most);
  Content content{path.string(), "", "", std::make_shared<const BlocksOfFile>(path)};
  const std::string head = content.file->head(kBytesThatTell);
  const bool wide = head.size() > 1 && (head[0] == '\0' || head[1] == '\0' || head.starts_with("\xFF\xFE"));
  if (content.file->size() >= kReadInBlocks && packing_of(head) == Packing::none && !wide) {
    refuse_other_kinds(head, content.origin);
    return content;
  }
  content.bytes = content.file->head(content.file->size());
  content.file.reset();
  return unpacked(std::move(content), most);
}

}  // namespace elmx
