#pragma once

#include <string>
#include <vector>

#include "data/table/dataset.hpp"

namespace elmx {

/// Fills classes and labels of `data`. names: what classes are called, all different; numbers: N indices into
/// `names`. Names that are all numbers are put in numeric order, others in alphabetical order; a name without
/// a sample is left out.
void set_classes(Dataset& data, const std::vector<std::string>& names, const std::vector<double>& numbers);

/// The targets of samples whose labels are `numbers`: classes, which `names` lists from 0 on, or, for a
/// regression, the numbers themselves.
void set_targets(Dataset& data, Task task, const std::vector<std::string>& names, const std::vector<double>& numbers);

}  // namespace elmx
