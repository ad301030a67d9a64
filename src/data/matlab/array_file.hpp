#pragma once

#include <armadillo>
#include <functional>
#include <string>
#include <vector>

#include "data/content/content.hpp"
#include "data/matlab/mat.hpp"
#include "data/table/read_report.hpp"

namespace elmx {

/// An open file of arrays: its variables, and the numbers of one of them. A variable of one dimension is read
/// as a column.
struct ArrayFile {
  std::vector<Variable> variables;
  std::function<arma::mat(const Variable& variable)> read;
};

/// 2^53: labels from here on would lose digits, since doubles skip whole numbers.
inline constexpr double kLabelsEnd = 9007199254740992;

/// The variables of a data set. No targets: they are not wanted, or a new file for a model does not have
/// them.
struct ChosenVariables {
  const Variable* inputs = nullptr;
  const Variable* targets = nullptr;
};

/// Finds the variables that the options name. If a default name is not in the file and the choice is
/// unambiguous, the only matrix is the inputs and the only vector with a value for each sample is the
/// targets: the options then get these names, and the report says so. The report also gets the list of
/// variables. Throws DataError with that list.
ChosenVariables choose_variables(const std::vector<Variable>& variables, bool targets, MatOptions& options,
                                 const std::string& origin, ReadReport& report);

}  // namespace elmx
