#include "data/content/content.hpp"

#include <fmt/core.h>
#include <iconv.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/files/sha256.hpp"
#include "base/printable.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

/// Returns the content of stdin, which is read once and kept for all data sets that use it.
const std::string& standard_input() {
  static const std::string bytes = read_file("/dev/stdin");
  return bytes;
}

constexpr std::size_t kReadInBlocks = std::size_t(32) << 20;

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

/// Returns true for a tar archive that is not an archive of the formats "reviews" and "cifar".
bool is_other_tar(std::string_view bytes) {
  return is_tar(bytes) && bytes.find("aclImdb/") == std::string_view::npos &&
         bytes.find("cifar-10-batches-bin/") == std::string_view::npos;
}

/// Refuses the kinds of files that elmx does not read, by their first bytes.
void refuse_other_kinds(std::string_view bytes, const std::string& origin) {
  using namespace std::string_view_literals;
  constexpr const char* picture = "a picture; elmx reads images from IDX, NORB and CIFAR-10 files, or arrays from .npy";
  constexpr const char* pickle = "a pickle of Python; save the array with numpy.save or the table as CSV";
  constexpr const char* spss = "an SPSS file; save it as CSV (pandas: read_spss(...).to_csv(...))";
  constexpr const char* data_of_r = "a file of R data; save the table as CSV (R: write.csv(..., row.names = FALSE))";
  constexpr std::array<std::pair<std::string_view, const char*>, 19> kinds{{
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
      {"<stata_dta>", "a Stata file; save it as CSV (pandas: read_stata(...).to_csv(...))"},
      {"RDX2\nX\n", data_of_r},
      {"RDX3\nX\n", data_of_r},
      {"X\n\0\0\0"sv, data_of_r},
  }};
  const auto refuse = [&](const char* what) { throw DataError(origin, std::string("this is ") + what); };
  for (const auto& [mark, what] : kinds) {
    if (bytes.starts_with(mark)) refuse(what);
  }
  const std::string_view text = from_first_letter(bytes);
  if (is_json(text))
    refuse("a JSON file; save the table as CSV (pandas: read_json(...).to_csv(...), with lines=True for JSON lines)");
  if (is_markup(text)) refuse("an HTML or XML file; open it in a spreadsheet program and save the table as CSV");
  if (is_other_tar(bytes)) refuse("a tar archive; unpack it and name one of its files");
}

Content unpacked(Content content, std::size_t most) {
  if (is_packed(content.bytes)) content.bytes = unpack(content.bytes, content.origin, most);
  refuse_other_kinds(content.bytes, content.origin);
  content.sha256 = sha256(content.bytes);
  return content;
}

/// Returns true if a byte does not occur in text: a control character other than blanks and the end-of-file
/// mark of DOS.
bool is_no_text(std::string_view bytes) {
  return std::ranges::any_of(
      bytes, [](char byte) { return byte >= 0 && byte < 0x20 && !(byte >= '\t' && byte <= '\r') && byte != 0x1a; });
}

std::size_t bytes_beyond_ascii(std::string_view bytes) {
  return static_cast<std::size_t>(std::ranges::count_if(bytes, [](char byte) { return (byte & 0x80) != 0; }));
}

/// Returns true if the text has more bytes that are invalid in UTF-8 than valid multi-byte characters, and
/// thus is in a single-byte encoding. Otherwise it counts as damaged UTF-8.
bool is_of_single_bytes(std::string_view text) {
  std::size_t whole = 0, stray = 0;
  while (!text.empty()) {
    const std::size_t bytes = utf8_bytes(text);
    whole += bytes > 1;
    stray += bytes == 0;
    text.remove_prefix(std::max<std::size_t>(1, bytes));
  }
  return whole < stray;
}

/// Returns the UTF-16 encoding that the first bytes show: of Latin letters each second byte is 0.
const char* utf16_of(std::string_view bytes) {
  bytes = bytes.substr(0, 4);
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) return "UTF-16";
  const auto zero = [&](std::size_t i) { return bytes[i] == '\0'; };
  if (bytes.size() < 4 || zero(0) != zero(2) || zero(1) != zero(3) || zero(0) == zero(1)) return nullptr;
  return zero(0) ? "UTF-16BE" : "UTF-16LE";
}

/// Converts bytes to UTF-8. Returns nothing if the bytes are not in this encoding, or if the system does not
/// know the encoding. `most`: the largest size of the result.
std::optional<std::string> converted(const std::string& bytes, const char* encoding, std::size_t most) {
  const iconv_t conversion = iconv_open("UTF-8", encoding);
  if (conversion == iconv_t(-1)) return std::nullopt;
  std::string text(most, '\0');
  char *in = const_cast<char*>(bytes.data()), *out = text.data();  // iconv changes only the pointer `in`
  std::size_t left = bytes.size(), room = text.size();
  const bool whole = iconv(conversion, &in, &left, &out, &room) != std::size_t(-1);
  iconv_close(conversion);
  if (!whole) return std::nullopt;
  text.resize(text.size() - room);
  return text;
}

}  // namespace

Content open_content(const std::filesystem::path& path, std::size_t most) {
  if (path == kStandardInput) return unpacked({std::string(kNameOfStandardInput), standard_input(), ""}, most);
  if (!is_file(path)) return unpacked({path.string(), read_file(path), ""}, most);
  Content content{path.string(), "", "", std::make_shared<const BlocksOfFile>(path)};
  const std::string head = content.file->head(kFirstBytes);
  if (content.file->size() >= kReadInBlocks && !is_packed(head) && utf16_of(head) == nullptr) {
    refuse_other_kinds(head, content.origin);
    return content;
  }
  content.read_into_memory();
  return unpacked(std::move(content), most);
}

void Content::read(std::size_t offset, std::size_t count, char* to) const {
  if (file) return file->read(offset, count, to);
  if (offset > bytes.size() || count > bytes.size() - offset)
    throw DataError(origin, fmt::format("the file is truncated at byte {}; use a complete one", bytes.size()));
  bytes.copy(to, count, offset);
}

void Content::read_into_memory() {
  if (!file) return;
  bytes = file->head(file->size());
  file.reset();
}

std::string make_utf8(Content& content) {
  if (const char* utf16 = utf16_of(content.bytes)) {
    std::optional<std::string> text = converted(content.bytes, utf16, 2 * content.bytes.size());
    if (!text || is_no_text(*text))
      throw DataError(content.origin, "begins like UTF-16, but is not valid UTF-16 text; save it as UTF-8");
    content.bytes = std::move(*text);
    return "UTF-16";
  }
  const std::size_t beyond = bytes_beyond_ascii(content.bytes);
  if (beyond == 0 || !is_of_single_bytes(content.bytes) || is_no_text(content.bytes)) return "";
  std::optional<std::string> text = converted(content.bytes, "WINDOWS-1252", content.bytes.size() + 2 * beyond);
  if (!text) return "";
  content.bytes = std::move(*text);
  return "Windows-1252";
}

}  // namespace elmx
