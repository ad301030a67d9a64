#pragma once

#include <string>
#include <vector>

#include "page/report_page.hpp"

namespace elmx {

/// One page about several results folders that hold published tables: how many cells of each table agree, disagree or
/// are undecided (paper_summary), then a section a folder with its published tables and, folded, its figures and what
/// made it.
std::string reports_page(const std::string& title, const Table& summary, const std::vector<Report>& reports);

}  // namespace elmx
