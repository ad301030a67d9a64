#include "data/content.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "base/error.hpp"
#include "base/fsio.hpp"
#include "base/machine.hpp"
#include "data/archive.hpp"

namespace elmx {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib: 32 KiB window, gzip wrapper

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
  throw DataError(origin + ": gzip data " + what + "; a complete gzip file is allowed");
}

/// Inflates one member from the front of `bytes` onto `out`; returns the bytes it took.
std::size_t inflate_member(std::string_view bytes, const std::string& origin, std::string& out) {
  Inflater inflater;
  z_stream& z = inflater.stream;
  std::size_t given = 0;
  std::size_t filled = out.size();
  for (int code = Z_OK; code != Z_STREAM_END;) {
    if (z.avail_in == 0) {
      if (given == bytes.size()) refuse(origin, "end too early");
      z.next_in = input(bytes.substr(given));
      z.avail_in = limited(bytes.size() - given);
      given += z.avail_in;
    }
    if (filled == out.size()) {
      const std::size_t grown = out.size() + std::max<std::size_t>(out.size() / 2, 4 * bytes.size() + 1024);
      refuse_beyond_memory(origin, "its unpacked content", static_cast<double>(grown));
      out.resize(grown);
    }
    z.next_out = reinterpret_cast<Bytef*>(out.data() + filled);
    z.avail_out = limited(out.size() - filled);
    const uInt room = z.avail_out;
    code = inflate(&z, Z_NO_FLUSH);
    filled += room - z.avail_out;
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) refuse(origin, "are damaged");
  }
  out.resize(filled);
  return given - z.avail_in;
}

}  // namespace

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}

bool is_compress(std::string_view bytes) {
  return bytes.starts_with("\x1f\x9d");
}

std::string gunzip(std::string_view bytes, const std::string& origin) {
  std::string out;
  do {
    bytes.remove_prefix(inflate_member(bytes, origin, out));
  } while (is_gzip(bytes));
  out.shrink_to_fit();
  return out;
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

Content read_content(const std::filesystem::path& path) {
  Content content{path.string(), read_file(path), ""};
  if (is_gzip(content.bytes))
    content.bytes = gunzip(content.bytes, content.origin);
  else if (is_compress(content.bytes))
    content.bytes = uncompress(content.bytes, content.origin);
  content.sha256 = sha256(content.bytes);
  return content;
}

}  // namespace elmx
