#pragma once

#include <string>
#include <vector>

#include "table_formats/table.hpp"
#include "tables/method_comparison.hpp"

namespace elmx {

/// The mean ranks of methods over data sets and what the tests say of them.
struct MethodRanks {
  std::string sentence;
  Table scores;                    ///< one row a data set, one column a method, and the mean ranks
  std::vector<Table> tables = {};  ///< of rank_methods: a row a method, and a row a pair of methods
  std::vector<std::string> methods = {};
  MeanRanks ranks = {};
};

/// The same methods on the several data sets of one comparison. Of two methods Wilcoxon's test over the data sets stands
/// in place of Friedman's. Without tables; where there are no ranks, the sentence says why.
MethodRanks ranks_in_summary(const MethodComparison& comparison);

/// The methods over the data sets of all comparisons, each judged by its own metric. Scores that agree to `digits`
/// significant digits are tied (0: those that are equal but for rounding). Throws ConfigError where the data sets have
/// different methods, where one lacks a number, or where they are not several different ones.
MethodRanks rank_methods(std::vector<MethodComparison> comparisons, int digits, double alpha);

/// The groups of methods of which no two mean ranks are the critical difference apart, the largest ones: indices from
/// the best rank. Methods that differ from every other one are in none.
std::vector<std::vector<std::size_t>> level_groups(const arma::rowvec& ranks, double critical_difference);

/// Methods from the best rank.
std::vector<std::size_t> order_of(const arma::rowvec& ranks);

/// The mean of a row, bold where it is the best; its footnote names failed trials.
Cell score_cell(const RecordRow& row, const Quantity& metric, bool best, Table& table);

/// "a, b and c".
std::string enumerated(const std::vector<std::string>& names);

}  // namespace elmx
