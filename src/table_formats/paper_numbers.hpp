#pragma once

#include <optional>
#include <string>
#include <vector>

#include "table_formats/table.hpp"

namespace elmx {

/// A number as papers print it: (mean +- spread) x 10^exponent.
struct PaperNumber {
  std::string mean;             ///< "0.0480", "4.8"; "" for a power of ten alone
  std::string spread;           ///< with as many decimals as the mean; "" = none
  std::optional<int> exponent;  ///< of ten; none in a column without powers of ten
};

/// The numbers of column j, one for each row; none for a text and for NA. Numbers that have the same display
/// all have a power of ten if one of them is below 1e-4, or at least a million, and none has one otherwise.
/// Those whose digits end at neighbouring decimals all have the longer ones.
std::vector<std::optional<PaperNumber>> paper_numbers(const Table& table, std::size_t j);

}  // namespace elmx
