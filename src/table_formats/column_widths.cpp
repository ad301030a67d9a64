#include "table_formats/column_widths.hpp"

#include <algorithm>
#include <set>

namespace elmx {

std::vector<std::size_t> column_widths(const std::vector<WidthRange>& columns, std::size_t room) {
  std::vector<std::size_t> widths(columns.size(), 0);
  std::size_t used = 0;
  std::set<int> ranks;
  for (const WidthRange& column : columns) ranks.insert(column.rank);
  for (const int rank : ranks) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (columns[j].rank != rank) continue;
      const std::size_t gap = used > 0 ? kGap : 0;
      if (used > 0 && used + gap + columns[j].least > room) break;
      widths[j] = std::clamp<std::size_t>(columns[j].least, 1, room);
      used += gap + widths[j];
    }
  }
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (widths[j] == 0) continue;
    const std::size_t more = std::min(columns[j].natural - std::min(columns[j].natural, widths[j]), room - used);
    widths[j] += more;
    used += more;
  }
  return widths;
}

}  // namespace elmx
