#pragma once

#include "answer/lead.hpp"
#include "table_formats/table.hpp"

namespace elmx {

struct OverDataSets {
  std::vector<std::string> sentences;  ///< ranks and their test, then on how many data sets the best is ahead
  Table table;                         ///< one row a data set, one column a method, and the mean ranks
};

/// The same methods on several data sets. `leads`: of each contest.
OverDataSets over_data_sets(const std::vector<Contest>& contests, const std::vector<Leads>& leads);

}  // namespace elmx
