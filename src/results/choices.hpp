#pragma once

#include <string>
#include <vector>

#include "results/record_rows.hpp"
#include "results/selection.hpp"

namespace elmx {

/// A step that a trial has chosen, and the metric by which it was chosen.
struct Choice {
  RecordedStep taken;
  std::string by;
  double value;  ///< of that metric; NaN where the step, the only one there was, lacks it
};

/// Returns the steps that the trials of the cases in `select` have chosen. rows: as with_selections makes
/// them.
std::vector<Choice> choices_of(const std::vector<RecordRow>& rows, const Selections& select);

/// The rule that takes one of several choices, over cases, algorithms and points: the better value, of equal
/// values the fewer nodes. Choices by different metrics are not compared, so that the first one stays.
bool is_better(const Choice& a, const Choice& b);

/// Returns the best choice of each repeat and fold over all methods: what the rule would have saved, had it
/// seen the training part of that fold alone. Sorted by repeat and fold.
std::vector<Choice> nested_choices(const std::vector<Choice>& choices);

}  // namespace elmx
