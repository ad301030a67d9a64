#pragma once

#include <armadillo>
#include <string>

#include "data/table/dataset.hpp"
#include "preprocess/scaler.hpp"

namespace elmx {

/// The inputs of a network, fitted on some rows of a data set: the other rows, whatever stands in them,
/// change nothing.
///
///     missing values   become the mean of the column on the fitted rows, in new samples of a table too
///     one-hot columns  those of categories that do not occur in the fitted rows are left out: such a category is all
///     zeros
///     sparse files     so are the columns behind the last that is not zero in the fitted rows
///
/// Requires at least one row, and where values are missing one of each column in the rows.
Scaler fit_inputs(const Dataset& data, const std::string& scaling, const arma::uvec& rows);

}  // namespace elmx
