#pragma once

#include <string>
#include <vector>

#include "base/fields.hpp"

namespace elmx {

/// The choice of sweep points and sizes from what the training part says of them.
struct SelectOptions {
  std::string by = "none";
  std::vector<std::string> over;

  template <class F>
  void fields(F& field) {
    field("by", by, "the metric of the training part that is least at the chosen point", one_of({"none", "loo_mse", "gcv"}));
    field("over", over, "what is chosen: places of sweeps (\"/model/ridge\") and \"nodes\"; [] = all sweeps and the sizes");
  }
};

}  // namespace elmx
