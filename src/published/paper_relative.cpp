#include "published/paper_relative.hpp"

#include "base/error.hpp"

namespace elmx {
namespace {

constexpr const char* kPlace = "/paper/rules";

const PaperCell& base_of(const PaperCell& cell, const std::vector<PaperCell>& cells) {
  const PaperCell* base = nullptr;
  std::size_t found = 0;
  for (const PaperCell& other : cells) {
    if (other.series != cell.series || !matches(cell.rule.relative_to, *other.row, kPlace)) continue;
    base = &other;
    ++found;
  }
  if (found != 1) {
    throw ConfigError(std::string(kPlace) + ": relative_to " + cell.rule.relative_to.dump() + ": " +
                      std::to_string(found) + " cells of " + cell.series + "; allowed: exactly one");
  }
  return *base;
}

}  // namespace

std::vector<PaperCell> relative_cells(std::vector<PaperCell> cells) {
  const std::vector<PaperCell> undivided = cells;
  for (PaperCell& cell : cells) {
    if (cell.rule.relative_to.empty()) continue;
    const PaperCell& base = base_of(cell, undivided);
    cell.published = cell.published && base.published && *base.published != 0
                         ? std::optional(*cell.published / *base.published)
                         : std::nullopt;
    cell.measured = quotient(cell.measured, base.measured);
    for (std::size_t i = 0; i < cell.beside.size(); ++i) cell.beside[i] = quotient(cell.beside[i], base.beside[i]);
  }
  return cells;
}

}  // namespace elmx
