#pragma once

#include <string>
#include <vector>

#include "page/report_page.hpp"

namespace elmx {

/// "" of no text.
std::string paragraph(const std::string& text, const std::string& attributes = "");

/// As items of a list where they are several; of more than `most` the others are folded.
std::string lines_of(const std::vector<std::string>& lines, std::size_t most, const std::string& others);

/// Whether it sets published numbers beside measured ones (compare_with_paper).
bool is_published(const Table& table);

/// Those of the tables, each in the layout of its paper, every number of it folded below.
std::string published_of(const std::vector<Table>& tables);

/// The figures that could be drawn, numbered from `first` on, the further ones folded; why others are lacking.
std::string figures_of(const Report& report, std::size_t first);

}  // namespace elmx
