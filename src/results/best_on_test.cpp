#include "results/best_on_test.hpp"

#include <algorithm>

#include "results/quantities.hpp"
#include "statistics/ties.hpp"

namespace elmx {
namespace {

using Rows = std::vector<RecordRow>::iterator;

}  // namespace

const RecordRow& best_point(const std::vector<const RecordRow*>& points, const std::string& quantity) {
  const double sign = quantity_of(quantity).better == Better::lower ? -1 : 1;
  // All trials have a number; then some have; then the better mean.
  const auto merit = [&](const RecordRow* row) {
    const Summary summary = summary_of(*row, quantity);
    return std::tuple(summary.n == row->trials(), summary.n > 0, summary.n > 0 ? sign * summary.mean : 0);
  };
  const auto best = merit(
      *std::ranges::max_element(points, [&](const RecordRow* a, const RecordRow* b) { return merit(a) < merit(b); }));
  return **std::ranges::find_if(points, [&](const RecordRow* row) {
    const auto [all, some, mean] = merit(row);
    const auto [best_all, best_some, best_mean] = best;
    return all == best_all && some == best_some && equal_but_for_rounding(mean, best_mean);
  });
}

RecordRow best_on_test(std::vector<RecordRow>::const_iterator first, std::vector<RecordRow>::const_iterator last) {
  const bool classifies =
      std::any_of(first, last, [](const RecordRow& row) { return summary_of(row, "test_acc").n > 0; });
  std::vector<const RecordRow*> points;
  for (auto row = first; row != last; ++row) points.push_back(&*row);
  RecordRow best = best_point(points, classifies ? "test_acc" : "test_rmse");
  best.chosen = kBestOnTest;
  return best;
}

std::vector<RecordRow> with_best_on_test(std::vector<RecordRow> rows) {
  const auto place = [](const RecordRow& row) { return std::tuple(row.nodes, row.iterations, !row.chosen.empty()); };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const RecordRow& a, const RecordRow& b) { return place(a) < place(b); });
  std::vector<RecordRow> all;
  for (Rows first = rows.begin(); first != rows.end();) {
    const Rows last =
        std::find_if(first, rows.end(), [&](const RecordRow& row) { return place(row) != place(*first); });
    const bool grid = first->chosen.empty() && last - first > 1;
    std::optional<RecordRow> best;
    if (grid) best = best_on_test(first, last);
    for (Rows row = first; row != last; ++row) row->one_of_grid = grid;
    std::move(first, last, std::back_inserter(all));
    if (best) all.push_back(std::move(*best));
    first = last;
  }
  return all;
}

}  // namespace elmx
