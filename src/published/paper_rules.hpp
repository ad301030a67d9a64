#pragma once

#include <optional>
#include <string>
#include <vector>

#include "published/paper_options.hpp"
#include "published/published.hpp"

namespace elmx {

enum class Verdict { agrees, disagrees, tied, not_available, shown };

const char* to_string(Verdict verdict);

/// A published cell and what was measured for it.
struct PaperCell {
  const PublishedRow* row = nullptr;
  /// case, data set, point, nodes, published metric and statistic: all but the algorithm and its iterations
  std::string group;
  std::string grid;       ///< the same with the algorithm, without the point
  std::string series;     ///< published metric and statistic: what may be divided by one another
  std::string algorithm;  ///< ours
  std::string published_text;
  std::string measured_text;
  std::optional<double> published;            ///< in our unit; none where the cell is not a number
  std::optional<double> measured;             ///< none where the run does not have it
  arma::uword failed = 0;                     ///< trials that failed there; measured is the mean of the others
  std::vector<std::optional<double>> beside;  ///< measured under the other conditions of PaperOptions::beside
  PaperRule rule;
};

/// "within 15 %", "at most 10 x", "same order (ties within 5 %)"; what the numbers are relative to, if anything.
std::string rule_text(const PaperRule& rule);

/// Whether the verdict depends on how many trials failed.
bool counts_failures(const PaperRule& rule);

/// The verdict of the cell's rule. Under "order" a cell agrees where its measured value stands to that of every other
/// algorithm of its group as the published values do, ties of those left out; nothing to compare with = shown. Under
/// "lowest" it agrees where every other cell of its grid is above it by more than the ties, and is tied where one is
/// not, but none is below it by more than those.
Verdict judge(const PaperCell& cell, const std::vector<PaperCell>& all);

}  // namespace elmx
