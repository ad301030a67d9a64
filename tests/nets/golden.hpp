#pragma once

#include <string>

#include "support/golden.hpp"
#include "support/net.hpp"

namespace elmx {

struct Golden : StoredValues {
  explicit Golden(const std::string& name) : StoredValues("nets", name) {}

  Net net() const {
    return {matrix_from(input["X_aug"]),   matrix_from(input["Y"]),      matrix_from(input["W0"]),
            matrix_from(input["Lambda0"]), input["tau_w"].get<double>(), input["tau_lambda"].get<double>()};
  }
};

}  // namespace elmx
