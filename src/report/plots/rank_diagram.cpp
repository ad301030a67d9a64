#include <fmt/core.h>

#include <algorithm>

#include "base/printable.hpp"
#include "report/formats/table_formats.hpp"
#include "report/plots/row_plots.hpp"

namespace elmx {
namespace {

constexpr double kWidth = 760, kLeft = 170, kRight = 590, kAxis = 84, kRow = 26;

std::string line(double x1, double y1, double x2, double y2, double width = 1.2, const char* colour = "#1a1a1a") {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"{:g}\" "
      "stroke-linecap=\"round\"/>\n",
      x1, y1, x2, y2, colour, width);
}

std::string text(double x, double y, const std::string& words, const char* anchor = "middle") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, html_text(words));
}

}  // namespace

std::string rank_diagram(const MethodRanks& found) {
  const arma::rowvec& ranks = found.ranks.friedman.ranks;
  const std::size_t k = ranks.n_elem, half = (k + 1) / 2;
  const double apart = found.ranks.critical_difference;
  const auto at = [&](double rank) { return kLeft + (rank - 1) / static_cast<double>(k - 1) * (kRight - kLeft); };
  const auto groups = level_groups(ranks, apart);
  const double labels = kAxis + 22 + 11 * static_cast<double>(groups.size());
  const double height = labels + kRow * static_cast<double>(half) + 6;
  const std::string title = "Mean ranks on " + counted(found.ranks.scores.n_rows, "data set") + " (1 is best)";

  const double end = std::min(at(1 + apart), kWidth - 10);
  std::string parts = text(kLeft, 24, title, "start") + line(kLeft, 50, end, 50, 2) + line(kLeft, 45, kLeft, 55) +
                      line(end, 45, end, 55) +
                      text(kLeft, 42, fmt::format("critical difference {:.2f}", apart), "start") +
                      line(kLeft, kAxis, kRight, kAxis);
  for (std::size_t rank = 1; rank <= k; ++rank) {
    const double x = at(static_cast<double>(rank));
    parts += line(x, kAxis - 5, x, kAxis) + text(x, kAxis - 9, std::to_string(rank));
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const double y = kAxis + 14 + 11 * static_cast<double>(i);
    parts += line(at(ranks(groups[i].front())) - 4, y, at(ranks(groups[i].back())) + 4, y, 5, "#c2410c");
  }
  const std::vector<std::size_t> order = order_of(ranks);
  for (std::size_t i = 0; i < k; ++i) {  // better half on the left, others on the right from below
    const bool left = i < half;
    const double x = left ? kLeft - 30 : kRight + 30, rank = at(ranks(order[i]));
    const double y = labels + kRow * static_cast<double>(left ? i : k - 1 - i) + 8;
    parts += line(rank, kAxis, rank, y) + line(x, y, rank, y) +
             text(left ? x - 6 : x + 6, y + 5, fmt::format("{}  {:.2f}", found.methods[order[i]], ranks(order[i])),
                  left ? "end" : "start");
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:.0f}\" font-family=\"sans-serif\" "
      "font-size=\"15\" fill=\"#1a1a1a\">\n<title>{2}</title>\n<rect width=\"{0:g}\" height=\"{1:.0f}\" "
      "fill=\"#ffffff\"/>\n{3}</svg>\n",
      kWidth, height, html_text(title), parts);
}

}  // namespace elmx
