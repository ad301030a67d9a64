#pragma once

#include <gtest/gtest.h>

#include "models/registry/registry.hpp"
#include "support/status.hpp"

namespace elmx {

/// Parses the "model" of a config with the family that it names.
inline ModelPtr parsed(const Json& model) { return family_of(model, "/model").read(model, "/model", false); }

/// Trains a model on a fold, and returns its last network.
inline TrainedNetwork last_network(const Json& given, FoldView fold, const std::string& algorithm) {
  const auto trainer = family_of(given, "/model").prepare({parsed(given)}, std::move(fold), Rng(1, Purpose::layer));
  TrainedNetwork last;
  FakeClock clock;
  trainer->train(algorithm, clock, [&](const Checkpoint& point) {
    ASSERT_EQ(point.status, Status::ok);
    last = point.network();
  });
  return last;
}

}  // namespace elmx
