#include "data/table/records.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "data/table/table.hpp"

namespace elmx {
namespace {

// Of a row, where a quote holds line ends: behind them it is split anew with each line.
constexpr std::size_t kMostLines = 1000;
constexpr std::size_t kMostBytes = 1 << 16;

}  // namespace

Records::Records(const Content& content, char separator, std::string comment)
    : origin_(content.origin), comment_(std::move(comment)), lines_(content.bytes), fields_(separator) {}

bool Records::next() {
  if (!lines_.next_content(comment_)) return false;
  line_ = lines_.number();
  found_ = &fields_.split(lines_.line());
  while (!fields_.closed()) {
    const bool more = lines_.line().size() < kMostBytes && lines_.number() - line_ < kMostLines && lines_.extend();
    if (!more) {
      throw DataError(place(origin_, line_) +
                      "a quote without end; the closing quote is expected, at most 1000 lines and 64 KiB behind it");
    }
    found_ = &fields_.split(lines_.line());
  }
  return true;
}

void take_quoted_lines(Lines& lines) {
  const std::size_t first = lines.number();
  while (std::ranges::count(lines.line(), '"') % 2 == 1 && lines.number() - first < kMostLines && lines.extend()) {
  }
}

}  // namespace elmx
