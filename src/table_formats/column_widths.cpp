#include "table_formats/column_widths.hpp"

#include <algorithm>

namespace elmx {

std::vector<std::size_t> column_widths(const std::vector<WidthRange>& columns, std::size_t room) {
  std::vector<std::size_t> widths;
  std::size_t used = 0;
  for (const WidthRange& column : columns) {
    const std::size_t gap = widths.empty() ? 0 : kGap;
    if (!widths.empty() && used + gap + column.least > room) break;
    widths.push_back(std::min(column.least, room));
    used += gap + widths.back();
  }
  for (std::size_t j = 0; j < widths.size(); ++j) {
    const std::size_t more = std::min(columns[j].natural - std::min(columns[j].natural, widths[j]), room - used);
    widths[j] += more;
    used += more;
  }
  return widths;
}

}  // namespace elmx
