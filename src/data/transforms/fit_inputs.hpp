#pragma once

#include <armadillo>
#include <string>

#include "data/table/dataset.hpp"
#include "data/transforms/scaler.hpp"

namespace elmx {

/// Fits the inputs of a network on some rows of a data set. The values in all other rows have no effect.
///
///     missing values   become the mean of the column over the fitted rows, in new samples of a table too
///     one-hot columns  of categories absent from the fitted rows are dropped: these categories are all zeros
///     sparse files     lose the columns behind the last one that is not zero in the fitted rows
///
/// Requires at least one row and, if values are missing, at least one present value per column in the rows.
Scaler fit_inputs(const Dataset& data, const std::string& scaling, const arma::uvec& rows);

}  // namespace elmx
