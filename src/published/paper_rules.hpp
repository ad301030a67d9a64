#pragma once

#include <optional>
#include <string>
#include <vector>

#include "published/measurement.hpp"
#include "published/paper_options.hpp"
#include "published/published.hpp"

namespace elmx {

/// A published cell and what was measured for it.
struct PaperCell {
  const PublishedRow* row = nullptr;
  std::string table;  ///< of the paper, where the file holds several (column "table")
  /// case, data set, point, nodes, published metric and statistic: all but the algorithm and its iterations
  std::string group;
  std::string grid;       ///< the same with the algorithm, without the point
  std::string series;     ///< published metric and statistic: what may be divided by one another
  std::string algorithm;  ///< ours
  std::string published_text;
  std::string measured_text;
  std::optional<double> published;     ///< in our unit; none where the cell is not a number
  std::optional<double> published_sd;  ///< of one published run, in our unit; none where it or their number is unknown
  arma::uword published_runs = 0;      ///< behind a published mean; 0: unknown
  Measurement measured;
  std::vector<Measurement> beside;  ///< measured under the other conditions of PaperOptions::beside
  PaperRule rule;
};

/// "within 15 %", "at most 10 x", "same order (ties within 5 %)"; what the numbers are relative to, if anything.
std::string rule_text(const PaperRule& rule);

/// Whether the published number stands for a sentence of the text: a rank, a mark or a bound, no value of the metric.
bool is_claim(const PaperRule& rule);

/// Whether two numbers differ by at most the part `ties` of the larger one.
bool within_ties(double a, double b, double ties);

}  // namespace elmx
