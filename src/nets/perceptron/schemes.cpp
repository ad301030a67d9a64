#include "nets/perceptron/schemes.hpp"

#include <algorithm>
#include <array>

namespace elmx {
namespace {

std::vector<BlockStep> blocks_of_outputs(uword N, uword block) {
  std::vector<BlockStep> steps;
  for (uword first = 0; first < N; first += block) steps.push_back({{}, {first, std::min(block, N - first)}});
  return steps;
}

/// Returns the steps w_1, lambda_1, ..., w_N, lambda_N; without the lambda_j if `outputs` is 0.
std::vector<BlockStep> sweep(uword N, uword outputs) {
  std::vector<BlockStep> steps;
  for (uword j = 0; j < N; ++j) steps.push_back({{j, 1}, {j, outputs}});
  return steps;
}

struct NamedScheme {
  std::string name;
  Scheme scheme;
};

std::vector<NamedScheme> schemes(uword N, uword block) {
  const std::vector<BlockStep> outputs = blocks_of_outputs(N, N), some_outputs = blocks_of_outputs(N, block);
  const auto then_outputs = [&](std::vector<BlockStep> steps) {
    steps.push_back(outputs.front());
    return steps;
  };
  return {
      {"dec", {outputs, then_outputs(sweep(N, 1))}},              // outputs, then all weights of each unit
      {"dec_no_full", {outputs, sweep(N, 1)}},                    // all outputs only at the beginning
      {"cycle_no_lambda", {outputs, then_outputs(sweep(N, 0))}},  // all outputs, then each unit's inputs
      {"two_block", {outputs, {{{0, N}, {0, N}}}}},               // all outputs, then all inputs
      {"block_lambda", {some_outputs, some_outputs}},             // outputs only, in blocks
      {"elm", {outputs, {}}},                                     // outputs only, all together
  };
}

}  // namespace

bool Scheme::ends_with_all_outputs(uword N) const { return (major.empty() ? opening : major).back().J.count == N; }

std::vector<std::string> scheme_names() {
  std::vector<std::string> names;
  for (const NamedScheme& row : schemes(1, 1)) names.push_back(row.name);
  return names;
}

Scheme scheme_from(std::string_view name, uword N, uword block) {
  const std::vector<NamedScheme> all = schemes(N, block);
  const auto row = std::ranges::find(all, name, &NamedScheme::name);
  expects(row != all.end(), "scheme_from: a known name");
  return row->scheme;
}

namespace {

// The names, in the order of UnitOrder.
constexpr std::array<std::string_view, 4> kOrders{"given", "alternating", "random", "gradient"};

}  // namespace

std::vector<std::string> unit_order_names() { return {kOrders.begin(), kOrders.end()}; }

UnitOrder unit_order_from(std::string_view name) {
  const auto order = std::ranges::find(kOrders, name);
  expects(order != kOrders.end(), "unit_order_from: a known name");
  return static_cast<UnitOrder>(order - kOrders.begin());
}

arma::uvec units_in_order(UnitOrder order, uword N, std::size_t sweep, const Rng& rng,
                          const std::function<arma::rowvec()>& gradient_norms) {
  const arma::uvec given = arma::regspace<arma::uvec>(0, N - 1);
  switch (order) {
    case UnitOrder::given:
      break;
    case UnitOrder::alternating:
      return sweep % 2 == 0 ? given : arma::reverse(given);
    case UnitOrder::random:
      return arma::conv_to<arma::uvec>::from(rng.permutation(N, sweep * N));
    case UnitOrder::gradient:
      return arma::stable_sort_index(gradient_norms(), "descend");
  }
  return given;
}

}  // namespace elmx
