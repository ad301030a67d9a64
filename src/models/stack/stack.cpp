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

class StackModel final : public Model {
 public:
  StackModel(StackOptions options, std::vector<ModelsOfMember> members)
      : options_(std::move(options)), members_(std::move(members)) {}

  Json json() const override { return write_options(options_); }
  const std::vector<std::string>& algorithms() const override { return options_.algorithms; }
  std::size_t sizes() const override { return 1; }
  bool single_precision() const override { return false; }
  bool solves_ridge_problem(std::string_view) const override { return false; }
  bool measures_steps() const override { return false; }
  std::optional<ConfigError> needs_one_rank() const override {
    return ConfigError("/model/family", "\"stack\" runs on one rank only; run it without mpirun");
  }

  /// Returns the cost: each member is trained once more, and the outputs of all members are held together.
  Cost cost(std::size_t models, const Sizes& sizes) const override {
    const auto m = static_cast<double>(members_.size()), n = static_cast<double>(sizes.train),
               c = static_cast<double>(sizes.outputs);
    Cost sum;
    sum.passes = sum.test_passes = 0;
    double largest = 0;
    for (const ModelsOfMember& member : members_) {
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

  std::unique_ptr<Predictor> restore(const TrainedNetwork&, const NetworkShape&) const override {
    throw DataError("network",
                    "a stack has no network of its own; expected the networks of its members (members/1/network)");
  }

 private:
  StackOptions options_;
  std::vector<ModelsOfMember> members_;
};

}  // namespace

std::vector<AlgorithmInfo> stack_algorithms() {
  return {{.name = "nnls",
           .summary = "non-negative least squares on leave-one-out outputs",
           .intermediate_flops = "n m^2 C + n m^3",
           .symbols = "n samples, m members, C outputs",
           .step = "trains the members and weighs them",
           .ridge_solution = false}};
}

void StackOptions::fields(FieldVisitor& field) {
  first_fields(field, "there is one algorithm: non-negative least squares", names_of(stack_algorithms()));
  field("of", of,
        "names of the cases that are combined, each by its first algorithm at the point and size that it chooses; [] = "
        "all other cases with leave-one-out errors");
}

void StackOptions::check(const std::string& place) const {
  check_algorithms(names_of(stack_algorithms()), place);
  if (of.size() > kMostMembers)
    throw ConfigError(place + "/of", fmt::format("expected at most {} cases, found {}", kMostMembers, of.size()));
  std::set<std::string_view> seen;
  for (const std::string& name : of) {
    if (!seen.insert(name).second)
      throw ConfigError(place + "/of", fmt::format("duplicate case \"{}\"; list each case once", name));
  }
}

ModelPtr make_stack(const Json& model, const std::string& place, std::vector<ModelsOfMember> members) {
  StackOptions options;
  read_options(model, place, options);
  options.check(place);
  return std::make_shared<const StackModel>(std::move(options), std::move(members));
}

}  // namespace elmx
