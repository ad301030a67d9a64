#pragma once

#include <string>
#include <vector>

#include "base/config/fields.hpp"

namespace elmx {

struct Family;
class Model;

/// Returns true if what the training part says of points that differ at this place can be compared: they have
/// the same samples and the same scale. by_classes: the metric counts right classes, on which neither the
/// coding of the targets nor the weights of the classes in the sum of squares have a part.
bool can_be_chosen(const std::string& place, bool by_classes = false);

/// The choice of sweep points and sizes from what the training part says of them: each trial (case, data set,
/// algorithm, repeat, fold) takes its best point.
struct SelectOptions {
  std::string by = "none";
  std::vector<std::string> over;

  template <class F>
  void fields(F& field) {
    field("by", by,
          "the metric of the training part that is best at the chosen point: least loo_mse or gcv, largest loo_acc or "
          "loo_bac",
          one_of({"none", "loo_mse", "gcv", "loo_acc", "loo_bac"}));
    field("over", over,
          "what is chosen: places of sweeps (\"/model/ridge\" or \"ridge\") and \"nodes\"; [] = all sweeps of the "
          "model and of the scaling of the inputs, by loo_acc and loo_bac also of the coding and the class weights of "
          "the targets, and the sizes");
  }

  bool wanted() const { return by != "none"; }
  bool classifies() const { return by == "loo_acc" || by == "loo_bac"; }

  /// Writes places in full and "nodes" for what `over` names, or for all that can be chosen. axes: the sweeps
  /// of the case; model: of one of its points. Throws ConfigError where that is nothing and the case is not
  /// `one_of_several` that are chosen among, or is not to be chosen by training samples.
  void complete(const std::vector<Axis>& axes, const Family& family, const Model& model, bool one_of_several);
};

}  // namespace elmx
