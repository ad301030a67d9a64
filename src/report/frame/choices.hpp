#pragma once

#include <string>
#include <vector>

#include "report/frame/record_rows.hpp"
#include "report/frame/selection.hpp"

namespace elmx {

/// A step chosen within a trial, and the metric by which it was chosen.
struct Choice {
  RecordedStep taken;
  std::string by;
  double value;  ///< of that metric; NaN if the step was the only candidate and lacks it
};

/// Returns the steps chosen by the trials of the cases in `select`. rows: result of with_selections.
std::vector<Choice> choices_of(const std::vector<RecordRow>& rows, const Selections& select);

/// Returns true if choice a precedes choice b, over cases, algorithms and points: the better value wins, of
/// equal values the one with fewer nodes. Choices by different metrics are not comparable, so the first one
/// stays.
bool is_better(const Choice& a, const Choice& b);

/// Returns the best choice of each repeat and fold over all methods: the model that the rule would have
/// saved, given the training part of that fold only. Sorted by repeat and fold.
std::vector<Choice> nested_choices(const std::vector<Choice>& choices);

}  // namespace elmx
