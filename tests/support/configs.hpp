#pragma once

#include "base/config/json.hpp"

namespace elmx {

/// Two generated problems, three algorithms, two folds: 12 trials in a few milliseconds.
inline Json small_config() {
  return Json::parse(R"({
    "name": "small",
    "seed": 3,
    "split": {"kind": "k_fold", "folds": 2},
    "model": {
      "family": "elm",
      "algorithms": ["standard", "existing", "alg2"],
      "ridge": 0.1,
      "reference": "qr",
      "nodes": {"start": 2, "stop": 12, "report": [3, 12]}
    },
    "cases": {
      "regression": {"data": {"set": "friedman1", "samples": 60}},
      "classification": {"data": {"set": "two_moons", "samples": 60}}
    }
  })");
}

/// One case, one trial.
inline Json smallest_config() {
  return Json::parse(R"({
    "data": {"set": "sinc", "samples": 40},
    "split": {"kind": "holdout"},
    "model": {"algorithms": ["standard"], "nodes": {"start": 2, "stop": 5}}
  })");
}

/// One training of some seconds, which saves no state in its first minute, and a short training.
inline Json long_training() {
  return Json::parse(R"({
    "name": "long", "data": {"set": "friedman1", "samples": 2000}, "split": {"kind": "holdout"},
    "model": {"family": "rls", "algorithms": ["adam", "sgd"], "layers": [{"kind": "dense", "nodes": 200}], "batch": 10, "epochs": 200}
  })");
}

}  // namespace elmx
