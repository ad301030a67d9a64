#pragma once

#include <string>
#include <vector>

#include "base/config/fields.hpp"

namespace elmx {

struct Family;
class Model;

/// Returns true if training metrics of points that differ at this place can be compared, because the points
/// have the same samples and scale. by_classes: the metric counts correct classes, and thus does not depend
/// on the coding of the targets and the weights of the classes in the sum of squares.
bool can_be_chosen(const std::string& place, bool by_classes = false);

/// The choice of sweep points and sizes by training metrics: each trial (case, data set, algorithm, repeat,
/// fold) takes its best point.
struct SelectOptions {
  std::string by = "none";
  std::vector<std::string> over;

  void fields(FieldVisitor& field);

  bool wanted() const { return by != "none"; }
  bool classifies() const { return by == "loo_acc" || by == "loo_bac"; }

  /// Replaces the names in `over` by full places and "nodes", or fills an empty `over` with everything that
  /// can be chosen. axes: the sweeps of the case; model: the model of any point. Throws ConfigError if there
  /// is nothing to choose and the case is not `one_of_several` candidates, or if the family or a place cannot
  /// be chosen by training metrics.
  void complete(const std::vector<Axis>& axes, const Family& family, const Model& model, bool one_of_several);
};

}  // namespace elmx
