#pragma once

#include <functional>
#include <vector>

#include "results/quantities.hpp"
#include "results/record_rows.hpp"
#include "table_formats/table.hpp"

namespace elmx {

/// Marks in the columns of those of `quantities` that are of samples outside of the training part the best number of each
/// case and data set, and what looks the same; of a table whose rows are `rows`. Rows kBestOnTest are optimistic and are left out where there are others.
///
/// The column of test_acc, or else test_rmse, becomes the first of them. Where two or more trials of a data set can be
/// compared, one behind it says of each row what its trials are beside those of the best one:
///
///     "best"         the best mean, or the same in every trial
///     "worse, p p"   p <= 0.05 by the corrected t-test, or by Wilcoxon's where the split is none that it knows
///     "p p"          it may be chance
///     "p ?"          no outcome of so few trials would be significant
///
/// p is adjusted by Holm for the rows of the data set; rows whose trials have the same numbers count as one.
void add_against_best(Table& table, const std::vector<RecordRow>& rows, const std::vector<Quantity>& quantities,
                      const std::function<double(const RecordRow&)>& test_over_train);

}  // namespace elmx
