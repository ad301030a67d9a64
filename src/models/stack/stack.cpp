#include "models/stack/stack.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostMembers = 50;

/// Returns the maximum cost of the models of a member.
Cost dearest(const ModelsOfMember& models, const Sizes& sizes) {
  Cost most;
  for (const ModelPtr& model : models) {
    const Cost cost = model->cost(1, sizes);
    if (&model == &models.front() || cost.flops > most.flops) most = cost;
  }
  return most;
}

}  // namespace

std::vector<AlgorithmInfo> StackOptions::known_algorithms() const {
  return {{.name = "nnls",
           .summary = "non-negative least squares on leave-one-out outputs",
           .intermediate_flops = "n m^2 C + n m^3",
           .symbols = "n samples, m members, C outputs",
           .step = "trains the members and weighs them",
           .ridge_solution = false}};
}

void StackOptions::fields(FieldVisitor& field) {
  first_fields(field, "the only algorithm: non-negative least squares");
  field("of", of,
        "names of the cases to combine, each with its first algorithm at the chosen point and size; []: all other "
        "cases with leave-one-out errors");
}

void StackOptions::check(const std::string& place) const {
  check_algorithms(place);
  if (of.size() > kMostMembers)
    throw ConfigError(place + "/of", fmt::format("expected at most {} cases, found {}", kMostMembers, of.size()));
  std::set<std::string_view> seen;
  for (const std::string& name : of) {
    if (!seen.insert(name).second)
      throw ConfigError(place + "/of", fmt::format("duplicate case \"{}\"; list each case once", name));
  }
}

std::unique_ptr<Trainer> make_stack(const std::vector<StackOptions>&, FoldView, const Rng&) {
  throw std::logic_error("make_stack: a stack is trained by its members");
}

std::unique_ptr<Predictor> StackOptions::restore(const TrainedNetwork&, const NetworkShape&) const {
  throw DataError("network",
                  "a stack has no network of its own; expected the networks of its members (members/1/network)");
}

Cost StackOptions::cost(std::size_t models, const Sizes& sizes) const {
  const auto m = static_cast<double>(members.size()), n = static_cast<double>(sizes.train),
             c = static_cast<double>(sizes.outputs);
  Cost sum;
  sum.passes = sum.test_passes = 0;
  double largest = 0;
  for (const ModelsOfMember& member : members) {
    const Cost one = dearest(member, sizes);
    largest = std::max(largest, one.bytes);
    sum.shared_bytes = std::max(sum.shared_bytes, one.shared_bytes);
    sum.drawn_bytes = std::max(sum.drawn_bytes, one.drawn_bytes);
    sum += one;
    sum.passes += one.passes;
    sum.test_passes += one.test_passes;
  }
  sum.bytes = largest + 8 * (m + 1) * (2 * n + static_cast<double>(sizes.test)) * c + 8 * m * n;
  sum.bytes_moved += 16 * n * m * m * c + 8 * n * m * m * m;
  sum.flops *= static_cast<double>(models);
  return sum;
}

}  // namespace elmx
