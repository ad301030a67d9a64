#include "nets/perceptron/schemes.hpp"

#include <algorithm>
#include <array>

namespace elmx {
namespace {

BlockStep outputs_of_all(uword N) { return {{}, {0, N}}; }

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

std::vector<BlockStep> then_all_outputs(std::vector<BlockStep> steps, uword N) {
  steps.push_back(outputs_of_all(N));
  return steps;
}

struct Row {
  std::string_view name;
  Scheme (*make)(uword N, uword block);
};

constexpr std::array kSchemes{
    // all output weights, then each unit's input weights and its output weights
    Row{"dec",
        [](uword N, uword) {
          return Scheme{{outputs_of_all(N)}, then_all_outputs(sweep(N, 1), N)};
        }},
    // as dec, but all output weights together only once, at the beginning
    Row{"dec_no_full",
        [](uword N, uword) {
          return Scheme{{outputs_of_all(N)}, sweep(N, 1)};
        }},
    // all output weights, then each unit's input weights
    Row{"cycle_no_lambda",
        [](uword N, uword) {
          return Scheme{{outputs_of_all(N)}, then_all_outputs(sweep(N, 0), N)};
        }},
    // all output weights, then all input weights
    Row{"two_block",
        [](uword N, uword) {
          return Scheme{{outputs_of_all(N)}, {{{0, N}, {0, N}}}};
        }},
    // output weights only, in blocks
    Row{"block_lambda",
        [](uword N, uword block) {
          return Scheme{blocks_of_outputs(N, block), blocks_of_outputs(N, block)};
        }},
    // output weights only, all together
    Row{"elm",
        [](uword N, uword) {
          return Scheme{{outputs_of_all(N)}, {}};
        }},
};

}  // namespace

bool Scheme::ends_with_all_outputs(uword N) const { return (major.empty() ? opening : major).back().J.count == N; }

std::vector<std::string> scheme_names() {
  std::vector<std::string> names;
  for (const Row& row : kSchemes) names.emplace_back(row.name);
  return names;
}

Scheme scheme_from(std::string_view name, uword N, uword block) {
  const auto row = std::find_if(kSchemes.begin(), kSchemes.end(), [&](const Row& r) { return r.name == name; });
  expects(row != kSchemes.end(), "scheme_from: a known name");
  return row->make(N, block);
}

}  // namespace elmx
