#include "data/table/read_report.hpp"

#include <algorithm>

namespace elmx {

std::string Variable::description() const {
  std::string sizes;
  for (const std::size_t size : shape) sizes += (sizes.empty() ? "" : " x ") + std::to_string(size);
  return name + " (" + (shape.empty() ? "scalar" : sizes) + ", " + kind + ")";
}

void ReadReport::append(ReadReport other) {
  for (std::size_t j = 0; j < std::min(columns.size(), other.columns.size()); ++j) {
    columns[j].missing += other.columns[j].missing;
    for (ReplacedText& one : other.columns[j].read_as_missing) columns[j].read_as_missing.push_back(std::move(one));
  }
  for (RowsLeftOut& one : other.rows_left_out) rows_left_out.push_back(std::move(one));
  for (std::string& note : other.notes) {
    if (std::ranges::count(notes, note) == 0) notes.push_back(std::move(note));
  }
}

}  // namespace elmx
